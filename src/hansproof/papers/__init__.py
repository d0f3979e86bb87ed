"""Published tables beside ours: what holds, what differs, what cannot be had.

    >>> found = reproduce("niven2019")
    >>> found.counts().reached, found.counts().reachable, found.counts().total

Nothing here knows a printed figure: they are read from the paper's file, ours are computed from
the benchmarks and from what the authors released, and a status is what comes of comparing them.
"""

from __future__ import annotations

from .compare import reproduce
from .printed import PAPERS, Paper, load_paper
from .reproduction import FigureComparison, FigureCounts, FigureStatus, Reproduction

__all__ = [
    "PAPERS",
    "FigureCounts",
    "FigureComparison",
    "Paper",
    "Reproduction",
    "FigureStatus",
    "load_paper",
    "reproduce",
]
