"""Sizes, positions, cues and what is fixed by construction, from the data of four tasks."""

from __future__ import annotations

from ...contamination.sequences import length
from ...probes._baselines import chance
from ...probes.class_balance import ClassBalance
from ...probes.cues import Cues
from ...text import Tokenizer, tokenizer
from ...types import Items
from ...views import fields_of, named, see
from ..arct import opposite
from ..copa import ranked
from ..figures import Printed
from ..ours import Cells, Ours, Table, Text, counted
from ..released import Released

# task -> benchmark, and the split that plays the test set
TASKS = {
    "ARCT": ("arct_adversarial", "test"), "ARC": ("arc_challenge", "test"),
    "PIQA": ("piqa", "dev"), "CSQA": ("csqa", "dev"),
}  # fmt: skip
# inputs without a choice, and those without what tells an item from its negated copy
BLANK = {
    ("ARCT", "C+R"): "reason+claim", ("ARC", "Q"): "question", ("PIQA", "G"): "goal",
    ("CSQA", "Q"): "question",
}  # fmt: skip
CUES = Cues(split="pooled", ngram=2, tokenizer="nltk")


def evaluated(released: Released, task: str) -> Items:
    """The items that the paper tests on."""
    name, split = TASKS[task]
    return released.benchmark(name).splits[split]


def _random(released: Released, task: str) -> Ours:
    return Ours({"mean": chance(evaluated(released, task))}, "data", "mean of 1 / choices")


def _chance_row(table: Printed, released: Released) -> Cells:
    """Tables 1 and 7."""
    at = table.find(**{table.labels[0]: "Random"})
    tasks = [task for task in TASKS if (table.id, at, task) in table.figures]
    found = {(at, task): _random(released, task) for task in tasks}
    if table.id == "table-7":
        return {place: counted(one.parts["mean"], one.note) for place, one in found.items()}
    return found


def _table_2(table: Printed, released: Released) -> Cells:
    """What is fixed by construction; the rest takes a model."""
    found: dict[tuple[int, str], Ours] = {}
    for at, row in enumerate(table.rows):
        task, shown = row["task"], row["input"]
        if (table.id, at, "random") in table.figures:
            found[at, "random"] = counted(chance(evaluated(released, task)))
        if (task, shown) in BLANK:
            ours = _first(evaluated(released, task), BLANK[task, shown])
        elif (task, shown) == ("ARCT", "R+W"):
            ours = _either(evaluated(released, task))
        else:
            continue
        if ours is not None:
            found |= {(at, c): ours for c in table.columns if c != "random"}
    return found


def _first(items: Items, view: str) -> Ours | None:
    """Where all choices look the same, the first is taken: how often it is the right one."""
    shown = see(named(view, fields_of(items)), items)
    if any(len({*item.choices}) > 1 for item in shown):
        return None
    first = sum(item.answer == 0 for item in items)
    note = f"all choices look the same: {first} of {len(items)} have the first"
    return Ours({"mean": first / len(items)}, "data", note)


def _either(items: Items) -> Ours | None:
    """Where every item has a copy with the other answer, one of the two is right."""
    alike = opposite(items)
    if not alike:
        return None
    note = f"all {alike} pairs look the same and have opposite answers"
    return Ours({"mean": 0.5}, "data", note)


def _table_4(table: Printed, released: Released) -> Cells:
    """N; what is clean takes the corpora."""
    nltk = tokenizer("nltk")
    return {
        (at, "n"): counted(length(evaluated(released, row["task"]), _once(nltk).split), nltk.name)
        for at, row in enumerate(table.rows)
    }


def _once(tokens: Tokenizer) -> Tokenizer:
    """Which cuts a text once: an argument is read in every order of its parts."""
    known: dict[str, list[str]] = {}

    def split(text: str) -> list[str]:
        if text not in known:
            known[text] = tokens.split(text)
        return known[text]

    return Tokenizer(tokens.name, split)


def _table_9(table: Printed, released: Released) -> Cells:
    found: dict[tuple[int, str], Ours] = {}
    for at, row in enumerate(table.rows):
        splits = released.benchmark(TASKS[row["task"]][0]).splits
        sizes = {split: len(splits[split]) for split in ("train", "dev", "test") if split in splits}
        found |= {(at, split): counted(size) for split, size in sizes.items()}
        if len(sizes) == 3:
            found[at, "total"] = counted(sum(sizes.values()))
    return found


def _table_10(table: Printed, released: Released) -> Cells:
    known = {
        (task, row[0], row[1]): row
        for task, (name, _) in TASKS.items()
        for row in ClassBalance()(released.benchmark(name)).tables["positions"].rows
    }
    found: dict[tuple[int, str], Ours] = {}
    for at, row in enumerate(table.rows):
        place = (row["task"], row["split"], row["choice"])
        if place in known:
            found[at, "occurrences"] = counted(int(known[place][2] or 0))
            found[at, "relative_frequency"] = counted(float(known[place][4] or 0))
    return found


def _cues(task: str) -> Table:
    """The widest words and pairs of words, over all labelled splits."""

    def found(table: Printed, released: Released) -> Cells:
        rows = ranked(CUES, released.benchmark(TASKS[task][0]))
        cells: dict[tuple[int, str], Ours] = {}
        for order, kind in ((1, "unigram"), (2, "bigram")):
            some = [row for row in rows if row["order"] == order][: len(table.rows)]
            for at, row in enumerate(some):
                cells[at, kind] = counted(str(row["cue"]))
                for what in ("coverage", "productivity"):
                    cells[at, f"{kind}_{what}"] = counted(float(row[what] or 0))
        return cells

    return found


TABLES: dict[str, Table] = {
    "table-1": _chance_row,
    "table-2": _table_2,
    "table-4": _table_4,
    "table-7": _chance_row,
    "table-9": _table_9,
    "table-10": _table_10,
    **{f"table-{11 + at}": _cues(task) for at, task in enumerate(TASKS)},
}
TEXTS: dict[str, Text] = {}
