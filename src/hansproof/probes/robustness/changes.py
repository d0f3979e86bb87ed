"""What an attack wrote: texts before and after with the words that were swapped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...attack import Outcome, attacked
from ...attack.reading import Reading
from ...types import Cell, Item
from .attacked import Attacked

CHANGES = ("item", "model", "part", "before", "after", "before_marks", "after_marks", "picked",
           "similarity")  # fmt: skip
SWAPS = ("from", "to", "part", "times")
MOST = 100  # different swaps that are listed


def changes(found: Attacked, most: int) -> Iterator[tuple[Cell, ...]]:
    """A row for each changed text of the first items that flipped."""
    by_id = {item.id: item for item in found.items}
    for id in found.flipped_ids()[:most]:
        yield from _rows(by_id[id], found.outcomes[id], found.name)


def _rows(item: Item, outcome: Outcome, model: str) -> Iterator[tuple[Cell, ...]]:
    after = attacked(item, outcome)
    old, new = Reading.of(item), Reading.of(after)
    picked = f"choice {outcome.after.index(max(outcome.after)) + 1}"
    for text in sorted({swap.text for swap in outcome.swaps}):
        words = [old.places[swap.at][1] for swap in outcome.swaps if swap.text == text]
        marks = [_marks(one.texts[text].spans(), words) for one in (old, new)]
        both = (old.texts[text].text, new.texts[text].text)
        yield (item.id, model, old.part(text), *both, *marks, picked, outcome.similarity)


def _marks(spans: Sequence[tuple[int, int]], words: Sequence[int]) -> str:
    return " ".join("{}-{}".format(*spans[at]) for at in sorted(words))


def swaps(found: Sequence[Attacked]) -> tuple[tuple[Cell, ...], ...]:
    """The most frequent swaps: of words in lower case, by the kind of part."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for one in found:
        for id in one.flipped_ids():
            for swap in one.outcomes[id].swaps:
                counts[swap.old.lower(), swap.new.lower(), _kind(swap.part)] += 1
    order = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple((*swap, times) for swap, times in order[:MOST])


def _kind(part: str) -> str:
    """A choice is right or wrong; which one it is does not matter."""
    for kind in ("right", "wrong"):
        if part.startswith("choice ") and part.endswith(f"({kind})"):
            return f"{kind} choice"
    return part
