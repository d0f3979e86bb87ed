"""What readers of corpora give: pieces of documents, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A piece of a document's text, in UTF-8."""

    document: int  # file: 0; line, row, record: its number, from 1 on
    data: bytes | memoryview
    is_first: bool = True  # whether it is the first piece of its document that is given
    is_last: bool = True
    bytes_read: int = 0  # bytes of the source read by then, as it lies there
    offset: int = 0  # of a first piece: where in the document's text it stands
    ngrams_from: int | None = (
        None  # of a first piece: from which byte of the text on N-grams are ours
    )
    ngrams_until: int | None = (
        None  # N-grams that begin at this byte of the text or later are not ours
    )


@dataclass(frozen=True, slots=True)
class EndOfSource:
    """There is no more: how many documents there were, those passed over with them."""

    n_documents: int


@dataclass(slots=True)
class ReadIssue:
    """Text that could not be read, or not as it stands."""

    message: str
    position: int | None = None  # the first byte, or document, concerned
    skipped: int | None = None  # how much; None: not known
    unit_name: str = "bytes"  # what `at` and `skipped` count: bytes, lines, rows, records
    shard: int = 0
    text_lost: bool = True  # whether some of the text was not looked at

    def try_merge(self, other: ReadIssue) -> bool:
        """Take in one of the same kind."""
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
    """What could not be read, in a line; names of files may hold anything."""
    location = "" if position is None else f" ({unit_name[:-1]} {position:,})"
    amount = "" if skipped is None else f": {skipped:,} {unit_name}"
    line = f"{source}{location}: {message}{amount}"
    return line if line.isprintable() else repr(line)[1:-1]


class UnreadableSource(Exception):
    """A source that cannot be read on."""

    def __init__(
        self,
        message: str,
        position: int | None = None,
        skipped: int | None = None,
        unit_name: str = "bytes",
    ) -> None:
        super().__init__(message)
        self.issue = ReadIssue(message, position, skipped, unit_name)
