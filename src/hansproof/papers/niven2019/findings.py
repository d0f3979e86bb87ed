"""Checks of Niven and Kao 2019 against its released runs and the data."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...errors import MissingExtra
from ...probes.integrity import CONTRADICTIONS, FORMS, Integrity, finding_name
from ...text.tokenizers import Tokenizer, get_tokenizer
from ..arct import (
    WORD,
    count_opposite_pairs,
    group_pairs,
    right_choice,
    select_items,
    word_statistics,
)
from ..computed_figures import FindingCheck, PaperFinding
from ..paper_data import PaperData
from ..printed_figures import Paper
from .tables import DEGENERATE_BELOW, INPUTS, MODELS

CHANCE = 0.5


def _all_tokenizers() -> dict[str, Tokenizer]:
    """Return all tokenizers, and lower-cased white space without full stops."""
    tokenizers = {
        "word": get_tokenizer("word"), "whitespace": get_tokenizer("whitespace"),
        "lower-case whitespace": Tokenizer("", lambda text: text.lower().replace(".", "").split()),
    }  # fmt: skip
    try:
        nltk = get_tokenizer("nltk")
    except MissingExtra:
        return tokenizers
    return {**tokenizers, nltk.name: nltk}


def _check_coverage(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Check coverage and productivity of the word under all tokenizers and ways of counting."""
    table = paper.tables["table-2"]
    methods = [
        (
            name if exclusive else f"{name}, wherever it occurs",
            partial(word_statistics, tokens=tokens, exclusive=exclusive),
        )
        for name, tokens in _all_tokenizers().items()
        for exclusive in (True, False)
    ]
    results: dict[str, list[tuple[float, float]]] = {
        name: [method(select_items(data, row["split"])) for row in table.rows]
        for name, method in methods
    }
    figures = [table.figures[table.id, i, c] for i in range(len(table.rows)) for c in
              ("productivity", "coverage")]  # fmt: skip
    matching = [
        name for name, rows in results.items()
        if all(f.matches({"value": rows[f.key[1]][f.key[2] == "coverage"]}) for f in figures)
    ]  # fmt: skip
    if matching:
        return None
    max_coverage = max(rows[i][1] for rows in results.values() for i in range(len(table.rows)))
    statements = [
        f"{name}: "
        + ", ".join(f"{row['split']} {pi:.2f} / {xi:.2f}"
                    for row, (pi, xi) in zip(table.rows, results[name], strict=True))
        for name in results
        if name.startswith(("word", "nltk")) and "," not in name
    ]  # fmt: skip
    text = (
        f"Productivity and coverage of *{WORD}* by the printed definition, "
        f"{'; '.join(statements)}. None of {len(methods)} ways to tokenize and count gives the "
        f"table; none finds the word in more than {max_coverage:.2f} of the items of a split."
    )
    return PaperFinding("coverage", table.id, text, tuple(f.key for f in figures))


