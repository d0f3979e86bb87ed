"""Write the table of `bench/mpnet.py` with the papers' rows: bench/mpnet.json and docs/results."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docs.wrap import wrap_markdown

Run = dict[str, Any]
PAPERS = Path("src/hansproof/papers/figures")
JSON, PAGE = Path("bench/mpnet.json"), Path("docs/results/mpnet-base.md")
COMMAND = "python -m bench.mpnet pack|run|table (see its docstring)"
TRAINING_SETS = {"copa": "COPA", "balanced_copa": "B-COPA"}
INPUTS = {"full": "full", "choices": "W", "reason+choices": "R,W", "claim+choices": "C,W"}
LEVEL = 0.05


def write_table(runs: str, easy: str, date: str) -> None:
    """Write both files from the runs and the published list of Easy items."""
    results: list[Run] = json.loads(Path(runs).read_text())
    from hansproof import load

    ids = [item.id for item in load("copa").splits["test"]]
    easy_ids = {str(easy_id) for easy_id in json.loads(Path(easy).read_text())["easy"]}
    is_easy = np.array([id in easy_ids for id in ids])
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for result in results:
        groups.setdefault((result["way"], result["benchmark"], result["view"]), []).append(result)
    rows = {
        " ".join(key): _summary_row(key, group_runs, is_easy) for key, group_runs in groups.items()
    }
    _add_corrected_p(rows)
    engine, plain = (rows[f"{way} copa full"] for way in ("engine", "plain"))
    summary = {
        "command": COMMAND, "date": date, "model": "all-mpnet-base-v2 (12 x 768, 109.5 M)",
        "device": sorted({result["device"] for result in results if "device" in result}),
        "tokenizer": sorted({result["tokenizer"] for result in results if "tokenizer" in result}),
        "rows": rows, "engine_against_plain": _compare_means(engine["each"], plain["each"]),
        "runs": [{k: v for k, v in result.items() if k not in ("device", "tokenizer")}
                 for result in results],
    }  # fmt: skip
    JSON.write_text(json.dumps(summary, indent=1) + "\n")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(_render_page(summary))
    print(PAGE.read_text())


def _summary_row(key: tuple[str, str, str], runs: Sequence[Run], easy: NDArray[np.bool_]) -> Run:
    """Return mean, spread, interval over items, and the p-value against chance."""
    from hansproof.stats import (
        mean_interval,
        paired_randomisation_test,
        two_sample_randomisation_test,
    )

    right = np.array([[float(letter == "1") for letter in run["right"]] for run in runs])
    items = right.mean(axis=0)
    low, high = mean_interval(items, [None] * len(items))
    row: Run = {
        "seeds": len(runs), "each": [run["accuracy"] for run in runs],
        "mean": items.mean(), "sd": statistics.stdev(run["accuracy"] for run in runs),
        "low": float(low), "high": float(high), "n": len(items),
        "p": paired_randomisation_test(items, np.full(len(items), 0.5), alternative="greater").p,
        "train": statistics.fmean(run.get("train_accuracy", np.nan) for run in runs),
    }  # fmt: skip
    if key[1] != "arct":
        row |= {
            "easy": items[easy].mean(),
            "hard": items[~easy].mean(),
            "p_easy_hard": two_sample_randomisation_test(items[easy], items[~easy]).p,
        }
    return row


def _add_corrected_p(rows: dict[str, Run]) -> None:
    """Add the corrected p-values of the blind rows, which form one family."""
    from hansproof.stats import holm

    blind = [row for name, row in rows.items() if not name.endswith(" full")]
    for row, q in zip(blind, holm([row["p"] for row in blind]), strict=True):
        row["q"] = float(q)


def _compare_means(first: Sequence[float], second: Sequence[float]) -> Run:
    """Compare two samples: difference of means (Welch's test) and of spreads (Levene's)."""
    from scipy import stats

    return {
        "difference": statistics.fmean(first) - statistics.fmean(second),
        "p": float(stats.ttest_ind(first, second, equal_var=False).pvalue),
        "p_of_spreads": float(stats.levene(first, second).pvalue),
    }


def _render_page(result: Run) -> str:
    rows = result["rows"]
    lines = [
        "# MPNet-base on COPA, Balanced COPA and ARCT", "",
        "How well a fine-tuned model answers with the question and without it, beside the figures "
        "of three papers. *Easy* items are those that a blind model (one that sees only the "
        "choices) answered in all three runs of the paper, *Hard* all others.", "",
        "Accuracies are in per cent: mean ± sd over seeds; [95% interval over items of the mean "
        "over seeds]. p is one-sided against chance (50), q is corrected for the blind rows.", "",
        f"Measured by `{result['command']}`, {result['date']}, {', '.join(result['device'])}; "
        f"{result['model']}, tokenizer {', '.join(result['tokenizer'])}. Model "
        "`hf:all-mpnet-base-v2`, recipe `default` (AdamW, 2e-5, batch 32, ten epochs, the best by "
        "a tenth of the training items, for ARCT by dev), mean over tokens, bfloat16 with weights "
        "in single precision.", "",
        "## COPA test half (n = 500; Easy 190, Hard 310, as published)", "",
        "| model | trained on | input | seeds | all | Easy | Hard | p, Easy against Hard | blind |",
        "|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    lines += [
        _copa_line(f"MPNet-base, {view}", rows[f"engine {name} {view}"], name)
        for name in TRAINING_SETS
        for view in ("full", "choices")
    ]
    plain = "MPNet-base, full, plain loop in single precision"
    lines.append(_copa_line(plain, rows["plain copa full"], "copa"))
    lines += _published_copa()
    lines += [
        "", "## ARCT test (n = 444)", "",
        "| model | input | seeds | all | median | best | blind |", "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    lines += [_arct_line(view, rows[f"engine arct {view}"]) for view in INPUTS]
    lines += _published_arct()
    comparison = result["engine_against_plain"]
    lines += [
        "", "## What the numbers show", "",
        f"- The engine (bfloat16, packed, {rows['engine copa full']['seeds']} runs at once) and a "
        f"plain loop over transformers (single precision, padded, "
        f"{rows['plain copa full']['seeds']} seeds) differ by "
        f"{100 * comparison['difference']:+.1f} points on COPA (Welch p = "
        f"{comparison['p']:.2f}; spreads: Levene p = {comparison['p_of_spreads']:.2f}).",
        *OBSERVATIONS,
    ]  # fmt: skip
    return wrap_markdown("\n".join(lines))


OBSERVATIONS = (
    "- The pattern of the papers holds for other weights: trained on COPA, the model does better "
    "on Easy items than on Hard ones and beats chance from the choices alone; trained on Balanced "
    "COPA, it does neither.",
    "- On ARCT the warrants alone give most of the accuracy of the whole input, as published for "
    "BERT. MPNet is a sentence encoder trained on a billion pairs, so the numbers are not "
    "comparable with the papers', and do not say that the published ones are wrong.",
)


def _format_percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _format_p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "< .0001"


def _format_blind(row: Run) -> str:
    if "q" not in row:
        return "–"
    verdict = "above chance" if row["q"] < LEVEL else "not above chance"
    return f"{verdict}, p = {_format_p(row['p'])}, q = {_format_p(row['q'])}"


def _format_accuracy(row: Run) -> str:
    ends = f"[{_format_percent(row['low'])}, {_format_percent(row['high'])}]"
    return f"{_format_percent(row['mean'])} ± {_format_percent(row['sd'])} {ends}"


def _copa_line(model: str, row: Run, training_set: str) -> str:
    name, view, *more = model.split(", ")
    label = ", ".join([name, *more])
    return (
        f"| {label} | {TRAINING_SETS[training_set]} | {view} | {row['seeds']} | "
        f"{_format_accuracy(row)} | {_format_percent(row['easy'])} | "
        f"{_format_percent(row['hard'])} | {_format_p(row['p_easy_hard'])} | {_format_blind(row)} |"
    )


def _load_paper(paper: str) -> Run:
    contents: Run = json.loads((PAPERS / f"{paper}.json").read_text())
    return contents


def _published_copa() -> list[str]:
    paper = _load_paper("kavumba2020")
    lines = []
    for row in next(t for t in paper["tables"] if t["id"] == "table-1")["rows"]:
        if row["training_data"] in TRAINING_SETS.values():
            cells = [f"{row[key]['mean']} ± {row[key]['spread']}" for key in
                     ("overall", "easy", "hard")]  # fmt: skip
            lines.append(
                f"| {row['model']} (Kavumba et al. 2020) | {row['training_data']} | full | 3 | "
                f"{' | '.join(cells)} | – | – |"
            )
    (blind,) = (f for f in paper["text_figures"] if f["id"] == "premise-oblivious-roberta")
    mean, spread = blind["value"]["mean"], blind["value"]["spread"]
    lines.append(
        f"| RoBERTa-large (Kavumba et al. 2019) | COPA | choices | 3 | {mean} ± {spread} | – | – |"
        " – | – |"
    )
    return lines


def _arct_line(view: str, row: Run) -> str:
    accuracies = row["each"]
    return (
        f"| MPNet-base | {view} | {row['seeds']} | {_format_accuracy(row)} | "
        f"{_format_percent(statistics.median(accuracies))} | {_format_percent(max(accuracies))} | "
        f"{_format_blind(row)} |"
    )


def _published_arct() -> list[str]:
    paper = _load_paper("niven2019")
    views = {short: view for view, short in INPUTS.items()}
    return [
        f"| {row['model']} (Niven and Kao 2019) | {views[row['input']]} | 20 | "
        f"{100 * row['test_mean']['mean']:.1f} ± {100 * row['test_mean']['spread']:.0f} | "
        f"{100 * row['test_median']:.1f} | {100 * row['test_max']:.1f} | – |"
        for row in next(t for t in paper["tables"] if t["id"] == "table-3")["rows"]
        if row["model"] == "BERT-large"
    ]
