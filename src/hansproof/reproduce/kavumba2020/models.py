"""Rows of Kavumba et al. 2020 that take a model."""

from __future__ import annotations

from collections.abc import Iterator

from .. import copa
from ..figures import Paper
from ..kavumba2019.models import oblivious
from ..rerun import More, Row

MORE: dict[str, More] = {}


def rows(paper: Paper) -> Iterator[Row]:
    """Three encoders by training set, and the model that does not see the premise."""
    yield from copa.tuned(paper.tables["table-1"])
    yield from oblivious(paper)
