"""Checks of Kavumba et al. 2020 against its own figures."""

from __future__ import annotations

from ..computed_figures import FindingCheck, PaperFinding
from ..paper_data import PaperData
from ..printed_figures import TEXT, Paper


def _check_albert_score(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find a score in the text that no row of the table has."""
    table, figure = paper.tables["table-1"], paper.text_figure("albert-overall-in-text")
    rows = [i for i, row in enumerate(table.rows) if str(row["model"]).startswith("ALBERT")]
    printed = [table.get_number(i, "overall", "mean") for i in rows]
    if figure.parts["value"] in printed:
        return None
    text = f"The text reports {figure.parts['value']} for ALBERT; table 1 reports " + ", ".join(
        f"{score} ({table.rows[i]['training_data']})"
        for i, score in zip(rows, printed, strict=True)
    )
    return PaperFinding("albert", TEXT, text + ".", (figure.key,))


def _check_half_training(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Check the claim that training on half of Balanced COPA improves Hard."""
    table, statements = paper.tables["table-1"], []
    models = dict.fromkeys(str(row["model"]) for row in table.rows if row["training_data"])
    for model in models:
        half_row, full_row = (
            table.find_row(model=model, training_data=training_set)
            for training_set in ("B-COPA 50%", "COPA")
        )
        after, before = (table.get_number(i, "hard", "mean") for i in (half_row, full_row))
        spread = table.get_number(half_row, "hard", "spread")
        if after - before <= spread:
            statements.append(f"{model} {before} to {after} ± {spread}")
    if not statements:
        return None
    text = (
        "The paper says that training on half of Balanced COPA improves Hard. It does not, or by "
        "less than one standard deviation"
    )
    return PaperFinding("half", table.id, f"{text}: {'; '.join(statements)}.")


FINDINGS: tuple[FindingCheck, ...] = (
    FindingCheck(_check_albert_score, TEXT),
    FindingCheck(_check_half_training, "table-1"),
)
