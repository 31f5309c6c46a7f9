"""Learns `indexer/tag_weights.json` and `tag_words.bin` from rulings that a reader labelled; run by hand.

    python tests/fit_topics.py              # learn from all labels and write the files; takes some ten minutes
    python tests/fit_topics.py --held 2000  # do not write: the honest figures, on rulings that were not learned from

`topic_labels.tsv` holds the id of a wording and its topics, the first one first; the texts and cards come from the
corpus beside the repository. Run it after larger changes of the phrases. Ridge regression for the words, then logistic
regression for all; this needs scikit-learn, the program does not: it runs on the two files written here.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import zlib
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
from indexer.tag_words import NO_WORDS, WordWeights, from_rows, signs_of
from rulings import topics
from rulings.ids import mint
from rulings.model import Card, Face, Printing

HERE = Path(__file__).parent
CORPUS = HERE.parents[1] / "shared" / "corpus"
LABELS = HERE / "topic_labels.tsv"
FIRST_COUNTS, LEAST_LABELS, LEAST_SIGN, HOLD, FOLDS, MOST_STEPS = 2.0, 3, 0.3, 0.3, 5, 60
"""How much more the first topic of a ruling counts; labels that make a topic worth learning by words, how much a sign
must say to be kept, how strongly the weights are held to zero; parts for the scores of each ruling by the others, and
steps until the weights must be good enough."""

Feature = tuple[str, str, str]
Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


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


def learn(rows: Sequence[Row], tagger: Tagger) -> tuple[Weights, WordWeights]:
    """Weights that tell the topics of `rows` from others: first those of the words, then, with what the words say of
    each ruling when learned from all others, those of everything else."""
    found_in = [tagger.evidence(row.text, row.card) for row in rows]
    signs = [
        signs_of(mask(row.text, row.card), type_line(row.card), found)
        for row, found in zip(rows, found_in, strict=True)
    ]
    words, said = learn_words(rows, signs)
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
    ), words


def learn_words(rows: Sequence[Row], signs: Sequence[set[str]]) -> tuple[WordWeights, list[dict[str, float]]]:
    """The weights of the signs for each topic with enough labels, and by ruling the scores that it has where the
    weights are learned from others: from four fifths of them. Rare signs may say more, long texts say as much as short
    ones. 0 and 1 become the scores -3 and 5."""
    seen = Counter(sign for found in signs for sign in found)
    names = {sign: number for number, sign in enumerate(sorted(s for s, times in seen.items() if times > 1))}
    rare = np.array([log(len(rows) / seen[sign]) ** 0.5 for sign in names], np.float32)
    row_of, column, value = [], [], []
    for place, found in enumerate(signs):
        known = [names[sign] for sign in sorted(found) if sign in names]
        row_of += [place] * len(known)
        column += known
        value += [rare[number] * len(found) ** -0.5 for number in known]
    matrix = csr_matrix((value, (row_of, column)), shape=(len(rows), len(names)), dtype=np.float32)
    often = Counter(topic for row in rows for topic in row.topics)
    keys = sorted(topic for topic, times in often.items() if times >= LEAST_LABELS)
    is_topic = np.array([[float(key in row.topics) for key in keys] for row in rows], np.float32)
    without = np.zeros_like(is_topic)
    for fold in range(FOLDS):
        away = np.arange(len(rows)) % FOLDS == fold
        weight, usual = ridge(matrix[~away], is_topic[~away])
        without[away] = matrix[away] @ weight + usual
    weight, usual = ridge(matrix, is_topic)
    weight *= rare[:, None] * 8
    weight[np.abs(weight) < LEAST_SIGN] = 0
    start = [round(float(8 * share - 3), 3) for share in usual]
    by = from_rows(keys, start, {sign: row.tolist() for sign, row in zip(names, weight, strict=True) if row.any()})
    return by, [dict(zip(keys, (8 * row - 3).tolist(), strict=True)) for row in without]


def ridge(matrix: csr_matrix, wanted: Numbers) -> tuple[Numbers, Numbers]:
    """Ridge regression for all topics at once, by conjugate gradients: the weights, and the mean of each topic."""
    hold = HOLD * matrix.multiply(matrix).sum() / matrix.shape[0]
    usual = wanted.mean(0)
    rest = matrix.T @ (wanted - usual)
    weight, way, much = np.zeros_like(rest), rest.copy(), (rest * rest).sum(0)
    enough = 1e-4 * much
    for _ in range(MOST_STEPS):
        step = matrix.T @ (matrix @ way) + hold * way
        far = much / np.maximum((way * step).sum(0), 1e-12)
        weight += far * way
        rest -= far * step
        left = (rest * rest).sum(0)
        if (left <= enough).all():
            break
        way = rest + left / np.maximum(much, 1e-20) * way
        much = left
    return weight, usual


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
    parser.add_argument("--held", type=int, default=0, metavar="RULINGS")
    held = parser.parse_args().held
    vocabulary = topics.load()
    rows = read()
    random.Random(0).shuffle(rows)
    test, rows = rows[:held], rows[held:]
    bare = Tagger(vocabulary, by=Weights({}, {}, {}, {}, {}, {}, {}), words=NO_WORDS)
    learned, words = learn(rows, bare)
    tagger = Tagger(vocabulary, by=learned, words=words)
    if held:
        print(figures(test, [tagger.tag(row.text, row.card) for row in test]), f"(learned from {len(rows)})")
        return
    folder = Path(tag_model.__file__).parent
    data = {kind: getattr(learned, kind) for kind in KINDS}
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, indent=1) + "\n"
    (folder / "tag_weights.json").write_text(text, encoding="utf-8")
    head = {"topics": words.topics, "start": words.start, "steps": words.steps, "signs": list(words.signs)}
    packed = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" + words.rows
    (folder / "tag_words.bin").write_bytes(zlib.compress(packed, 9))
    print(len(rows), "rulings learned from;", Counter(len(tagger.tag(row.text, row.card)) for row in rows[:2000]))


if __name__ == "__main__":
    main()
