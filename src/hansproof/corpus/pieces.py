"""The text of a corpus as one stream of pieces, each of which begins where a word does.

Bytes that are no UTF-8 are replaced. Where the words of a document carry tags behind a slash (the
Brown corpus: `The/at jury/nn`), the tags are dropped.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby

from ..errors import BadInput
from .read import Reading
from .sources import Source
from .text import Problem, Text, Torn

BREAK = "\n\n"  # a blank line, which ends a document; so does a file
_LONGEST = 1 << 20  # characters without a blank between that are taken for one word
_HEAD = 4096  # characters by which tags are told
_TAG = re.compile(r"/[^/\s]+(?=\s|\Z)")
_TAGGED = re.compile(r"[^\s]+/[^/\s]+\Z")

Piece = tuple[str, int]  # text, and how many bytes of the source are read by then
Tell = Callable[[Source, Problem], None]


def read(sources: Sequence[Source], tell: Tell, field: str = "text") -> Iterator[Piece]:
    """Pieces of text, and how many bytes of all sources are read by then.

    `tell` hears of what is passed over. A source that cannot be read on is an error.
    """
    behind = 0
    for source in sources:
        for _, document in groupby(_texts(source, tell, field), key=lambda text: text.document):
            for piece, at in untagged(whole(decoded((text.data, text.at) for text in document))):
                yield piece, behind + at
        behind += source.size or 0


def _texts(source: Source, tell: Tell, field: str) -> Iterator[Text]:
    reading = Reading(field, whole=True)
    (part,) = reading.parts([source])
    try:
        for text in reading.texts([source], part, lambda raw: True):
            if isinstance(text, Text):
                yield text
            elif isinstance(text, Problem):
                tell(source, text)
    except Torn as torn:
        raise BadInput(source.address, torn.problem.what) from None


def decoded(blocks: Iterable[tuple[bytes | memoryview, int]]) -> Iterator[Piece]:
    """The text of a document, and a blank line behind it."""
    decoder, at = codecs.getincrementaldecoder("utf-8")("replace"), 0
    for data, now in blocks:
        at = max(at, now)  # not every piece says it
        yield decoder.decode(bytes(data)), at
    yield decoder.decode(b"", final=True) + BREAK, at


def whole(texts: Iterable[Piece]) -> Iterator[Piece]:
    """The same text cut elsewhere: before the last word, which may go on."""
    rest, at = "", 0
    for text, at in texts:
        rest += text
        last = rest.rsplit(None, 1)[-1:]
        cut = rest.rindex(last[0]) if last else 0
        if len(rest) - cut > _LONGEST:
            cut = len(rest)
        if cut:
            yield rest[:cut], at
            rest = rest[cut:]
    yield rest, at


def untagged(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The same text without tags, if it has some: its beginning tells."""
    head, seen = list[Piece](), 0
    for piece, at in pieces:
        head.append((piece, at))
        seen += len(piece)
        if seen >= _HEAD:
            break
    tagged = _is_tagged("".join(piece for piece, _ in head)[:_HEAD])
    for piece, at in chain(head, pieces):
        yield _TAG.sub("", piece) if tagged else piece, at


def _is_tagged(text: str) -> bool:
    words = text.split()[:-1]  # the last may be cut off
    return len(words) >= 20 and sum(map(bool, map(_TAGGED.match, words))) >= 0.95 * len(words)
