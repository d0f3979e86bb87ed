"""Tables of Branco et al. 2021 that follow from the data: sizes, positions, cues, fixed scores."""

from __future__ import annotations

from ...contamination.sequences import choose_n
from ...probes.class_balance import ClassBalance
from ...probes.cues import Cues
from ...scoring import chance_level
from ...text.tokenizers import Tokenizer, get_tokenizer
from ...types import Items
from ...views import apply_view, fields_of, parse_view
from ..arct import count_opposite_pairs
from ..computed_figures import (
    ComputedCells,
    ComputedFigure,
    ComputeTable,
    ComputeTextFigure,
    data_figure,
)
from ..copa import rank_cues
from ..paper_data import PaperData
from ..printed_figures import PrintedTable

# task -> benchmark, and the split that the paper tests on
TASKS = {
    "ARCT": ("arct_adversarial", "test"), "ARC": ("arc_challenge", "test"),
    "PIQA": ("piqa", "dev"), "CSQA": ("csqa", "dev"),
}  # fmt: skip
# (task, input without a choice) -> view
VIEWS_WITHOUT_CHOICE = {
    ("ARCT", "C+R"): "reason+claim", ("ARC", "Q"): "question", ("PIQA", "G"): "goal",
    ("CSQA", "Q"): "question",
}  # fmt: skip
CUES_PROBE = Cues(split="pooled", ngram=2, tokenizer="nltk")


def evaluation_items(data: PaperData, task: str) -> Items:
    """Return the items that the paper tests on."""
    name, split = TASKS[task]
    return data.benchmark(name).splits[split]


def _chance_figure(data: PaperData, task: str) -> ComputedFigure:
    return ComputedFigure(
        {"mean": chance_level(evaluation_items(data, task))}, "data", "mean of 1 / choices"
    )


def _compute_chance_row(table: PrintedTable, data: PaperData) -> ComputedCells:
    """Compute the rows of chance levels in tables 1 and 7."""
    i = table.find_row(**{table.labels[0]: "Random"})
    tasks = [task for task in TASKS if (table.id, i, task) in table.figures]
    cells = {(i, task): _chance_figure(data, task) for task in tasks}
    if table.id == "table-7":
        return {
            key: data_figure(figure.parts["mean"], figure.note) for key, figure in cells.items()
        }
    return cells


def _compute_table_2(table: PrintedTable, data: PaperData) -> ComputedCells:
    """Compute scores that are fixed by construction; the other rows need a model."""
    cells: dict[tuple[int, str], ComputedFigure] = {}
    for i, row in enumerate(table.rows):
        task, input_name = row["task"], row["input"]
        if (table.id, i, "random") in table.figures:
            cells[i, "random"] = data_figure(chance_level(evaluation_items(data, task)))
        if (task, input_name) in VIEWS_WITHOUT_CHOICE:
            figure = _first_choice_figure(
                evaluation_items(data, task), VIEWS_WITHOUT_CHOICE[task, input_name]
            )
        elif (task, input_name) == ("ARCT", "R+W"):
            figure = _opposite_pairs_figure(evaluation_items(data, task))
        else:
            continue
        if figure is not None:
            cells |= {(i, c): figure for c in table.columns if c != "random"}
    return cells


def _first_choice_figure(items: Items, view: str) -> ComputedFigure | None:
    """Compute how often the first choice is right, if all choices look the same."""
    visible_items = apply_view(parse_view(view, fields_of(items)), items)
    if any(len({*item.choices}) > 1 for item in visible_items):
        return None
    n_first = sum(item.answer == 0 for item in items)
    note = f"all choices look the same: the first is right in {n_first} of {len(items)}"
    return ComputedFigure({"mean": n_first / len(items)}, "data", note)


def _opposite_pairs_figure(items: Items) -> ComputedFigure | None:
    """Return 0.5 if every item has a copy with the opposite answer."""
    n_pairs = count_opposite_pairs(items)
    if not n_pairs:
        return None
    note = f"all {n_pairs} pairs look the same and have opposite answers"
    return ComputedFigure({"mean": 0.5}, "data", note)


def _compute_table_4(table: PrintedTable, data: PaperData) -> ComputedCells:
    """Compute N; the other columns need the corpora."""
    nltk = get_tokenizer("nltk")
    return {
        (i, "n"): data_figure(
            choose_n(evaluation_items(data, row["task"]), _cache_tokens(nltk).split), nltk.name
        )
        for i, row in enumerate(table.rows)
    }


def _cache_tokens(tokens: Tokenizer) -> Tokenizer:
    """Cache a tokenizer: the same text occurs in several sequences of an item."""
    cache: dict[str, list[str]] = {}

    def split_once(text: str) -> list[str]:
        if text not in cache:
            cache[text] = tokens.split(text)
        return cache[text]

    return Tokenizer(tokens.name, split_once)


def _compute_table_9(table: PrintedTable, data: PaperData) -> ComputedCells:
    cells: dict[tuple[int, str], ComputedFigure] = {}
    for i, row in enumerate(table.rows):
        splits = data.benchmark(TASKS[row["task"]][0]).splits
        sizes = {split: len(splits[split]) for split in ("train", "dev", "test") if split in splits}
        cells |= {(i, split): data_figure(size) for split, size in sizes.items()}
        if len(sizes) == 3:
            cells[i, "total"] = data_figure(sum(sizes.values()))
    return cells


def _compute_table_10(table: PrintedTable, data: PaperData) -> ComputedCells:
    positions = {
        (task, row[0], int(row[1] or 0) - 1): row  # the paper counts from 0
        for task, (name, _) in TASKS.items()
        for row in ClassBalance()(data.benchmark(name)).tables["positions"].rows
    }
    cells: dict[tuple[int, str], ComputedFigure] = {}
    for i, row in enumerate(table.rows):
        position = (row["task"], row["split"], row["choice"])
        if position in positions:
            cells[i, "occurrences"] = data_figure(int(positions[position][2] or 0))
            cells[i, "relative_frequency"] = data_figure(float(positions[position][4] or 0))
    return cells


def _make_cue_table(task: str) -> ComputeTable:
    """Make a function that lists the unigrams and bigrams of highest coverage."""

    def compute(table: PrintedTable, data: PaperData) -> ComputedCells:
        rows = rank_cues(CUES_PROBE, data.benchmark(TASKS[task][0]))
        cells: dict[tuple[int, str], ComputedFigure] = {}
        for order, kind in ((1, "unigram"), (2, "bigram")):
            top_rows = [row for row in rows if row["order"] == order][: len(table.rows)]
            for i, row in enumerate(top_rows):
                cells[i, kind] = data_figure(str(row["cue"]))
                for measure in ("coverage", "productivity"):
                    cells[i, f"{kind}_{measure}"] = data_figure(float(row[measure] or 0))
        return cells

    return compute


TABLES: dict[str, ComputeTable] = {
    "table-1": _compute_chance_row,
    "table-2": _compute_table_2,
    "table-4": _compute_table_4,
    "table-7": _compute_chance_row,
    "table-9": _compute_table_9,
    "table-10": _compute_table_10,
    **{f"table-{11 + i}": _make_cue_table(task) for i, task in enumerate(TASKS)},
}
TEXTS: dict[str, ComputeTextFigure] = {}
