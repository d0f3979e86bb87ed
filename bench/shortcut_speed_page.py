"""The sections on time, memory and peers of docs/results/shortcuts.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Row = dict[str, Any]
ANSWERS = {
    "true": "the true answers",
    "permuted": "permuted answers",
    "worst case": "permuted answers, the worst case",
}
# why peers are no parts; conclusions from the table, to be rewritten if the figures change
WHY_NOT = (
    "None of the three became a part of the probe. None says whether a rule holds: they fit "
    "(nearly) as many rules or terms to answers at random as to the true ones, where our search "
    "found none, and they have no test in other items, no correction for the search, and no folds "
    "that keep copies together. Their accuracy does not exceed that of our ranker on the same "
    "features, at more than a hundred times its time. Our rules alone answer fewer items than the "
    "ranker, and than FIGS: they are there to be read. "
    "Their rules are thresholds of differences between two choices, so they do not carry over to "
    "items with more; and a list of seven conditions, a sum of trees or hundreds of terms is not a "
    "sentence. What they could add, shape functions of numbers, binary features replace."
)


def make_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    return [
        f"| {' | '.join(columns)} |",
        "|" + "---|" * len(columns),
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def render_speed(speed: Row) -> list[str]:
    """Render the sections, as far as their figures were measured."""
    machine = speed["machine"]
    lines = [
        "## Time and memory", "",
        f"On {machine['cores']} cores with Python {machine['python']}, by `python -m "
        "bench.shortcut_speed`; the numbers are in "
        "[bench/shortcut_speed.json](../../bench/shortcut_speed.json). Each measurement is a "
        "process of its own; nothing else ran on the machine. Of two runs the faster one is shown.",
        "",
    ]  # fmt: skip
    if "rungs" in speed:
        lines += [*_rungs_table(speed["rungs"]), *_whole_table(speed["rungs"])]
    if "audits" in speed:
        lines += _audits_table(speed["audits"])
    if "peers" in speed:
        lines += _peers_table(speed["peers"])
    return lines


def _rungs_table(rungs: Row) -> list[str]:
    rows = []
    for name, measured in rungs.items():
        for rung, row in measured.get("rungs", {}).items():
            more = row["peak_mb"] - row["before_mb"]
            rows.append([name, rung, f"{row['features']:,}", f"{row['build_s']:.2f}",
                         f"{row['rank_s']:.2f}", f"{more:,}, {row['peak_mb']:,}"])  # fmt: skip
        if "search" not in measured:
            continue
        search = measured["search"]
        more = search["peak_mb"] - search["before_mb"]
        rows.append([name, "search for rules", f"{search['joined']:,} joined",
                     f"{search['first_s']:.2f}", f"{search['again_s']:.2f} again",
                     f"{more:,}, {search['peak_mb']:,}"])  # fmt: skip
    columns = ["benchmark", "rung", "features", "features, s", "ranker, s", "MB added, largest"]
    return [
        "By rung: CPU seconds to find the features, and to cross-validate a ranker over them (15 "
        "rankers); the memory in MB that the rung added to the largest amount before, and the "
        "largest amount. *Again*: the search repeated with other answers, as for a permutation. "
        "*14,042 × 4* is a benchmark of that many items with four choices, made by a chain over "
        "the words of real items.", "",
        *make_table(columns, rows), "",
    ]  # fmt: skip


def _whole_table(rungs: Row) -> list[str]:
    rows = [
        [name, ANSWERS[answers], str(row["permutations"]), f"{row['wall_s']:.1f}",
         f"{row['cpu_s']:.1f}", f"{row['peak_mb']:,}"]
        for name, measured in rungs.items()
        for answers, row in measured["whole"].items()
    ]  # fmt: skip
    columns = ["benchmark", "answers", "permutations", "seconds", "CPU seconds", "peak MB"]
    return [
        "The whole search, all rungs without weights. Where exact tests decide, which they do "
        "for all larger benchmarks, nothing is repeated on permuted answers. The worst case is as "
        "many items as do not count as large, with all permutations.", "",
        *make_table(columns, rows), "",
    ]  # fmt: skip


def _audits_table(audits: Row) -> list[str]:
    rows = []
    for name, row in audits.items():
        adds = [f"{row['with'][key] / row['without'][key] - 1:+.0%}" for key in ("wall_s", "cpu_s")]
        cells = [f"{row[p][k]:.1f}" for k in ("wall_s", "cpu_s") for p in ("with", "without")]
        rows.append([name, *cells[:2], adds[0], *cells[2:], adds[1]])
    columns = ["benchmark", "with, s", "without, s", "adds", "with, CPU s", "without, CPU s",
               "adds"]  # fmt: skip
    return [
        "`hansproof audit` with the probe and without it, from the file to the report.", "",
        *make_table(columns, rows), "",
    ]  # fmt: skip


def _peers_table(peers: Row) -> list[str]:
    rows = []
    for name, measured in peers.items():
        for peer, row in measured["rows"].items():
            if not row["folds"]:
                limit = f"more than {2 * measured['seconds']}"
                cells = ["0 of 5", "–", limit, "–", "–", "–", "–"]
            else:
                cells = [
                    f"{row['folds']} of 5", f"{row['accuracy']:.1%}", f"{row['fit_s']:.2g}",
                    f"{row['peak_mb']:,}", f"{row['rules']:.1f}", _count_random(row),
                    _shorten(row["strongest"]),
                ]  # fmt: skip
            rows.append([f"{name} ({measured['items']:,} × {measured['features']})", peer, *cells])
    seconds = next(iter(peers.values()))["seconds"]
    columns = ["data (items × features)", "model", "folds", "accuracy", "CPU s per fit",
               "peak MB", "rules or terms", "with answers at random", "strongest"]  # fmt: skip
    return [
        "## Beside interpret, imodels and wittgenstein", "",
        "The same features (those that rules may join, as differences of the two choices of an "
        "item) and the same folds, one core, defaults of each package. A peer that had not fitted "
        f"a fold after {2 * seconds} seconds of CPU time was stopped; after {seconds} seconds no "
        "further fold was begun, so its accuracy is of fewer items.", "",
        *make_table(columns, rows), "", WHY_NOT, "",
    ]  # fmt: skip


def _count_random(row: Row) -> str:
    count = row.get("rules_at_random")
    return "–" if count is None else str(count)


def _shorten(text: str, longest: int = 160) -> str:
    text = text.replace("|", "\\|").replace("\n", " ")
    return text if len(text) <= longest else text[: longest - 1] + "…"
