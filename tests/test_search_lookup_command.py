"""`rulings cite`, `rulings lookup` and `rulings check --document` on the shipped sample."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result, _NamedTextIOWrapper

from rulings.errors import UsageError
from search.cli import cli

EXACT = 'Confiscation Coup says "{E} is the energy symbol. It represents one energy counter."\n'


@pytest.fixture
def run(sample: Path):  # type: ignore[no-untyped-def]
    def call(*arguments: str, text: str = "") -> Result:
        return CliRunner().invoke(cli, ["--kb", str(sample), *arguments], input=text, standalone_mode=False)

    return call


def test_cite(run) -> None:  # type: ignore[no-untyped-def]
    plain = run("cite", "r-0pcdnc32", "--card", "Deadlock Trap")
    assert plain.output.startswith('"{E} is the energy symbol. It represents one energy counter."\n- Deadlock Trap, ')
    shared = run("cite", "r-0pcdnc32").output
    assert "on 3 cards, for example" in shared
    (item,) = json.loads(run("cite", "r-0pcdnc32", "--json").output)
    assert item["id"] == "r-0pcdnc32"
    short = run("cite", "Confiscation", "Coup", "1", "--style", "short").output
    assert run("cite", short.strip(), "--style", "short").output == short
    assert isinstance(run("cite", "r-0pcdnc32", "--card", "Forest").exception, UsageError)


def test_lookup(run) -> None:  # type: ignore[no-untyped-def]
    assert "exact" in run("lookup", text=EXACT).output
    altered = run("lookup", "--json", text=EXACT.replace("one energy", "two energy"))
    assert "rule numbers were not checked" in altered.stderr  # the sample has no Comprehensive Rules
    found = json.loads(altered.stdout)["findings"]
    assert [f["verdict"] for f in found if f["kind"] == "ruling"] == ["altered-dangerous"]
    assert "<del>two</del>" in run("lookup", "--format", "html", text=EXACT.replace("one", "two")).output
    assert "**" in run("lookup", "--format", "markdown", text=EXACT).output
    assert isinstance(run("lookup", "--cited-on", "soon", text=EXACT).exception, UsageError)


@pytest.mark.parametrize("terminal", [True, False])
def test_at_a_terminal_lookup_says_what_it_waits_for(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda stream: terminal and "stdin" in stream.name)
    result = run("lookup", text=EXACT)
    assert ("Type or paste the text to check" in result.stderr) == terminal
    assert "Type or paste" not in result.stdout


@pytest.mark.parametrize(
    ("text", "code"), [(EXACT, 0), (EXACT.replace("represents", "does not represent"), 1), ("", 0)]
)
def test_check_document(run, tmp_path: Path, text: str, code: int) -> None:  # type: ignore[no-untyped-def]
    document = tmp_path / "faq.md"
    document.write_text(text, encoding="utf-8")
    result = run("check", "--document", str(document))
    assert result.return_value == code
    if code:
        assert "faq.md:1:25" in result.output


def test_bytes_that_are_no_text(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    document = tmp_path / "old.txt"
    document.write_bytes(b"\xef\xbb\xbf" + EXACT.encode() + b"\xff\xfe\x00")
    assert "exact" in run("lookup", str(document)).output
