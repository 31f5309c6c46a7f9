"""Learns the weights of `indexer/tag_weights.json` from rulings that a reader labelled; run by hand.

    python tests/fit_topics.py            # learn from all labels, write the file, say how well it fits
    python tests/fit_topics.py --folds 5  # do not write: the honest figures, each ruling judged by the others

`topic_labels.tsv` holds the id of a wording and its topics, the first one first; the texts and cards come from the
corpus beside the repository. Run it after larger changes of the phrases. Logistic regression, nothing but the standard
library, the same result every time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path

from indexer import tag_model
from indexer.tag import Tag, Tagger
from indexer.tag_model import Weights, features
from rulings import topics
from rulings.ids import mint
from rulings.model import Card, Face, Printing

HERE = Path(__file__).parent
CORPUS = HERE.parents[1] / "shared" / "corpus"
LABELS = HERE / "topic_labels.tsv"
KINDS = ("all", "topic", "early", "card", "phrase", "beside")
EPOCHS, RATE, FIRST_COUNTS, HOLD = 40, 0.2, 2.0, 0.66
"""Passes, step, how much more the first topic of a ruling counts, and how strongly weights are held to zero."""

Feature = tuple[str, str, str]


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


def learn(rows: Sequence[Row], tagger: Tagger) -> Weights:
    """Weights that tell the topics of `rows` from the other topics that their words speak for."""
    names: dict[Feature, int] = {}
    examples: list[tuple[list[tuple[int, float]], float, float]] = []
    for row in rows:
        found = tagger.evidence(row.text, row.card)
        for key, named in features(found, tagger.topics, row.card, len(row.text)).items():
            sparse = [(names.setdefault(name, len(names)), value) for name, value in named]
            counts = FIRST_COUNTS if key == row.topics[0] else 1.0
            examples.append((sparse, float(key in row.topics), counts))
    met = [0] * len(names)
    for sparse, _, _ in examples:
        for number, _ in sparse:
            met[number] += 1
    weight, steps = [0.0] * len(names), [1e-6] * len(names)
    order = list(range(len(examples)))
    for epoch in range(EPOCHS):
        random.Random(epoch).shuffle(order)
        for index in order:
            sparse, is_topic, counts = examples[index]
            total = sum(weight[number] * value for number, value in sparse)
            error = (1 / (1 + exp(-max(-30.0, min(30.0, total)))) - is_topic) * counts
            for number, value in sparse:
                slope = error * value + HOLD * weight[number] / met[number]
                steps[number] += slope * slope
                weight[number] -= RATE * slope / steps[number] ** 0.5
    tables: dict[str, dict[str, dict[str, float]]] = {kind: defaultdict(dict) for kind in KINDS}
    for (kind, topic, rest), number in sorted(names.items()):
        rounded = round(weight[number], 2)
        if abs(rounded) >= 0.03 or kind == "topic":
            tables[kind][topic][rest] = rounded
    flat = {kind: {topic: found[""] for topic, found in tables[kind].items()} for kind in ("topic", "early", "card")}
    return Weights(
        tables["all"].get("", {}),
        flat["topic"],
        flat["early"],
        flat["card"],
        dict(tables["phrase"]),
        dict(tables["beside"]),
    )


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
    nothing = Weights({}, {}, {}, {}, {}, {})
    rows = read()
    bare = Tagger(vocabulary, by=nothing)
    if folds:
        random.Random(0).shuffle(rows)
        found: list[Sequence[Tag]] = []
        for fold in range(folds):
            learned = learn([row for n, row in enumerate(rows) if n % folds != fold], bare)
            tagger = Tagger(vocabulary, by=learned)
            found += [tagger.tag(row.text, row.card) for row in rows[fold::folds]]
        print(figures([row for fold in range(folds) for row in rows[fold::folds]], found))
        return
    learned = learn(rows, bare)
    out = Path(tag_model.__file__).with_name("tag_weights.json")
    data = {kind: getattr(learned, kind) for kind in KINDS}
    out.write_text(json.dumps(data, ensure_ascii=False, sort_keys=True, indent=1) + "\n", encoding="utf-8")
    tagger = Tagger(vocabulary, by=learned)
    print(figures(rows, [tagger.tag(row.text, row.card) for row in rows]), "(on what it learned from)")
    print(Counter(len(tagger.tag(row.text, row.card)) for row in rows))


if __name__ == "__main__":
    main()
