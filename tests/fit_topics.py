"""Learns `indexer/tag_weights.json` and `tag_words.json` from rulings that a reader labelled; run by hand.

    python tests/fit_topics.py            # learn from all labels, write the file, say how well it fits
    python tests/fit_topics.py --folds 5  # do not write: the honest figures, each ruling judged by the others

`topic_labels.tsv` holds the id of a wording and its topics, the first one first; the texts and cards come from the
corpus beside the repository. Run it after larger changes of the phrases. Ridge regression for the words, then logistic
regression for all; this needs scikit-learn, the program does not: it runs on the two files written here.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from indexer import tag_model
from indexer.tag import Tag, Tagger, mask
from indexer.tag_model import KINDS, Weights, features, look, type_line
from indexer.tag_words import WordWeights, from_tables, signs_of
from rulings import topics
from rulings.ids import mint
from rulings.model import Card, Face, Printing

HERE = Path(__file__).parent
CORPUS = HERE.parents[1] / "shared" / "corpus"
LABELS = HERE / "topic_labels.tsv"
FIRST_COUNTS, LEAST_LABELS, SIGNS, LEAST_SIGN, HOLD = 2.0, 3, 300, 0.3, 0.15
"""How much more the first topic of a ruling counts; labels that make a topic worth learning by words, how many signs
are kept for each and how much they must say, and how strongly their weights are held to zero."""

Feature = tuple[str, str, str]
Tables = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Row:
    """A labelled ruling."""

    text: str
    card: Card
    topics: tuple[str, ...]


def read() -> list[Row]:
    """The labelled rulings, with texts and cards from the corpus."""
    wanted = {}
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        ruling, found = line.split("\t")
        wanted[ruling] = tuple(found.split())
    cards = {}
    with gzip.open(CORPUS / "cards.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            cards[record["name"]] = card_of(record)
    rows = {}
    with gzip.open(CORPUS / "rulings.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if not record["comment"].strip():
                continue
            ruling = mint(record["comment"])
            if ruling in wanted and ruling not in rows:
                name = record["card"]
                rows[ruling] = Row(record["comment"], cards.get(name, Card(name)), wanted[ruling])
    return [rows[ruling] for ruling in sorted(rows)]


def card_of(record: dict[str, object]) -> Card:
    """The card of one line of the corpus."""
    faces = record["card_faces"] or ()
    return Card(
        str(record["name"]),
        type_line=str(record["type_line"] or ""),
        keywords=tuple(record["keywords"] or ()),  # type: ignore[arg-type]
        faces=tuple(Face(f["name"], f.get("type_line") or "") for f in faces),  # type: ignore[attr-defined]
        printings=tuple(Printing(str(code).upper()) for code in record["sets"] or ()),  # type: ignore[attr-defined]
    )


def learn(rows: Sequence[Row], tagger: Tagger) -> tuple[Weights, Tables]:
    """Weights that tell the topics of `rows` from others: first those of the words, then, with what the words say of
    each ruling when learned from all others, those of everything else."""
    found_in = [tagger.evidence(row.text, row.card) for row in rows]
    signs = [
        signs_of(mask(row.text, row.card), type_line(row.card), found)
        for row, found in zip(rows, found_in, strict=True)
    ]
    tables, said = learn_words(rows, signs)
    names: dict[Feature, int] = {}
    row_of, column, value, is_topic, counts = [], [], [], [], []
    for n, row in enumerate(rows):
        for key, seen in look(found_in[n], said[n], tagger.topics, row.card, len(row.text)).items():
            for name, much in features(seen, key):
                row_of.append(len(is_topic))
                column.append(names.setdefault(name, len(names)))
                value.append(much)
            is_topic.append(key in row.topics)
            counts.append(FIRST_COUNTS if key == row.topics[0] else 1.0)
    matrix = csr_matrix((value, (row_of, column)), shape=(len(is_topic), len(names)))
    model = LogisticRegression(C=1.0, solver="liblinear", max_iter=300, fit_intercept=False)
    weight = model.fit(matrix, is_topic, sample_weight=counts).coef_[0]
    made: dict[str, dict[str, dict[str, float]]] = {kind: defaultdict(dict) for kind in KINDS}
    for (kind, topic, rest), number in sorted(names.items()):
        rounded = round(float(weight[number]), 2)
        if abs(rounded) >= 0.03 or kind == "topic":
            made[kind][topic][rest] = rounded
    flat = {k: {topic: found[""] for topic, found in made[k].items()} for k in ("topic", "early", "card", "said")}
    return Weights(
        made["all"].get("", {}),
        flat["topic"],
        flat["early"],
        flat["card"],
        dict(made["phrase"]),
        dict(made["beside"]),
        flat["said"],
    ), tables


def learn_words(rows: Sequence[Row], signs: Sequence[set[str]]) -> tuple[Tables, list[dict[str, float]]]:
    """By topic with enough labels, the weights of the signs that tell most, and by ruling the scores that it has where
    the weights are learned from all others (ridge regression gives these at once). Rare signs may say more, long texts
    say as much as short ones. 0 and 1 become the scores -3 and 5."""
    seen = Counter(sign for found in signs for sign in found)
    names = {sign: number for number, sign in enumerate(sorted(s for s, times in seen.items() if times > 1))}
    rare = np.array([log(len(rows) / seen[sign]) ** 0.5 for sign in names])
    row_of, column, value = [], [], []
    for place, found in enumerate(signs):
        known = [names[sign] for sign in found if sign in names]
        row_of += [place] * len(known)
        column += known
        value += [rare[number] * len(found) ** -0.5 for number in known]
    matrix = csr_matrix((value, (row_of, column)), shape=(len(rows), len(names)))
    often = Counter(topic for row in rows for topic in row.topics)
    keys = sorted(topic for topic, times in often.items() if times >= LEAST_LABELS)
    is_topic = np.array([[float(key in row.topics) for key in keys] for row in rows])
    alike = np.asarray((matrix @ matrix.T).todense())
    solved = np.linalg.inv(alike + HOLD * np.mean(np.diag(alike)) * np.eye(len(rows)))
    usual = is_topic.mean(0)
    shares = solved @ (is_topic - usual)
    without = is_topic - shares / np.diag(solved)[:, None]
    weight = (matrix.T @ shares) * rare[:, None] * 8
    signs_by_number = list(names)
    reach = np.array([seen[sign] ** 0.5 for sign in names])
    least = np.array([LEAST_SIGN * (3 if seen[sign] > len(rows) / 50 else 1) for sign in names])
    tables: Tables = {}
    for place, key in enumerate(keys):
        strong = np.abs(weight[:, place])
        best = np.argsort(-strong * reach * (strong >= least), kind="stable")[:SIGNS]
        tables[key] = {signs_by_number[n]: round(float(weight[n, place]), 1) for n in sorted(best)}
        tables[key] = {sign: much for sign, much in tables[key].items() if abs(much) >= LEAST_SIGN}
        tables[key][""] = round(float(8 * usual[place] - 3), 3)
    return tables, [dict(zip(keys, (8 * row - 3).tolist(), strict=True)) for row in without]


def figures(rows: Sequence[Row], found: Sequence[Sequence[Tag]]) -> str:
    """Micro precision, recall and F1, and how often the first topic is among those found."""
    hits = sum(len(set(row.topics) & {t.key for t in tags}) for row, tags in zip(rows, found, strict=True))
    given = sum(len(tags) for tags in found)
    wanted = sum(len(row.topics) for row in rows)
    first = sum(row.topics[0] in {t.key for t in tags} for row, tags in zip(rows, found, strict=True))
    return (
        f"{len(rows)} rulings: precision {hits / given:.3f} recall {hits / wanted:.3f} "
        f"f1 {2 * hits / (given + wanted):.3f} first {first / len(rows):.3f}, {given / len(rows):.2f} topics each"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", type=int, default=0)
    folds = parser.parse_args().folds
    vocabulary = topics.load()
    rows = read()
    bare = Tagger(vocabulary, by=Weights({}, {}, {}, {}, {}, {}, {}), words=WordWeights((), (), {}))
    if folds:
        random.Random(0).shuffle(rows)
        found: list[Sequence[Tag]] = []
        for fold in range(folds):
            learned, tables = learn([row for n, row in enumerate(rows) if n % folds != fold], bare)
            tagger = Tagger(vocabulary, by=learned, words=from_tables(tables))
            found += [tagger.tag(row.text, row.card) for row in rows[fold::folds]]
        print(figures([row for fold in range(folds) for row in rows[fold::folds]], found))
        return
    learned, tables = learn(rows, bare)
    folder = Path(tag_model.__file__).parent
    data = {kind: getattr(learned, kind) for kind in KINDS}
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, indent=1) + "\n"
    (folder / "tag_weights.json").write_text(text, encoding="utf-8")
    lines = [
        f"{json.dumps(key)}:{json.dumps(t, ensure_ascii=False, separators=(',', ':'))}" for key, t in tables.items()
    ]
    (folder / "tag_words.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    tagger = Tagger(vocabulary, by=learned, words=from_tables(tables))
    tags = [tagger.tag(row.text, row.card) for row in rows]
    print(figures(rows, tags), "(on what it learned from)")
    print(Counter(map(len, tags)))


if __name__ == "__main__":
    main()
