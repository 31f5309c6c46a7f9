"""What a document is, told from its first 64 kB and never from its name."""

from __future__ import annotations

import json
import re

FORMATS = (
    "text-pages",
    "scryfall",
    "mtgjson",
    "jsonl",
    "csv",
    "gatherer",
    "release-notes",
    "comprehensive-rules",
)

_RULES_TITLE = re.compile(r"magic:?\s+the gathering\s*®?\s+comprehensive rules", re.IGNORECASE)
_RULES_DATE = re.compile(r"these rules are effective as of", re.IGNORECASE)
_RULES_HEADLINE = re.compile(rf"[\s#*_]*{_RULES_TITLE.pattern}[\s*_]*", re.IGNORECASE)
_RULE_LINE = re.compile(r"(?m)^[ \t]*[1-9]\d\d\.\d{1,3}(?:[a-z]\b|\.)?[ \t]*\S")
_MANY_RULES = 3
_NOTES = re.compile(
    r"(?m)^[\s#*_]*(?:[\w’':,& ]{0,60}release notes|card[- ]specific notes|general notes)[\s*_:]*$", re.I
)
_HTML = re.compile(r"<(?:!doctype html|html|body|table|div|tr|head)\b", re.IGNORECASE)
_SCRYFALL = re.compile(r'"object"\s*:\s*"(?:list|card|ruling|bulk_data|error|set)"')
TEXT_COLUMNS = frozenset(("comment", "text", "ruling", "ruling_text", "ruling text"))
CARD_COLUMNS = frozenset(("card", "name", "card_name", "card name"))


def detect(head: str) -> str:
    """The format of a document with this beginning, one of FORMATS. What is nothing else is a text page."""
    start = head.lstrip("\ufeff \t\r\n")
    if start.startswith("["):
        if re.match(r"\[\s*[{\[\]]", start):
            return "scryfall" if _SCRYFALL.search(start[:20000]) or not _own(start[:4000]) else "jsonl"
    elif re.match(r"\{\s*[\"}]", start):
        return _object(start)
    if _HTML.match(start) or (start.startswith("<") and _HTML.search(start)):
        return "gatherer"
    if _RULES_TITLE.search(start[:600]) and _RULES_DATE.search(start[:3000]):
        return "comprehensive-rules"
    if _table(start):
        return "csv"
    if _NOTES.search(head):
        return "release-notes"
    return "comprehensive-rules" if _undated_rules(start) else "text-pages"


def _undated_rules(start: str) -> bool:
    """Rules without their date: their reader refuses them, where a reader of pages would make rulings of them."""
    if _RULES_HEADLINE.fullmatch(start.partition("\n")[0]):
        return True
    lines = sum(not line.isspace() for line in start.splitlines())
    return len(_RULE_LINE.findall(start)) >= max(_MANY_RULES, lines // 10)


def _own(start: str) -> bool:
    return re.search(r'"(?:comment|text)"\s*:', start) is not None and '"card"' in start


def _object(start: str) -> str:
    """A JSON object first: one of many, one a line, or the whole file."""
    line, newline, rest = start.partition("\n")
    record: object = None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if isinstance(record, dict):
        if rest.lstrip().startswith("{"):
            return "jsonl"
        if {"card", "comment", "quarantine"} & record.keys():
            return "jsonl"
    if _SCRYFALL.search(start[:2000]):
        return "scryfall"
    # A long first line of JSONL does not end within the head.
    if not newline and record is None and re.match(r'\{\s*"(?:oracle_id|card|quarantine|schema)"', start):
        return "jsonl"
    return "mtgjson"


def _table(start: str) -> bool:
    first = start.partition("\n")[0]
    names = {name.strip(" \t\r\"'").lower() for name in re.split(r"[,;\t|]", first)}
    return len(names) > 1 and bool(names & TEXT_COLUMNS) and bool(names & (CARD_COLUMNS | {"oracle_id"}))
