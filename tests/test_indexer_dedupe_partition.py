"""Wordings into rulings: order, imports and the cache never matter; people's decisions always win."""

from __future__ import annotations

import json
import random
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.dedupe import (
    READ,
    EdgeCache,
    Partition,
    Wording,
    canonical,
    masked,
    partition,
    reissues,
    relation,
    wording_of,
)
from rulings.corrections import shipped
from rulings.ids import mint, parse_id
from rulings.model import Decision
from rulings.text import fold1

# Families of real wordings, with what belongs apart among them.
POOL = (
    "Grizzly Bears's first ability resolves before the spell that caused it to trigger. It resolves even if that spell "
    "is countered.",
    "Grizzly Bears's last ability resolves before the spell that caused it to trigger. It resolves even if that spell "
    "is countered.",
    "Grizzly Bears's ability will resolve before the spell that caused it to trigger. It will resolve even if that "
    "spell is countered.",
    "The triggered ability of Grizzly Bears resolves before the spell that caused it to trigger. It resolves even if "
    "that spell is countered or otherwise leaves the stack without resolving.",
    "If the copied creature has {X} in its mana cost, X is considered to be zero.",
    "If the copied creature has {X} in its mana cost, X is 0.",
    "If the chosen creature had {X} in its mana cost, X is considered to be 0.",
    "If the copied permanent has {X} in its mana cost, X is considered to be 0.",
    "If the copied creature has X in its mana cost, X is considered to be 0.",
    "Keep track of your energy by writing them down on paper or using dice.",
    "Keep track of your energy by writing theme down on paper or using dice.",
    "{E} is the energy symbol. It represents one energy counter.",
    "is the energy symbol. It represents one energy counter.",
    "If all targets become illegal before the spell resolves, it will be countered.",
    "If all targets become illegal before the spell resolves, it won't resolve.",
    "The ability is a mana ability.",
    "The ability is not a mana ability.",
    "The ability is not a mana ability. It uses the stack and can be responded to.",
    "The ability isn't a mana ability. It goes on the stack and can be responded to.",
    "In a Two-Headed Giant game, the ability causes the opposing team to lose 2 life.",
    "In a Two-Headed Giant game, the ability causes the opposing team to lose 4 life.",
    "In a Two-Headed Giant game, the ability causes the opposing team to lose two life.",
)
CARDS = ("Grizzly Bears", "Runeclaw Bear", "Balduvian Bears")
DATES = ("2016-09-20", "2019-07-12", "2024-06-07")

WORDINGS = st.lists(
    st.builds(
        lambda text, card, date: wording_of(card, text.replace("Grizzly Bears", card), date),
        st.sampled_from(POOL),
        st.sampled_from(CARDS),
        st.sampled_from(DATES),
    ),
    max_size=14,
    unique_by=lambda wording: fold1(wording.text),
)


def shape(wordings: Sequence[Wording], result: Partition) -> object:
    """A partition by texts instead of indexes."""
    text = [wording.text for wording in wordings]
    groups = {
        (
            frozenset(text[i] for i in group.members),
            text[group.centre],
            text[group.canonical],
            frozenset((text[i], *reason) for i, reason in group.reasons.items()),
        )
        for group in result.groups
    }
    links = {(text[a], text[b], kind, reason) for a, b, kind, reason in result.links}
    reviews = {(text[a], text[b], proposed, reason) for a, b, proposed, reason in result.reviews}
    return groups, links, reviews


def homes(wordings: Sequence[Wording], result: Partition) -> dict[str, int]:
    """Which group holds each text."""
    return {wordings[i].text: number for number, group in enumerate(result.groups) for i in group.members}


@given(WORDINGS, st.randoms(use_true_random=False))
def test_the_order_of_wordings_does_not_matter(wordings: list[Wording], shuffle: random.Random) -> None:
    other = wordings[:]
    shuffle.shuffle(other)
    assert shape(wordings, partition(wordings)) == shape(other, partition(other))


@given(WORDINGS, st.integers(0, 14), st.integers(0, 14))
@settings(deadline=None)
def test_an_incremental_import_equals_a_full_one(wordings: list[Wording], first: int, second: int) -> None:
    cache = EdgeCache()
    partition(wordings[:first], cache=cache)
    partition(wordings[second:], cache=cache)  # not a superset of the first: the cache has seen other bases too
    assert shape(wordings, partition(wordings, cache=cache)) == shape(wordings, partition(wordings))


