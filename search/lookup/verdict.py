"""What a passage amounts to: the one verdict on a quotation.

In: passages for one place, the card they are ascribed to, the base. Out: one `Finding`. The order of the questions is
the definition: does that card say this today; did it say it once; does it say something very like it; does another
card say it; is it nearly another card's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from indexer.lookup_tokens import SIGN
from search.lookup.base import LookupBase, Standing, Text, Wording
from search.lookup.cited import Cited
from search.lookup.difference import changes, read
from search.lookup.findings import Difference, Finding
from search.lookup.passages import Passage

LIKE = 0.78
"""How alike the cited card's own ruling must be to count before another card's that is word for word."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A passage on one card: `standing` there, `differences` from it (none: exact)."""

    passage: Passage
    card: str
    standing: Standing
    differences: tuple[Difference, ...]

    @property
    def exact(self) -> bool:
        return all(d.kind == "name" for d in self.differences)

    @property
    def current(self) -> bool:
        return self.standing.missing_since is None


class Judge:
    """Judges the passages of one text."""

    def __init__(self, text: Text, base: LookupBase) -> None:
        self.text = text
        self.base = base

    def differences(self, passage: Passage, card: str | None = None) -> tuple[Difference, ...]:
        """Where the quotation is not the ruling's wording. Of punctuation only if the words are the same."""
        text, wording = self.text, passage.wording
        said, meant = text.keys[passage.first : passage.last], wording.keys[passage.low : passage.high]
        if said == meant:
            return self._signs(passage)
        found = changes(
            read(said, _named(text, passage.first, passage.last)),
            read(meant, _named(wording, passage.low, passage.high)),
        )
        own = {name.lower() for name in self.base.own_names(card)} if card else set()
        out = []
        for change in found:
            start, end, said_text = _slice(text, passage.first, change.said, passage.last)
            _, _, meant_text = _slice(wording, passage.low, change.meant, passage.high)
            kind = change.kind
            if own and _bare(said_text) in own and _bare(meant_text) in own:
                kind = "name"
            out.append(Difference(kind, said_text, meant_text, start, end))
        # Only contractions and set phrases differ: `cannot` for `can't`.
        return tuple(out) or (
            Difference("word", text.text[passage.start : passage.end], "", passage.start, passage.start),
        )

    def _signs(self, passage: Passage) -> tuple[Difference, ...]:
        text, wording = self.text, passage.wording
        if text.signs(passage.first, passage.last) == wording.signs(passage.low, passage.high):
            return ()
        out = []
        for i in range(passage.last - passage.first - 1):
            said, meant = _between(text, passage.first + i), _between(wording, passage.low + i)
            if said != meant:
                start = text.tokens[text.words[passage.first + i]].end
                stop = text.tokens[text.words[passage.first + i + 1]].start
                out.append(Difference("punctuation", "".join(said), "".join(meant), start, stop))
        return tuple(out)

    def on_cards(self, passage: Passage, cards: Sequence[str] | None = None) -> list[Judged]:
        """The passage on each card where its wording stands or stood (of `cards`, if given)."""
        wanted = None if cards is None else set(cards)
        out = []
        cached: tuple[Difference, ...] | None = None
        for standing in self.base.standings(passage.wording.n):
            if wanted is not None and standing.card not in wanted:
                continue
            name = passage.wording.name
            if name is not None and name != standing.name:
                own = {n.lower() for n in self.base.own_names(standing.card)}
                if name.lower() not in own:
                    # Another card's name stands where this card's own should: a difference by itself.
                    wording = self.base.wording(passage.wording.n, standing.name or standing.card)
                    moved = _moved(passage, wording)
                    out.append(Judged(moved, standing.card, standing, self.differences(moved, standing.card)))
                    continue
            if cached is None:
                cached = self.differences(passage, standing.card)
            out.append(Judged(passage, standing.card, standing, cached))
        return out

    def judge(self, options: Sequence[Passage], cited: Cited) -> Finding | None:
        """The verdict on the place that `options` are passages for."""
        cards = cited.cards
        here = [judged for passage in options for judged in self.on_cards(passage, cards)] if cards else []
        best = _best(here, lambda j: j.exact and j.current and not j.passage.partial)
        best = best or _best(here, lambda j: j.exact and not j.current and not j.passage.partial)
        best = best or _best(here, lambda j: j.exact and j.current) or _best(here, lambda j: j.exact)
        if best:
            return self._exact(best, cited)
        best = _best(here, lambda j: j.passage.likeness >= LIKE)
        if best:
            return self._altered(best, cited)
        everywhere = [judged for passage in options[:12] for judged in self._some(passage)]
        best = _best(everywhere, lambda j: j.exact and j.current and not j.passage.partial)
        best = best or _best(everywhere, lambda j: j.exact and j.current) or _best(everywhere, lambda j: j.exact)
        if best:
            return self._elsewhere(best, cited) if cited.main else self._exact(best, cited)
        best = _best(here, lambda j: True) or _best(everywhere, _close)
        return self._altered(best, cited) if best else None

    def _some(self, passage: Passage) -> list[Judged]:
        judged = self.on_cards(passage) if passage.edits == 0 else []
        if judged:
            return judged
        standings = self.base.standings(passage.wording.n)
        current = [s for s in standings if s.missing_since is None] or list(standings)
        return self.on_cards(passage, [current[0].card]) if current else []

    def _exact(self, best: Judged, cited: Cited) -> Finding:
        wording = best.passage.wording
        also = self._others(wording, best.card)
        if best.current:
            state = self.base.state(wording.ruling)
            if state:
                return self._finding(best, "outdated", cited, message=_outdated(*state), also=also)
            part = ", part of a longer ruling" if best.passage.partial else ""
            return self._finding(best, "exact", cited, message=f"Exact{part}, {_on(best, also)}.", also=also)
        today = self._today(best)
        until = best.standing.missing_since
        message = f"An older wording on {best.card}, from {best.standing.date or 'an unknown date'} to {until}. "
        message += f"Today’s is: {today}" if today else "The ruling is no longer on the card’s page."
        return self._finding(best, "older-wording", cited, message=message, today=today, also=also)

    def _altered(self, best: Judged, cited: Cited) -> Finding:
        dangerous = [d for d in best.differences if d.dangerous]
        if not dangerous and not self.base.has_history and _old_terms(self.text, best.passage):
            today = best.passage.wording.text
            message = f"In terms that the rules have given up since. Today’s wording on {best.card} is: {today}"
            return self._finding(best, "older-wording", cited, message=message, today=today)
        kinds = ", ".join(dict.fromkeys(d.kind for d in dangerous))
        if dangerous:
            message = f"Altered so that the meaning changes ({kinds}). "
        else:
            message = "Altered; the meaning is the same. "
        message += f"The ruling on {best.card} says: {best.passage.wording.text}"
        if cited.main and best.card not in cited.cards:
            message += f" (not on {cited.main[0]})"
        return self._finding(
            best, "altered-dangerous" if dangerous else "altered", cited, message=message,
            today=self._today(best) if not best.current else best.passage.wording.text,
        )  # fmt: skip

    def _elsewhere(self, best: Judged, cited: Cited) -> Finding:
        also = self._others(best.passage.wording, best.card)
        more = f" and {len(also)} more" if also else ""
        message = f"Not a ruling on {cited.main[0]}. It is on {best.card}{more}."
        if not best.current:
            message += f" It left that page by {best.standing.missing_since}."
        return self._finding(best, "wrong-card", cited, message=message, also=also)

    def _others(self, wording: Wording, card: str) -> tuple[str, ...]:
        cards = (s.card for s in self.base.standings(wording.n) if s.missing_since is None and s.card != card)
        return tuple(dict.fromkeys(cards))

    def _today(self, best: Judged) -> str | None:
        """What that card's page says today instead: the same ruling's wording, else the likest one there."""
        current = self.base.on_card(best.card, current=True)
        same = [n for n in self.base.of_ruling(best.passage.wording.ruling) if n in current]
        words = set(best.passage.wording.keys)
        name = best.standing.name or best.card
        options = [self.base.wording(n, name) for n in same or current]
        scored = [(len(words & set(w.keys)) * 2 / max(1, len(words) + len(set(w.keys))), w.text) for w in options]
        likeness, text = max(scored, default=(0.0, ""))
        return text if same or likeness >= 0.5 else None

    def _finding(
        self, best: Judged, verdict: str, cited: Cited, *, message: str, today: str | None = None,
        also: tuple[str, ...] = (),
    ) -> Finding:  # fmt: skip
        passage = best.passage
        return Finding(
            passage.start,
            passage.end,
            "ruling",
            verdict,
            card=best.card,
            cited_card=(best.card if best.card in cited.cards else cited.main[0]) if cited.main else None,
            today=today,
            ruling_id=passage.wording.ruling,
            ruling_text=passage.wording.text,
            differences=tuple(d for d in best.differences if verdict.startswith("altered")),
            message=message,
            also=also,
            partial=passage.partial,
            since=best.standing.date if verdict == "older-wording" else None,
            until=best.standing.missing_since if verdict == "older-wording" else None,
        )


