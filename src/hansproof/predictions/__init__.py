"""What one run said, as a file: `predictions.jsonl`, a header line, then one line per item.

    {"predictions": 1, "benchmark": "copa", "split": "test", "sha256": "1f...", "model": "m", ...}
    {"id": "501", "scores": [0.2, 0.8]}
    {"id": "502", "choice": 1}

Lines are written as they come, to `.part`, so that a killed run goes on where it was; the file
takes its name when it is complete. Standard library only: it is written where models are trained.
"""

from __future__ import annotations

from ._check import Unfinished, checked, complete
from ._lines import Said
from ._reading import about, read
from ._splits import Splits
from ._writing import PART, Writer, content, keep, write, write_new, writing

__all__ = [
    "PART",
    "Said",
    "Splits",
    "Unfinished",
    "Writer",
    "about",
    "checked",
    "complete",
    "content",
    "keep",
    "read",
    "write",
    "write_new",
    "writing",
]