@given(WORDINGS)
def test_every_wording_is_in_one_ruling_and_no_different_pair_in_any(wordings: list[Wording]) -> None:
    result = partition(wordings)
    assert sorted(i for group in result.groups for i in group.members) == list(range(len(wordings)))
    for group in result.groups:
        for i in group.members:
            for j in group.members:
                a, b = wordings[i], wordings[j]
                verdict = relation(a, b)
                assert i == j or verdict.joins or (verdict.elsewhere and not set(a.cards) & set(b.cards))
        assert set(group.reasons) == set(group.members) - {group.canonical}


@given(
    WORDINGS,
    st.sets(st.integers(0, 13)),
    st.lists(st.sampled_from(POOL), unique=True, max_size=6).map(lambda texts: [texts[:3], texts[3:]]),
)
def test_wordings_that_are_gone_do_not_change_how_those_of_today_fall_together(
    wordings: list[Wording], gone: set[int], read: list[list[str]]
) -> None:
    alike = [[mint(text) for text in texts] for texts in read]
    mixed = [replace(w, recency=("01" if i in gone else "11", "")) for i, w in enumerate(wordings)]
    today = [w for w in mixed if not w.gone]
    alone = homes(today, partition(today, reissues=alike))
    all_in_all = homes(mixed, partition(mixed, reissues=alike))
    for a, b in combinations(today, 2):
        assert (alone[a.text] == alone[b.text]) == (all_in_all[a.text] == all_in_all[b.text])


def test_first_and_last_ability_share_a_ruling_only_with_a_text_that_points_at_none() -> None:
    first, last, neutral = (
        wording_of(card, text.replace("Grizzly Bears", card), date)
        for card, text, date in zip(CARDS, POOL, ("2024-01-01", "2025-01-01", "2016-01-01"), strict=False)
    )
    assert len(partition([first, last]).groups) == 2
    (group,) = partition([first, last, neutral]).groups
    assert [first, last, neutral][group.canonical] == neutral, "the newest would be wrong on the first card"
    both = [first, wording_of(CARDS[0], last.text.replace(CARDS[1], CARDS[0])), neutral]
    assert len(partition(both).groups) == 2, "one card with both texts: two rulings"


@pytest.mark.parametrize(
    ("newest", "shown"),
    [
        ("For the chapter I ability, if the target is illegal, no creature deals damage.", "older"),
        ("As ~'s last ability resolves, if the target is illegal, no creature deals damage.", "older"),
        ("If the emblem's ability resolves and the target is illegal, no creature deals damage.", "older"),
        ("As ~'s battalion ability resolves, if the target is illegal, no creature deals damage.", "older"),
        ("As ~'s triggered ability resolves, if the target is illegal, no creature deals damage.", "newest"),
        ("If the target is illegal, no creature deals damage. For example, Nightmare's last ability does.", "newest"),
    ],
)
def test_a_text_that_points_at_a_place_of_its_card_gives_way_to_one_right_for_all(newest: str, shown: str) -> None:
    plainly = "If the target is illegal, no creature deals damage."
    older = Wording(plainly, plainly, recency=("12008", ""))
    newer = Wording(newest, newest, recency=("12025", ""))
    assert canonical([newer, older]) == (1 if shown == "older" else 0)
    assert canonical([newer, replace(newer, recency=("12026", ""))]) == 1, "all point at one place: the newest"


def test_a_pair_kept_apart_is_not_asked_again_under_another_name() -> None:
    one = "If {} is announced while a player has priority, that player can't respond to it at all."
    cards = ("Grizzly Bears", "Runeclaw Bear", "Balduvian Bears", "Alpine Grizzly")
    texts = [one.format(cards[0]), one.format(cards[1]), one.format(cards[2]).replace("announced", "declared")]
    wordings = [wording_of(card, text) for card, text in zip(cards, texts, strict=False)]
    assert len(partition(wordings).reviews) == 1
    assert not partition(wordings, [Decision("apart", texts[0], texts[2], date="2026-01-01")]).reviews


def test_a_text_between_two_rulings_joins_the_larger() -> None:
    between = "If you foretell a card that isn't an instant (like Runeclaw Bear), you'll have to wait."
    bare = "If you foretell a card that isn't an instant, you'll have to wait."
    rest = (
        "If you foretell a card that isn't an instant (or doesn't have flash), you'll have to wait.",
        "If you foretell a card which isn't an instant (or doesn't have flash), you'll have to wait.",
    )
    wordings = [wording_of(card, text) for card, text in zip("ABCD", (between, bare, *rest), strict=True)]
    wordings[0] = wording_of("Runeclaw Bear", between)
    home = homes(wordings, partition(wordings))
    assert home[between] == home[rest[0]] == home[rest[1]] != home[bare]