def _check_training_set(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Infer from the released runs which training set the adversarial models had."""
    swapped_items = data.swapped_items()
    negated = data.benchmark("arct_adversarial").splits["train"]
    n_opposite = count_opposite_pairs(negated)
    unchanged_pairs = [
        pair
        for pair in group_pairs(swapped_items, "reason", "claim").values()
        if len({right_choice(item) for item in pair}) == 1
    ]
    above_chance = [
        run.train or 0
        for run in data.seed_accuracies("bert_large_adv_w")
        if (run.train or 0) > CHANCE
    ]
    learnt_runs = [
        run
        for run in data.seed_accuracies("bert_large_adv")
        if (run.train or 0) >= DEGENERATE_BELOW
    ]
    highest = max(above_chance, default=0.0)
    if not (n_opposite and highest and learnt_runs):
        return None
    original_mean, negated_mean = (
        float(np.mean([run.accuracy[split] for run in learnt_runs]))
        for split in ("test", "test_adv")
    )
    rates = [word_statistics(items, get_tokenizer("word"))[0] for items in (swapped_items, negated)]
    text = (
        "The runs of table 4 were not trained on the adversarial set. There, each warrant of a "
        f"pair is right once ({n_opposite} of {n_opposite} pairs), so no model can exceed .500 "
        f"from warrants alone; {len(above_chance)} of the released W runs report a higher "
        f"training accuracy, up to {highest:.3f}. The {len(learnt_runs)} full runs that learnt "
        f"their training set score {original_mean:.3f} on the original half of the test set and "
        f"{negated_mean:.3f} on the negated half. This fits the file in which only the warrants "
        f"are swapped: {len(unchanged_pairs)} of its {len(swapped_items) // 2} pairs keep the "
        f"claim and the right warrant, and *{WORD}* is right in {rates[0]:.2f} there, "
        f"{rates[1]:.2f} in the adversarial set."
    )  # fmt: skip
    return PaperFinding("train-swapped", "table-4", text)


def _check_contradictory_pairs(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find identical inputs with opposite answers."""
    benchmark = data.benchmark("arct_adversarial")
    table = Integrity()(benchmark).tables["findings"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    contradictions = {finding_name(CONTRADICTIONS, form) for form in FORMS}
    pairs_by_split = {
        str(row["splits"]): int(row["count"] or 0)
        for row in rows
        if row["finding"] in contradictions
    }
    if not pairs_by_split:
        return None
    statements = [
        f"{n} pairs of {len(benchmark.splits[split]) // 2} in {split}"
        for split, n in pairs_by_split.items()
    ]
    n_test = len(benchmark.splits["test"])
    best = (n_test - pairs_by_split.get("test", 0)) / n_test
    text = (
        f"The adversarial set contains the same input with both answers: {', '.join(statements)}. "
        f"No model can score more than {best:.3f} on its test split."
    )
    return PaperFinding("contradictory-pairs", "table-4", text)


def _check_construction(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find scores that are fixed by construction."""
    table = paper.tables["table-4"]
    n_pairs = count_opposite_pairs(data.benchmark("arct_adversarial").splits["test"])
    if not n_pairs:
        return None
    printed = {
        f"{row['input']} {c.removeprefix('test_')} {table.figures[table.id, i, c].parts}"
        for i, row in enumerate(table.rows)
        if row["input"] in ("W", "R,W")
        for c in table.columns
        if not table.figures[table.id, i, c].matches({"mean": 0.5, "spread": 0.0, "value": 0.5})
    }
    text = (
        "Without the claim, every score on the adversarial test split is .500 by design: all "
        f"{n_pairs} pairs have the same reason and warrants with opposite answers."
    )
    if printed:
        text += f" {len(printed)} of the printed figures of W and R,W differ."
    return PaperFinding("by-construction", table.id, text)


def _check_seed_counts(paper: Paper, data: PaperData) -> PaperFinding | None:
    """Find files with fewer runs than the paper announces."""
    announced = int(paper.text_figure("seeds").parts["value"])
    run_counts = {
        name: len(data.seed_accuracies(name))
        for name in (model + end for model in MODELS.values() for end in INPUTS.values())
        if name not in ("bert_base_w", "bert_base_rw", "bert_base_cw")
    }
    too_few = [f"{name} {n}" for name, n in run_counts.items() if n != announced]
    if not too_few:
        return None
    text = (
        f"The paper announces {announced} runs each; the released files contain fewer: "
        f"{', '.join(too_few)}."
    )
    return PaperFinding("seeds", "table-3", text)


FINDINGS: tuple[FindingCheck, ...] = (
    FindingCheck(_check_coverage, "table-2"),
    FindingCheck(_check_seed_counts, "table-3"),
    FindingCheck(_check_training_set, "table-4"),
    FindingCheck(_check_construction, "table-4"),
    FindingCheck(_check_contradictory_pairs, "table-4"),
)
