"""Checking what others quote: `Lookup(path).check(text)`."""

from search.lookup.check import Lookup
from search.lookup.findings import Difference, Finding

__all__ = ["Difference", "Finding", "Lookup"]
