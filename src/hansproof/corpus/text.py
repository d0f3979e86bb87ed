"""What readers of corpora give: pieces of documents, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of a document's text, in UTF-8."""

    document: int  # file: 0; line, row, record: its number, from 1 on
    data: bytes | memoryview
    first: bool = True  # whether it is the first piece of its document that is given
    last: bool = True
    at: int = 0  # bytes of the source read by then, as it lies there
    offset: int = 0  # of a first piece: where in the document's text it stands
    begin: int | None = None  # of a first piece: from which byte of the text on N-grams are ours
    until: int | None = None  # N-grams that begin at this byte of the text or later are not ours


@dataclass(frozen=True, slots=True)
class End:
    """There is no more: how many documents there were, those passed over with them."""

    documents: int


@dataclass(slots=True)
class Problem:
    """Text that could not be read, or not as it stands."""

    what: str
    at: int | None = None  # the first byte, or document, concerned
    skipped: int | None = None  # how much; None: not known
    of: str = "bytes"  # what `at` and `skipped` count: bytes, lines, rows, records
    unit: int = 0
    lost: bool = True  # whether some of the text was not looked at

    def add(self, other: Problem) -> bool:
        """Take in one of the same kind."""
        if (self.what, self.unit, self.of) != (other.what, other.unit, other.of):
            return False
        known = self.skipped is not None and other.skipped is not None
        self.skipped = (self.skipped or 0) + (other.skipped or 0) if known else None
        return True


def said(source: str, what: str, at: int | None, skipped: int | None, of: str) -> str:
    """What could not be read, in a line; names of files may hold anything."""
    where = "" if at is None else f" ({of[:-1]} {at:,})"
    much = "" if skipped is None else f": {skipped:,} {of}"
    line = f"{source}{where}: {what}{much}"
    return line if line.isprintable() else repr(line)[1:-1]


class Torn(Exception):
    """A source that cannot be read on."""

    def __init__(
        self, what: str, at: int | None = None, skipped: int | None = None, of: str = "bytes"
    ) -> None:
        super().__init__(what)
        self.problem = Problem(what, at, skipped, of)
