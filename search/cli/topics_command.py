"""`rulings topics`: the vocabulary, and the rulings of a topic."""

from __future__ import annotations

import click

from rulings.errors import UsageError
from rulings.text import printable
from search.cli.common import built, echo_json, open_base, plural, progress


@click.command(epilog="\b\nExamples:\n  rulings topics\n  rulings topics energy\n  rulings topics --all --json")
@click.argument("topic", required=False)
@click.option("--all", "show_all", is_flag=True, help="Also topics that no ruling of this base has.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, topic: str | None, show_all: bool, as_json: bool) -> None:
    """List the topics with their number of rulings, or show one TOPIC: what it means, its rules and its rulings."""
    import difflib
    from collections import Counter

    from rulings import topics

    base = open_base(ctx)
    vocabulary = topics.of_base(base)
    with progress() as tell:
        snapshot = built(base, tell).snapshot()
    counts: Counter[str] = Counter()
    of_topic = []
    wanted = vocabulary.find(topic) if topic else None
    if topic and wanted is None:
        near = ", ".join(difflib.get_close_matches(topic.lower(), [t.key for t in vocabulary.all], n=5))
        raise UsageError(f"no topic is called {topic!r}", f"near: {near}" if near else "see: rulings topics --all")
    for ruling in snapshot.rulings():
        counts.update(ruling.topics)
        if wanted and wanted.key in ruling.topics:
            of_topic.append(ruling)
    if wanted:
        children = [t for t in vocabulary.all if t.parent == wanted.key]
        if as_json:
            echo_json(
                {
                    "key": wanted.key,
                    "label": wanted.label,
                    "definition": wanted.definition,
                    "rules": list(wanted.rules),
                    "parent": wanted.parent,
                    "rulings": [{"id": r.id, "text": r.text, "cards_total": len(r.cards)} for r in of_topic],
                }
            )
            return
        click.echo(f"{wanted.label} ({wanted.key})")
        click.echo(f"  {wanted.definition}")
        if wanted.rules:
            click.echo(f"  rules {', '.join(wanted.rules)}")
        if children:
            click.echo(f"  narrower: {', '.join(t.key for t in children)}")
        click.echo(f"  {plural(len(of_topic), 'ruling')}")
        for r in sorted(of_topic, key=lambda r: (-len(r.cards), r.id))[:10]:
            reach = f"on {len(r.cards)} cards" if len(r.cards) > 1 else printable(r.cards[0])
            text = printable(r.text).replace("~", "[this card]")
            click.echo(f"  {r.id}  {reach}: {text[:100]}{' …' if len(text) > 100 else ''}")
        if len(of_topic) > 10:
            click.echo(f"  all of them: rulings search topic:{wanted.key}")
        return
    shown = [t for t in vocabulary.all if show_all or counts[t.key]]
    if as_json:
        echo_json([{"key": t.key, "label": t.label, "rulings": counts[t.key], "rules": list(t.rules)} for t in shown])
        return
    width = max((len(t.key) for t in shown), default=0)
    for t in sorted(shown, key=lambda t: (-counts[t.key], t.key)):
        click.echo(f"{counts[t.key]:>7,}  {t.key:<{width}}  {t.label}")
