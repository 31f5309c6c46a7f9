"""Rulings that seem to stand on the wrong card: they name another card and never their own."""

from __future__ import annotations

from collections.abc import Sequence

from rulings.model import Card
from rulings.names import CardIndex


def attachment(text: str, own_names: Sequence[str], card: Card | None, index: CardIndex) -> str | None:
    """Why `text` looks attached to the wrong card, None if it does not."""
    return None
