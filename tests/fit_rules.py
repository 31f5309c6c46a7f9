"""Learns `indexer/rulerefs_words.bin` and `rulerefs_weights.json` from rulings that a reader labelled; run by hand.

    python tests/fit_rules.py             # learn from all labels, write the files, say how well it fits
    python tests/fit_rules.py --folds 6   # do not write: the figures, each ruling judged by what the others taught

`rule_labels.tsv` holds the id of a wording and the numbers of its rules, after a `/` those that are also acceptable,
none for a ruling that no rule bears on; the texts and cards come from the corpus beside the repository. Run it after
larger changes of the concepts. Ridge regression for the words, in which each rule's own text counts as one ruling on
it, then logistic regression for all; this needs scikit-learn, the program does not: it runs on the two files.
"""

from __future__ import annotations

import argparse
import gzip
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from indexer import rulerefs_words
from indexer.rulerefs import RuleIndex, _without_name
from indexer.rulerefs_keywords import terms
from indexer.rulerefs_model import ANY, ANY_FEATURES, RULE, RULE_FEATURES, features
from indexer.rulerefs_words import FIRST, LEAST, UNIT, WordWeights, from_tables, signs_of
from rulings.ids import mint
from rulings.model import Card, Face
from rulings.rules import ComprehensiveRules, load_versions
from rulings.text import fold1

HERE = Path(__file__).parent
CORPUS = HERE.parents[1] / "shared" / "corpus"
LABELS = HERE / "rule_labels.tsv"
LABELLED_ON = "2026-04-17"
HOLD, OWN_TEXT, ALSO = 0.6, 1.0, 0.5
"""How strongly weights are held to zero, for rulings and for the rules' own texts; what an acceptable rule counts."""
WEIGHTS = 80_000
"""How many weights are kept, those that say most in the labelled rulings."""


@dataclass(frozen=True)
class Row:
    """A labelled ruling: its text folded, without its card's name; what counts for which rule."""

    text: str
    card: Card
    rules: dict[str, float]


def read() -> list[Row]:
    """The labelled rulings, with texts and cards from the corpus."""
    labels: dict[str, dict[str, float]] = {}
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        ruling, _, numbers = line.partition("\t")
        best, _, also = numbers.partition("/")
        labels[ruling] = {**dict.fromkeys(also.split(), ALSO), **dict.fromkeys(best.split(), 1.0)}
    cards = {}
    for line in _lines("cards.jsonl.gz"):
        faces = tuple(
            Face(f["name"], f.get("type_line", ""), f.get("oracle_text", "")) for f in line["card_faces"] or ()
        )
        cards[line["name"]] = Card(
            line["name"], oracle_text=line["oracle_text"] or "", type_line=line["type_line"] or "", faces=faces
        )
    found: dict[str, Row] = {}
    for line in _lines("rulings.jsonl.gz"):
        ruling = mint(line["comment"]) if line["comment"].strip() else ""
        if ruling in labels and ruling not in found:
            card = cards.get(line["card"]) or Card(line["card"])
            found[ruling] = Row(fold1(_without_name(line["comment"], card)), card, labels[ruling])
    return [found[ruling] for ruling in labels if ruling in found]


