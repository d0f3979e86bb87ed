"""Reads and writes the predictions of one run: a header line, then one line per item.

    {"predictions": 1, "benchmark": "copa", "split": "test", "sha256": "1f...", "model": "m", ...}
    {"id": "501", "scores": [0.2, 0.8]}
    {"id": "502", "choice": 1}
    {"id": "503", "no_answer": "refused"}

Lines of a cross-validated run also say in which fold their item was scored: `"fold": 2`.

Lines are written to `.part` as they are computed, so that a killed run can be resumed; the file
gets its final name when it is complete. Only the standard library is used, since files are written
where models are trained.
"""

from __future__ import annotations

from .check import IncompleteRun, add_answers, check_answers, mark_not_asked, require_complete
from .identity import (
    PER_RUN_PARAMS,
    AllAnswers,
    RunIdentity,
    all_answers,
    identify_run,
    identify_system,
)
from .lines import ModelAnswer
from .reader import read, read_benchmark_name
from .splits import BenchmarkSplits
from .writer import PART, PredictionsWriter, open_writer, to_bytes, write, write_new, write_partial

__all__ = [
    "PART",
    "PER_RUN_PARAMS",
    "AllAnswers",
    "BenchmarkSplits",
    "IncompleteRun",
    "ModelAnswer",
    "PredictionsWriter",
    "RunIdentity",
    "add_answers",
    "all_answers",
    "check_answers",
    "identify_run",
    "identify_system",
    "mark_not_asked",
    "open_writer",
    "read",
    "read_benchmark_name",
    "require_complete",
    "to_bytes",
    "write",
    "write_new",
    "write_partial",
]
