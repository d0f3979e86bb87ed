"""Rows of Kavumba et al. 2019 that take a model: by training set, tuned or frozen."""

from __future__ import annotations

from collections.abc import Iterator

from ...probes.sensitivity import Sensitivity
from .. import copa
from ..figures import TEXT, Paper, Printed
from ..ours import Cells, Ours
from ..released import Released
from ..rerun import Asked, Job, More, Row, trained

OBLIVIOUS = "premise-oblivious-roberta"
# of table 7 -> of the probe
COLUMNS = {"s_copa": "sensitivity", "s_b_copa": "against", "difference": "difference"}
FROZEN = {"BERT-large": (copa.BERT, False), "RoBERTa-large": (copa.ROBERTA, True)}


def rows(paper: Paper) -> Iterator[Row]:
    """Tables 4 to 6, and the model that does not see the premise."""
    for id in ("table-4", "table-5"):
        yield from copa.tuned(paper.tables[id])
    frozen = paper.tables["table-6"]
    for at, row in enumerate(frozen.rows):
        if row["model"] in FROZEN:
            tuned, joined = FROZEN[row["model"]]
            job = Job(copa.TRAINED[row["training_data"]], tuned.recipe, tuned.checkpoint,
                      joined=joined)  # fmt: skip
            yield Row(frozen.id, at, job, copa.cells)
    yield from oblivious(paper)


def oblivious(paper: Paper) -> Iterator[Row]:
    """Trained and tested on the alternatives alone."""
    place = paper.text(OBLIVIOUS).place
    job = Job("copa", copa.ROBERTA.recipe, copa.ROBERTA.checkpoint, "choices")
    yield Row(TEXT, place[1], job, lambda system, released: {
        OBLIVIOUS: copa.cells(system, released)["overall"]
    })  # fmt: skip


def _sensitivity(table: Printed, asked: Asked, released: Released) -> Cells:
    """How much scores hang on the listed words, by models of COPA and of Balanced COPA."""
    first, second = (
        trained(Job(name, copa.BERT.recipe, copa.BERT.checkpoint), asked, released)
        for name in ("copa", "balanced_copa")
    )
    if not first:
        return {}
    result = Sensitivity()(released.benchmark("copa"), first, second).tables["cues"]
    known = {row[0]: dict(zip(result.columns, row, strict=True)) for row in result.rows}
    by, note = asked.model or copa.BERT.checkpoint, f"{len(first)} runs of each"
    return {
        (at, column): Ours({"value": 100 * float(value)}, "model", note, by)
        for at, row in enumerate(table.rows)
        for column, name in COLUMNS.items()
        if row["cue"] in known and (value := known[row["cue"]][name]) is not None
    }


MORE: dict[str, More] = {"table-7": _sensitivity}
