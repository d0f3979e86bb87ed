"""What a scan found: a file of its own, which says all that a finding needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import msgspec

from .. import files
from ..errors import BadInput
from .index import Head
from .job import Job
from .tally import Tally

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Trouble:
    """What could not be read, or not as it stands."""

    source: str
    what: str
    at: int | None
    skipped: int | None
    of: str
    lost: bool


@dataclass(frozen=True, slots=True)
class Gram:
    """An N-gram that was found: how often, and to which items it belongs."""

    text: str
    count: int
    items: tuple[tuple[int, int], ...]  # number of the item in the index, where in it it stands


@dataclass(frozen=True, slots=True)
class Place:
    """A passage with N-grams in it."""

    source: str
    document: int
    start: int  # byte of the document's text at which the first of them begins
    text: str
    hits: tuple[tuple[int, int, int], ...]  # number of the N-gram, start, end in characters


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was scanned."""

    sources: tuple[tuple[str, int | None], ...]  # with their bytes, as they lie there
    documents: int
    words: int
    bytes: int  # of text, unpacked


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a scan."""

    format: int
    version: str  # of hansproof
    index: Head
    corpus: Corpus
    grams: tuple[Gram, ...]
    places: tuple[Place, ...]
    troubles: tuple[Trouble, ...]

    def lost(self) -> list[Trouble]:
        """What was not looked at."""
        return [trouble for trouble in self.troubles if trouble.lost]


def found(job: Job, tally: Tally, numbered: Sequence[int]) -> Found:
    """The result of a scan that is done; `numbered` has the documents of each part."""
    tally.prune()
    known = sorted(tally.counts)
    number = {gram: at for at, gram in enumerate(known)}
    postings = job.index.postings(known)
    names = [source.address for source in job.sources]
    before = _before(job, numbered)
    return Found(
        FORMAT,
        metadata.version("hansproof"),
        job.index.head,
        Corpus(tuple((s.address, s.size) for s in job.sources), tally.documents, tally.words,
               tally.bytes),
        tuple(Gram(job.index.gram(g), tally.counts[g], tuple(postings[g])) for g in known),
        tuple(
            Place(names[job.parts[p.unit].source], before[p.unit] + p.document, p.start, p.text,
                  tuple((number[gram], start, end) for gram, start, end in p.hits))
            for p in tally.passages
        ),
        tuple(
            Trouble(names[job.parts[p.unit].source], p.what, _moved(p.at, p.of, before[p.unit]),
                    p.skipped, p.of, p.lost)
            for p in sorted(tally.problems, key=lambda p: (p.unit, p.what, p.at or 0))
        ),
    )  # fmt: skip


def _before(job: Job, numbered: Sequence[int]) -> list[int]:
    """How many documents of its source come before each part."""
    seen: Counter[int] = Counter()
    found = []
    for part, documents in zip(job.parts, numbered, strict=True):
        found.append(seen[part.source])
        seen[part.source] += documents
    return found


def _moved(at: int | None, of: str, before: int) -> int | None:
    return at if at is None or of == "bytes" else at + before


def write(path: str, result: Found) -> None:
    """Write a result, whole or not at all."""
    files.write(path, msgspec.json.encode(result))


def read_all(patterns: Sequence[str]) -> list[tuple[str, Found]]:
    """The results that names and wildcards mean, each once."""
    paths = dict.fromkeys(path for one in patterns for path in files.matching(one))
    return [(path, read(path)) for path in paths]


def read(path: str) -> Found:
    """Read a result and check it."""
    try:
        result = msgspec.json.decode(Path(path).read_bytes(), type=Found)
    except OSError as error:
        raise BadInput(path, str(error.strerror)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(path, f"is no result of `hansproof scan`: {error}") from None
    if result.format != FORMAT:
        raise BadInput(path, f"was made by another version (format {result.format})")
    items = sum(len(member.ids) for member in result.index.members)
    wrong = (
        any(not 0 <= item < items for gram in result.grams for item, _ in gram.items)
        or any(not 0 <= g < len(result.grams) for place in result.places for g, _, _ in place.hits)
        or any(len(one.ids) != len(one.grams) for one in result.index.members)
    )
    if wrong:
        raise BadInput(path, "is damaged: it names items or N-grams that are not there")
    return result
