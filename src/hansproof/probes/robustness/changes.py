"""Tables of the texts before and after an attack, and of the words that were swapped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...attack import AttackOutcome, apply_swaps
from ...attack.item_words import ItemWords
from ...types import Cell, Item
from .attack_result import AttackResult

CHANGES = ("item", "model", "part", "before", "after", "before_marks", "after_marks", "picked",
           "similarity")  # fmt: skip
SWAPS = ("from", "to", "part", "times")
MAX_SWAPS = 100  # different swaps that are listed


def change_rows(result: AttackResult, limit: int) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each changed text of the first flipped items, at most `limit`."""
    by_id = {item.id: item for item in result.items}
    for id in result.flipped_ids()[:limit]:
        yield from _item_rows(by_id[id], result.outcomes[id], result.name)


def _item_rows(item: Item, outcome: AttackOutcome, model: str) -> Iterator[tuple[Cell, ...]]:
    after = apply_swaps(item, outcome)
    old, new = ItemWords.from_item(item), ItemWords.from_item(after)
    picked = f"choice {outcome.after.index(max(outcome.after)) + 1}"
    for text in sorted({swap.text_index for swap in outcome.swaps}):
        words = [
            old.positions[swap.position][1] for swap in outcome.swaps if swap.text_index == text
        ]
        marks = [_format_marks(version.texts[text].word_spans(), words) for version in (old, new)]
        texts = (old.texts[text].text, new.texts[text].text)
        yield (item.id, model, old.part_name(text), *texts, *marks, picked, outcome.similarity)


def _format_marks(spans: Sequence[tuple[int, int]], words: Sequence[int]) -> str:
    return " ".join("{}-{}".format(*spans[index]) for index in sorted(words))


def swap_rows(results: Sequence[AttackResult]) -> tuple[tuple[Cell, ...], ...]:
    """Return the most frequent swaps, in lower case, by the kind of text."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for result in results:
        for id in result.flipped_ids():
            for swap in result.outcomes[id].swaps:
                counts[swap.old.lower(), swap.new.lower(), _part_kind(swap.part)] += 1
    order = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple((*swap, times) for swap, times in order[:MAX_SWAPS])


def _part_kind(part: str) -> str:
    """Return `right choice` or `wrong choice` for a choice, else the name of the field."""
    for kind in ("right", "wrong"):
        if part.startswith("choice ") and part.endswith(f"({kind})"):
            return f"{kind} choice"
    return part
