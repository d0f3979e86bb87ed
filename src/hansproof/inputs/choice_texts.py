"""The texts of the choices of a benchmark, for inputs that say something about each text."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..errors import BadInput
from ..records.location import truncate
from ..types import Benchmark

DECLINE = "none"  # given for such an input: do not use the cache either


def list_choice_texts(benchmark: Benchmark) -> list[str]:
    """Return the distinct choices of all splits with answers, in order."""
    splits = benchmark.labelled_splits().values()
    return [*dict.fromkeys(text for items in splits for item in items for text in item.choices)]


def is_declined(name: str, values: Sequence[str]) -> bool:
    """Tell whether an input is `none`; raise BadInput if it is given with others."""
    if DECLINE not in values:
        return False
    if len(values) > 1:
        raise BadInput(f"--{name}", f"is {DECLINE} and something else: give one of the two")
    return True


def require_all(texts: Sequence[str], available: Collection[str], source: str) -> None:
    """Raise BadInput if choices are not among those that a source knows."""
    missing = [text for text in texts if text not in available]
    if missing:
        message = (
            f"has nothing on {len(missing):,} of the {len(texts):,} choices, such as "
            f"{truncate(missing[0])}: was it computed for other items?"
        )
        raise BadInput(source, message)
