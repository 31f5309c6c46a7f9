"""Findings as text, JSON, annotated HTML and Markdown.

In: the text and its findings. Out: strings. The text is a stranger's: nothing in it can act as markup or as a control
code of the terminal.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulings.citation_styles import escape_markdown
from rulings.text import printable
from search.lookup.findings import WORST_FIRST, Finding

FORMATS = ("text", "json", "html", "markdown")
_LABELS = {
    "exact": "exact",
    "older-wording": "older wording",
    "altered": "altered",
    "altered-dangerous": "ALTERED, AND IT CHANGES THE MEANING",
    "outdated": "outdated",
    "wrong-card": "on another card",
    "not-found": "no such ruling",
    "ok": "right",
    "moved": "moved",
    "removed": "no longer a rule",
    "unknown": "unknown",
    "alias": "has another id today",
    "ambiguous": "ambiguous",
    "withdrawn": "withdrawn",
    "named": "named",
}
_CLASSES = {
    "exact": "ok", "ok": "ok", "named": "ok", "older-wording": "old", "alias": "old", "altered": "old", "moved": "move",
    "ambiguous": "old",
}  # fmt: skip
_KINDS = {"ruling": "Quotation", "rule": "Rule", "id": "Id", "card": "Card", "policy": "Policy"}
_STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "pre{white-space:pre-wrap;font:inherit}mark{color:inherit;background:#dff0df}"
    "mark.old{background:#fdf0c8}mark.move{background:#dce8fb}mark.bad{background:#fbd9d6}"
    "ins{background:#dff0df}del{background:#fbd9d6}li{margin:.5rem 0}"
)


def label(finding: Finding) -> str:
    """The verdict in words."""
    part = ", part of a ruling" if finding.partial and finding.verdict == "exact" else ""
    return f"{_LABELS[finding.verdict]}{part}"


def summary(findings: Sequence[Finding]) -> str:
    """`1 altered, 2 exact`, the worst first."""
    counts = Counter(f.verdict for f in findings)
    parts = [f"{counts[verdict]} {_LABELS[verdict].lower()}" for verdict in WORST_FIRST if counts[verdict]]
    return ", ".join(parts) if parts else "nothing that is quoted or cited was found"


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda f: (WORST_FIRST.index(f.verdict), f.start))


def place(text: str, offset: int) -> str:
    """`line:column`, both counted from 1."""
    line = text.count("\n", 0, offset) + 1
    return f"{line}:{offset - (text.rfind(chr(10), 0, offset) + 1) + 1}"


def as_json(text: str, findings: Sequence[Finding]) -> dict[str, Any]:
    """The findings as JSON has them, with the words they are about."""
    rows = [{**f.to_plain(), "text": text[f.start : f.end]} for f in findings]
    return {"findings": rows, "summary": dict(Counter(f.verdict for f in findings))}


def as_text(text: str, findings: Sequence[Finding], *, name: str = "", cards: bool = False) -> str:
    """A report for a terminal, in the order of the text. Card names that are right are left out unless asked for."""
    shown = [f for f in findings if cards or f.kind != "card"]
    lines = []
    for f in shown:
        where = f"{name}:{place(text, f.start)}" if name else place(text, f.start)
        lines.append(printable(f"{where}  {_KINDS[f.kind]}: {label(f)}"))
        lines.append("    " + printable(_marked(text, f, "[-", "-]", "{+", "+}")))
        if f.message:
            lines.append("    " + printable(f.message))
        if f.ruling_id and f.ruling_id not in f.message:
            lines.append(f"    {f.ruling_id}")
    return "\n".join([*lines, summary(shown)])


def _marked(text: str, finding: Finding, gone: str, gone_end: str, new: str, new_end: str) -> str:
    """The words that were found on one line, the differences marked: `You [-can-] {+can't+} pay`."""
    out, at = [], finding.start
    for d in sorted(finding.differences, key=lambda d: (d.start, d.end)):
        if d.start < at or d.end > finding.end or d.kind == "name" or d.end - d.start == finding.end - finding.start:
            continue
        out.append(text[at : d.start])
        said = text[d.start : d.end].strip()
        marks = [f"{gone}{said}{gone_end}"] if said else []
        marks += [f"{new}{d.meant}{new_end}"] if d.meant else []
        out.append(" ".join(marks) + ("" if said else " "))
        at = d.end
    out.append(text[at : finding.end])
    return " ".join("".join(out).replace("\n>", "\n").split())


def as_markdown(text: str, findings: Sequence[Finding]) -> str:
    """The findings as a list, the worst first; all words of the text escaped."""
    lines = [f"**{escape_markdown(summary(findings))}**", ""]
    for f in worst_first(findings):
        words = escape_markdown(" ".join(text[f.start : f.end].replace("\n>", "\n").split()))
        link = f" ({f.ruling_id})" if f.ruling_id else ""
        lines.append(f"- **{_KINDS[f.kind]}, {label(f)}**, {place(text, f.start)}: “{words}”{link}")
        lines += [f"    - {escape_markdown(str(d))}" for d in f.differences]
        if f.message:
            lines.append(f"    - {escape_markdown(f.message)}")
    return "\n".join(lines)


def as_html(text: str, findings: Sequence[Finding]) -> str:
    """A page: the text with every finding marked and numbered, and the findings, the worst first."""
    body, at = [], 0
    ordered = sorted(findings, key=lambda f: (f.start, -f.end))
    numbered: list[Finding] = []
    for f in ordered:
        if f.start < at:
            continue  # inside another: it is in the list below
        numbered.append(f)
        n = len(numbered)
        body.append(html.escape(text[at : f.start]))
        said = _html_words(text, f)
        title = html.escape(label(f), quote=True)
        body.append(
            f'<a href="#f{n}" id="t{n}"><mark class="{_class(f)}" title="{title}">{said}</mark><sup>{n}</sup></a>'
        )
        at = f.end
    body.append(html.escape(text[at:]))
    numbers = {id(f): n for n, f in enumerate(numbered, 1)}
    items = []
    for f in worst_first(findings):
        number = numbers.get(id(f))
        back = f' id="f{number}"' if number else ""
        words = html.escape(" ".join(text[f.start : f.end].replace("\n>", "\n").split()))
        link = f" <code>{f.ruling_id}</code>" if f.ruling_id else ""
        up = f'<a href="#t{number}">{number}</a> ' if number else ""
        items.append(
            f"<li{back}>{up}<strong>{_KINDS[f.kind]}, {html.escape(label(f))}</strong>: <q>{words}</q><br>"
            f"{html.escape(f.message)}{link}</li>"
        )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Checked text</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n<p>{html.escape(summary(findings))}</p>\n"
        f"<pre>{''.join(body)}</pre>\n<ul>\n{chr(10).join(items)}\n</ul>\n</body></html>"
    )


def _class(finding: Finding) -> str:
    return _CLASSES.get(finding.verdict, "bad")


def _html_words(text: str, finding: Finding) -> str:
    out, at = [], finding.start
    for d in sorted(finding.differences, key=lambda d: (d.start, d.end)):
        if d.start < at or d.end > finding.end or d.end - d.start == finding.end - finding.start:
            continue
        out.append(html.escape(text[at : d.start]))
        out.append(f"<del>{html.escape(text[d.start : d.end])}</del>" if d.end > d.start else "")
        out.append(f"<ins>{html.escape(d.meant)}</ins>" if d.meant else "")
        at = d.end
    return "".join(out) + html.escape(text[at : finding.end])


def render(text: str, findings: Sequence[Finding], form: str, *, name: str = "") -> str:
    """`findings` in one of `text`, `html`, `markdown`."""
    if form == "html":
        return as_html(text, findings)
    if form == "markdown":
        return as_markdown(text, findings)
    return as_text(text, findings, name=name)
