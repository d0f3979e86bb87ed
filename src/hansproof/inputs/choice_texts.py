"""The texts of the choices of a benchmark, for inputs that say something about each text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..errors import BadInput
from ..records.location import truncate
from ..types import Benchmark

DECLINE = "none"  # given for such an input: do not use the cache either


def list_choice_texts(benchmark: Benchmark) -> list[str]:
    """Return the distinct choices of all splits with answers, in order."""
    splits = benchmark.labelled_splits().values()
    return [*dict.fromkeys(text for items in splits for item in items for text in item.choices)]


def is_declined(name: str, values: Sequence[Any]) -> bool:
    """Tell whether an input is `none`; raise BadInput if it is given with others."""
    if not any(isinstance(value, str) and value == DECLINE for value in values):
        return False
    if len(values) > 1:
        raise BadInput(f"--{name}", f"is {DECLINE} and something else: give one of the two")
    return True


def require_all(texts: Sequence[str], available: Collection[str], source: str, kind: str) -> None:
    """Raise BadInput if a source has no likelihoods or vectors (`kind`) for some of the choices."""
    missing = [text for text in texts if text not in available]
    if missing:
        message = (
            f"has no {kind} for {len(missing):,} of the {len(texts):,} choices, such as "
            f"“{truncate(missing[0])}”: were they computed for other items?"
        )
        raise BadInput(source, message)
