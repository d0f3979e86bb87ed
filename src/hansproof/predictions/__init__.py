"""What one run said, as a file: `predictions.jsonl`, a header line, then one line per item.

    {"predictions": 1, "benchmark": "copa", "split": "test", "sha256": "1f...", "model": "m", ...}
    {"id": "501", "scores": [0.2, 0.8]}
    {"id": "502", "choice": 1}

Lines are written as they come, to `.part`, so that a killed run goes on where it was; the file
takes its name when it is complete. Standard library only: it is written where models are trained.
"""

from __future__ import annotations

from .check import IncompleteRun, require_complete, validate_scores
from .lines import ModelAnswer
from .reader import read, read_benchmark_name
from .splits import BenchmarkSplits
from .writer import PART, PredictionsWriter, open_writer, to_bytes, write, write_new, write_partial

__all__ = [
    "PART",
    "ModelAnswer",
    "BenchmarkSplits",
    "IncompleteRun",
    "PredictionsWriter",
    "read_benchmark_name",
    "validate_scores",
    "require_complete",
    "to_bytes",
    "write_partial",
    "read",
    "write",
    "write_new",
    "open_writer",
]