READ_AS_ONE = (
    "Keep careful track of your energy, by whatever way is clear to everybody.",
    "Keep track of your energy by writing them down on paper or using dice.",
    "Keep track of your energy by writing theme down on paper or using dice.",
)


def test_texts_read_as_one_ruling_bring_their_rulings_together() -> None:
    """Nothing in the words proves it, so it says so; and a person's word is above it."""
    wordings = [wording_of(*row) for row in zip(CARDS, READ_AS_ONE, DATES, strict=True)]
    alike = [[mint(READ_AS_ONE[0]), mint("Not in this base."), mint(READ_AS_ONE[2])]]
    assert len(partition(wordings).groups) == 2
    (group,) = partition(wordings, (), shipped(), reissues=alike).groups
    reasons = {wordings[i].text: reason for i, reason in group.reasons.items()}
    assert group.canonical == 1, "never the one with the typo"
    assert reasons[READ_AS_ONE[0]] == ("older-wording", READ)
    assert reasons[READ_AS_ONE[2]][0] == "typo"
    apart = Decision("apart", READ_AS_ONE[1], READ_AS_ONE[0], date="2026-01-01")
    home = homes(wordings, partition(wordings, [apart], reissues=alike))
    assert home[READ_AS_ONE[0]] == home[READ_AS_ONE[2]] != home[READ_AS_ONE[1]]
    apart = Decision("apart", READ_AS_ONE[2], READ_AS_ONE[0], date="2026-01-01")
    assert homes(wordings, partition(wordings, [apart], reissues=alike)) == homes(wordings, partition(wordings))


def test_a_text_that_is_gone_joins_no_two_of_today_though_another_card_has_its_words() -> None:
    """The base of today alone has no such text, and would keep the two apart."""
    one, other = "{name} may be sacrificed to itself.", "Nothing keeps you from paying with {name}."
    gone, twin, third = (
        wording_of(card, text.format(name=card)) for card, text in zip(CARDS, (one, one, other), strict=True)
    )
    gone = replace(gone, recency=("0", ""))
    assert gone.masked == twin.masked
    alike = [[mint(gone.text), mint(third.text)]]
    home = homes([gone, twin, third], partition([gone, twin, third], reissues=alike))
    assert home[gone.text] == home[twin.text] != home[third.text]
    assert len(partition([gone, third], reissues=alike).groups) == 1


@given(WORDINGS, st.lists(st.lists(st.sampled_from(POOL), min_size=2, max_size=3), max_size=3), st.data())
def test_decisions_of_all_kinds_hold_together(
    wordings: list[Wording], read: list[list[str]], data: st.DataObject
) -> None:
    """Every wording is in one ruling, a person's pair is where the person put it, whatever else was read as one."""
    alike = [[mint(text) for text in texts] for texts in read]
    result = partition(wordings, reissues=alike)
    assert sorted(i for group in result.groups for i in group.members) == list(range(len(wordings)))
    home, plainly = homes(wordings, result), homes(wordings, partition(wordings))
    for a, b in combinations([w.text for w in wordings], 2):
        assert plainly[a] != plainly[b] or home[a] == home[b], "what was one stays one"
        if any(mint(a) in ids and mint(b) in ids for ids in alike):
            assert home[a] == home[b]
    if len(wordings) > 1:
        a, b = data.draw(st.permutations(wordings))[:2]
        decision = Decision("apart", a.text, b.text, date="2026-01-01")
        home = homes(wordings, partition(wordings, [decision], reissues=alike))
        assert home[a.text] != home[b.text] and len(home) == len(wordings)


def test_the_shipped_reissues_are_ids_each_in_one_line() -> None:
    lines = reissues()
    ids = [one for line in lines for one in line]
    assert all(len(line) > 1 for line in lines) and len(set(ids)) == len(ids)
    assert all(parse_id(one) == one for one in ids)


def test_what_a_reader_fills_in_and_a_list_by_number_are_no_damage() -> None:
    texts = (
        'Other restrictions, such as "Cast [this card] only during combat," must be followed.',
        "That means (1) the ability triggers only then, and (2) it will do nothing.",
    )
    for text in texts:
        newest, older = Wording(text, text, recency=("12026", "")), Wording(text + " ", text, recency=("12020", ""))
        odd = replace(older, text=text.replace("only", "only &amp;"))
        assert canonical([odd, newest]) == 1 and canonical([replace(odd, recency=("12030", "")), newest]) == 1


