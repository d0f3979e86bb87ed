"""Collects runs of many files, joins the parts of one run, and refuses those that collide."""

from __future__ import annotations

from dataclasses import replace

from ..errors import BadInput
from ..predictions import IncompleteRun, RunIdentity, all_answers, identify_run
from ..types import NoAnswer, Predictions
from ._sniff import file_stem

LoggedRun = Predictions | IncompleteRun


class RunCollection:
    """The runs of many files, by what tells them apart."""

    def __init__(self) -> None:
        self.runs: list[LoggedRun] = []
        self._sources: list[tuple[str, bool]] = []  # path, and whether the user named the model
        self._positions: dict[RunIdentity, list[int]] = {}

    def add_run(self, run: LoggedRun, path: str, is_named: bool) -> None:
        """Add a run; raise if a run of another file cannot be told from it.

        Runs that only differ in the items they were asked are parts of one run. Runs without a seed
        to which the user gave the same name (`is_named`) are runs of one system.
        """
        positions = self._positions.setdefault(identify_run(_predictions_of(run)), [])
        for position in positions:
            (other_path, other_is_named), other = self._sources[position], self.runs[position]
            if other_path == path:
                continue
            joined = _join_parts(other, run, is_named or _is_named_by_content(run, path))
            if joined is not None:
                self.runs[position] = joined
                return
            if _predictions_of(other) == _predictions_of(run):
                raise BadInput(
                    path, f"contains the same run as {other_path}: give only one of them"
                )
            has_seed = _predictions_of(run).seed is not None
            if has_seed or not (is_named and other_is_named):
                raise _collision_error(
                    _predictions_of(run), _predictions_of(other), path, other_path
                )
        positions.append(len(self.runs))
        self.runs.append(run)
        self._sources.append((path, is_named))


def _is_named_by_content(run: LoggedRun, path: str) -> bool:
    """Whether the name of the model comes from the content of the file, not from its name."""
    return _predictions_of(run).model != file_stem(path)


def _predictions_of(run: LoggedRun) -> Predictions:
    return run.run if isinstance(run, IncompleteRun) else run


def _join_parts(first: LoggedRun, second: LoggedRun, is_named: bool) -> Predictions | None:
    """Join two runs of the same name that were asked different items; None if they are not."""
    if isinstance(first, IncompleteRun) or isinstance(second, IncompleteRun) or not is_named:
        return None
    if _asked_ids(first) & _asked_ids(second):
        return None
    scores = {**first.scores, **second.scores}
    unanswered: dict[str, NoAnswer] = {
        id: second.unanswered[id] if reason == "not asked" else reason
        for id, reason in first.unanswered.items()
        if id not in scores
    }
    return replace(first, scores=scores, unanswered=unanswered)


def _asked_ids(run: Predictions) -> set[str]:
    return {*run.scores, *(id for id, reason in run.unanswered.items() if reason != "not asked")}


def _collision_error(run: Predictions, other: Predictions, path: str, other_path: str) -> BadInput:
    seed = "no seed" if run.seed is None else f"seed {run.seed}"
    subject = f"its run of {run.model} (view {run.view}, {run.split}, {seed})"
    if all_answers(run) == all_answers(other):
        return BadInput(path, f"{subject} {_describe_repeat(run, other, other_path)}")
    remedy = "name each system with --predictions NAME=FILES"
    if run.seed is None:
        remedy += ", with all its files if it has several runs"
    message = f"{subject} has different answers from the one in {other_path}: {remedy}"
    return BadInput(path, message)


def _describe_repeat(run: Predictions, other: Predictions, other_path: str) -> str:
    """Say which run has the same answers, and whether another version of hansproof wrote it."""
    remedy = "give only one of them"
    if run.version == other.version:
        return f"has the same answers as the one in {other_path}: {remedy}"
    versions = f"{run.version or 'unknown'} and {other.version or 'unknown'}"
    return (
        f"is the same as the one in {other_path}, by another version of hansproof ({versions}): "
        f"{remedy}"
    )
