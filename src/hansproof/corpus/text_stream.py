"""Reads a corpus as one stream of pieces of text, each of which begins with a word.

Bytes that are not UTF-8 are replaced. If the words of a document have tags after a slash (the Brown
corpus: `The/at jury/nn`), the tags are removed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby

from ..errors import BadInput
from .chunks import ReadIssue, TextChunk, UnreadableSource
from .shards import CorpusReader
from .sources import CorpusSource

DOCUMENT_BREAK = "\n\n"  # a blank line ends a document, and so does the end of a file
_MAX_WORD = 1 << 20  # characters; longer words are cut
_SAMPLE = 4096  # characters that are checked for tags
_TAG = re.compile(r"/[^/\s]+(?=\s|\Z)")
_TAGGED_WORD = re.compile(r"[^\s]+/[^/\s]+\Z")

TextPiece = tuple[str, int]  # text, and bytes of the source read so far
IssueHandler = Callable[[CorpusSource, ReadIssue], None]


def read_text(
    sources: Sequence[CorpusSource], on_issue: IssueHandler, field: str = "text"
) -> Iterator[TextPiece]:
    """Yield pieces of text, each with the number of bytes of all sources read so far.

    `on_issue` is called for text that is skipped. A source that cannot be read is an error.
    """
    finished_bytes = 0
    for source in sources:
        for _, document in groupby(
            _read_chunks(source, on_issue, field), key=lambda chunk: chunk.document
        ):
            for piece, bytes_read in strip_tags(
                cut_at_words(decode_blocks((chunk.data, chunk.bytes_read) for chunk in document))
            ):
                yield piece, finished_bytes + bytes_read
        finished_bytes += source.size or 0


def _read_chunks(source: CorpusSource, on_issue: IssueHandler, field: str) -> Iterator[TextChunk]:
    reader = CorpusReader(field, unsplit=True)
    (shard,) = reader.plan_shards([source])
    try:
        for chunk in reader.read_shard([source], shard, lambda raw: True):
            if isinstance(chunk, TextChunk):
                yield chunk
            elif isinstance(chunk, ReadIssue):
                on_issue(source, chunk)
    except UnreadableSource as error:
        raise BadInput(source.address, error.issue.message) from None


def decode_blocks(blocks: Iterable[tuple[bytes | memoryview, int]]) -> Iterator[TextPiece]:
    """Decode the text of a document, and add a blank line."""
    decoder, bytes_read = codecs.getincrementaldecoder("utf-8")("replace"), 0
    for data, block_end in blocks:
        bytes_read = max(bytes_read, block_end)  # some chunks have no position
        yield decoder.decode(bytes(data)), bytes_read
    yield decoder.decode(b"", final=True) + DOCUMENT_BREAK, bytes_read


def cut_at_words(texts: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """Cut the text into other pieces: before the last word, which may continue."""
    pending, bytes_read = "", 0
    for text, bytes_read in texts:
        pending += text
        last_word = pending.rsplit(None, 1)[-1:]
        cut_position = pending.rindex(last_word[0]) if last_word else 0
        if len(pending) - cut_position > _MAX_WORD:
            cut_position = len(pending)
        if cut_position:
            yield pending[:cut_position], bytes_read
            pending = pending[cut_position:]
    yield pending, bytes_read


def strip_tags(pieces: Iterator[TextPiece]) -> Iterator[TextPiece]:
    """Remove the tags of words, if the beginning of the text has tags."""
    head, n_chars = list[TextPiece](), 0
    for piece, bytes_read in pieces:
        head.append((piece, bytes_read))
        n_chars += len(piece)
        if n_chars >= _SAMPLE:
            break
    has_tags = _is_tagged("".join(piece for piece, _ in head)[:_SAMPLE])
    for piece, bytes_read in chain(head, pieces):
        yield _TAG.sub("", piece) if has_tags else piece, bytes_read


def _is_tagged(text: str) -> bool:
    words = text.split()[:-1]  # the last may be cut off
    return len(words) >= 20 and sum(map(bool, map(_TAGGED_WORD.match, words))) >= 0.95 * len(words)
