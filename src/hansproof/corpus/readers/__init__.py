"""Readers of corpus files, one file per format; a new format is a file here and its suffixes below.

Each reader defines `read_documents(source, start, end, field)`, a `DocumentReader`. Plain text is
read by `plaintext`, which also follows a text from one file into the next.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..chunks import EndOfSource, ReadIssue, TextChunk
    from ..sources import CorpusSource

PLAIN = "plain"  # files of any suffix that is not below
# suffix -> the module that reads such files
SUFFIXES = {
    "jsonl": "jsonl", "ndjson": "jsonl", "json": "jsonl", "parquet": "parquet", "warc": "warc",
    "wet": "warc", "zip": "zip",
}  # fmt: skip
SPLITTABLE = (PLAIN, "jsonl")  # can be read from any byte on; other readers get a whole file
COMPRESSES_ITSELF = ("parquet", "zip")


class DocumentReader(Protocol):
    """Yields the documents of a source from byte `start` to byte `end`, None for its end.

    `field` is the name of the field that contains the text, in formats with fields.
    """

    def __call__(
        self, source: CorpusSource, start: int, end: int | None, field: str
    ) -> Iterator[TextChunk | ReadIssue | EndOfSource]: ...


def load_reader(kind: str) -> DocumentReader:
    """Import the reader of a format."""
    reader: DocumentReader = importlib.import_module(f"{__name__}.{kind}").read_documents
    return reader
