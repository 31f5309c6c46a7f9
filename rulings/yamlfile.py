"""The YAML of a base: a strict, fast reader and a writer with one form for each value.

Reader: only null is resolved, everything else is a string, since stock YAML reads rule `107.10` as 107.1, `No` as
false and a date as a date. Repeated keys, anchors, aliases and tags are errors (500 bytes of aliases can expand to
5 MB). Writer: texts are folded blocks on one unbroken line, so that a diff shows a ruling as one line.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import yaml

from rulings.errors import Problem

Plain = str | None | list[Any] | dict[str, Any]

_BASE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _OnlyNull(_BASE_LOADER):  # type: ignore[misc]
    """Resolves `null`, `~` and the empty value; every other plain scalar is a string."""


_OnlyNull.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.endswith(":null")]
    for first, resolvers in _BASE_LOADER.yaml_implicit_resolvers.items()
}

_NULL = "tag:yaml.org,2002:null"
_KNOWN_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("null", "str", "map", "seq"))
# Where an anchor, alias or tag could stand; a hit in a text is told apart by the slower event scan.
_MAYBE_REFERENCE = re.compile(r"(?:^|[\s\[{,:-])[&*!]\S", re.MULTILINE)


class YamlFault(Exception):
    """A file that is no YAML of ours. `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def _fault(path: str, mark: Any, message: str, hint: str = "") -> YamlFault:
    line = mark.line + 1 if mark is not None else None
    return YamlFault(Problem(path=path, message=message, hint=hint, line=line, kind="yaml"))


def _refuse_references(text: str, path: str) -> None:
    if not _MAYBE_REFERENCE.search(text):
        return
    for event in yaml.parse(text, Loader=_BASE_LOADER):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _fault(path, event.start_mark, "an anchor or alias", "write the value out; quote a text with & or *")
        if tag := getattr(event, "tag", None):
            raise _fault(path, event.start_mark, f"a tag ({tag})", "quote a text that begins with !")


def load(text: str, path: str) -> tuple[Plain, dict[int, int]]:
    """The data in `text` and the line (1-based) of each mapping, by `id()` of the dict.

    Raises YamlFault; `path` is only for its message.
    """
    collecting = gc.isenabled()
    gc.disable()  # 2.7 times faster: the collector would walk the growing tree again and again
    try:
        _refuse_references(text, path)
        loader = _OnlyNull(text)
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
        lines: dict[int, int] = {}
        return (None if node is None else _build(node, path, lines)), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _fault(path, mark, f"not YAML: {error.problem or error.context}", "mend the line") from None
    except yaml.YAMLError as error:
        raise _fault(path, None, f"not YAML: {error}", "mend the file") from None
    except RecursionError:
        raise _fault(path, None, "nested too deeply", "a base has at most six levels") from None
    finally:
        if collecting:
            gc.enable()


def _build(node: Any, path: str, lines: dict[int, int]) -> Plain:
    if node.tag not in _KNOWN_TAGS:
        raise _fault(path, node.start_mark, f"a tag ({node.tag})")
    if isinstance(node, yaml.ScalarNode):
        return None if node.tag == _NULL else node.value
    if isinstance(node, yaml.SequenceNode):
        return [_build(child, path, lines) for child in node.value]
    result: dict[str, Plain] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _fault(path, key_node.start_mark, "a key that is not a word")
        key = key_node.value
        if key in result:
            raise _fault(path, key_node.start_mark, f"the key {key!r} stands twice", "keep one of them")
        result[key] = _build(value_node, path, lines)
    lines[id(result)] = node.start_mark.line + 1
    return result


# --- writing ---------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_ ,./()'’&+!?-]*")
_WORDS_OF_YAML = frozenset("y n yes no on off true false null none".split())
# What may stand unescaped in a block or a single-quoted scalar (YAML 1.1 "printable" without the line breaks).
_UNSAFE = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def scalar(value: str | None) -> str:
    """One value on one line, in the plainest form that both our reader and stock YAML read back as this string."""
    if value is None:
        return "null"
    if (
        _PLAIN.fullmatch(value)
        and value.lower() not in _WORDS_OF_YAML
        and not value.endswith(" ")
        and " #" not in value
    ):
        return value
    if _UNSAFE.search(value):
        return _double_quoted(value)
    return "'" + value.replace("'", "''") + "'"


def _double_quoted(value: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNSAFE.sub(
        lambda m: f"\\U{ord(m.group()):08x}" if ord(m.group()) > 0xFFFF else f"\\u{ord(m.group()):04x}", quoted
    )


def _text(value: str, indent: str) -> str:
    """A ruling's text: a folded block of one line; quoted where a block could not give it back byte for byte."""
    if not value or value[0] in " \t" or value[-1] in " \t" or _UNSAFE.search(value):
        return _double_quoted(value)
    return f">-\n{indent}  {value}"


TEXT_KEYS = frozenset({"text"})


def _lines(value: object, indent: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, str) and key in TEXT_KEYS:
                yield f"{indent}{key}: {_text(item, indent)}"
            elif isinstance(item, str) or item is None:
                yield f"{indent}{key}: {scalar(item)}"
            elif isinstance(item, int):
                yield f"{indent}{key}: {item}"
            else:
                yield f"{indent}{key}:"
                yield from _lines(item, indent + ("  " if isinstance(item, Mapping) else ""))
    elif isinstance(value, Sequence):
        for item in value:
            if isinstance(item, Mapping):
                inner = list(_lines(item, indent + "  "))
                inner[0] = f"{indent}- {inner[0][len(indent) + 2 :]}"
                yield from inner
            else:
                yield f"{indent}- {scalar(item)}"
    else:
        raise TypeError(f"neither text, list nor mapping: {value!r}")


def dump(document: Mapping[str, object], comment: Iterable[str] = ()) -> str:
    """`document` as YAML. Values are strings, None, whole numbers, mappings and sequences; empty ones must be
    left out before."""
    head = "".join(f"# {line}\n" for line in comment)
    return head + "\n".join(_lines(document, "")) + "\n"