def _close(judged: Judged) -> bool:
    """Whether words ascribed to no card, or to another, are near enough to call them this ruling. What is only a part
    of one of its sentences is not: cards and rulings share such parts."""
    passage = judged.passage
    cut = passage.matched == passage.last - passage.first and passage.edits > 0
    return passage.likeness >= LIKE and passage.matched >= 7 and not (cut and len(judged.differences) == 1)


def _best(judged: Sequence[Judged], wanted: Callable[[Judged], bool]) -> Judged | None:
    options = [j for j in judged if wanted(j)]
    if not options:
        return None
    return min(
        options,
        key=lambda j: (
            j.passage.edits - 0.5 * j.passage.matched,
            any(d.dangerous for d in j.differences),
            len(j.differences),
            j.passage.partial,
            not j.current,
            j.card,
        ),
    )


def _named(text: Text, first: int, last: int) -> list[bool]:
    """For each word whether it has a capital that no beginning of a sentence explains."""
    out = []
    for number in range(first, last):
        token = text.tokens[text.words[number]]
        capital = text.text[token.start].isupper() and len(token.key) > 1
        before = text.tokens[text.words[number] - 1] if text.words[number] else None
        begins = number == first or before is None or (before.kind == SIGN and before.key in ".?!:(")
        out.append(capital and not begins)
    return out


