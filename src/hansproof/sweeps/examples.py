"""Examples with their answers that a language model is shown before an item."""

from __future__ import annotations

import numpy as np

from ..capabilities import Respondent
from ..errors import BadInput
from ..types import Benchmark, Items
from .plan import RunSpec, split_items


def draw_examples(benchmark: Benchmark, run: RunSpec, model: Respondent) -> Items:
    """Draw items of the training split by the seed of a run, each from another group."""
    if not model.examples or run.train is None:
        return ()
    items = split_items(benchmark, run.train)
    order = np.random.default_rng(run.seed).permutation(len(items)).tolist()
    drawn: dict[str, int] = {}
    for index in order:
        group = items[index].group
        drawn.setdefault(f"item {index}" if group is None else f"group {group}", index)
    if len(drawn) < model.examples:
        message = f"has {len(drawn)} items or groups, too few for {model.examples} examples"
        raise BadInput(benchmark.name, message, field=run.train)
    return tuple(items[index] for index in [*drawn.values()][: model.examples])
