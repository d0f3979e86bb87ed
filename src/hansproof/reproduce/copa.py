"""COPA in the two papers that print the same runs: scores by training set, Easy and Hard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..probes._systems import System
from ..probes.cues import Cues
from ..stats import between_items, summary
from ..types import Benchmark, Cell
from .figures import Paper, Printed
from .ours import Cells, Ours, Text, counted, scored, told
from .released import Released
from .rerun import Job, Row, about

RELEASED = {"BERT-large-FT": "BERT", "RoBERTa-large-FT": "RoBERTa"}  # trained on COPA
STAR = 5.0  # per cent
CUES = Cues(split="dev", ngram=1, tokenizer="word", randomisations=1)


def scores(table: Printed, released: Released) -> Cells:
    """Overall, Easy and Hard of what was released: mean and population deviation in per cent."""
    found: dict[tuple[int, str], Ours] = {}
    known = released.copa_systems()
    for at, row in enumerate(table.rows):
        if row["model"] in RELEASED and row.get("training_data", "COPA") == "COPA":
            system = known[RELEASED[row["model"]]]
            parts = halves(system, released)
            found |= {(at, c): _score(system, parts[c]) for c in parts if c in table.columns}
            if "p_value_percent" in table.columns:
                found |= {(at, c): one for c, one in _tested(system, parts["easy"]).items()}
    return found


def halves(system: System, released: Released) -> dict[str, NDArray[np.bool_]]:
    """Which items a column is about."""
    names = released.easy()
    easy = np.array([item.id in names for item in system.items])
    return {"overall": np.ones_like(easy), "easy": easy, "hard": ~easy}


def _score(system: System, part: NDArray[np.bool_]) -> Ours:
    runs = summary((100 * system.credits[:, part].mean(axis=1)).tolist())
    return scored(runs.mean, runs.sd_population)


def _tested(system: System, easy: NDArray[np.bool_]) -> dict[str, Ours]:
    """By pooled runs, as it must have been done; by item where an item counts once."""
    pooled = between_items(system.credits[:, easy].ravel(), system.credits[:, ~easy].ravel()).p
    once = between_items(system.scores[easy], system.scores[~easy]).p
    note = f"with all runs pooled as if they were other items; an item once: {100 * once:.2g} %"
    return {
        "p_value_percent": told(100 * pooled, note),
        "significant": told(100 * pooled < STAR),
    }


@dataclass(frozen=True, slots=True)
class Tuned:
    """How a model of the papers was fine-tuned, and from which weights."""

    recipe: str
    checkpoint: str


BERT = Tuned("kavumba-bert", "bert-large-uncased")
ROBERTA = Tuned("kavumba-roberta", "roberta-large")
ALBERT = Tuned("kavumba-albert", "albert-xxlarge-v1")
MODELS = {"BERT-large-FT": BERT, "RoBERTa-large-FT": ROBERTA, "ALBERT-xxlarge-v1-FT": ALBERT}
TRAINED = {"COPA": "copa", "B-COPA": "balanced_copa", "B-COPA 50%": "balanced_copa/2"}


def tuned(table: Printed) -> Iterator[Row]:
    """The fine-tuned rows of a table."""
    for at, row in enumerate(table.rows):
        if row["model"] in MODELS:
            how = MODELS[row["model"]]
            job = Job(TRAINED[row["training_data"]], how.recipe, how.checkpoint)
            yield Row(table.id, at, job, cells)


def cells(system: System, released: Released) -> dict[str, Ours]:
    """Overall, Easy and Hard of runs of our own."""
    found = {c: _score(system, part) for c, part in halves(system, released).items()}
    return {c: replace(one, source="model", note=about(system)) for c, one in found.items()}


def cues(released: Released) -> dict[str, dict[str, Cell]]:
    """Every word of the training half's choices, by coverage."""
    return {str(row["cue"]): row for row in ranked(CUES, released.benchmark("copa"))}


def ranked(probe: Cues, benchmark: Benchmark) -> list[dict[str, Cell]]:
    """Every cue that a probe counts, the widest first."""
    columns = probe.every(benchmark)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _a(column: str, above: float = 0.0) -> Text:
    """What is printed of the word *a*, in per cent."""
    return lambda paper, released: counted(100 * float(cues(released)["a"][column] or 0) - above)


def _size(name: str, split: str) -> Text:
    return lambda paper, released: counted(len(released.benchmark(name).splits[split]))


def _mirrored(paper: Paper, released: Released) -> Ours:
    items = released.benchmark("balanced_copa").splits["dev"]
    return counted(sum(bool(item.meta["mirrored"]) for item in items))


def _easy(wanted: bool) -> Text:
    def found(paper: Paper, released: Released) -> Ours:
        easy = released.easy()
        items = released.benchmark("copa").splits["test"]
        return counted(sum((item.id in easy) is wanted for item in items))

    return found


def mean(model: str, column: str, released: Released) -> float:
    """What the released runs of a model got right, in per cent."""
    system = released.copa_systems()[model]
    return float(100 * system.credits[:, halves(system, released)[column]].mean())


def said(model: str, column: str) -> Text:
    """The same, as a figure."""
    return lambda paper, released: told(mean(model, column, released))


def gain(column: str, table: str) -> Text:
    """BERT over the older system that is printed beside it."""

    def found(paper: Paper, released: Released) -> Ours:
        printed = paper.tables[table]
        other = printed.number(printed.find(model="Sasaki et al. 2017"), column, "mean")
        return told(mean("BERT", column, released) - other)

    return found


# of running text, in both papers
TEXTS: dict[str, Text] = {
    "easy-size": _easy(True),
    "hard-size": _easy(False),
    "b-copa-total": _size("balanced_copa", "dev"),
    "b-copa-mirrored": _mirrored,
    "cue-a-above-chance": _a("productivity", above=50),
    "cue-a-coverage": _a("coverage"),
    "cue-a-productivity": _a("productivity"),
    "test-size": _size("copa", "test"),
}
