"""What was found, row by row, with the passages to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...contamination.levels import LEVELS as ALL
from ...contamination.levels import Finding, Rules, Scan
from ...contamination.sequences import QUESTION, RIGHT, WRONG
from ...types import Cell

LEVELS = ("split", "level", "items", "share")
ITEMS = (
    "split", "item", "level", "passage", "passage_marks", "found", "grams", "parts", "most",
    "in_items", "in_reference", "right_near", "wrong_near", "share", "source", "document", "byte",
)  # fmt: skip
VARIANTS = ("split", "variant", "items", "telling")
SHARED = ("one", "other", "n", "own_n", "common", "example")
CORPORA = ("result", "role", "files", "documents", "words", "bytes", "n", "tokenizer")
UNREAD = ("source", "what", "at", "skipped", "of", "lost")
SHOWN = 200  # items of a split that are listed, and cases of text that was not read
AROUND = 160  # characters of a passage shown on either side
LONGEST = 600  # and from its first mark on

_VARIANTS = {
    "question only": {QUESTION},
    "question + right choice": {QUESTION, RIGHT, QUESTION | RIGHT},
    "choice only": {RIGHT, WRONG},
    "question + each choice": {QUESTION, RIGHT, WRONG, QUESTION | RIGHT, QUESTION | WRONG},
}

Found = Mapping[str, Sequence[Finding]]
Rows = tuple[tuple[Cell, ...], ...]


def levels(found: Found) -> Rows:
    """How many items are of each level."""
    return tuple(
        (split, level, count, count / len(some))
        for split, some in found.items()
        for level in ALL
        if (count := sum(one.level == level for one in some)) or level in ALL[:2]
    )


def items(found: Found) -> Rows:
    """The items that were found, those that say most first."""
    return tuple(
        _row(split, one)
        for split, some in found.items()
        for one in sorted((one for one in some if one.place is not None), key=order)[:SHOWN]
    )


def order(one: Finding) -> tuple[int, int]:
    """The surest first, and of these the one of which most was found."""
    return ALL.index(one.level), -len(one.seen)


def _row(split: str, one: Finding) -> tuple[Cell, ...]:
    place = one.place
    assert place is not None
    text, marks = _cropped(place.text, one.marks)
    rarest = min(one.seen, key=lambda seen: (seen.items, seen.count), default=None)
    return (
        split, one.item.id, one.level, text, marks, len(one.seen), one.grams,
        ", ".join(one.parts()), max((seen.count for seen in one.seen), default=None),
        rarest.items if rarest else None, rarest.reference if rarest else None,
        one.right, one.wrong, one.share, place.source, place.document, place.start,
    )  # fmt: skip


def _cropped(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """A passage no longer than needed, and the marks in it."""
    first, last = (marks[0][0], marks[-1][1]) if marks else (0, len(text))
    low, high = max(0, first - AROUND), min(len(text), last + AROUND, first + LONGEST)
    front, back = "…" * (low > 0), "…" * (high < len(text))
    shift = len(front) - low
    shown = front + text[low:high] + back
    kept = [(start + shift, min(end, high) + shift) for start, end in marks if start < high]
    return shown, " ".join(f"{start}-{end}" for start, end in kept)


def variants(found: Found, rules: Rules) -> Rows:
    """How many items are found by N-grams of one part or another."""
    return tuple(
        (
            split,
            name,
            sum(any(seen.parts & parts for seen in one.seen) for one in some),
            sum(any(seen.parts & parts for seen in one.telling(rules)) for one in some),
        )
        for split, some in found.items()
        for name, parts in _VARIANTS.items()
    )  # fmt: skip


def shared(scans: Sequence[Scan]) -> Rows:
    """N-grams that benchmarks of the index have in common, with one N for both."""
    pairs = dict.fromkeys(pair for _, scan in scans for pair in scan.index.shared)
    return tuple(
        (one.one, one.other, one.n, one.own, one.grams,
         f"{one.items[0][0]}, {one.items[0][1]}" if one.items else "")
        for one in pairs
    )  # fmt: skip


def corpora(scans: Sequence[Scan], reference: Sequence[Scan]) -> Rows:
    """What was scanned."""
    return tuple(
        (
            name, role, len(scan.corpus.sources), scan.corpus.documents, scan.corpus.words,
            scan.corpus.bytes, ", ".join(str(n) for n in sorted({m.n for m in scan.index.members})),
            scan.index.tokenizer,
        )
        for role, some in (("text", scans), ("reference", reference))
        for name, scan in some
    )  # fmt: skip


def unread(scans: Sequence[Scan]) -> Rows:
    """Text that was not read, or not as it stands."""
    rows = [
        (one.source, one.what, one.at, one.skipped, one.of, one.lost)
        for _, scan in scans
        for one in scan.troubles
    ]
    return tuple(rows[:SHOWN])
