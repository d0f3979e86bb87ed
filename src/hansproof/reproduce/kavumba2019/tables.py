"""Cues of COPA, Easy and Hard, from the data and the released predictions."""

from __future__ import annotations

from .. import copa
from ..figures import Paper, Printed
from ..ours import Cells, Ours, Table, Text, counted
from ..released import Released


def _table_2(table: Printed, released: Released) -> Cells:
    """The widest words, which are listed from narrow to wide."""
    widest = [*copa.cues(released).values()][: len(table.rows)]
    found: dict[tuple[int, str], Ours] = {}
    for at, row in enumerate(reversed(widest)):
        found[at, "cue"] = counted(str(row["cue"]))
        found[at, "applicability"] = counted(int(row["applicability"] or 0))
        for column in ("productivity", "coverage"):
            found[at, column] = counted(100 * float(row[column] or 0))
    return found


def _table_7(table: Printed, released: Released) -> Cells:
    """How often a word is right; how much a score hangs on it takes a model."""
    known = copa.cues(released)
    return {
        (at, "productivity"): counted(
            float(known[row["cue"]]["productivity"] or 0),
            f"applies to {known[row['cue']]['applicability']} items",
        )
        for at, row in enumerate(table.rows)
        if row["cue"] in known
    }


TABLES: dict[str, Table] = {
    "table-1": copa.scores,
    "table-2": _table_2,
    "table-4": copa.scores,
    "table-5": copa.scores,
    "table-7": _table_7,
}


def _total(paper: Paper, released: Released) -> Ours:
    return counted(sum(map(len, released.benchmark("copa").splits.values())))


TEXTS: dict[str, Text] = {
    **{id: copa.TEXTS[id] for id in (
        "easy-size", "hard-size", "b-copa-total", "b-copa-mirrored", "cue-a-above-chance",
    )},
    "copa-total": _total,
    "copa-half": copa.TEXTS["test-size"],
    "bert-easy-gain-over-sasaki": copa.gain("easy", "table-4"),
    "bert-hard-gain-over-sasaki": copa.gain("hard", "table-4"),
    "site-easy-size": copa.TEXTS["easy-size"],
    "site-hard-size": copa.TEXTS["hard-size"],
    "site-stale-easy": copa.said("BERT", "easy"),
    "site-stale-hard": copa.said("BERT", "hard"),
}  # fmt: skip
