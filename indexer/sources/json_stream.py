"""Reading JSON too large to hold: one member or item at a time, with errors that say where.

The standard decoder reads each value; this only walks the outer brackets. A value that is not whole yet is tried
again with more text, so that the file is never held as a whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from rulings.errors import RulingsError

_SPACE = re.compile(r"[ \t\r\n]*")
MAX_VALUE = 96 << 20
"""Characters of one value; the largest set file of MTGJSON has about 20 million."""


class JsonStream:
    """A JSON text that comes in chunks. The caller walks it: `items` of an array, `members` of an object, `value`."""

    def __init__(self, chunks: Iterator[str], name: str) -> None:
        self._chunks = chunks
        self._name = name
        self._buffer = ""
        self._position = 0
        self._line = 1
        self._ended = False
        self._usual = 1 << 16
        self._decoder = json.JSONDecoder()

    @property
    def line(self) -> int:
        """The line that is read now."""
        return self._line + self._buffer.count("\n", 0, self._position)

    def peek(self) -> str:
        """The next character that is not white space, "" at the end."""
        while True:
            space = _SPACE.match(self._buffer, self._position)
            self._position = space.end() if space else self._position
            if self._position < len(self._buffer):
                return self._buffer[self._position]
            if not self._more():
                return ""

    def take(self, expected: str) -> None:
        """Step over `expected`, a single character."""
        found = self.peek()
        if found != expected:
            raise self._error(f"{expected!r} was expected and {found!r} found" if found else "the file is cut off")
        self._position += 1

    def value(self) -> object:
        """The next whole value."""
        self.peek()
        size = self._usual
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._position)
            except json.JSONDecodeError as error:
                if not self._ended and len(self._buffer) - self._position <= MAX_VALUE:
                    self._fill(size)
                    size *= 2
                    continue
                line = self._line + self._buffer.count("\n", 0, error.pos)
                raise self._error(error.msg[0].lower() + error.msg[1:], line) from None
            except RecursionError:
                raise self._error("is nested too deeply") from None
            except ValueError as error:  # a number of more than 4300 digits
                raise self._error(str(error)) from None
            if end == len(self._buffer) and not self._ended and self._more():
                continue  # a number may go on in the next chunk
            # The next value is about as long: the sets of AllPrintings have megabytes, and a failed try costs.
            self._usual = max(1 << 16, min(end - self._position, 1 << 24))
            self._position = end
            return value

    def items(self) -> Iterator[tuple[int, object]]:
        """The values of an array, with their places."""
        for index in self._places("[", "]"):
            yield index, self.value()

    def slots(self) -> Iterator[int]:
        """The places of an array whose values the caller reads itself."""
        return self._places("[", "]")

    def members(self) -> Iterator[str]:
        """The keys of an object. Before the next one the caller must have read the value of each."""
        for _ in self._places("{", "}"):
            key = self.value()
            if not isinstance(key, str):
                raise self._error("a key is not a string")
            self.take(":")
            yield key

    def end(self) -> None:
        """Nothing may follow."""
        if self.peek():
            raise self._error("text follows the end of the JSON")

    def _places(self, opening: str, closing: str) -> Iterator[int]:
        self.take(opening)
        index = 0
        if self.peek() == closing:
            self.take(closing)
            return
        while True:
            yield index
            index += 1
            if self.peek() == closing:
                self.take(closing)
                return
            self.take(",")

    def _fill(self, size: int) -> None:
        """Get at least `size` characters more, joined at once: chunk by chunk would copy the value each time."""
        self._drop()
        parts = [self._buffer]
        got = 0
        while got < size and (chunk := next(self._chunks, None)) is not None:
            parts.append(chunk)
            got += len(chunk)
        self._ended = got < size
        self._buffer = "".join(parts)

    def _more(self) -> bool:
        """Get another chunk; what was read is dropped. False at the end."""
        if self._ended:
            return False
        chunk = next(self._chunks, None)
        if chunk is None:
            self._ended = True
            return False
        self._drop()
        self._buffer += chunk
        return True

    def _drop(self) -> None:
        """Let go of what was read."""
        if self._position:
            self._line += self._buffer.count("\n", 0, self._position)
            self._buffer = self._buffer[self._position :]
            self._position = 0

    def _error(self, message: str, line: int | None = None) -> RulingsError:
        return RulingsError(f"{self._name}:{line or self.line}: not valid JSON: {message}", "is the file whole?")
