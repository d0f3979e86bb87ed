"""Checks of Kavumba et al. 2019, mostly against its own figures."""

from __future__ import annotations

from collections.abc import Collection

from ...stats import binomial_sf
from .. import copa
from ..computed_figures import (
    ComputedFigure,
    FindFunction,
    FindingCheck,
    PaperFinding,
    implied_figure,
)
from ..implied_counts import possible_counts, randomisation_p_values
from ..paper_data import PaperData
from ..printed_figures import TEXT, CellKey, Paper, PrintedTable

SCORE_COLUMNS = ("overall", "easy", "hard")
ROUNDING = 0.05  # largest rounding error of a number with one digit after the point


def _part_sizes(data: PaperData) -> tuple[int, int, int]:
    """Count the items of the test split: all, Easy, Hard."""
    n_easy = len(data.easy_ids())
    n_total = len(data.benchmark("copa").splits["test"])
    return n_total, n_easy, n_total - n_easy


def _row_means(table: PrintedTable, row: int) -> tuple[float, float, float]:
    return (
        table.get_number(row, "overall", "mean"),
        table.get_number(row, "easy", "mean"),
        table.get_number(row, "hard", "mean"),
    )


def _single_run_counts(
    table: PrintedTable, data: PaperData
) -> dict[int, tuple[list[int], list[int], list[int]]]:
    """List the counts of correct items (all, Easy, Hard) that rows of a single run imply."""
    rows = [
        i for i in range(len(table.rows)) if "spread" not in table.figures[
            table.id, i, "overall"].parts
    ]  # fmt: skip
    counts_by_row = {}
    for i in rows:
        a, b, c = (
            possible_counts(m, n)
            for m, n in zip(_row_means(table, i), _part_sizes(data), strict=True)
        )
        counts_by_row[i] = (a, b, c)
    return counts_by_row


