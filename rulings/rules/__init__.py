"""The Comprehensive Rules: parsed, compared by content, each rule followed through the versions.

Everything is pure but `load_versions` and `read_text`, which read files.
"""

from rulings.rules.compare import Comparison, compare, content_key
from rulings.rules.history import History, Life, Stage, build_history, from_plain, to_plain
from rulings.rules.keywords import Keyword, KeywordList, keywords
from rulings.rules.lookup import Definition, Found, define, lookup
from rulings.rules.model import ComprehensiveRules, GlossaryEntry, LineCount, Rule
from rulings.rules.number import Reference, RuleNumber, find, parent, read, rule_number, sort_key
from rulings.rules.parse import parse
from rulings.rules.resolve import STATUSES, Resolution, Step, Trace, resolve, trace
from rulings.rules.stale import StaleNote, StaleTerm, notes, shipped_terms, stale_terms
from rulings.rules.versions import Versions, load_versions, read_text

__all__ = [
    "STATUSES",
    "Comparison",
    "ComprehensiveRules",
    "Definition",
    "Found",
    "GlossaryEntry",
    "History",
    "Keyword",
    "KeywordList",
    "Life",
    "LineCount",
    "Reference",
    "Resolution",
    "Rule",
    "RuleNumber",
    "Stage",
    "StaleNote",
    "StaleTerm",
    "Step",
    "Trace",
    "Versions",
    "build_history",
    "compare",
    "content_key",
    "define",
    "find",
    "from_plain",
    "keywords",
    "load_versions",
    "lookup",
    "notes",
    "parent",
    "parse",
    "read",
    "read_text",
    "resolve",
    "rule_number",
    "shipped_terms",
    "sort_key",
    "stale_terms",
    "to_plain",
    "trace",
]
