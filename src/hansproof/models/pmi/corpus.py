"""The text of a corpus, as one stream of pieces, whatever files it lies in.

Plain text, `.gz`, `.bz2` and `.xz`; of a `.zip` the members that end in `.txt` or have no ending.
Nothing is unpacked onto the disk. Bytes that are no UTF-8 are replaced. Where the words of a file
carry tags behind a slash (the Brown corpus: `The/at jury/nn`), the tags are dropped.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO, Any, BinaryIO

from ... import files
from ...errors import BadInput

BLOCK = 1 << 20  # bytes read at a time
BREAK = "\n\n"  # a blank line, which ends a document; so does a file
_LONGEST = 1 << 20  # characters without a blank between that are taken for one word
_HEAD = 4096  # characters by which tags are told
_TAG = re.compile(r"/[^/\s]+(?=\s|\Z)")
_TAGGED = re.compile(r"[^\s]+/[^/\s]+\Z")
_UNPACK: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def found(patterns: Iterable[str]) -> list[str]:
    """The files meant by names, wildcards and folders, each once."""
    listed = [path for pattern in patterns for one in files.matching(pattern) for path in _in(one)]
    return list(dict.fromkeys(listed))


def _in(path: str) -> list[str]:
    """A file itself, or the files of a folder and all below it."""
    if not os.path.isdir(path):
        return [path]
    inside = sorted(
        os.path.join(folder, name)
        for folder, _, names in os.walk(path)
        for name in names
        if not name.startswith(".")
    )
    if not inside:
        raise BadInput(path, "the folder is empty")
    return inside


def size(paths: Iterable[str]) -> int:
    """The bytes of all files, as they lie there."""
    return sum(map(os.path.getsize, paths))


def read(paths: Iterable[str], block: int = BLOCK) -> Iterator[tuple[str, int]]:
    """Pieces of text, and how many bytes of all files are read by then.

    A piece begins where a word does, so words, sentences' ends and blank lines stay whole.
    """
    behind = 0
    for path in paths:
        with _readable(path), open(path, "rb") as raw:
            for stream in _streams(path, raw):
                for piece in _untagged(_whole(_texts(stream, block))):
                    yield piece, behind + raw.tell()
            behind += os.path.getsize(path)


def _streams(path: str, raw: BinaryIO) -> Iterator[IO[bytes]]:
    """The texts in a file, unpacked."""
    ending = os.path.splitext(path)[1].lower()
    if ending == ".zip":
        with zipfile.ZipFile(raw) as archive:
            for info in filter(_is_text, archive.infolist()):
                with archive.open(info) as stream:
                    yield stream
    elif ending in _UNPACK:
        with _UNPACK[ending](raw) as stream:
            yield stream
    else:
        yield raw


def _is_text(info: zipfile.ZipInfo) -> bool:
    name = os.path.basename(info.filename)
    return bool(name) and name[0] != "." and os.path.splitext(name)[1].lower() in ("", ".txt")


def _texts(stream: IO[bytes], block: int) -> Iterator[str]:
    """A stream decoded, and a blank line behind it."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while data := stream.read(block):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True) + BREAK


def _whole(texts: Iterator[str]) -> Iterator[str]:
    """The same text cut elsewhere: before the last word, which may go on."""
    rest = ""
    for text in texts:
        rest += text
        last = rest.rsplit(None, 1)[-1:]
        cut = rest.rindex(last[0]) if last else 0
        if len(rest) - cut > _LONGEST:
            cut = len(rest)
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
    yield rest


def _untagged(pieces: Iterator[str]) -> Iterator[str]:
    """The same text without tags, if it has some: its beginning tells."""
    head, seen = [], 0
    for piece in pieces:
        head.append(piece)
        seen += len(piece)
        if seen >= _HEAD:
            break
    tagged = _is_tagged("".join(head)[:_HEAD])
    for piece in chain(head, pieces):
        yield _TAG.sub("", piece) if tagged else piece


def _is_tagged(text: str) -> bool:
    words = text.split()[:-1]  # the last may be cut off
    return len(words) >= 20 and sum(map(bool, map(_TAGGED.match, words))) >= 0.95 * len(words)


@contextmanager
def _readable(path: str) -> Iterator[None]:
    from ...fetch._archive import BROKEN

    try:
        yield
    except BROKEN as error:
        what = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        raise BadInput(path, f"cannot be read: {what or type(error).__name__}") from None
