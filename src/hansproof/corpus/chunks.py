"""The records that readers yield: chunks of documents, and text that could not be read."""

from __future__ import annotations

from dataclasses import dataclass

from .._infra.plural import plural


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A chunk of a document's text, in UTF-8."""

    document: int  # 0 for a file; the number of a line, row or record, from 1 on
    data: bytes | memoryview
    is_first: bool = True  # whether it is the first chunk of its document
    is_last: bool = True
    bytes_read: int = 0  # of the source so far, compressed if it is
    offset: int = 0  # of a first chunk: its position in the document's text
    ngrams_from: int | None = None  # of a first chunk: N-grams before this byte do not count
    ngrams_until: int | None = None  # N-grams from this byte of the text on do not count


@dataclass(frozen=True, slots=True)
class EndOfSource:
    """The end of a source, with the number of its documents, including skipped ones."""

    n_documents: int


@dataclass(slots=True)
class ReadIssue:
    """Text that could not be read, or not as it is."""

    message: str
    position: int | None = None  # first byte or record concerned
    skipped: int | None = None  # how many; None: unknown
    unit_name: str = "bytes"  # of `position` and `skipped`: bytes, lines, rows, records
    shard: int = 0
    text_lost: bool = True  # whether text was not read

    def try_merge(self, other: ReadIssue) -> bool:
        """Add another issue to this one, if it is of the same kind; return whether it was added."""
        if (self.message, self.shard, self.unit_name) != (
            other.message,
            other.shard,
            other.unit_name,
        ):
            return False
        is_counted = self.skipped is not None and other.skipped is not None
        self.skipped = (self.skipped or 0) + (other.skipped or 0) if is_counted else None
        return True


def format_issue(
    source: str, message: str, position: int | None, skipped: int | None, unit_name: str
) -> str:
    """Describe an issue in one line; unprintable characters in file names are escaped."""
    location = "" if position is None else f" ({unit_name[:-1]} {position:,})"
    amount = "" if skipped is None else f": {plural(skipped, unit_name[:-1])}"
    line = f"{source}{location}: {message}{amount}"
    return line if line.isprintable() else repr(line)[1:-1]


class UnreadableSource(Exception):
    """Raised when a source cannot be read any further."""

    def __init__(
        self,
        message: str,
        position: int | None = None,
        skipped: int | None = None,
        unit_name: str = "bytes",
    ) -> None:
        super().__init__(message)
        self.issue = ReadIssue(message, position, skipped, unit_name)
