"""Checks of Branco et al. 2021 against its own figures and the data."""

from __future__ import annotations

from collections.abc import Iterator

from ...text.tokenizers import get_tokenizer
from ..arct import word_statistics
from ..computed_figures import FindFunction, FindingCheck, PaperFinding, implied_figure
from ..paper_data import PaperData
from ..printed_figures import TEXT, Paper, PrintedTable
from .tables import TABLES

INPUTS_WITHOUT_CHOICE = {"C+R", "Q", "G"}
ROUNDING = 0.0005  # largest rounding error of a number with three digits after the point


def _check_ties(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find scores that only reflect how often the first choice is right."""
    table = paper.tables["table-2"]
    computed = TABLES[table.id](table, data)
    rows = [i for i, row in enumerate(table.rows) if row["input"] in INPUTS_WITHOUT_CHOICE]
    cells = [(i, c) for i in rows for c in table.columns if (i, c) in computed and c != "random"]
    matching = [
        (i, c) for i, c in cells if table.figures[table.id, i, c].matches(computed[i, c].parts)
    ]
    if not matching:
        return None
    statements = [
        f"{table.rows[i]['task']} {table.rows[i]['input']}: {computed[i, c].note.split(': ')[1]}"
        for i, c in matching
        if c == table.columns[-1]
    ]
    text = (
        f"{len(matching)} of the {len(cells)} scores without a choice in the input are those of "
        "always taking the first choice: all choices look the same, so all items tie "
        f"({'; '.join(statements)}). They do not show what a model has learnt; the expected score "
        "of a tie is chance."
    )
    return PaperFinding("ties", table.id, text)


def _check_drops(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find printed drops that do not follow from the scores in the same row."""
    table, corrections, statements = paper.tables["table-3"], {}, []
    for i, row in enumerate(table.rows):
        before, delta = table.get_number(i, "before"), -table.get_number(i, "delta")
        low, high = (100 * (delta - s * ROUNDING) / (before + s * ROUNDING) for s in (1, -1))
        printed = table.get_number(i, "drop_percent")
        if not low - 0.05 <= printed <= high + 0.05:
            corrections[table.id, i, "drop_percent"] = implied_figure(100 * delta / before)
            statements.append(
                f"{row['task']}, {row['model']}: {printed}%, but {delta:.3f} of "
                f"{before:.3f} is {100 * delta / before:.1f}%"
            )
    claim = float(paper.text_figure("csqa-drop-claim").parts["value"])
    above_claim = [
        f"{table.get_number(i, 'drop_percent')}% ({row['model']})"
        for i, row in enumerate(table.rows)
        if row["task"] == "CSQA" and table.get_number(i, "drop_percent") >= claim
    ]
    if above_claim:
        statements.append(
            f"CSQA loses {', '.join(above_claim)}, but the paper says less than {claim:.0f}%"
        )
    return (
        PaperFinding("drops", table.id, "; ".join(statements) + ".", (*corrections,), corrections)
        if statements
        else None
    )


def _best_score(paper: Paper, task: str, model: str) -> float:
    """Return the printed score of the best run with the full input (table 2)."""
    table = paper.tables["table-2"]
    return table.get_number(table.find_row(task=task, partial=False), model, "mean")


def _make_delta_check(table_id: str, model: str) -> FindFunction:
    """Make a check for differences to the best run that do not follow from the scores."""

    def check_deltas(paper: Paper, data: PaperData) -> PaperFinding | None:
        table, corrections, statements = paper.tables[table_id], {}, []
        for i, row in enumerate(table.rows):
            for part in ("dirty", "clean"):
                score, best = table.get_number(i, part), _best_score(paper, row["task"], model)
                printed = table.get_number(i, f"{part}_delta")
                if abs(printed - (score - best)) > 3 * ROUNDING + 1e-9:
                    corrections[table_id, i, f"{part}_delta"] = implied_figure(
                        round(score - best, 3)
                    )
                    statements.append(
                        f"{row['task']}, {part}: {printed:+.3f}, but {score:.3f} - "
                        f"{best:.3f} = {score - best:+.3f}"
                    )
        return (
            PaperFinding(
                "deltas", table_id, "; ".join(statements) + ".", (*corrections,), corrections
            )
            if statements
            else None
        )

    return check_deltas


def _check_diagonal(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Check whether the diagonal of the transfer table shows means or best runs."""
    table, means = paper.tables["table-7"], paper.tables["table-1"]
    row = means.find_row(model="RoBERTa-large")
    tasks = [
        str(table_row["trained_on"])
        for table_row in table.rows
        if table_row["trained_on"] in table.columns
    ]
    diagonal = {task: table.get_number(table.find_row(trained_on=task), task) for task in tasks}
    best = {task: _best_score(paper, task, "RoBERTa-large") for task in tasks}
    mean_scores = {task: means.get_number(row, task, "mean") for task in tasks}
    if diagonal != best or diagonal == mean_scores:
        return None
    text = (
        "The paper says that the diagonal is that of table 1, the mean over runs, but it is the "
        "best run of "
        "table 2: " + ", ".join(f"{t} {diagonal[t]} (mean {mean_scores[t]})" for t in tasks)
    )
    return PaperFinding("diagonal", table.id, text + ".")


def _check_totals(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find totals that are not the sum of their parts."""
    table, corrections, statements = paper.tables["table-9"], {}, []
    for i, row in enumerate(table.rows):
        parts_sum = sum(int(table.get_number(i, part)) for part in ("train", "dev", "test"))
        printed = int(table.get_number(i, "total"))
        if parts_sum != printed:
            corrections[table.id, i, "total"] = implied_figure(parts_sum)
            statements.append(f"{row['task']}: {printed}, but the parts sum to {parts_sum}")
    return (
        PaperFinding("total", table.id, "; ".join(statements) + ".", (*corrections,), corrections)
        if statements
        else None
    )


def _check_coverage_of_not(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Check the coverage of *not*: balancing changes a word's productivity, not its coverage."""
    figure = paper.text_figure("not-original-coverage")
    before, after = (
        [item for items in data.benchmark(name).splits.values() for item in items]
        for name in ("arct", "arct_adversarial")
    )
    (_, coverage_before), (_, coverage_after) = (
        word_statistics(tuple(items), get_tokenizer("nltk")) for items in (before, after)
    )
    printed = paper.tables["table-11"].get_number(0, "unigram_coverage")
    if figure.matches({"value": coverage_before}):
        return None
    text = (
        f"The paper says that cleaning changed the coverage of *not* from {figure.parts['value']} "
        f"to {printed}. It is {coverage_before:.3f} before and {coverage_after:.3f} after: a "
        "balanced copy has the same choices."
    )
    return PaperFinding(
        "coverage-of-not",
        "table-11",
        text,
        (figure.key,),
        {figure.key: implied_figure(coverage_before)},
    )


def _odd_row_counts(paper: Paper) -> Iterator[str]:
    """Name the tables that do not have ten rows."""
    for name in ("table-11", "table-12", "table-13", "table-14"):
        if (rows := len(paper.tables[name].rows)) != 10:
            yield f"table {name.removeprefix('table-')} has {rows}"


def _check_row_counts(paper: Paper, data: PaperData) -> PaperFinding | None:
    statements = [*_odd_row_counts(paper)]
    if not statements:
        return None
    return PaperFinding(
        "ten", "table-11", f"The paper announces ten rows, but {', '.join(statements)}."
    )


def _check_gap(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Check the printed gap between people and the best model on CSQA."""
    table, figure = paper.tables["table-1"], paper.text_figure("gap-csqa")
    people = table.get_number(table.find_row(model="Human"), "CSQA", "mean")
    models = {
        str(row["model"]): table.get_number(i, "CSQA", "mean")
        for i, row in enumerate(table.rows)
        if row["model"] not in ("Human", "Random")
    }
    best = max(models, key=lambda name: models[name])
    if figure.matches({"value": people - models[best]}):
        return None
    fits = [name for name, score in models.items() if figure.matches({"value": people - score})]
    text = (
        f"The paper says that people are {figure.parts['value']} ahead of the best model on CSQA; "
        f"that is {best} ({models[best]}), and they are {people - models[best]:.3f} ahead of it"
        + (f" (the figure fits {fits[0]})" if fits else "")
    )
    corrections = {figure.key: implied_figure(people - models[best])}
    return PaperFinding("gap", "table-1", text + ".", (figure.key,), corrections)


def _check_records(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find a quoted record below the paper's own score, and scores below chance."""
    table, statements = paper.tables["table-1"], []
    record = float(paper.text_figure("piqa-sota").parts["value"])
    own_score = 100 * table.get_number(table.find_row(model="RoBERTa-large"), "PIQA", "mean")
    if record < own_score:
        statements.append(
            f"The best published score quoted for PIQA, {record:.0f}%, is below their own "
            f"{own_score:.1f}%"
        )
    second = paper.tables["table-2"]
    i = second.find_row(task="CSQA", input="A")
    chance = second.get_number(second.find_row(task="CSQA", partial=False), "random")
    below_chance = [
        f"{c} {second.get_number(i, c, 'mean')}"
        for c in _model_columns(second)
        if second.get_number(i, c, "mean") < chance
    ]
    if below_chance:
        statements.append(
            f"CSQA is not answered above chance ({chance}) from the answers alone by "
            f"{', '.join(below_chance)}, although the paper says so"
        )
    return PaperFinding("below", "table-1", "; ".join(statements) + ".") if statements else None


def _model_columns(table: PrintedTable) -> list[str]:
    return [column for column in table.columns if column != "random"]


FINDINGS: tuple[FindingCheck, ...] = (
    FindingCheck(_check_ties, "table-2"),
    FindingCheck(_check_drops, "table-3"),
    FindingCheck(_make_delta_check("table-5", "RoBERTa-large"), "table-5"),
    FindingCheck(_make_delta_check("table-6", "COMET(BART)"), "table-6"),
    FindingCheck(_check_diagonal, "table-7"),
    FindingCheck(_check_totals, "table-9"),
    FindingCheck(_check_coverage_of_not, "table-11", TEXT),
    FindingCheck(_check_row_counts, "table-11"),
    FindingCheck(_check_gap, "table-1", TEXT),
    FindingCheck(_check_records, "table-1"),
)
