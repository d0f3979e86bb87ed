"""Rows of Kavumba et al. 2019 that take a model: by training set, tuned or frozen."""

from __future__ import annotations

from collections.abc import Iterator

from .. import copa
from ..figures import TEXT, Paper
from ..rerun import Job, Row

OBLIVIOUS = "premise-oblivious-roberta"
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
