"""Hashes of what pages show. Over-cautious where it is cheap: a page may be made again and turn out the same, but
one that would differ is never left as it was."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

from rulings.model import Ruling
from rulings.rules.versions import Versions
from rulings_site.catalogue import CardId, Catalogue
from rulings_site.page import digest
from rulings_site.render import Site


class Keys:
    """Hashes of one catalogue. `base` covers what is on every page: the frame, our own code, names and addresses."""

    def __init__(self, catalogue: Catalogue, site: Site, versions: Versions | None) -> None:
        self.catalogue = catalogue
        rules = catalogue.rules
        self.base = digest(
            [
                own_code(),
                repr((site.base_url, site.as_of, site.effective, site.compact, site.with_sets)),
                digest(address for pair in catalogue.slugs.of.items() for address in (*pair[0], pair[1])),
                repr(catalogue.knowledge.sources),
                digest(f"{t.key}\x00{t.label}\x00{t.definition}" for t in catalogue.vocabulary or ()),
                digest(catalogue.topics),
                digest(f"{r.number} {r.text}" for r in rules.rules) if rules else "",
                repr(versions.dates) if versions else "",
            ]
        )
        bears = catalogue.bears
        self.rulings: dict[str, str] = {
            r.id: digest((repr(r), repr(bears[r.id]))) if r.id in bears else digest((repr(r),))
            for r in catalogue.knowledge.rulings
        }
        self.ids_on_card: dict[CardId, str] = {
            key: digest(i for p in placed for i in (p.ruling.id, *sorted(catalogue.other_ids[p.ruling.id])))
            for key, placed in catalogue.placed.items()
        }

    def of(self, *parts: str) -> str:
        """A key of these parts and of what is on every page."""
        return digest((self.base, *parts))

    def of_rulings(self, kind: str, rulings: tuple[Ruling, ...] | list[Ruling], *more: str) -> str:
        """The key of a page that shows these rulings."""
        return self.of(kind, *more, *(self.rulings[r.id] for r in rulings))

    def ruling_page(self, ruling: Ruling) -> str:
        """The key of a ruling's own page. Its short citation depends on the other ids on its cards."""
        linked = [self.rulings.get(link.id, "") for link in ruling.links]
        cards = [self.ids_on_card.get(key, "") for key in self.catalogue.cards_of(ruling)]
        return self.of("ruling", self.rulings[ruling.id], *linked, "cards", *cards)


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
