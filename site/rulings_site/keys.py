"""Hashes of what pages show. Over-cautious where it is cheap: a page may be made again and turn out the same, but
one that would differ is never left as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from rulings.model import Ruling
from rulings.rules.versions import Versions
from rulings_site.catalogue import CardId, Catalogue
from rulings_site.listed import ids_of
from rulings_site.page import digest
from rulings_site.render import Site


class Keys:
    """Hashes of one catalogue. `base` covers what is on every page: the frame, our own code, names and addresses;
    `prints` are hashes of all that is known of each ruling. Both are worked out where they are not given."""

    def __init__(
        self,
        catalogue: Catalogue,
        site: Site,
        versions: Versions | None,
        prints: Mapping[str, str] | None = None,
        base: str | None = None,
    ) -> None:
        self.catalogue = catalogue
        bears = catalogue.bears
        self.base = base or _base(catalogue, site, versions)
        self.rulings: Mapping[str, str] = (
            {i: digest((repr(r), repr(bears.get(i, ())))) for i, r in catalogue.rulings.items()}
            if prints is None
            else prints
        )
        self.ids_on_card = cache(self._ids_on_card)

    def _ids_on_card(self, key: CardId) -> str:
        """A hash of every id that a ruling on this card has had, whatever the order of its page."""
        catalogue = self.catalogue
        return digest(
            i for own in sorted(catalogue.ids_on(key)) for i in (own, *sorted(catalogue.other_ids.get(own, ())))
        )

    def of(self, *parts: str) -> str:
        """A key of these parts and of what is on every page."""
        return digest((self.base, *parts))

    def of_rulings(self, kind: str, rulings: Sequence[Ruling] | Sequence[str], *more: str) -> str:
        """The key of a page that shows these rulings, given as such or by their ids."""
        return self.of(kind, *more, *(self.rulings[i] for i in ids_of(rulings)))

    def ruling_page(self, ruling: Ruling) -> str:
        """The key of a ruling's own page. Its short citation depends on the other ids on its cards."""
        linked = [self.rulings.get(link.id, "") for link in ruling.links]
        cards = [self.ids_on_card(key) for key in self.catalogue.cards_of(ruling)]
        return self.of("ruling", self.rulings[ruling.id], *linked, "cards", *cards)


def _base(catalogue: Catalogue, site: Site, versions: Versions | None) -> str:
    rules = catalogue.rules
    return digest(
        [
            own_code(),
            repr((site.base_url, site.as_of, site.effective, site.compact, site.with_sets)),
            digest(address for pair in catalogue.slugs.of.items() for address in (*pair[0], pair[1])),
            repr(catalogue.knowledge.sources),
            digest(f"{t.key}\x00{t.label}\x00{t.definition}" for t in catalogue.vocabulary or ()),
            digest(catalogue.topics),
            digest(catalogue.lost_ids()),
            digest(f"{r.number} {r.text}" for r in rules.rules) if rules else "",
            repr(versions.dates) if versions else "",
        ]
    )


@cache
def own_code() -> str:
    """A hash of this package and of `rulings`: pages made by other code are not taken for current."""
    found: list[str] = []

    def walk(folder: Traversable, path: str) -> None:
        for entry in sorted(folder.iterdir(), key=lambda e: e.name):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    walk(entry, f"{path}{entry.name}/")
            elif not entry.name.endswith((".pyc", ".txt")):
                found.extend((path + entry.name, digest((entry.read_bytes().decode("latin-1"),))))

    walk(files("rulings"), "rulings/")
    walk(files("rulings_site"), "site/")
    return digest(found)
