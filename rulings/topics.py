"""The closed vocabulary of topics: what a ruling can be about, and the words that say so.

In: `rulings/topics.yaml` (shipped) and, where a base has one, its own `topics.yaml` that adds topics or changes
fields. Out: `Topics`, and `Problem`s for what could not be used; a faulty entry never takes the others with it.
Phrases are kept as text here and compiled by whoever tags, so that commands that only name topics stay fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rulings import yamlfile
from rulings.errors import DataError, Problem
from rulings.phrases import PhraseError, compile_phrase
from rulings.text import loose

OWN = "topics.yaml"
"""A base's own file."""
SHIPPED = Path(__file__).with_name("topics.yaml")
OTHER_KEYWORD = "other-keyword"
MAX_LABEL_WORDS = 4
_TEXTS = ("label", "definition", "group", "parent")
_LISTS = ("rules", "aliases", "cards", "sets")
_BLOCKS = ("strong", "weak", "except")
_KEYS = {"key", *_TEXTS, *_LISTS, *_BLOCKS}


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic. `strong`, `weak` and `unless` are phrases as written (`rulings.phrases`). `cards` are words of a type
    line that make it likelier where the text speaks for it; a card all of whose printings are in `sets` gives it."""

    key: str
    label: str
    definition: str = ""
    rules: tuple[str, ...] = ()
    group: str = ""
    parent: str = ""
    aliases: tuple[str, ...] = ()
    strong: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Topics:
    """The vocabulary. `words` are the `$lists` of the phrases, `groups` the headings topics are shown under."""

    all: tuple[Topic, ...]
    groups: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @cached_property
    def by_key(self) -> Mapping[str, Topic]:
        """Topics by key."""
        return {topic.key: topic for topic in self.all}

    @cached_property
    def _by_name(self) -> Mapping[str, Topic]:
        names: dict[str, Topic] = {}
        for pick in (lambda t: (t.key, t.label), lambda t: t.aliases):
            for topic in self.all:
                for name in pick(topic):
                    names.setdefault(_name(name), topic)
        return names

    @cached_property
    def _children(self) -> Mapping[str, tuple[Topic, ...]]:
        children: dict[str, list[Topic]] = {}
        for topic in self.all:
            children.setdefault(topic.parent, []).append(topic)
        return {key: tuple(topics) for key, topics in children.items()}

    def __iter__(self) -> Iterator[Topic]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def __contains__(self, key: object) -> bool:
        return key in self.by_key

    def get(self, key: str) -> Topic | None:
        """The topic with this key, None where there is none."""
        return self.by_key.get(key)

    def find(self, name: str) -> Topic | None:
        """The topic that a person means: its key, label or an alias, without regard to case, hyphens and accents."""
        return self._by_name.get(_name(name))

    def children(self, key: str) -> tuple[Topic, ...]:
        """The topics right below a topic or a group, in the order of the file."""
        return self._children.get(key, ())

    def descendants(self, key: str) -> tuple[Topic, ...]:
        """All topics below a topic or a group, each before its own children."""
        found: list[Topic] = []
        for child in self.children(key):
            found += [child, *self.descendants(child.key)]
        return tuple(found)

    def ancestors(self, key: str) -> tuple[Topic, ...]:
        """The broader topics of a topic, nearest first; groups are not topics."""
        found: list[Topic] = []
        topic = self.get(key)
        while topic is not None and (topic := self.get(topic.parent)) is not None and topic not in found:
            found.append(topic)
        return tuple(found)


def _name(text: str) -> str:
    return " ".join(loose(text).replace("-", " ").split())


def load(path: Path | None = None, overrides: Path | None = None) -> Topics:
    """The topics of `path` (default: the shipped list), with those of a base's own `overrides` added or changed.

    Faults are in `problems`, by file and topic. Raises DataError only where `path` itself is unusable.
    """
    problems: list[Problem] = []
    data = _read(path or SHIPPED, problems)
    if data is None:
        raise DataError(f"no topics in {path or SHIPPED}", problems)
    topics: dict[str, Topic] = {}
    groups: dict[str, str] = {}
    words: dict[str, tuple[str, ...]] = {}
    _take(data, str(path or SHIPPED), topics, groups, words, problems)
    if overrides is not None and overrides.exists() and (data := _read(overrides, problems)) is not None:
        _take(data, str(overrides), topics, groups, words, problems, changes=True)
    made = Topics(tuple(topics.values()), groups, words)
    problems += _check_tree(made, str(overrides or path or SHIPPED))
    return replace(made, problems=tuple(problems))


def of_base(folder: Path | None) -> Topics:
    """The topics of the base in `folder`: the shipped ones, with its own `topics.yaml` where it has one."""
    return load(overrides=folder / OWN if folder else None)


def _read(path: Path, problems: list[Problem]) -> dict[str, Any] | None:
    try:
        data, _ = yamlfile.load(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        problems.append(Problem(str(path), f"cannot be read: {error}", kind="topics"))
        return None
    except yamlfile.YamlFault as fault:
        problems.append(fault.problem)
        return None
    if not isinstance(data, dict):
        problems.append(Problem(str(path), "expected `topics:` with a list", kind="topics"))
        return None
    return data


def _take(
    data: dict[str, Any],
    path: str,
    topics: dict[str, Topic],
    groups: dict[str, str],
    words: dict[str, tuple[str, ...]],
    problems: list[Problem],
    changes: bool = False,
) -> None:
    """Adds what one file says. Only a base's own file may name a topic that is there already: it changes it."""

    def fault(message: str, where: str = "", hint: str = "") -> None:
        problems.append(Problem(path, message, hint, where=where, kind="topics"))

    for name, table in (("groups", groups), ("words", words)):
        given = data.get(name) or {}
        if not isinstance(given, dict):
            fault(f"`{name}` is not a list of names with values")
            continue
        for key, value in given.items():
            if not isinstance(value, str):
                fault("is not a text", f"{name}.{key}")
            elif name == "words":
                words[key] = tuple(value.split("|"))
            else:
                table[key] = value  # type: ignore[assignment]
    entries = data.get("topics") or []
    if not isinstance(entries, list):
        fault("`topics` is not a list")
        return
    seen: set[str] = set()
    for number, entry in enumerate(entries, 1):
        key = entry.get("key") if isinstance(entry, dict) else None
        if not isinstance(key, str) or not key.replace("-", "").isalnum() or key != key.lower():
            fault("an entry without a key in lower case", f"topics[{number}]", "such as `split-second`")
            continue
        if key in seen or (key in topics and not changes):
            fault("the topic is there twice", key)
            continue
        seen.add(key)
        fields, faults = _fields(entry, topics.get(key))
        for message in faults:
            fault(message, key)
        if key not in topics and "label" not in fields:
            fields["label"] = key.replace("-", " ").capitalize()
        if len(fields.get("label", "").split()) > MAX_LABEL_WORDS:
            fault(f"the label is longer than {MAX_LABEL_WORDS} words: {fields['label'][:60]!r}", key)
            continue
        topics[key] = replace(topics[key], **fields) if key in topics else Topic(key=key, **fields)


