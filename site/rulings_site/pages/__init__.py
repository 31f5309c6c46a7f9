"""One module for each kind of page. Each gives `Page`s: what depends on what, and how to make the files."""
