"""`rulings review --decide split`: one card's text becomes a ruling of its own, whichever wording stands there."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.sample import import_sample, make_base
from rulings import store
from search.cli import cli


@pytest.mark.parametrize("card", ["Confiscation Coup", "deadlock trap"])  # the second alone has lost the symbol
def test_a_split_by_id_takes_the_text_that_stands_on_the_card(own_cache: Path, tmp_path: Path, card: str) -> None:
    base = tmp_path / "base"
    make_base(base)
    import_sample(base)
    before = store.load(base).knowledge
    again = ["--kb", str(base), "review", "--decide", "split", "r-0pcdnc32", "--card", card]
    done = CliRunner().invoke(cli, again)
    assert done.exit_code == 0, done.output
    after = store.load(base).knowledge
    assert len(after.rulings) == len(before.rulings) + 1
    kept = next(r for r in after.rulings if r.id == "r-0pcdnc32")
    assert card.lower() not in {o.card.lower() for o in kept.occurrences}
    refused = CliRunner().invoke(cli, again)
    assert "shares no such ruling" in (refused.output + str(refused.exception))
