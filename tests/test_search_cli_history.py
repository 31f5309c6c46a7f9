"""`rulings show ID --history`: the wordings of a ruling in the order of time."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from indexer import ingest
from indexer.sample import make_base
from indexer.sources import ReadOptions
from search.cli import cli

WORDINGS = (
    ("2018-11", "2012-05-01", "The mana value is checked after the spell was cast from your own hand."),
    ("2022-04", "2012-05-01", "The mana value is checked after the spell is cast from your own hand."),
    ("2026-01", "2012-05-01", "The mana value is checked after the spell has been cast from your own hand."),
)


def test_the_history_of_a_ruling_is_in_the_order_of_time(own_cache: Path, tmp_path: Path) -> None:
    base = tmp_path / "base"
    make_base(base)
    for as_of, date, text in WORDINGS:
        path = tmp_path / f"{as_of}.jsonl"
        path.write_text(json.dumps({"card": "Fork", "date": date, "text": text}) + "\n", encoding="utf-8")
        options = ingest.Options(read=ReadOptions(source="dump", as_of=as_of), accept_loss=True)
        ingest.run(base, [path], options)
    shown = CliRunner().invoke(cli, ["--kb", str(base), "show", "Fork", "--json"]).output
    (ruling,) = {r["id"] for r in json.loads(shown)["rulings"]}
    output = CliRunner().invoke(cli, ["--kb", str(base), "show", ruling, "--history"]).output
    lines = output[output.index("Wording history") :].splitlines()
    heads = [line.strip() for line in lines if "on 1 card" in line]
    assert [head.partition("gone since ")[2] for head in heads] == ["", "2026-01", "2022-04"]
