"""The vocabulary of topics: what ships, what a base may change, and what is refused with a reason."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulings import topics
from rulings.errors import DataError
from rulings.phrases import MAX_LENGTH, PhraseError, compile_phrase
from rulings.topics import check_phrases, load

GOLD = Path(__file__).parents[2] / "shared" / "gold" / "topic-vocabulary.yaml"
WORDS = {"not": ("not", "can't"), "kinds": ("=Elf", "=Elves")}


@pytest.fixture(scope="module")
def shipped() -> topics.Topics:
    return load()


def base(tmp_path: Path, text: str) -> topics.Topics:
    """The vocabulary of a base whose own topics.yaml is `text`."""
    own = tmp_path / "topics.yaml"
    own.write_text(text, encoding="utf-8")
    return load(overrides=own)


def test_what_ships_is_whole(shipped: topics.Topics) -> None:
    assert not shipped.problems
    assert not check_phrases(shipped)
    assert len(shipped) == 234
    for topic in shipped:
        assert topic.strong, topic.key
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", topic.key)
        assert len(topic.label.split()) <= topics.MAX_LABEL_WORDS
        assert topic.group in shipped.groups
        assert topic.definition


def test_the_closed_vocabulary_is_kept(shipped: topics.Topics) -> None:
    if not GOLD.exists():
        pytest.skip("the shared vocabulary is not beside the repository")
    agreed = yaml.load(GOLD.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)["topics"]
    assert {t["key"]: tuple(t["rules"]) for t in agreed} == {t.key: t.rules for t in shipped}


def test_rule_numbers_stay_strings(shipped: topics.Topics) -> None:
    # Stock YAML reads 701.30 as 701.3.
    assert shipped.by_key["clash"].rules == ("701.30",)


def test_loading_is_fast(shipped: topics.Topics) -> None:
    # `rulings show` pays for it; 8 ms on an ordinary machine, with room for a busy one.
    best = min(_seconds(load) for _ in range(5))
    assert best < 0.06


def _seconds(run: object) -> float:
    start = time.process_time()
    run()  # type: ignore[operator]
    return time.process_time() - start


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("targets-illegal-on-resolution", "targets-illegal-on-resolution"),
        ("Targets illegal on resolution", "targets-illegal-on-resolution"),
        ("fizzle", "targets-illegal-on-resolution"),
        ("CMC", "mana-value"),
        ("split second", "split-second"),
        ("Color", "colour"),
    ],
)
def test_topics_are_found_by_any_name(shipped: topics.Topics, name: str, key: str) -> None:
    found = shipped.find(name)
    assert found is not None
    assert found.key == key


def test_a_name_that_is_none(shipped: topics.Topics) -> None:
    assert shipped.find("energy drink") is None
    assert shipped.get("Energy") is None
    assert "energy" in shipped


def test_the_tree(shipped: topics.Topics) -> None:
    assert [t.key for t in shipped.ancestors("toxic")] == ["poison", "counters"]
    assert "energy" in {t.key for t in shipped.children("counters")}
    assert {t.key for t in shipped.descendants("counters")} >= {"energy", "poison", "toxic", "infect"}
    assert shipped.ancestors("counters") == ()
    for topic in shipped:
        assert topic not in shipped.ancestors(topic.key)


def test_a_base_adds_and_changes(tmp_path: Path, shipped: topics.Topics) -> None:
    own = base(
        tmp_path,
        """
        topics:
        - key: cube-night
          label: Cube night
          parent: deck-construction
          strong: |
            cube night
        - key: energy
          label: Energy!
          weak: |
            aetherborn
        """,
    )
    assert not own.problems
    assert len(own) == len(shipped) + 1
    assert own.by_key["energy"].label == "Energy!"
    assert own.by_key["energy"].rules == shipped.by_key["energy"].rules
    assert own.by_key["energy"].strong == shipped.by_key["energy"].strong
    assert "aetherborn" in own.by_key["energy"].weak
    assert [t.key for t in own.ancestors("cube-night")] == ["deck-construction"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topics: [{key: x, label: X, parent: nowhere}]", "no topic and no group"),
        ("topics: [{key: x, label: X, group: nowhere}]", "not in the list of groups"),
        # A keyword list read from prose swallowed whole sentences (mtgjson#341).
        ("topics: [{key: x, label: Sacrifice a land or else}]", "longer than 4 words"),
        ("topics: [{key: x}, {key: x}]", "twice"),
        ("topics: [{key: Split Second}]", "without a key"),
        ("topics: [{label: No key}]", "without a key"),
        ("topics: [{key: x, colour: red}]", "unknown field"),
        ("topics: [{key: x, rules: '702.1'}]", "not a list"),
        ("topics: [{key: x, parent: x}]", "own ancestor"),
        ("topics: nothing", "not a list"),
        ("just words", "expected"),
        ("topics: [{key: x", ""),
        ("a: &a [1]\nb: *a", ""),
    ],
)
def test_faults_are_values_and_the_rest_goes_on(
    tmp_path: Path, shipped: topics.Topics, text: str, message: str
) -> None:
    found = base(tmp_path, text)
    assert any(message in problem.message for problem in found.problems), found.problems
    assert len(found) >= len(shipped)


def test_without_any_topics_nothing_can_be_done(tmp_path: Path) -> None:
    with pytest.raises(DataError):
        load(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("unearth", "Unearthly Power", None),
        ("unearth", "its unearth's cost", "unearth's"),
        ("sacrific*", "You sacrificed it.", "sacrificed"),
        ("=Plains", "the plains of a story", None),
        ("=Plains", "a Plains card", "Plains"),
        ("illegal target|targets", "an illegal target.", "illegal target"),
        ("enters|comes_into_play tapped", "it comes into play tapped", "comes into play tapped"),
        ("face down", "a face-down card", "face-down"),
        ("copy .. token", "copy that is a token", "copy that is a token"),
        ("copy .. token", "copy that is in no way at all a token", None),
        ("copy ... token", "copy that is in no way at all a token", "copy that is in no way at all a token"),
        # A gap never leaves the sentence.
        ("copy ... token", "a copy. A token", None),
        ("choose [a] mode", "choose mode", "choose mode"),
        ("put # counters", "put three counters", "put three counters"),
        ("put # counters", "put {X} counters", "put {X} counters"),
        ("+1/+1 counter*", "two +1/+1 counters", "+1/+1 counters"),
        ("+1/+1 counter*", "two +1/+10 counters", None),
        ("{E}", "pay {E}", "{E}"),
        ("add {*", "add {G}", "add {G}"),
        ("$not target", "It can't target", "can't target"),
        ("$kinds", "elves and Elves", "Elves"),
        ("~ ability", "~'s ability", "~'s ability"),
        ("second ~", "a second ~s", "second ~s"),
    ],
)
def test_phrases(phrase: str, text: str, found: str | None) -> None:
    hit = compile_phrase(phrase, WORDS).regex.search(text)
    assert (hit.group() if hit else None) == found


@pytest.mark.parametrize(
    "phrase",
    [
        "",
        "..",
        "a ..",
        ".. a",
        "a .. ... b",
        "[a] b",
        "a|",
        "$nobody",
        "(a+)+",
        "a.*b",
        "#",
        "x" * (MAX_LENGTH + 1),
        "a\\b",
    ],
)
def test_what_is_no_phrase(phrase: str) -> None:
    with pytest.raises(PhraseError):
        compile_phrase(phrase, WORDS)


@given(st.text(max_size=60))
def test_any_line_is_a_phrase_or_refused(line: str) -> None:
    try:
        phrase = compile_phrase(line, WORDS)
    except PhraseError:
        return
    assert phrase.needs
    phrase.regex.search("~ can't be the target of a +1/+1 counter {T}. " * 20)


def test_no_phrase_runs_for_ever(shipped: topics.Topics) -> None:
    hostile = ["choose " * 400, "- " * 2000, "'" * 3000, "a-" * 1500, "copy token " * 300, "{" * 2000]
    start = time.process_time()
    for topic in shipped:
        for line in topic.strong:
            phrase = compile_phrase(line, shipped.words)
            if "..." in line:
                for text in hostile:
                    phrase.regex.search(text)
    assert time.process_time() - start < 15
