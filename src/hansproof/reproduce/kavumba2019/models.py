"""Rows of Kavumba et al. 2019 that take a model: by training set, tuned or frozen."""

from __future__ import annotations

from collections.abc import Iterator

from ...predict import all_trained
from ...probes.sensitivity import Sensitivity
from .. import copa
from ..figures import TEXT, Paper, Printed
from ..ours import Cells, Ours
from ..released import Released
from ..rerun import Asked, Job, More, Row, Use, kept

OBLIVIOUS = "premise-oblivious-roberta"
# of table 7 -> of the probe
COLUMNS = {"s_copa": "sensitivity", "s_b_copa": "against", "difference": "difference"}
FROZEN: dict[str, tuple[copa.Tuned, Use]] = {
    "BERT-large": (copa.BERT, "frozen"), "RoBERTa-large": (copa.ROBERTA, "joined"),
}  # fmt: skip
NEXT = {"BERT-base-NSP": "bert-base-uncased", "BERT-large-NSP": copa.BERT.checkpoint}


def rows(paper: Paper) -> Iterator[Row]:
    """Tables 4 to 6, and the model that does not see the premise."""
    for id in ("table-4", "table-5"):
        yield from copa.tuned(paper.tables[id])
    frozen = paper.tables["table-6"]
    for at, row in enumerate(frozen.rows):
        if row["model"] in FROZEN:
            tuned, use = FROZEN[row["model"]]
            data = copa.TRAINED[row["training_data"]]
            yield Row(frozen.id, at, Job(data, tuned.recipe, tuned.checkpoint, use=use), copa.cells)
        elif row["model"] in NEXT:
            job = Job("copa", copa.BERT.recipe, NEXT[row["model"]], use="next", own=True)
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
    jobs = [Job(name, copa.BERT.recipe, copa.BERT.checkpoint) for name in ("copa", "balanced_copa")]
    folders = [kept(job, asked, released) for job in jobs]
    if not all(folders):
        return {}
    copas = released.benchmark("copa")
    first, second = (all_trained(copas, some) for some in folders)
    result = Sensitivity()(copas, first, second).tables["cues"]
    known = {row[0]: dict(zip(result.columns, row, strict=True)) for row in result.rows}
    by, note = asked.by(jobs[0]), f"{len(first)} runs of each"
    return {
        (at, column): Ours({"value": 100 * float(value)}, "model", note, by)
        for at, row in enumerate(table.rows)
        for column, name in COLUMNS.items()
        if row["cue"] in known and (value := known[row["cue"]][name]) is not None
    }


MORE: dict[str, More] = {"table-7": _sensitivity}
