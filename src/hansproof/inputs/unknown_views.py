"""Runs whose log does not state what the model saw, for probes that need to know it."""

from __future__ import annotations

from collections.abc import Sequence

from ..types import UNKNOWN_VIEW, Predictions

HOW_TO_STATE = "name the view with --predictions NAME@VIEW=FILES, such as NAME@full=FILES"
_LISTED = 5  # names in a note


def drop_unknown_views(
    predictions: Sequence[Predictions],
) -> tuple[list[Predictions], tuple[str, ...]]:
    """Return the runs whose view is known, and a note on those that were left out."""
    known_runs = [run for run in predictions if run.view != UNKNOWN_VIEW]
    names = list(dict.fromkeys(run.model for run in predictions if run.view == UNKNOWN_VIEW))
    if not names:
        return known_runs, ()
    listed = ", ".join(names[:_LISTED]) + (" and others" if len(names) > _LISTED else "")
    return known_runs, (
        f"Left out, since the log does not say which parts of the items the model saw: {listed}; "
        f"{HOW_TO_STATE}.",
    )