@given(WORDINGS, st.data())
def test_decisions_hold(wordings: list[Wording], data: st.DataObject) -> None:
    if len(wordings) < 2:
        return
    a, b = data.draw(st.lists(st.sampled_from(wordings), min_size=2, max_size=2, unique_by=lambda w: fold1(w.text)))
    for kind in ("merge", "apart"):
        decision = Decision(kind, a.text, b.text, date="2026-01-01", reason="read by a judge")
        home = homes(wordings, partition(wordings, [decision]))
        assert (home[a.text] == home[b.text]) == (kind == "merge")
    undecided = homes(wordings, partition(wordings))
    later = [Decision("merge", a.text, b.text, date="2026-01-01"), Decision("apart", b.text, a.text, date="2026-02-01")]
    assert homes(wordings, partition(wordings, later))[a.text] != homes(wordings, partition(wordings, later))[b.text]
    assert set(undecided) == {w.text for w in wordings}


def test_a_person_splits_one_wording_by_card() -> None:
    text = "The ability is not a mana ability."
    wordings = [
        Wording(text, text, ("Grizzly Bears",)),
        Wording(text, text, ("Runeclaw Bear", "Balduvian Bears")),
    ]
    assert len(partition(wordings).groups) == 1
    split = Decision("split", text, card="Grizzly Bears", date="2026-01-01")
    assert len(partition(wordings, [split]).groups) == 2


@pytest.mark.parametrize("last", ["merge", "apart"])
def test_of_two_decisions_of_one_day_the_later_in_the_list_holds(last: str) -> None:
    a, b = POOL[15], POOL[4]
    wordings = [wording_of("Grizzly Bears", text) for text in (a, b)]
    first = "apart" if last == "merge" else "merge"
    decisions = [Decision(first, b, a, date="2026-01-01"), Decision(last, a, b, date="2026-01-01")]
    home = homes(wordings, partition(wordings, decisions))
    assert (home[a] == home[b]) == (last == "merge")
    older = [Decision(last, a, b, date="2025-12-31"), decisions[0]]
    assert homes(wordings, partition(wordings, older)) == homes(wordings, partition(wordings, decisions[:1]))
    newer_first = [Decision(last, a, b, date="2026-01-02"), decisions[0]]
    home = homes(wordings, partition(wordings, newer_first))
    assert (home[a] == home[b]) == (last == "merge")


def test_merges_that_contradict_a_pair_kept_apart_go_to_review() -> None:
    texts = (POOL[15], POOL[19], POOL[4])
    wordings = [wording_of("Grizzly Bears", text) for text in texts]
    decisions = [
        Decision("merge", texts[0], texts[1], date="2026-01-01"),
        Decision("merge", texts[1], texts[2], date="2026-01-01"),
        Decision("apart", texts[0], texts[2], date="2026-01-01"),
    ]
    result = partition(wordings, decisions)
    home = homes(wordings, result)
    assert home[texts[0]] != home[texts[2]]
    assert any("keeps apart" in reason for *_, reason in result.reviews)


def test_the_old_rule_is_linked_as_outdated() -> None:
    wordings = [wording_of("Grizzly Bears", text) for text in POOL[13:15]]
    result = partition(wordings)
    assert len(result.groups) == 2
    assert [(wordings[a].text, wordings[b].text, kind) for a, b, kind, _ in result.links] == [
        (POOL[13], POOL[14], "outdated-by")
    ]


def test_more_said_is_linked_as_covering() -> None:
    wordings = [wording_of("Grizzly Bears", text) for text in POOL[16:18]]
    assert [(a, b, kind) for a, b, kind, _ in partition(wordings).links] == [(1, 0, "covers")]


class TestCanonical:
    def test_a_known_slip_never_wins_whatever_the_majority_and_the_date(self) -> None:
        right = Wording(POOL[9], POOL[9], ("A",), recency=("2016-09-20", ""))
        slip = Wording(POOL[10], POOL[10], tuple("BCDEFGH"), recency=("2024-06-07", "2026-01"))
        assert canonical([slip, right], shipped()) == 1
        (group,) = partition([slip, right], corrections=shipped()).groups
        assert group.canonical == 1 and group.reasons[0][0] == "typo"

    def test_a_damaged_wording_never_wins(self) -> None:
        intact = Wording(POOL[11], POOL[11], ("A",), recency=("2016-09-20", ""))
        lost = Wording(POOL[12], POOL[12], ("B",), recency=("2024-06-07", ""))
        assert canonical([lost, intact]) == 1
        assert partition([lost, intact]).groups[0].reasons[0] == ("symbol-lost", "symbols lost")

    def test_the_newest_wins_by_date_then_by_the_state_of_the_source(self) -> None:
        a = Wording(POOL[4], POOL[4], ("A",), recency=("2019-07-12", "2026-01"))
        b = Wording(POOL[5], POOL[5], ("A",), recency=("2019-07-12", "2024-07"))
        c = Wording(POOL[6], POOL[6], ("A",), recency=("2016-09-20", "2026-01"))
        assert canonical([c, b, a]) == 2


