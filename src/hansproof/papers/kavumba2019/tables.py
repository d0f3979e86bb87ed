"""Tables of Kavumba et al. 2019 that follow from the data and the released predictions."""

from __future__ import annotations

from .. import copa
from ..computed_figures import (
    ComputedCells,
    ComputedFigure,
    ComputeTable,
    ComputeTextFigure,
    data_figure,
)
from ..paper_data import PaperData
from ..printed_figures import Paper, PrintedTable


def _compute_table_2(table: PrintedTable, data: PaperData) -> ComputedCells:
    """List the words of highest coverage, in ascending order."""
    widest = [*copa.cues_by_word(data).values()][: len(table.rows)]
    cells: dict[tuple[int, str], ComputedFigure] = {}
    for i, row in enumerate(reversed(widest)):
        cells[i, "cue"] = data_figure(str(row["cue"]))
        cells[i, "applicability"] = data_figure(int(row["applicability"] or 0))
        for column in ("productivity", "coverage"):
            cells[i, column] = data_figure(100 * float(row[column] or 0))
    return cells


def _compute_table_7(table: PrintedTable, data: PaperData) -> ComputedCells:
    """Compute the productivity of words; their sensitivity needs a model."""
    cues = copa.cues_by_word(data)
    return {
        (i, "productivity"): data_figure(
            float(cues[row["cue"]]["productivity"] or 0),
            f"applies to {cues[row['cue']]['applicability']} items",
        )
        for i, row in enumerate(table.rows)
        if row["cue"] in cues
    }


TABLES: dict[str, ComputeTable] = {
    "table-1": copa.compute_scores,
    "table-2": _compute_table_2,
    "table-4": copa.compute_scores,
    "table-5": copa.compute_scores,
    "table-7": _compute_table_7,
}


def _total_items(paper: Paper, data: PaperData) -> ComputedFigure:
    return data_figure(sum(map(len, data.benchmark("copa").splits.values())))


TEXTS: dict[str, ComputeTextFigure] = {
    **{figure_id: copa.TEXTS[figure_id] for figure_id in (
        "easy-size", "hard-size", "b-copa-total", "b-copa-mirrored", "cue-a-above-chance",
    )},
    "copa-total": _total_items,
    "copa-half": copa.TEXTS["test-size"],
    "bert-easy-gain-over-sasaki": copa.gain_over_sasaki("easy", "table-4"),
    "bert-hard-gain-over-sasaki": copa.gain_over_sasaki("hard", "table-4"),
    "site-easy-size": copa.TEXTS["easy-size"],
    "site-hard-size": copa.TEXTS["hard-size"],
    "site-stale-easy": copa.accuracy_figure("BERT", "easy"),
    "site-stale-hard": copa.accuracy_figure("BERT", "hard"),
}  # fmt: skip