def _lines(name: str) -> Sequence[Any]:
    with gzip.open(CORPUS / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Words:
    """Ridge regression from the signs of texts to rules, in its dual form."""

    def __init__(self, rows: Sequence[Row], rules: ComprehensiveRules) -> None:
        self.numbers = sorted({number for row in rows for number in row.rules})
        place = {number: at for at, number in enumerate(self.numbers)}
        own = [rule for rule in rules.rules if not rule.is_heading]
        texts = [*(row.text for row in rows), *(fold1(" ".join((rule.text, *rule.examples))) for rule in own)]
        signs = [signs_of(text.lower()) for text in texts]
        spread = Counter(sign for found in signs for sign in found)
        self.vocabulary = sorted(sign for sign, count in spread.items() if count > 1)
        self.rarity = np.array([_rarity(sign, spread[sign], len(texts)) for sign in self.vocabulary])
        column = {sign: at for at, sign in enumerate(self.vocabulary)}
        cells = [
            (row, column[s], 1 / sqrt(len(found))) for row, found in enumerate(signs) for s in found if s in column
        ]
        at, sign_at, values = zip(*cells, strict=True)
        plain = csr_matrix((values, (at, sign_at)), shape=(len(texts), len(self.vocabulary)))
        self.x = plain.multiply(self.rarity).tocsr()
        self.scale = sqrt(float(np.mean(self.x.multiply(self.x).sum(axis=1))))
        self.x = self.x / self.scale
        self.y = np.zeros((len(texts), len(self.numbers)))
        for at_row, row in enumerate(rows):
            for number, value in row.rules.items():
                self.y[at_row, place[number]] = value
        for at_rule, rule in enumerate(own, len(rows)):
            if rule.number in place:
                self.y[at_rule, place[rule.number]] = 1
        held = np.concatenate([np.full(len(rows), HOLD), np.full(len(own), OWN_TEXT)])
        kernel = (self.x @ self.x.T).toarray()
        self.dual = np.linalg.inv(kernel + np.diag(held))
        self.hat = kernel[: len(rows)] @ self.dual

    def without_itself(self) -> np.ndarray:
        """The scores of each labelled ruling by what all the others taught."""
        count = len(self.hat)
        own = np.diag(self.hat[:, :count])[:, None]
        return (self.hat @ self.y - own * self.y[:count]) / (1 - own)

    def tables(self) -> dict[str, Any]:
        """The weights for the file."""
        count = len(self.hat)
        taught = (self.x.T @ (self.dual @ self.y)) * (self.rarity / self.scale)[:, None]
        spread = np.asarray((self.x[:count] > 0).sum(0)).ravel()
        says = np.abs(taught) * np.sqrt(spread + 0.1)[:, None]
        least = np.partition(says.ravel(), -WEIGHTS)[-WEIGHTS]
        signs = {}
        for at, sign in enumerate(self.vocabulary):
            pairs = [(int(r), round(float(taught[at, r]) * UNIT)) for r in np.flatnonzero(says[at] >= least)]
            if flat := [part for pair in pairs if pair[1] for part in pair]:
                signs[sign] = flat
        labelled = [int(n) for n in (self.y[:count] > 0).sum(0)]
        return {"rules": dict(zip(self.numbers, labelled, strict=True)), "signs": signs}


def _rarity(sign: str, count: int, texts: int) -> float:
    return (log(texts / count) + 0.3) * (0.6 if " " in sign else 0.5 if sign.startswith(FIRST) else 1)


Features = tuple[float, ...]


def look(index: RuleIndex, row: Row, said: dict[str, float]) -> list[tuple[str, Features, bool]]:
    """The rules that could be meant in a labelled ruling, what the model looks at, and whether each is meant."""
    folded = row.text.lower()
    seen = index.look(row.text, folded, terms(folded), said)
    for number, s in seen.items():  # not what this ruling itself taught
        s.labelled -= number in row.rules
    return [(n, f, n in row.rules) for n, f in zip(seen, features(seen.values()), strict=True)]


class Model:
    """Logistic regression."""

    def __init__(self, rows: Sequence[Features], right: Sequence[bool], counts: Sequence[float]) -> None:
        x = np.array(rows, dtype=float)
        self.mean, self.spread = x.mean(0), x.std(0) + 1e-9
        self.model = LogisticRegression(max_iter=3000).fit((x - self.mean) / self.spread, right, sample_weight=counts)

    def __call__(self, rows: Sequence[Features]) -> np.ndarray:
        return self.model.predict_proba((np.array(rows, dtype=float) - self.mean) / self.spread)[:, 1]

    def table(self, names: Sequence[str]) -> dict[str, float]:
        """The weights for the file."""
        own = self.model.coef_[0] / self.spread
        start = self.model.intercept_[0] - float(own @ self.mean)
        return {"": round(float(start), 3), **{n: round(float(w), 3) for n, w in zip(names, own, strict=True)}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", type=int)
    arguments = parser.parse_args()
    rows = read()
    rules = next(v for v in load_versions(CORPUS / "comprehensive-rules").all if v.effective == LABELLED_ON)
    words = Words(rows, rules)
    tables = words.tables()
    use(from_tables(tables))
    index = RuleIndex(rules)
    said = [
        {number: float(score) for number, score in zip(words.numbers, scores, strict=True) if score > LEAST}
        for scores in words.without_itself()
    ]
    looked = [look(index, row, found) for row, found in zip(rows, said, strict=True)]
    everything = range(len(rows))

    def learn(chosen: Sequence[int]) -> Model:
        flat = [(f, right, ALSO if rows[i].rules.get(n) == ALSO else 1.0) for i in chosen for n, f, right in looked[i]]
        return Model(*(list(column) for column in zip(*flat, strict=True)))

    likely: list[list[tuple[float, str]]] = [[] for _ in rows]
    for taught, judged in KFold(arguments.folds or 6, shuffle=True, random_state=1).split(rows):
        model = learn(taught)
        for i in judged:
            found = model([f for _, f, _ in looked[i]]) if looked[i] else []
            likely[i] = sorted(((float(p), n) for p, (n, _, _) in zip(found, looked[i], strict=True)), reverse=True)
    strongest = RULE_FEATURES.index("best concept")
    speak = []
    for row, found, lines in zip(rows, likely, looked, strict=True):
        folded, concept = row.text.lower(), lines[0][1][strongest] if lines else 0.0
        speak.append(index.any_features(folded, terms(folded), [p for p, _ in found], concept, row.card))
    speaks = Model(speak, [bool(row.rules) for row in rows], [1.0] * len(rows))
    report(rows, likely, speaks(speak))
    if not arguments.folds:
        folder = Path(rulerefs_words.__file__).parent
        body = json.dumps(tables, ensure_ascii=False, separators=(",", ":")).encode()
        (folder / "rulerefs_words.bin").write_bytes(zlib.compress(body, 9))
        model = learn(everything)
        (folder / "rulerefs_weights.json").write_text(
            json.dumps({RULE: model.table(RULE_FEATURES), ANY: speaks.table(ANY_FEATURES)}, indent=1) + "\n",
            encoding="utf-8",
        )


def use(by: WordWeights) -> None:
    """Weights in place of those of the file."""
    from indexer import rulerefs

    rulerefs.word_weights = lambda: by  # type: ignore[assignment]


def report(rows: Sequence[Row], likely: Sequence[Sequence[tuple[float, str]]], speaks: np.ndarray) -> None:
    """First rule, recall of the best rules among three, silence, by how likely it must be that a rule bears at all."""
    for enough in (0.0, 0.7, 0.8, 0.85, 0.9, 0.93):
        first = answered = wanted = found = silent = 0
        for row, ranked, p in zip(rows, likely, speaks, strict=True):
            given = [n for _, n in ranked[:3]] if p >= enough else []
            best = {n for n, value in row.rules.items() if value == 1}
            answered += bool(given and row.rules)
            first += bool(given) and given[0] in row.rules
            wanted, found = wanted + len(best), found + len(best & set(given))
            silent += not given and not row.rules
        empty = sum(not row.rules for row in rows)
        print(
            f"{enough:4}: first {first / answered:.3f}, recall@3 {found / wanted:.3f}, silence {silent}/{empty}, "
            f"false silence {1 - answered / (len(rows) - empty):.3f}"
        )


if __name__ == "__main__":
    main()