class TestCache:
    def test_it_is_one_file_and_saves_the_work(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        wordings = [wording_of("Grizzly Bears", text, "2024-06-07") for text in POOL]
        path = tmp_path / "edges.sqlite"
        cache = EdgeCache(path)
        full = partition(wordings, cache=cache)
        cache.save()
        assert [p.name for p in tmp_path.iterdir()] == ["edges.sqlite"]

        def never(*_: object) -> None:
            raise AssertionError("a known pair was compared again")

        monkeypatch.setattr(sys.modules["indexer.dedupe.partition"], "masked_relation", never)
        assert partition(wordings, cache=EdgeCache(path)) == full

    @pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\x00" + b"\x00" * 100])
    def test_a_broken_file_is_ignored(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "edges.sqlite"
        path.write_bytes(content)
        wordings = [wording_of("Grizzly Bears", text) for text in POOL]
        cache = EdgeCache(path)
        assert partition(wordings, cache=cache) == partition(wordings)
        cache.save()
        assert partition(wordings, cache=EdgeCache(path)) == partition(wordings)

    def test_verdicts_of_another_version_are_not_used(self, tmp_path: Path) -> None:
        path = tmp_path / "edges.sqlite"
        wordings = [wording_of("Grizzly Bears", text) for text in POOL]
        cache = EdgeCache(path)
        partition(wordings, cache=cache)
        cache.save()
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE meta SET value = 'older'")
            connection.execute("UPDATE pair SET relation = 'same', apart = 0, doubtful = 0")
        connection.close()
        assert partition(wordings, cache=EdgeCache(path)) == partition(wordings)


SHARED = Path(__file__).parents[2] / "shared"


def test_three_pages_of_energy_are_23_rulings() -> None:
    seeds = SHARED / "seeds"
    if not seeds.is_dir():
        pytest.skip("the seed pages are not beside the repository")
    on: dict[str, set[str]] = defaultdict(set)
    for page in sorted(seeds.glob("*.txt")):
        card, *lines = page.read_text(encoding="utf-8").splitlines()
        for line in lines:
            if line.strip() and not line.startswith("Wotc —"):
                on[fold1(line)].add(card)
    dates = {"Confiscation Coup": "2024-06-07", "Behemoth of Vault 0": "2024-03-08"}
    wordings = [
        Wording(
            text,
            masked(text, [(card, None) for card in sorted(cards)]),
            tuple(sorted(cards)),
            recency=(max(dates.get(card, "") for card in cards), ""),
        )
        for text, cards in on.items()
    ]
    groups = partition(wordings, corrections=shipped()).groups
    cards = [{card for i in group.members for card in wordings[i].cards} for group in groups]
    assert Counter(len(c) for c in cards) == {3: 9, 2: 1, 1: 13}
    assert Counter(min(c) for c in cards if len(c) == 1) == {
        "Confiscation Coup": 5,
        "Behemoth of Vault 0": 2,
        "Deadlock Trap": 6,
    }
    why = Counter(reason[0] for group in groups for reason in group.reasons.values())
    assert why == {"symbol-lost": 6, "typo": 1}


def test_the_gold_families() -> None:
    clusters = SHARED / "gold" / "clusters-dev.json"
    if not clusters.is_file():
        pytest.skip("the gold data is not beside the repository")
    families = json.loads(clusters.read_text(encoding="utf-8"))["families"]
    wordings: dict[str, Wording] = {}
    for family in families:
        rows = [row for cluster in family["clusters"] for row in cluster["texts"]] + family["keep_apart"]
        for row in rows:
            for spelling in (row["text"], *row.get("other_spellings", ())):
                card = row.get("example_card") or row.get("card") or ""
                wordings.setdefault(fold1(spelling), wording_of(card, spelling, row.get("last")))
    ordered = list(wordings.values())
    home = {fold1(text): number for text, number in homes(ordered, partition(ordered)).items()}
    currents, same = [], []
    for family in families:
        for cluster in family["clusters"]:
            current = cluster["texts"][0]
            here = home[fold1(current["text"])]
            currents.append(here)
            same += [home[fold1(row["text"])] == here for row in cluster["texts"] if row["relation"] == "same"]
        held = {home[fold1(cluster["texts"][0]["text"])] for cluster in family["clusters"]}
        assert not [row["text"] for row in family["keep_apart"] if home[fold1(row["text"])] in held]
    assert max(Counter(currents).values()) == 1  # each current text is a ruling of its own
    assert all(same)
