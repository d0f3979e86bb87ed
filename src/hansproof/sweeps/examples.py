"""Examples with their answers that a language model is shown before an item."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np

from ..capabilities import Respondent
from ..errors import BadInput
from ..types import Benchmark, Items, View
from ..views import CHOICES, apply_view
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


def show_examples(benchmark: Benchmark, run: RunSpec, model: Respondent, view: View) -> Items:
    """Return the examples of a run as its view shows items, with their answers.

    They always have their choices, in the published order: one of them is the answer.
    """
    drawn = draw_examples(benchmark, run, model)
    if not drawn or run.train is None:
        return ()
    items = split_items(benchmark, run.train)
    view = replace(view, keep=tuple(dict.fromkeys((*view.keep, CHOICES))), order=None)
    # of the whole split: few examples have no others whose fields they could show
    visible = iter(apply_view(view, items, run.seed))
    sizes = (1 if view.side_by_side else len(item.choices) for item in items)
    parts_by_id = {item.id: [*islice(visible, n)] for item, n in zip(items, sizes, strict=True)}
    return tuple(part for item in drawn for part in parts_by_id[item.id])