def _check_quoted_twice(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find a system that has different scores in two tables."""
    first, fourth = paper.tables["table-1"], paper.tables["table-4"]
    a, b = first.find_row(model="BigramPMI (Goodwin et al. 2012)"), fourth.find_row(
        model="Goodwin et al. 2012"
    )  # fmt: skip
    first_score, fourth_score = (
        first.get_number(a, "overall", "mean"),
        fourth.get_number(b, "overall", "mean"),
    )
    _, easy, hard = _single_run_counts(fourth, data)[b]
    n_total = _part_sizes(data)[0]
    sums = {round(100 * (x + y) / n_total, 1) for x in easy for y in hard}
    if first_score == fourth_score or fourth_score not in sums or first_score in sums:
        return None
    key = (first.id, a, "overall")
    text = (
        f"Goodwin et al. 2012 has {first_score} in table 1 and {fourth_score} in table 4. "
        f"The scores on Easy and Hard in table 4 imply {fourth_score}."
    )
    return PaperFinding("quoted-twice", first.id, text, (key,), {key: _printed_mean(fourth_score)})


def _printed_mean(value: float) -> ComputedFigure:
    return ComputedFigure({"mean": value}, "printed")


def _make_count_check(finding_id: str, table_id: str) -> FindFunction:
    """Make a check for percentages that no count of items gives, or that do not add up."""

    def check_counts(paper: Paper, data: PaperData) -> PaperFinding | None:
        table, sizes = paper.tables[table_id], _part_sizes(data)
        problems: dict[CellKey, str] = {}
        corrections: dict[CellKey, ComputedFigure] = {}
        for i, possible in _single_run_counts(table, data).items():
            row, means = table.rows[i]["model"], _row_means(table, i)
            for column, n, k, mean in zip(SCORE_COLUMNS, sizes, possible, means, strict=True):
                if not k:
                    problems[table_id, i, column] = (
                        f"{row}: no number of right answers out of {n} is {mean}%"
                    )
            summed = sum(m * n for m, n in zip(means[1:], sizes[1:], strict=True)) / sizes[0]
            if abs(summed - means[0]) > 2 * ROUNDING + 1e-9:
                message = f"{row}: {means[0]}, but Easy and Hard imply {summed:.1f}"
                problems.setdefault((table_id, i, "overall"), message)
            if (table_id, i, "overall") in problems:
                corrections[table_id, i, "overall"] = _printed_mean(summed)
        if not problems:
            return None
        text = (
            "These figures are impossible with the published Easy and Hard items of the test "
            "split. "
        )
        text += (
            "; ".join(problems.values()) + "." + _describe_other_split(table, problems, sizes[0])
        )
        return PaperFinding(finding_id, table_id, text, (*problems,), corrections)

    return check_counts


def _describe_other_split(table: PrintedTable, problems: Collection[CellKey], n: int) -> str:
    """Name the sizes of the Easy part that would fit all rows with impossible percentages."""
    rows = {i for _, i, column in problems if column != "overall"}
    fitting_sizes = [
        easy for easy in range(1, n)
        if rows and all(_adds_up(_row_means(table, i), easy, n) for i in rows)
    ]  # fmt: skip
    return (
        f" They fit an Easy part of {' or '.join(map(str, fitting_sizes))} items."
        if fitting_sizes
        else ""
    )


def _adds_up(means: tuple[float, float, float], easy: int, n: int) -> bool:
    """Tell whether counts of Easy and Hard items can add up to the count of all."""
    totals, first, second = (
        possible_counts(mean, size) for mean, size in zip(means, (n, easy, n - easy), strict=True)
    )
    return any(a + b in totals for a in first for b in second)


def _check_p_values(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Recompute p of rows with a single run from the counts that their percentages imply."""
    table = paper.tables["table-4"]
    _, n, m = _part_sizes(data)
    statements, cells, corrections = [], [], {}
    for i, (_, easy, hard) in _single_run_counts(table, data).items():
        if not (easy and hard):
            continue
        two_sided, one_sided = randomisation_p_values(easy[0], n, hard[0], m)
        printed = table.get_number(i, "p_value_percent")
        if round(two_sided, 1) == printed:
            continue
        key = (table.id, i, "p_value_percent")
        cells.append(key)
        corrections[key] = implied_figure(two_sided, f"one-sided {one_sided:.1f}")
        statements.append(
            f"{table.rows[i]['model']} {two_sided:.1f} "
            f"(one-sided {one_sided:.1f}; printed {printed})"
        )
        star_key = (table.id, i, "significant")
        if bool(table.figures[star_key].parts["value"]) is not (
            two_sided < copa.SIGNIFICANT_PERCENT
        ):
            cells.append(star_key)
            corrections[star_key] = implied_figure(two_sided < copa.SIGNIFICANT_PERCENT)
    if not cells:
        return None
    text = f"Randomisation tests on the implied counts give, in per cent: {'; '.join(statements)}."
    return PaperFinding("p-values", table.id, text, tuple(cells), corrections)


def _check_pooled_runs(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Show that p depends on whether an item counts once or once for every run."""
    table = paper.tables["table-4"]
    notes = {
        table.rows[i]["model"]: figure.note
        for (i, column), figure in copa.compute_scores(table, data).items()
        if column == "p_value_percent"
    }
    text = "A p-value of 0.0 is possible only if the three runs are pooled: " + "; ".join(
        f"{model}: {note.rpartition('; ')[2]}" for model, note in notes.items()
    )
    return PaperFinding("pooled", table.id, text + ".")


def _check_frequency_p(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find one p value that is printed for two hypotheses."""
    table = paper.tables["table-4"]
    i, figure = table.find_row(model="Word frequency"), paper.text_figure("wordfreq-p")
    _, easy, hard = _single_run_counts(table, data)[i]
    if figure.parts["value"] != table.get_number(i, "p_value_percent") or not (easy and hard):
        return None
    n_right, n = easy[0] + hard[0], _part_sizes(data)[0]
    p = 100 * float(binomial_sf(n_right, n, 0.5))
    text = (
        f"{figure.parts['value']}% is the p-value of Easy against Hard in table 4, and of “better "
        f"than chance” in a footnote. {n_right} of {n} items, as its Easy and Hard imply, are "
        f"better than chance with p = {p:.1f}%."
    )
    return PaperFinding(
        "one-p-for-two", table.id, text, (figure.key,), {figure.key: implied_figure(p)}
    )


def _check_differences(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find differences that do not follow from the figures in the same row."""
    table = paper.tables["table-7"]
    statements = []
    for i, row in enumerate(table.rows):
        difference = table.get_number(i, "s_b_copa") - table.get_number(i, "s_copa")
        printed = table.get_number(i, "difference")
        if round(difference, 2) != printed:
            statements.append(
                f"{row['cue']}: the paper prints {printed}, but the figures beside it imply "
                f"{difference:.2f}"
            )
    low, high = (float(v) for v in paper.text_figure("sensitivity-drop-range").parts.values())
    outside = [
        f"{row['cue']} {table.get_number(i, 'productivity')}"
        for i, row in enumerate(table.rows)
        if not low <= table.get_number(i, "productivity") <= high
    ]
    if outside:
        statements.append(
            f"the paper announces cues of productivity {low} to {high}, but lists "
            f"{', '.join(outside)}"
        )
    return (
        PaperFinding("table-7", table.id, "; ".join(statements).capitalize() + ".")
        if statements
        else None
    )


FINDINGS: tuple[FindingCheck, ...] = (
    FindingCheck(_check_quoted_twice, "table-1"),
    FindingCheck(_make_count_check("no-such-share", "table-4"), "table-4"),
    FindingCheck(_check_p_values, "table-4"),
    FindingCheck(_check_pooled_runs, "table-4"),
    FindingCheck(_check_frequency_p, "table-4", TEXT),
    FindingCheck(_make_count_check("another-split", "table-6"), "table-6"),
    FindingCheck(_check_differences, "table-7"),
)
