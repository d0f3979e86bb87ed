"""Likelihoods and vectors that earlier commands left in the cache."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ._printing import echo_note

if TYPE_CHECKING:
    from ..types import Benchmark


def find_cached_inputs(
    benchmark: Benchmark, probes: Iterable[Any], inputs: Collection[str]
) -> dict[str, Sequence[Any]]:
    """Find inputs in the cache that were not given and that probes use, and say so."""
    from ..inputs import load

    cached = load.find_cached_inputs(benchmark, probes, inputs)
    for name, values in cached.items():
        models = ", ".join(value.model for value in values)
        kind = "likelihoods" if name == "lm" else "vectors"
        echo_note(f"{kind} of {models} from the cache (leave them out with --{name} none)")
    return cached
