"""The table of Kavumba et al. 2020, from the released predictions."""

from __future__ import annotations

from .. import copa
from ..computed_figures import ComputeTable, ComputeTextFigure

TABLES: dict[str, ComputeTable] = {"table-1": copa.compute_scores}

TEXTS: dict[str, ComputeTextFigure] = {
    **copa.TEXTS,
    "bert-overall-in-text": copa.accuracy_figure("BERT", "overall"),
    "roberta-overall-in-text": copa.accuracy_figure("RoBERTa", "overall"),
    "bert-easy-gain-over-sasaki": copa.gain_over_sasaki("easy", "table-1"),
    "bert-hard-gain-over-sasaki": copa.gain_over_sasaki("hard", "table-1"),
}