def _slice(text: Text, offset: int, span: tuple[int, int], last: int) -> tuple[int, int, str]:
    """Characters and text of words `span`, counted from word `offset`."""
    first, stop = offset + span[0], offset + span[1]
    if first >= stop:
        at = text.tokens[text.words[first]].start if first < last else text.tokens[text.words[last - 1]].end
        return at, at, ""
    start, end = text.tokens[text.words[first]].start, text.tokens[text.words[stop - 1]].end
    return start, end, " ".join(text.text[start:end].replace("\n>", "\n").split())


def _bare(words: str) -> str:
    return words.lower().replace("’", "'").removesuffix("'s")


def _between(text: Text, word: int) -> list[str]:
    return [token.key for token in text.tokens[text.words[word] + 1 : text.words[word + 1]]]


def _moved(passage: Passage, wording: Wording) -> Passage:
    """The passage against the same wording with another name in it: word numbers shift with the name's length."""
    old = passage.wording
    shift = len(wording.keys) - len(old.keys)
    low = passage.low if passage.low == 0 else wording.starts[old.starts.index(passage.low)]
    high = len(wording.keys) if passage.high == len(old.keys) else min(passage.high + shift, len(wording.keys))
    matched = min(passage.matched, high - low, passage.last - passage.first)
    return Passage(wording, passage.first, passage.last, low, high, passage.start, passage.end, matched, passage.frame)


def _on(best: Judged, also: tuple[str, ...]) -> str:
    more = f" and {len(also)} more" if also else ""
    return f"on {best.card}{more}, {best.standing.date or 'undated'}"


def _outdated(status: str, by: str) -> str:
    if status == "withdrawn":
        return "Word for word, but the ruling was withdrawn."
    return f"Word for word, but the ruling is outdated{f': see {by}' if by else ''}."


_OLD_TERMS = (
    "enters the battlefield", "enter the battlefield", "entered the battlefield", "entering the battlefield",
    "comes into play", "come into play", "into play", "in play", "converted mana cost", "converted mana costs",
    "his or her", "he or she", "him or her", "totem armor", "tribal", "removed from the game", "remove from the game",
    "mana pool", "mana pools",
)  # fmt: skip


def _old_terms(text: Text, passage: Passage) -> bool:
    """Whether the quotation has terms that the rules gave up, where the ruling has them no more. A base that was made
    from one state of a source knows no older wordings; there this is the only sign of one."""
    said = " " + " ".join(text.keys[passage.first : passage.last]) + " "
    meant = " " + " ".join(passage.wording.keys[passage.low : passage.high]) + " "
    return any(f" {term} " in said and f" {term} " not in meant for term in _OLD_TERMS)
