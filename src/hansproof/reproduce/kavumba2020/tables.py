"""Scores by training set, from the released predictions."""

from __future__ import annotations

from .. import copa
from ..ours import Table, Text

TABLES: dict[str, Table] = {"table-1": copa.scores}

TEXTS: dict[str, Text] = {
    **copa.TEXTS,
    "bert-overall-in-text": copa.said("BERT", "overall"),
    "roberta-overall-in-text": copa.said("RoBERTa", "overall"),
    "bert-easy-gain-over-sasaki": copa.gain("easy", "table-1"),
    "bert-hard-gain-over-sasaki": copa.gain("hard", "table-1"),
}
