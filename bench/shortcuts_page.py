"""Write docs/results/shortcuts.md from bench/shortcuts.json and the files beside it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from bench.shortcut_answers import (
    ALL_MODELS,
    NO_WEIGHTS,
    answer_questions,
    find_blind,
    format_p,
    format_share,
    with_interval,
)
from bench.shortcut_speed_page import make_table, render_speed
from bench.shortcuts_planted_page import render_planted
from docs.wrap import wrap_markdown
from hansproof._infra.join_names import join_names
from hansproof.probes.shortcuts.rule_words import RUNG_WORDS

JSON = Path("bench/shortcuts.json")
LABELS, SPEED = Path("bench/shortcut_labels.json"), Path("bench/shortcut_speed.json")
PLANTED = Path("bench/shortcuts_planted.json")
PAGE = Path("docs/results/shortcuts.md")
# a conclusion from the tables; rewrite it if the figures change
LABELS_SUMMARY = (
    "No score tells these items apart well: of the untrained ones the likelihood per token under "
    "the smallest model and the relative length do best, and their intervals come near .5 or "
    "include it. Likelihoods in total under the larger models are below .5: they are low where the "
    "right choice is long, and people call such items answerable. Of the trained scores none is "
    "significantly above .5, and classes of words are below. So these labels do not say "
    "that the probe finds what people call a shortcut, nor that it does not: with so few items, an "
    "AUC of .65 would often be missed. A trained model knows what the right choices of a whole "
    "benchmark have in common; people looked at one item at a time."
)

Row = dict[str, Any]


def write_page() -> None:
    PAGE.write_text(render_shortcuts_page(*read_files()))


def read_files() -> tuple[Row, Row, Row, Row]:
    """Read the four files with figures."""
    paths = (JSON, PLANTED, LABELS, SPEED)
    report, planted, labels, speed = (json.loads(path.read_text()) for path in paths)
    return report, planted, labels, speed


def render_shortcuts_page(report: Row, planted: Row, labels: Row, speed: Row) -> str:
    """Render the page; all its numbers come from the files."""
    ladder = report["ladder"]
    lines = [
        *_render_head(report), "## In words", "", *answer_questions(ladder), "",
        *_share_tables(ladder),
        *_rules_table(ladder), *_models_table(ladder), *_tells_table(ladder),
        *_permuted_table(report["permuted"]), *render_planted(planted), *_render_labels(labels),
        *render_speed(speed),
    ]  # fmt: skip
    return wrap_markdown("\n".join(lines))


def _render_head(report: Row) -> list[str]:
    return [
        "# What gives the answers away, on real benchmarks", "",
        "The probe [shortcuts](../probes/shortcuts.md) on twelve benchmarks: how much of the best "
        "blind score each rung of the ladder explains, and by which rules. All items with answers "
        "are pooled; of Balanced COPA these are the mirrored ones alone. The blind score is that "
        "of the best model which saw only the choices, out of: all rungs together; a bag of words "
        "and a linear layer over MiniLM's vectors, both cross-validated; and the choice that a "
        "language model finds most likely per token. Intervals are at 95%, over leakage groups; "
        "words are those of the tokenizer `word`; folds have seed 0.", "",
        "Language models, the instructed versions, from 4-bit files, on a CPU in bfloat16: "
        f"{join_names(_count_benchmarks(report['ladder']))}. Larger ones were not tried. Encoder: "
        "all-MiniLM-L6-v2.", "",
        "The numbers are in [bench/shortcuts.json](../../bench/shortcuts.json), written by "
        "`python -m bench.shortcuts`.", "",
    ]  # fmt: skip


def _count_benchmarks(ladder: Row) -> list[str]:
    """List the language models, each with the number of benchmarks whose choices it has read."""
    by_benchmark = ({tell["model"] for tell in row["tells"]} for row in ladder.values())
    counts = Counter(model for models in by_benchmark for model in models)
    return [
        f"{model} ({f'{n} of {len(ladder)}' if n < len(ladder) else 'all'} benchmarks)"
        for model, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def _share_tables(ladder: Row) -> list[str]:
    head = [*RUNG_WORDS]
    tables = []
    for key, title, text in (
        (
            "explained", "What each rung explains together with all earlier ones",
            "The share of the gain of the best blind score over guessing, in per cent. A dash: "
            "nothing significant to explain; *not tried*: too few English function words. "
            "A share may exceed 100 or fall, since rungs are trained models, scored on items that "
            "they did not see: more features can cost a little. *Left*: what the best blind model "
            "answers beyond all rungs; a dash where none is better than the rungs themselves.",
        ),
        ("added", "What each rung adds to the earlier ones", "The same shares, rung by rung."),
    ):  # fmt: skip
        last = ["left"] if key == "explained" else []
        rows = [
            [
                name, f"{row['items']:,}", *_blind_cells(row),
                *(_share_cell(_find_rung(row, rung), key) for rung in head),
                *([_left_cell(row["settings"][ALL_MODELS])] if last else []),
            ]
            for name, row in ladder.items()
        ]  # fmt: skip
        columns = ["benchmark", "items", "best blind score", "its model", *head, *last]
        tables += [f"## {title}", "", text, "", *make_table(columns, rows), ""]
    return tables


def _blind_cells(row: Row) -> tuple[str, str]:
    setting = row["settings"][ALL_MODELS]
    best = find_blind(setting, setting["best"])
    return f"{with_interval(best)}, chance {setting['chance']:.1%}", setting["best"]


def _find_rung(row: Row, name: str) -> Row | None:
    rungs = row["settings"][ALL_MODELS]["rungs"]
    return next((rung for rung in rungs if rung["rung"] == name), None)


def _share_cell(rung: Row | None, key: str) -> str:
    return format_share(rung[key]) if rung else "not tried"


def _left_cell(setting: Row) -> str:
    return "–" if setting["best"] == "all rungs" else format_share(setting["left"])


def _rules_table(ladder: Row) -> list[str]:
    rows = []
    for name, row in ladder.items():
        setting = row["settings"][ALL_MODELS]
        for rule in setting["rules"]:
            verb = "right" if rule["is_telling"] else "wrong"
            count = rule["hits"] if rule["is_telling"] else rule["n"] - rule["hits"]
            chance = rule["chance"] if rule["is_telling"] else 1 - rule["chance"]
            cells = [
                name,
                _escape(rule["rule"]),
                rule["rung"],
                f"{verb} {count:,} of {rule['n']:,}",
            ]
            rows.append([*cells, f"{count / rule['n']:.1%}", f"{chance:.1%}", f"{rule['p']:.1g}"])
        if not setting["rules"]:
            rows.append([name, "none", "", "", "", "", ""])
        elif setting["n_rules"] > len(setting["rules"]):
            more = setting["n_rules"] - len(setting["rules"])
            rows.append([name, f"*{more} more*", "", "", "", "", ""])
    columns = ["benchmark", "rule", "rung", "in items in which it was not searched", "share",
               "chance", "p"]  # fmt: skip
    return [
        "## The strongest rules", "",
        "The three rules with the smallest corrected p, found with all models. A rule that was "
        "found in one half of the items only is counted in the other half. A nat is a unit of "
        "likelihood: one nat more is 2.7 times as likely.", "",
        *make_table(columns, rows), "",
    ]  # fmt: skip


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _models_table(ladder: Row) -> list[str]:
    rows = []
    for name, row in ladder.items():
        for setting, measured in row["settings"].items():
            rungs = {rung["rung"]: rung for rung in measured["rungs"]}
            cells = [name, setting, with_interval(find_blind(measured, "all rungs"))]
            for rung in ("likelihood", "encoder"):
                if rung in rungs:
                    alone, added = with_interval(rungs[rung]["alone"]), rungs[rung]["added"]
                    cells += [alone, format_share(added)]
                else:
                    cells += ["–", "–"]
            p = "exact" if not measured["permutations"] else f"{measured['permutations']} permuted"
            p_value = format_p(measured).removeprefix("= ")
            rows.append([*cells, f"{p_value} ({p})", f"{measured['seconds']:.1f}"])
    columns = ["benchmark", "models", "all rungs", "likelihood alone", "adds", "encoder alone",
               "adds", "p of the search", "seconds"]  # fmt: skip
    return [
        "## With and without models", "",
        "*Adds*: the share of the gain of the best blind score that the rung adds to all earlier "
        "ones. *Permuted*: on how many permutations the p-value rests; the search stops early when "
        "five of them did as well as the true answers. The seconds are those of the search; "
        "computing likelihoods and vectors took longer.", "",
        *make_table(columns, rows), "",
    ]  # fmt: skip


def _tells_table(ladder: Row) -> list[str]:
    picks = ("most likely per token", "least likely per token", "most likely in total",
             "least likely in total")  # fmt: skip
    rows = []
    for name, row in ladder.items():
        for model in dict.fromkeys(tell["model"] for tell in row["tells"]):
            by_pick = {t["pick"]: t for t in row["tells"] if t["model"] == model}
            chance = row["settings"][NO_WEIGHTS]["chance"]
            cells = [with_interval(by_pick[pick]) for pick in picks]
            rows.append([name, model, *cells, f"{chance:.1%}"])
    return [
        "## The most and the least likely choice", "",
        "How often they are right, without any training; ties count by expectation.", "",
        *make_table(["benchmark", "model", *picks, "chance"], rows), "",
    ]  # fmt: skip


def _permuted_table(permuted: Row) -> list[str]:
    rows = [
        [name, str(row["runs"]), f"{row['verdicts']} ({row['p']:.2g})", str(row["rungs"]),
         str(row["with_rules"]), str(row["rules"])]
        for name, row in permuted.items()
    ]  # fmt: skip
    total = {key: sum(row[key] for row in permuted.values()) for key in ("runs", "verdicts")}
    return [
        "## Answers permuted within their items", "",
        "Nothing can be found in answers that were drawn at random, so each alarm is a false one. "
        "In brackets: the probability of so many or more if 5% are allowed. All together: "
        f"{total['verdicts']} alarms in {total['runs']} searches.", "",
        *make_table(["benchmark", "searches", "verdicts that alarm", "with a significant rung",
                     "with a rule reported", "rules reported"], rows), "",
    ]  # fmt: skip


def _render_labels(labels: Row) -> list[str]:
    lines = [
        "## People's labels: *answerable by a shortcut*", "",
        f"{sum(labels['sets'].values())} items of {len(labels['sets'])} sets have a label "
        f"({_count_positive(labels['all'])} of them *yes*). The AUC says how well a score "
        "tells these from the others: .5 is chance. *Within* compares only items of the same set, "
        "as sets differ in their share of *yes*. A score is by how much the right choice exceeds "
        "the best other one. Trained models learnt from all other items of the benchmark "
        f"({', '.join(f'{name} {n:,}' for name, n in labels['n_train'].items())}); the items "
        "themselves, those with the same question, and near copies were held out. Intervals: "
        "percentiles of a bootstrap over items.", "",
    ]  # fmt: skip
    for key, title in (("all", "All items"), ("with benchmark", "Items whose benchmark is here")):
        measured = labels[key]
        n = next(iter(measured.values()))["n"]
        rows = [
            [name, *(f"{v[k]['auc']:.2f} [{v[k]['low']:.2f}, {v[k]['high']:.2f}]"
                     for k in ("auc", "within"))]
            for name, v in measured.items()
        ]  # fmt: skip
        head = f"{title}: n = {n}, {_count_positive(measured)} *yes*."
        lines += [head, "", *make_table(["score", "AUC", "within sets"], rows), ""]
    right = labels["right"]
    return [
        *lines,
        f"On the items whose benchmark is here, all rungs together pick the right choice in "
        f"{right['all rungs']:.0%} and the bag of words in {right['bow']:.0%}. "
        + LABELS_SUMMARY, "",
    ]  # fmt: skip


def _count_positive(measured: Row) -> int:
    return int(next(iter(measured.values()))["positive"])


if __name__ == "__main__":
    write_page()
