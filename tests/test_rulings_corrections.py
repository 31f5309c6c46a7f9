"""Known errors: the shipped list is sound, and faults in a base's own list are all reported."""

from __future__ import annotations

from pathlib import Path

from rulings.corrections import corrections, parse, shipped


def test_the_shipped_list_knows_the_energy_slip() -> None:
    found = {c.wrong: c.right for c in shipped()}
    assert found["writing theme down"] == "writing them down"
    assert all(c.reason and c.wrong != c.right for c in shipped())


def test_a_base_adds_its_own_and_keeps_the_shipped(tmp_path: Path) -> None:
    own = tmp_path / "corrections.yaml"
    own.write_text("corrections:\n- wrong: teh card\n  right: the card\n  reason: misspelt\n", encoding="utf-8")
    found, problems = corrections(own)
    assert not problems
    assert found[0].wrong == "teh card"
    assert set(shipped()) < set(found)
    assert corrections(tmp_path / "none.yaml") == (shipped(), ())
    assert corrections() == (shipped(), ())


def test_all_faults_are_reported_and_the_rest_is_read() -> None:
    text = """corrections:
- wrong: teh
  reason: misspelt
- right: the
- wrong: a
  right: a
  reason: nothing
- odd: 1
  wrong: b
  right: c
  reason: d
- just text
- wrong: hte
  right: the
  reason: misspelt
"""
    found, problems = parse(text, "corrections.yaml")
    assert [c.wrong for c in found] == ["hte"]
    assert len(problems) == 5
    assert {p.where for p in problems} == {f"corrections[{n}]" for n in range(5)}


def test_files_that_are_no_list() -> None:
    assert parse("", "c.yaml") == ((), ())
    assert len(parse("corrections: 5", "c.yaml")[1]) == 1
    assert len(parse("- a", "c.yaml")[1]) == 1
    assert len(parse("a: [", "c.yaml")[1]) == 1
