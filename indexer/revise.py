"""From groups of wordings to rulings: which id, which canonical wording, which variants, which links.

In: all entries of a base, the partition of their wordings, and the rulings as they were before. Out: the rulings now.
Pure. Ids follow wordings: an id that was printed once stays with the ruling that holds the wording it was minted
from, whatever joins or leaves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from indexer.dedupe import Partition, Wording
from indexer.entries import Entry
from indexer.normalise import settled
from rulings.ids import mint
from rulings.model import Change, Decision, Knowledge, Link, Occurrence, Retag, Review, Ruling, Variant
from rulings.names import own_names, plain_letters
from rulings.snapshot import wordings_of
from rulings.text import fold1, plain

Unit = tuple[str, str]
"""A wording: folded text, and the card where a person split it by card (else empty)."""

_BACK = {"covers": "part-of", "part-of": "covers", "outdated-by": "outdates", "outdates": "outdated-by"}


@dataclass(frozen=True, slots=True)
class Wordings:
    """The wordings of a base: `entries` stand in `units[i]`; `asked[i]` is what dedupe compares."""

    units: tuple[Unit, ...]
    asked: tuple[Wording, ...]
    entries: tuple[tuple[Entry, ...], ...]
    normal: Mapping[str, str]  # raw text -> normalised text in plain typography
    faults: tuple[tuple[str, ...], ...]  # kinds of damage and doubt, by wording

    def index(self) -> dict[Unit, int]:
        return {unit: i for i, unit in enumerate(self.units)}

    def rest(self) -> dict[str, int]:
        """By folded text the wording that it means without a card: what a split left of it; where a person split it
        for every card, the first of them."""
        found: dict[str, int] = {}
        for i, (folded, card) in enumerate(self.units):
            known = found.get(folded)
            if known is None or not card or (self.units[known][1] and _birth_key(self, i) < _birth_key(self, known)):
                found[folded] = i
        return found


@dataclass(frozen=True, slots=True)
class Revised:
    rulings: tuple[Ruling, ...]
    reviews: tuple[Review, ...]
    new_ids: tuple[str, ...]


def revise(
    words: Wordings,
    parts: Partition,
    before: Knowledge,
    legendary: Mapping[str, bool | None],
    today: str,
) -> Revised:
    """The rulings of a base after an import. `legendary`: what card data says of a card, for its short name; `today`
    dates what is no decision of its own (one that was taken back)."""
    groups = [tuple(sorted(group.members)) for group in parts.groups]
    group_of = {i: g for g, members in enumerate(groups) for i in members}
    ids, aliases = _identify(words, groups, group_of, before)
    old = {r.id: r for r in before.rulings}
    for r in before.rulings:
        for alias in r.aliases:
            old.setdefault(alias, r)
    rulings = []
    for g, (members, group) in enumerate(zip(groups, parts.groups, strict=True)):
        born = _compose(ids[g], words, members, group.canonical, group.reasons, legendary)
        kept = _carry_over(born, [old[i] for i in (ids[g], *aliases[g]) if i in old])
        rulings.append(replace(kept, aliases=tuple(sorted(aliases[g]))))
    rulings = _link(rulings, parts, group_of)
    rulings = _supersede(rulings, words, group_of, before.decisions, today)
    was = {r.id: r.status for r in before.rulings}
    rulings = [
        _reinstated(r, old[r.id], before.decisions, today) if was.get(r.id, r.status) != r.status == "current" else r
        for r in rulings
    ]
    known_ids = {r.id for r in before.rulings}
    return Revised(
        rulings=tuple(sorted(rulings, key=lambda r: r.id)),
        reviews=_reviews(words, parts, group_of, ids),
        new_ids=tuple(sorted(set(ids) - known_ids)),
    )


# --- ids ---------------------------------------------------------------------------------------------------------


def _identify(
    words: Wordings, groups: Sequence[tuple[int, ...]], group_of: Mapping[int, int], before: Knowledge
) -> tuple[list[str], list[set[str]]]:
    """The printed id of each group, and the other ids that mean it: those that were printed once, and of a text that
    was split by card its plain id, which no other group that holds the text may claim."""
    rest = words.rest()
    minted: dict[str, int] = {}
    for i, (folded, card) in enumerate(words.units):
        minted.setdefault(mint(folded, card=card or None), i)
        minted.setdefault(mint(folded, card=card or None, length=10), i)
    plain_ids = {mint(words.units[i][0]): rest[words.units[i][0]] for i in range(len(words.units)) if words.units[i][1]}
    minted = plain_ids | minted
    if not all(printed in minted for r in before.rulings for printed in (r.id, *r.aliases)):
        minted = _of_one_card(words, rest) | minted
    unit_index = words.index()
    home: dict[str, int] = {}  # printed id -> group
    rank: dict[str, tuple[object, ...]] = {}
    for ruling in before.rulings:
        for printed in (ruling.id, *ruling.aliases):
            at = minted.get(printed)
            if at is None:  # its wording is gone (a file edited by hand): follow the rest of the ruling
                votes = Counter(
                    group_of[unit_index[unit]]
                    for o in ruling.occurrences
                    for unit in ((fold1(ruling.verbatim(o)), ""), (fold1(ruling.verbatim(o)), o.card))
                    if unit in unit_index
                )
                if not votes:
                    continue
                home[printed] = min(votes, key=lambda g: (-votes[g], g))
                rank[printed] = (printed != ruling.id, 1, printed)
            else:
                home[printed] = group_of[at]
                folded, card = words.units[at]
                once_split = printed not in {mint(folded, card=card or None, length=n) for n in (8, 10)}
                rank[printed] = (printed != ruling.id or once_split, once_split, _birth_key(words, at))
    ids: list[str] = []
    aliases: list[set[str]] = []
    by_group: dict[int, list[str]] = defaultdict(list)
    for printed, g in home.items():
        by_group[g].append(printed)
    for g, members in enumerate(groups):
        landed = sorted(by_group.get(g, ()), key=lambda p: rank[p])
        if landed:
            ids.append(landed[0])
            aliases.append(set(landed[1:]))
        else:
            first = min(members, key=lambda i: _birth_key(words, i))
            folded, card = words.units[first]
            ids.append(mint(folded, card=card or None))
            aliases.append(set())
    for printed, at in plain_ids.items():
        if printed not in home and printed not in ids:
            aliases[group_of[at]].add(printed)
    return _grow_collisions(words, groups, ids), aliases


def _of_one_card(words: Wordings, rest: Mapping[str, int]) -> dict[str, int]:
    """The ids of texts on one card, as a split mints them, whether or not they are split now."""
    stands = {
        (folded, e.card) for (folded, _), on in zip(words.units, words.entries, strict=True) for e in on if e.card
    }
    found: dict[str, int] = {}
    for folded, card in sorted(stands):
        found.setdefault(mint(folded, card=card), rest[folded])
        found.setdefault(mint(folded, card=card, length=10), rest[folded])
    return found


def _birth_key(words: Wordings, i: int) -> tuple[object, ...]:
    """First by: undamaged, earliest date with undated last, folded text."""
    first = min((e.date for e in words.entries[i] if e.date), default=None)
    return (bool(words.asked[i].damaged), first is None, first or "", words.units[i])


def _grow_collisions(words: Wordings, groups: Sequence[tuple[int, ...]], ids: list[str]) -> list[str]:
    """Two groups with one id of 8 characters (0.0005 expected now): both grow to 10."""
    twice = {i for i, n in Counter(ids).items() if n > 1}
    if not twice:
        return ids
    grown = []
    for g, ruling_id in enumerate(ids):
        if ruling_id in twice:
            first = min(
                groups[g], key=lambda i: (mint(words.units[i][0], card=words.units[i][1] or None) != ruling_id, i)
            )
            folded, card = words.units[first]
            ruling_id = mint(folded, card=card or None, length=10)
        grown.append(ruling_id)
    return grown


# --- wordings ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def _forms(card: str, legendary: bool | None) -> tuple[str, ...]:
    """How a card's own names may be written, longest first."""
    spelt = {s for name in own_names(card, legendary) for s in (name, plain_letters(name))}
    forms = {form.replace("'", quote) for form in spelt for quote in ("'", "’")}
    return tuple(sorted((f for f in forms if len(f) > 1), key=lambda f: (-len(f), f)))


