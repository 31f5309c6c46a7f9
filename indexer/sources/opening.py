"""Opening a file that somebody gives us: unpacked, decoded, and never larger than we can bear.

Everything hostile about files stops here, as a RulingsError that says what was found and what to do: no such file,
no permission, empty, binary, another encoding, a size bomb, a file that changes while it is read.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from rulings.errors import RulingsError

MAX_UNPACKED = 4 << 30  # AllPrintings is about 0.5 GB
MAX_RATIO = 200  # JSON packs 5 to 30 times; only bombs pack a thousand times
MAX_DOCUMENT = 64 << 20  # pages, release notes, tables: what is read whole
MAX_LINE = 16 << 20  # of JSONL
_FREE = 16 << 20  # below this no ratio is looked at
_CHUNK = 1 << 20
_HEAD = 1 << 16
_PACKED = {b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"%PDF": "PDF"}


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was opened once and found readable: where it is, its start, and how to read it again."""

    path: Path
    name: str
    sha256: str
    packed: bool
    encoding: str
    head: str
    _stamp: tuple[int, int, int]

    def chunks(self) -> Iterator[str]:
        """The whole text, decoded, a chunk at a time; the byte order mark is not part of it."""
        decoder = codecs.getincrementaldecoder(self.encoding)("strict")
        offset = 0
        for data in _bytes(self.path, self.name, self.packed):
            yield self._decode(decoder, data, offset, final=False)
            offset += len(data)
        yield self._decode(decoder, b"", offset, final=True)
        self.check_unchanged()

    def _decode(self, decoder: codecs.IncrementalDecoder, data: bytes, offset: int, *, final: bool) -> str:
        try:
            return decoder.decode(data, final)
        except UnicodeDecodeError as error:
            found = data[error.start : error.start + 1]
            raise _not_decoded(self.encoding, self.name, offset + error.start, found) from None

    def text(self) -> str:
        """The whole text of a document that is read in one piece."""
        parts = []
        size = 0
        for part in self.chunks():
            size += len(part)
            if size > MAX_DOCUMENT:
                raise RulingsError(
                    f"{self.name}: more than {MAX_DOCUMENT >> 20} MB, too large for a text document",
                    "a dump of this size is read as JSON or JSONL; is this the file you mean?",
                )
            parts.append(part)
        return "".join(parts)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Its lines with their numbers from 1, without line ends. A line over 16 MB stops the reading."""
        rest = ""
        number = 0
        for part in self.chunks():
            pieces = (rest + part).split("\n")
            rest = pieces.pop()
            for piece in pieces:
                number += 1
                yield number, piece.removesuffix("\r")
            if len(rest) > MAX_LINE:
                raise RulingsError(
                    f"{self.name}:{number + 1}: the line is longer than {MAX_LINE >> 20} MB",
                    "one record a line is expected",
                )
        if rest:
            yield number + 1, rest.removesuffix("\r")

    def check_unchanged(self) -> None:
        """Raise if the file is not the one that was opened."""
        try:
            stamp = _stamp(self.path.stat())
        except OSError:
            stamp = (0, 0, 0)
        if stamp != self._stamp:
            raise RulingsError(f"{self.name}: the file changed while it was read", "import it again when it is whole")


def open_document(path: Path, name: str | None = None) -> Document:
    """Open `path`, unpacking gzip if it is packed whatever it is called. `name` is what messages call it."""
    name = name or path.name or str(path)
    try:
        stamp = _stamp(path.stat())
        if path.is_dir():
            raise RulingsError(f"{name}: is a folder", "give its files, or read it with read_many")
        if not path.is_file():  # a pipe would wait for ever, a device never ends
            raise RulingsError(f"{name}: is a pipe or a device, not a file", "save what it gives to a file first")
        digest = hashlib.sha256()
        with path.open("rb") as file:
            start = file.read(8)
            digest.update(start)
            while data := file.read(_CHUNK):
                digest.update(data)
    except FileNotFoundError:
        raise RulingsError(f"{name}: no such file") from None
    except PermissionError:
        raise RulingsError(f"{name}: no permission to read it") from None
    except OSError as error:
        raise RulingsError(f"{name}: cannot be read: {error.strerror or error}") from None
    if not start:
        raise RulingsError(f"{name}: the file is empty")
    for magic, what in _PACKED.items():
        if start.startswith(magic):
            raise RulingsError(f"{name}: is a {what} file", "unpack it first; only gzip is unpacked here")
    packed = start.startswith(b"\x1f\x8b")
    head = b""
    for data in _bytes(path, name, packed):
        head += data
        if len(head) >= _HEAD:
            break
    head = head[:_HEAD]
    if not head.strip():
        raise RulingsError(f"{name}: the file is empty")
    encoding = _encoding(head, name)
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        text = decoder.decode(head)
    except UnicodeDecodeError as error:
        raise _not_decoded(encoding, name, error.start, head[error.start : error.start + 1]) from None
    document = Document(path, name, digest.hexdigest(), packed, encoding, text, stamp)
    document.check_unchanged()
    return document


def _stamp(stat: os.stat_result) -> tuple[int, int, int]:
    return stat.st_size, stat.st_mtime_ns, stat.st_ino


def _encoding(head: bytes, name: str) -> str:
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # the first begins as UTF-16 does
        raise RulingsError(f"{name}: is UTF-32 text", "save the file as UTF-8")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = head[:4096]
    if b"\x00" in sample:
        raise RulingsError(f"{name}: is binary, not text", "save UTF-16 text with a byte order mark, or as UTF-8")
    control = sum(byte < 32 and byte not in (9, 10, 12, 13, 27) for byte in sample)
    if control * 20 > len(sample):
        raise RulingsError(f"{name}: is binary, not text")
    return "utf-8-sig"


def _not_decoded(encoding: str, name: str, offset: int, found: bytes) -> RulingsError:
    hint = "save the file as UTF-8"
    if encoding == "utf-16":
        return RulingsError(f"{name}: begins as UTF-16 and is none, or is cut off (byte {offset})", hint)
    if found and (guess := found.decode("cp1252", "replace")) != "�":
        hint = f"byte {found.hex()} is {guess!r} in Windows-1252: if that is right here, save the file as UTF-8"
    return RulingsError(f"{name}: not UTF-8 (byte {offset})", hint)


def _bytes(path: Path, name: str, packed: bool) -> Iterator[bytes]:
    """The bytes of the file, unpacked. Stops at a size that only a bomb has."""
    try:
        with path.open("rb") as file:
            stream = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file
            size = 0
            while data := stream.read(_CHUNK):
                size += len(data)
                if size > MAX_UNPACKED or (packed and size > _FREE and size > MAX_RATIO * max(file.tell(), 1)):
                    raise RulingsError(
                        f"{name}: unpacks to more than {size >> 20} MB", "this looks like a size bomb; it was not read"
                    )
                yield data
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RulingsError(f"{name}: the gzip file is damaged or cut off: {error}", "download it again") from None
    except PermissionError:
        raise RulingsError(f"{name}: no permission to read it") from None
    except OSError as error:
        raise RulingsError(f"{name}: cannot be read: {error.strerror or error}") from None
