"""Reproductions of published papers: every printed figure compared with a computed one.

    >>> counts = reproduce("niven2019").figure_counts()
    >>> counts.reached, counts.reachable, counts.total

The code contains no printed figures. They are read from `figures/<paper>.json`; the computed ones
come from the benchmarks and from files that the authors released. Comparing the two gives every
figure a status.
"""

from __future__ import annotations

from .compare import reproduce
from .printed_figures import PAPERS, Paper, load_paper
from .reproduction import FigureComparison, FigureCounts, FigureStatus, Reproduction

__all__ = [
    "PAPERS",
    "FigureComparison",
    "FigureCounts",
    "FigureStatus",
    "Paper",
    "Reproduction",
    "load_paper",
    "reproduce",
]