def _fields(entry: dict[str, Any], old: Topic | None) -> tuple[dict[str, Any], list[str]]:
    """The fields of one entry, and what is wrong with it. A changed topic keeps its phrases; new ones are added."""
    fields: dict[str, Any] = {}
    faults = [f"unknown field {name!r}" for name in entry if name not in _KEYS]
    for name in _TEXTS:
        if isinstance(value := entry.get(name), str):
            fields[name] = value.strip()
        elif value is not None:
            faults.append(f"`{name}` is not a text")
    for name in _LISTS:
        value = entry.get(name)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            fields[name] = tuple(value)
        elif value is not None:
            faults.append(f"`{name}` is not a list of texts")
    for name in _BLOCKS:
        value = entry.get(name)
        lines = value.splitlines() if isinstance(value, str) else value
        if isinstance(lines, list) and all(isinstance(item, str) for item in lines):
            here = "unless" if name == "except" else name
            kept: tuple[str, ...] = getattr(old, here) if old else ()
            fields[here] = kept + tuple(line.strip() for line in lines if line.strip())
        elif value is not None:
            faults.append(f"`{name}` is not a block of phrases, one a line")
    return fields, faults


def _check_tree(topics: Topics, path: str) -> Iterator[Problem]:
    """Parents and groups that are nowhere, and topics that are their own ancestors."""
    for topic in topics:
        if topic.parent and topic.parent not in topics and topic.parent not in topics.groups:
            # `multiplayer` is a topic and the middle of a group's name; a typing error is neither.
            yield Problem(path, f"the parent {topic.parent!r} is no topic and no group", where=topic.key, kind="topics")
        if topic.group and topic.group not in topics.groups:
            yield Problem(
                path, f"the group {topic.group!r} is not in the list of groups", where=topic.key, kind="topics"
            )
        if topic in topics.ancestors(topic.key):
            yield Problem(path, "the topic is its own ancestor", where=topic.key, kind="topics")


def check_phrases(topics: Topics, path: str = "topics.yaml") -> tuple[Problem, ...]:
    """A Problem for each phrase that cannot be used. Slower than `load`: tagging and `rulings check` call it."""
    problems = []
    for topic in topics:
        for line in (*topic.strong, *topic.weak, *topic.unless):
            try:
                compile_phrase(line, topics.words)
            except PhraseError as error:
                problems.append(
                    Problem(path, f"the phrase {line!r} cannot be used: {error}", where=topic.key, kind="topics")
                )
    return tuple(problems)