def template(text: str, card: str, legendary: bool | None) -> tuple[str, str] | None:
    """`text` with `~` for the card's own name, and the name that stood there. None where it names itself not at
    all, or in two ways, so that one name could not give the text back byte for byte."""
    if "~" in text:
        return None
    found: tuple[str, str] | None = None
    for form in _forms(card, legendary):
        rest = found[0] if found else text
        if form in rest and (masked := _masked(rest, form)) != rest:
            if found:
                return None
            found = (masked, form)
    return found


def _masked(text: str, name: str) -> str:
    """`text` with `~` for each `name` that stands as a word of its own, or with a plural s."""
    pieces = []
    start = 0
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        after = end + 1 if text[end : end + 1] == "s" else end
        if not _in_word(text, at - 1) and not _in_word(text, after):
            pieces += [text[start:at], "~"]
            start = end
        at = text.find(name, end)
    return "".join([*pieces, text[start:]])


def _in_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "_")


def _compose(
    ruling_id: str,
    words: Wordings,
    members: Sequence[int],
    chief: int,
    reasons: Mapping[int, tuple[str, str]],
    legendary: Mapping[str, bool | None],
) -> Ruling:
    entries = [(i, e) for i in members for e in words.entries[i]]
    shapes = {(e.card, e.text): template(e.text, e.card, legendary.get(e.card)) for _, e in entries if e.card}
    named = {card for (card, _), shape in shapes.items() if shape}
    today = [e for _, e in entries if not e.missing_since]
    here = {e.card for e in today if e.card and shapes[e.card, e.text]} if today else named
    masked = len(here or named) > 1
    # What cards said of themselves once does not take the name out of the text that is shown today.
    text = _canonical_text(words, chief, legendary if len(here) > 1 else None)
    names = sorted({shape[1] for shape in shapes.values() if shape})
    drafts: dict[str, list[tuple[int, Entry, str | None]]] = defaultdict(list)
    for i, e in entries:
        kept, stands_for = _kept(e, text, shapes.get((e.card, e.text)) if masked else None, names if masked else ())
        drafts[kept].append((i, e, stands_for))
    variants: list[Variant] = []
    occurrences: list[Occurrence] = []
    others = sorted((k for k in drafts if k != text), key=lambda k: (_first_seen(drafts[k]), k))
    for key, kept in [(None, text), *((f"v{n}", kept) for n, kept in enumerate(others, 2))]:
        if key is not None:
            i, entry, _ = drafts[kept][0]
            if fold1(kept) == fold1(text):
                why, reason = "typography", "quotes, dashes or spaces"
            else:
                why, reason = _why(words, i, entry, chief, reasons)
            variants.append(Variant(key, why, kept, reason))
        for _, e, stands_for in drafts.get(kept, ()):
            occurrences.append(
                Occurrence(e.card, e.date, e.source, key, e.position, e.missing_since, stands_for, e.oracle_id, e.as_of)
            )
    occurrences.sort(key=lambda o: (o.date is None, o.date or "", o.source, o.variant or "", o.card, o.oracle_id or ""))
    mechanics = sorted({e.mechanic for _, e in entries if e.mechanic})
    return Ruling(
        id=ruling_id,
        text=text,
        variants=tuple(variants),
        occurrences=tuple(occurrences),
        damage=words.faults[chief],
        mechanic=mechanics[0] if mechanics else None,
    )


