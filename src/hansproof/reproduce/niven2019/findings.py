"""What is found wrong in Niven and Kao 2019, from its released runs and from the data."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...errors import MissingExtra
from ...probes.integrity import Integrity
from ...text import Tokenizer, tokenizer
from ..arct import WORD, items_of, opposite, pairs, right, word
from ..figures import Paper
from ..ours import Finding, Look
from ..released import Released
from .tables import DEGENERATE, INPUTS, MODELS

HALF = 0.5


def _tokenizers() -> dict[str, Tokenizer]:
    """All there are, and white space in lower case without full stops."""
    found = {
        "word": tokenizer("word"), "whitespace": tokenizer("whitespace"),
        "lower-case whitespace": Tokenizer("", lambda text: text.lower().replace(".", "").split()),
    }  # fmt: skip
    try:
        nltk = tokenizer("nltk")
    except MissingExtra:
        return found
    return {**found, nltk.name: nltk}


def _coverage(paper: Paper, released: Released) -> Finding | None:
    """By no tokenizer and no way of counting is the word where it is said to be."""
    table = paper.tables["table-2"]
    ways = [
        (name if apart else f"{name}, wherever it stands", partial(word, tokens=one, apart=apart))
        for name, one in _tokenizers().items()
        for apart in (True, False)
    ]
    found: dict[str, list[tuple[float, float]]] = {
        name: [way(items_of(released, row["split"])) for row in table.rows] for name, way in ways
    }
    places = [table.figures[table.id, at, c] for at in range(len(table.rows)) for c in
              ("productivity", "coverage")]  # fmt: skip
    fit = [
        name for name, rows in found.items()
        if all(f.matches({"value": rows[f.place[1]][f.place[2] == "coverage"]}) for f in places)
    ]  # fmt: skip
    if fit:
        return None
    widest = max(rows[at][1] for rows in found.values() for at in range(len(table.rows)))
    told = [
        f"{name}: "
        + ", ".join(f"{row['split']} {pi:.2f} / {xi:.2f}"
                    for row, (pi, xi) in zip(table.rows, found[name], strict=True))
        for name in found
        if name.startswith(("word", "nltk")) and "," not in name
    ]  # fmt: skip
    text = (
        f"Productivity and coverage of *{WORD}* by the printed definition, {'; '.join(told)}. Of "
        f"{len(ways)} ways to cut and count none gives the table; none finds the word in more than "
        f"{widest:.2f} of the items of a split."
    )
    return Finding("coverage", table.id, text, tuple(f.place for f in places))


def _swapped(paper: Paper, released: Released) -> Finding | None:
    """Which training set the adversarial runs had, as their own numbers tell."""
    twice, negated = released.swapped(), released.benchmark("arct_adversarial").splits["train"]
    fixed = opposite(negated)
    same = [some for some in pairs(twice, "reason", "claim").values()
            if len({right(item) for item in some}) == 1]  # fmt: skip
    above = {
        name: [run.train for run in released.accuracies(name) if (run.train or 0) > HALF]
        for name in ("bert_large_adv_w", "bov_adv")
    }
    learnt = [run for run in released.accuracies("bert_large_adv")
              if (run.train or 0) >= DEGENERATE]  # fmt: skip
    highest = max((one or 0 for one in above["bert_large_adv_w"]), default=0.0)
    if not (fixed and highest and learnt):
        return None
    original, other = (
        float(np.mean([run.accuracy[half] for run in learnt])) for half in ("test", "test_adv")
    )
    rates = [word(items, tokenizer("word"))[0] for items in (twice, negated)]
    text = (
        "The runs of table 4 were not trained on the adversarial set. There every pair of warrants "
        f"is right either way round ({fixed} of {fixed} pairs), so from warrants alone no "
        f"model can have more than .500 of it right; {len(above['bert_large_adv_w'])} of the "
        f"released W runs report more in training, up to {highest:.3f}. The {len(learnt)} full "
        f"runs that learnt their training set have {original:.3f} of the original half of the test "
        f"set right and {other:.3f} of the negated half. It fits the file in which only the "
        f"warrants change places: {len(same)} of its {len(twice) // 2} pairs keep claim and right "
        f"warrant, and *{WORD}* is right in {rates[0]:.2f} there, {rates[1]:.2f} in the "
        "adversarial set."
    )  # fmt: skip
    return Finding("train-swapped", "table-4", text)


def _contradictory(paper: Paper, released: Released) -> Finding | None:
    """Copies of one input with opposite answers."""
    benchmark = released.benchmark("arct_adversarial")
    rows = Integrity()(benchmark).tables["findings"].rows
    found = {str(row[1]): int(row[2] or 0) for row in rows if "different" in str(row[0])}
    if not found:
        return None
    told = [f"{n} pairs of {len(benchmark.splits[split]) // 2} in {split}"
            for split, n in found.items()]  # fmt: skip
    test = len(benchmark.splits["test"])
    best = (test - found.get("test", 0)) / test
    text = (
        f"The adversarial set has the same input with both answers: {', '.join(told)}. No model "
        f"can have more than {best:.3f} of its test split right."
    )
    return Finding("contradictory-pairs", "table-4", text)


def _construction(paper: Paper, released: Released) -> Finding | None:
    """What no model can get wrong or right."""
    table = paper.tables["table-4"]
    whole = opposite(released.benchmark("arct_adversarial").splits["test"])
    if not whole:
        return None
    printed = {
        f"{row['input']} {c.removeprefix('test_')} {table.figures[table.id, at, c].parts}"
        for at, row in enumerate(table.rows)
        if row["input"] in ("W", "R,W")
        for c in table.columns
        if not table.figures[table.id, at, c].matches({"mean": 0.5, "spread": 0.0, "value": 0.5})
    }
    text = (
        f"Without the claim every score on the adversarial test split is .500 by construction: all "
        f"{whole} pairs have the same reason and warrants with opposite answers."
    )
    if printed:
        text += f" Printed otherwise: {len(printed)} of the figures of W and R,W."
    return Finding("by-construction", table.id, text)


def _seeds(paper: Paper, released: Released) -> Finding | None:
    """Files with fewer runs than are said."""
    said = int(paper.text("seeds").parts["value"])
    few = {
        name: len(released.accuracies(name))
        for name in (model + end for model in MODELS.values() for end in INPUTS.values())
        if name not in ("bert_base_w", "bert_base_rw", "bert_base_cw")
    }
    short = [f"{name} {n}" for name, n in few.items() if n != said]
    if not short:
        return None
    text = f"{said} runs each are announced; the released files hold fewer: {', '.join(short)}."
    return Finding("seeds", "table-3", text)


FINDINGS: tuple[Look, ...] = (
    Look(_coverage, "table-2"),
    Look(_seeds, "table-3"),
    Look(_swapped, "table-4"),
    Look(_construction, "table-4"),
    Look(_contradictory, "table-4"),
)
