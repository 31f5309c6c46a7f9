"""One ruling, all its wordings: which texts are one ruling, and why.

`partition` makes rulings of wordings, `relation` compares two. Candidates are found by likeness; the decision reads
the difference itself. Pure functions of texts and people's decisions; the cache only saves time.
"""

from indexer.dedupe.cache import EdgeCache, fingerprint
from indexer.dedupe.canonical import canonical, explain
from indexer.dedupe.decided import READ, reissues
from indexer.dedupe.partition import Group, Partition, partition
from indexer.dedupe.relation import Verdict, relation
from indexer.dedupe.wording import Wording, masked, wording_of

__all__ = [
    "READ",
    "EdgeCache",
    "Group",
    "Partition",
    "Verdict",
    "Wording",
    "canonical",
    "explain",
    "fingerprint",
    "masked",
    "partition",
    "reissues",
    "relation",
    "wording_of",
]
