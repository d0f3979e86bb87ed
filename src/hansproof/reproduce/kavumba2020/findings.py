"""What is found wrong in Kavumba et al. 2020, from its own figures."""

from __future__ import annotations

from ..figures import TEXT, Paper
from ..ours import Finding, Look
from ..released import Released


def _albert(paper: Paper, released: Released) -> Finding | None:
    """A score in the text that no row of the table has."""
    table, figure = paper.tables["table-1"], paper.text("albert-overall-in-text")
    rows = [at for at, row in enumerate(table.rows) if str(row["model"]).startswith("ALBERT")]
    printed = [table.number(at, "overall", "mean") for at in rows]
    if figure.parts["value"] in printed:
        return None
    text = f"The text has ALBERT at {figure.parts['value']}; in table 1 it has " + ", ".join(
        f"{score} ({table.rows[at]['training_data']})"
        for at, score in zip(rows, printed, strict=True)
    )
    return Finding("albert", TEXT, text + ".", (figure.place,))


def _half(paper: Paper, released: Released) -> Finding | None:
    """Half of Balanced COPA is said to help on Hard."""
    table, told = paper.tables["table-1"], []
    models = dict.fromkeys(str(row["model"]) for row in table.rows if row["training_data"])
    for model in models:
        half, whole = (
            table.find(model=model, training_data=data) for data in ("B-COPA 50%", "COPA")
        )
        after, before = (table.number(at, "hard", "mean") for at in (half, whole))
        spread = table.number(half, "hard", "spread")
        if after - before <= spread:
            told.append(f"{model} {before} to {after} ± {spread}")
    if not told:
        return None
    text = "Training on half of Balanced COPA is said to improve Hard. Not so, or within one spread"
    return Finding("half", table.id, f"{text}: {'; '.join(told)}.")


FINDINGS: tuple[Look, ...] = (Look(_albert, TEXT), Look(_half, "table-1"))
