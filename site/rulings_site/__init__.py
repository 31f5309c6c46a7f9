"""The static site: pages of rulings, cards, topics and rules, rendered from a base. Reads the base through `rulings`
only, and never writes outside the folder it is given."""

from rulings_site.build import BuildReport, build, build_snapshot

__all__ = ["BuildReport", "build", "build_snapshot"]
