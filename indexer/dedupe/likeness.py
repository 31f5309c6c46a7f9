"""Two single words: a slip of one for the other, synonyms, forms of one verb. Pure; tables are `lexicon`."""

from __future__ import annotations

from rapidfuzz.distance import OSA

from indexer.dedupe.lexicon import Lexicon
from indexer.dedupe.reading import stem

_PREFIXES = ("un", "non", "re", "dis", "mis", "in", "pre", "is")


def typo(p: str, q: str, lex: Lexicon) -> bool:
    """Whether one of two words is a misspelling of the other: one is no word, or the two are known to be mistaken."""
    if not (p.isalpha() and q.isalpha()):
        return False
    if frozenset((p, q)) in lex.confusable:
        return True
    if any(long == prefix + short for prefix in _PREFIXES for long, short in ((p, q), (q, p))):
        return False
    known = (_known(p, lex), _known(q, lex))
    if known[0] == known[1] or min(len(p), len(q)) < 2 or max(len(p), len(q)) < 3:
        return False
    limit = 1 if max(len(p), len(q)) < 7 else 2
    return int(OSA.distance(p, q, score_cutoff=limit)) <= limit


def _known(word: str, lex: Lexicon) -> bool:
    return any(form in lex.words or form in lex.subtypes for form in (word, stem(word))) or word in lex.kinds


def synonyms(p: str, q: str, lex: Lexicon) -> bool:
    """Whether one word may stand for the other, in the same or another form."""
    if p == q or q in lex.synonyms.get(p, ()):
        return True
    if _tense(p, q) or _tense(q, p):
        return True
    for ending in ("ed", "ing"):
        if p.endswith(ending) and q.endswith(ending):
            for one in _bases(p, ending):
                if any(other in lex.synonyms.get(one, ()) for other in _bases(q, ending)):
                    return True
    return False


def _bases(form: str, ending: str) -> tuple[str, ...]:
    root = form[: -len(ending)]
    return (root, root + "e")


def _tense(base: str, form: str) -> bool:
    """`trigger`/`triggered`, `resolve`/`resolving`, `apply`/`applied`."""
    for ending in ("ed", "ing", "d", "en"):
        if form == base + ending or (base.endswith("e") and form == base[:-1] + ending):
            return True
    return form in (base + base[-1] + "ed", base + base[-1] + "ing") or (
        base.endswith("y") and form == base[:-1] + "ied"
    )
