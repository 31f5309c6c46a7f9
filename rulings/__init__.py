"""What a ruling is, its language, and where rulings are kept.

The bottom layer: it imports only the standard library and PyYAML, and knows nothing of files in foreign
formats (indexer), of searching (search) or of pages (rulings_site).
"""

__version__ = "0.1.0"