def _canonical_text(words: Wordings, chief: int, legendary: Mapping[str, bool | None] | None) -> str:
    """The canonical wording in plain typography; with `legendary`, `~` for the card's own name."""
    texts = {words.normal[e.text] for e in words.entries[chief]}
    if legendary is not None:
        on = {(e.card, words.normal[e.text]) for e in words.entries[chief] if e.card}
        shapes = [template(text, card, legendary.get(card)) for card, text in sorted(on)]
        if named := {shape[0] for shape in shapes if shape}:
            return min(named)
    return min(texts)


def _kept(entry: Entry, canonical: str, shape: tuple[str, str] | None, names: Iterable[str]) -> tuple[str, str | None]:
    """The text under which an entry is kept, and what stands for `~` in it (None: the card's full name)."""
    if shape:
        return shape[0], (shape[1] if shape[1] != entry.card else None)
    if "~" in entry.text:  # a real tilde: it stands for itself
        return entry.text, "~"
    if "~" in canonical:
        for name in names:  # another card's text, word for word: a suspect attachment, kept as what it is
            if canonical.replace("~", name) == entry.text:
                return canonical, name
    return entry.text, None


def _first_seen(drafts: Sequence[tuple[int, Entry, str | None]]) -> tuple[bool, str]:
    first = min((e.date for _, e, _ in drafts if e.date), default=None)
    return (first is None, first or "")


def _why(words: Wordings, i: int, entry: Entry, chief: int, reasons: Mapping[int, tuple[str, str]]) -> tuple[str, str]:
    """Why this wording is a variant of the canonical one, for people and for `Ruling.shown`."""
    if i != chief:
        return reasons.get(i, ("older-wording", "a person's decision"))
    if plain(entry.text) == words.normal[entry.text]:
        return "typography", "quotes, dashes or spaces"
    return "symbol-form", "the form of a symbol, or left-over markup"


