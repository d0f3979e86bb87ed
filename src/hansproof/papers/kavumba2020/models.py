"""Rows of Kavumba et al. 2020 that need a model."""

from __future__ import annotations

from collections.abc import Iterator

from .. import copa
from ..kavumba2019.models import oblivious_rows
from ..printed_figures import Paper
from ..retrain import RetrainRow, RetrainTable

MODEL_TABLES: dict[str, RetrainTable] = {}


def model_rows(paper: Paper) -> Iterator[RetrainRow]:
    """Yield the rows of three encoders, and of the model that does not see the premise."""
    yield from copa.finetuned_rows(paper.tables["table-1"])
    yield from oblivious_rows(paper)