def _carry_over(born: Ruling, old: Sequence[Ruling]) -> Ruling:
    """What people and time added to the rulings that are now this one."""
    if not old:
        return born
    distinct = list({r.id: r for r in old}.values())
    add = tuple(dict.fromkeys(t for r in distinct if r.retag for t in r.retag.add))
    drop = tuple(dict.fromkeys(t for r in distinct if r.retag for t in r.retag.drop))
    return replace(
        born,
        see=tuple(dict.fromkeys(n for r in distinct for n in r.see)),
        history=tuple(dict.fromkeys(c for r in distinct for c in r.history)),
        retag=Retag(add, drop) if add or drop else None,
    )


# --- ties --------------------------------------------------------------------------------------------------------


def _link(rulings: Sequence[Ruling], parts: Partition, group_of: Mapping[int, int]) -> list[Ruling]:
    """Both rulings of a link know of it. `a covers b`, `a outdated-by b`."""
    found: dict[int, dict[tuple[str, str], Link]] = defaultdict(dict)
    for a, b, kind, reason in sorted(parts.links):
        ga, gb = group_of[a], group_of[b]
        if ga == gb:
            continue
        for here, there, how in ((ga, gb, kind), (gb, ga, _BACK.get(kind, kind))):
            found[here].setdefault((how, rulings[there].id), Link(how, rulings[there].id, reason))
    return [
        replace(r, links=tuple(link for _, link in sorted(found[g].items()))) if g in found else r
        for g, r in enumerate(rulings)
    ]


def _supersede(
    rulings: list[Ruling],
    words: Wordings,
    group_of: Mapping[int, int],
    decisions: Iterable[Decision],
    today: str,
) -> list[Ruling]:
    at: dict[Unit, int] = {(folded, ""): group_of[i] for folded, i in words.rest().items()}
    for i, (folded, card) in enumerate(words.units):
        at[folded, card] = group_of[i]
    for i, asked in enumerate(words.asked):  # a person may have decided about a text as it is shown
        for card in dict.fromkeys((words.units[i][1], "")):
            at.setdefault((fold1(asked.text), card), group_of[i])

    def find(text: str, card: str) -> int | None:
        forms = [(folded, on) for on in dict.fromkeys((card, "")) for folded in (fold1(text), fold1(settled(text)))]
        return next((at[form] for form in forms if form in at), None)

    ordered = sorted(decisions, key=lambda d: d.date)
    newest = {_pair(d): d for d in ordered if d.b}
    for decision in ordered:
        old, new = find(decision.a, decision.card), find(decision.b, decision.b_card)
        if old is None:
            continue
        now = rulings[old]
        if decision.kind == "supersede" and new is not None and new != old:
            if newest[_pair(decision)] is not decision:
                continue
            by = rulings[new].id
            change = Change(decision.date or today, f"superseded by {by}", decision.actor, decision.reason)
            now = replace(now, status="superseded", superseded_by=by)
        elif decision.kind == "withdraw":
            change = Change(decision.date or today, "withdrawn", decision.actor, decision.reason)
            now = replace(now, status="withdrawn")
        else:
            continue
        rulings[old] = replace(now, history=tuple(dict.fromkeys((*now.history, change))))
    return rulings


def _pair(decision: Decision) -> frozenset[Unit]:
    """The two texts that a decision is about, with their cards where they were split."""
    return frozenset(((settled(decision.a), decision.card), (settled(decision.b), decision.b_card)))


def _reinstated(ruling: Ruling, was: Ruling, decisions: Iterable[Decision], today: str) -> Ruling:
    """A ruling that is superseded or withdrawn no longer: its page must not look as if it forgot."""
    texts = {settled(text) for text in wordings_of(was)}
    kept = any(d.kind in ("supersede", "withdraw") and settled(d.a) in texts for d in decisions)
    why = "a newer decision holds" if kept else "the decision was taken back"
    return replace(ruling, history=(*ruling.history, Change(today, "reinstated", "", why)))


def _reviews(words: Wordings, parts: Partition, group_of: Mapping[int, int], ids: Sequence[str]) -> tuple[Review, ...]:
    found = set()
    for a, b, proposed, reason in parts.reviews:
        first, second = sorted((a, b), key=lambda i: words.units[i])
        texts = (words.asked[first].text, words.asked[second].text)
        found.add(Review(*texts, ids[group_of[first]], ids[group_of[second]], proposed, reason))
    return tuple(sorted(found, key=lambda r: (r.a, r.b)))
