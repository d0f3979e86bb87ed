"""Write the page of `bench/sensitivity.py` with the paper's rows, and bench/sensitivity.json."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from bench.sensitivity import totals_from_json
from docs.wrap import wrap_markdown
from hansproof.models._transformers.attribution.methods import BY_NAME
from hansproof.probes.sensitivity.cue_shares import (
    COLUMNS,
    CueSensitivity,
    cues_from_tallies,
    sort_cues,
)
from hansproof.probes.sensitivity.regression import Trend, fit_trends, t_interval
from hansproof.types import Table

PAPER = Path("src/hansproof/papers/figures/kavumba2019.json")
JSON, PAGE = Path("bench/sensitivity.json"), Path("docs/results/sensitivity.md")
PICTURE = Path("docs/sensitivity.png")
COMMAND = "python -m bench.sensitivity pack|run|page (see its docstring)"
JUDGED = "gradient average"  # the paper's method
READINGS = {"difference": "items with the cue", "difference_all": "all items (as printed)"}
FALLS = 5

Row = dict[str, Any]


def write_page(runs: str, date: str) -> None:
    """Write the results, the page and the picture."""
    results = {"command": COMMAND, "date": date, **json.loads(Path(runs).read_text())}
    JSON.write_text(json.dumps(_round_floats(results)) + "\n")
    results = json.loads(JSON.read_text())
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(render_sensitivity_page(results))
    draw_chart(compare_groups(results, JUDGED))
    print(PAGE.read_text())


def _round_floats(value: Any) -> Any:
    """Round all floats to seven significant digits."""
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, dict):
        return {key: _round_floats(part) for key, part in value.items()}
    return [_round_floats(part) for part in value] if isinstance(value, list) else value


def compare_groups(results: Row, method_key: str) -> list[CueSensitivity]:
    """Compare cues before and after balancing; `method_key` is a method and its choices."""
    groups = [
        [
            totals_from_json(run["tallies"][method_key])
            for run in results["runs"]
            if run["group"] == group
        ]
        for group in ("copa", "balanced_copa")
    ]
    cues = {cue: (applies, hits) for cue, (applies, hits) in results["cues"].items()}
    return sort_cues(cues_from_tallies(cues, *groups))


def render_sensitivity_page(results: Row) -> str:
    """Render the page; all its numbers come from the file or from the paper."""
    cues_by_method = {
        method_key: compare_groups(results, method_key)
        for method_key in results["runs"][0]["tallies"]
    }
    rows = cues_by_method[JUDGED]
    parts = [
        *_render_head(results),
        *_trend_table(cues_by_method),
        *_largest_falls(rows),
        *_published_table(rows, results["cues"]),
        *_models_table(results),
        *_observations(cues_by_method),
    ]
    return wrap_markdown("\n".join(parts))


def _render_head(results: Row) -> list[str]:
    devices = ", ".join(sorted({run["device"] for run in results["runs"]}))
    reads = ", ".join(sorted({run["reads"] for run in results["runs"]}))
    seeds = len({run["seed"] for run in results["runs"]})
    methods = {method_key.split()[0] for run in results["runs"] for method_key in run["tallies"]}
    missing_methods = [method for method in BY_NAME if method not in methods]
    note = f" Not run here: {', '.join(missing_methods)}." if missing_methods else ""
    return [
        "# Where the gradient looks, before and after balancing", "",
        "Does a model depend less on cues (words that give answers away) after it was trained on "
        "balanced items? The model was trained on COPA dev and on Balanced COPA dev, with "
        f"{seeds} seeds of each, and tested on {results['items']} items of COPA's test half.", "",
        "A *share* is how much of a score depends on a cue (see "
        "[sensitivity](../probes/sensitivity.md)); a *difference* is the share after training on "
        "Balanced COPA minus that after training on COPA. Cues are words that apply to at least 4 "
        f"items of COPA dev (tokenizer {results['tokenizer']}). Shares are in 1e-2; 95% intervals "
        "are over seeds unless stated otherwise. Balanced COPA has twice the items, so its models "
        "have also trained longer.", "",
        f"Measured by `{results['command']}`, {results['date']}, {devices}; {results['model']}, "
        f"{reads}. Model `hf`, recipe `default`, the best epoch by a tenth of the training items."
        f"{note}", "",
        "![Change of sensitivity against productivity](../sensitivity.png)", "",
    ]  # fmt: skip


def _trend_table(cues_by_method: dict[str, list[CueSensitivity]]) -> list[str]:
    lines = [
        "## The line over productivity", "",
        "Least squares of a cue's difference over its productivity in COPA dev (how often the "
        "choice with the cue is right). The slope is how much the difference changes from a cue "
        "that is never right to one that always is.", "",
        "| method | choices | mean over | slope | over cues | over seeds | r | cues | seeds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for method_key, rows in cues_by_method.items():
        method, choices = method_key.split()
        for trend in fit_trends(rows):
            low, high = trend.seed_interval
            lines.append(
                f"| {method} | {choices} | {READINGS[trend.quantity]} | "
                f"{_format_change(trend.slope)} | {_format_interval(trend.low, trend.high)} | "
                f"{_format_interval(low, high)} | {_format_r(trend)} | {trend.n} | "
                f"{len(trend.slopes)} |"
            )
    return lines


def _largest_falls(rows: list[CueSensitivity]) -> list[str]:
    return [
        "", f"## The {FALLS} largest falls", "",
        f"By {_describe_method(JUDGED)}.", "",
        "| cue | applicability | productivity | items | COPA | B-COPA | difference | 95% |",
        "|---|---|---|---|---|---|---|---|",
        *(_cue_line(cue) for cue in rows[:FALLS] if (cue.difference or 0) < 0),
    ]  # fmt: skip


def _cue_line(cue: CueSensitivity) -> str:
    description = f"{cue.name} | {cue.applicability} | {cue.productivity:.2f} | {cue.items}"
    return f"| {description} | {_share_cells(cue)} |"


def _share_cells(cue: CueSensitivity) -> str:
    """Format the shares before and after, their difference and its interval."""
    row = dict(zip(COLUMNS, cue.table_row(), strict=True))
    shares = f"{_format_share(row['sensitivity'])} | {_format_share(row['against'])}"
    ends = _format_interval(row["difference_low"], row["difference_high"])
    return f"{shares} | {_format_change(row['difference'])} | {ends}"


def _published_table(rows: list[CueSensitivity], counted: dict[str, tuple[int, int]]) -> list[str]:
    paper = json.loads(PAPER.read_text())
    (table,) = (candidate for candidate in paper["tables"] if candidate["id"] == "table-7")
    by_name = {cue.name: cue for cue in rows}
    lines = [
        "", "## The cues of Kavumba et al. 2019, table 7 (BERT-large)", "",
        "| cue | productivity, printed | counted here | COPA, printed | B-COPA | difference | "
        "COPA, here | B-COPA | difference | 95% |", "|---|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for row in table["rows"]:
        applies, hits = counted.get(row["cue"], (0, 0))
        our_productivity = f"{hits / applies:.2f}" if applies else "–"
        printed = f"{row['s_copa']:.2f} | {row['s_b_copa']:.2f} | {row['difference']:+.2f}"
        cells = _share_cells(by_name[row["cue"]]) if row["cue"] in by_name else " | ".join("––––")
        lines.append(
            f"| {row['cue']} | {row['productivity']:.2f} | {our_productivity} | {printed} | "
            f"{cells} |"
        )
    return lines


def _models_table(results: Row) -> list[str]:
    lines = [
        "", "## The models", "", "| trained on | seeds | accuracy on COPA test | 95% |",
        "|---|---|---|---|",
    ]  # fmt: skip
    for group, name in (("copa", "COPA"), ("balanced_copa", "B-COPA")):
        accuracies = [run["accuracy"] for run in results["runs"] if run["group"] == group]
        low, high = t_interval(accuracies)
        ends = "–" if low is None or high is None else f"[{100 * low:.1f}, {100 * high:.1f}]"
        lines.append(
            f"| {name} | {len(accuracies)} | {100 * statistics.fmean(accuracies):.1f} | {ends} |"
        )
    return lines


def _observations(cues_by_method: dict[str, list[CueSensitivity]]) -> list[str]:
    """Describe the numbers, whatever their sign."""
    rows = cues_by_method[JUDGED]
    fallen = [cue for cue in rows if (cue.difference or 0) < 0]
    significant = [cue for cue in rows if _excludes_zero(cue)]
    lines = [
        "", "## What the numbers show", "",
        f"- {len(fallen)} of {len(rows)} cues have a smaller share after balancing, "
        f"{len(rows) - len(fallen)} a larger one; for {len(significant)} cues the interval over "
        f"seeds excludes 0 (about {len(rows) / 20:.0f} would by chance alone).",
    ]  # fmt: skip
    trend = next(
        (candidate for candidate in fit_trends(rows) if candidate.quantity == "difference"), None
    )
    if trend is not None:
        lines.append(f"- {_describe_trend(trend)}")
    other_keys = [
        method_key
        for method_key in cues_by_method
        if method_key.endswith(" average") and method_key != JUDGED
    ]
    return lines + [
        f"- {_rank_agreement(rows, method_key, cues_by_method[method_key])}"
        for method_key in other_keys
    ]


def _excludes_zero(cue: CueSensitivity) -> bool:
    low, high = t_interval(
        [difference for difference in cue.paired_differences if difference is not None]
    )
    return low is not None and high is not None and (low > 0 or high < 0)


def _describe_trend(trend: Trend) -> str:
    low, high = trend.seed_interval
    cues = trend.low > 0 or trend.high < 0
    seeds = low is not None and high is not None and (low > 0 or high < 0)
    verb = "falls" if trend.slope < 0 else "rises"
    certainty = {
        (True, True): "both intervals exclude 0",
        (True, False): "the interval over cues excludes 0, that over seeds does not",
        (False, True): "the interval over seeds excludes 0, that over cues does not",
        (False, False): "neither interval excludes 0",
    }[cues, seeds]
    return f"The line {verb} with productivity ({_describe_method(JUDGED)}): {certainty}."


def _rank_agreement(
    rows: list[CueSensitivity], method_key: str, other: list[CueSensitivity]
) -> str:
    """Describe how much two methods agree on the changes."""
    from scipy.stats import spearmanr

    by_name = {cue.name: cue.difference for cue in other}
    pairs = [(c.difference, by_name[c.name]) for c in rows if by_name.get(c.name) is not None]
    rho = float(spearmanr(*zip(*pairs, strict=True)).statistic)
    return (
        f"The differences by two methods ({_describe_method(JUDGED)}; "
        f"{_describe_method(method_key)}) have a rank correlation of {rho:.2f} over {len(pairs)} "
        "cues."
    )


def _describe_method(method_key: str) -> str:
    method, choices = method_key.split()
    return f"{method}, choices {'averaged' if choices == 'average' else 'picked'}"


def _format_r(trend: Trend) -> str:
    return "–" if trend.r is None else f"{trend.r:+.2f}"


def _format_share(share: Any) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def _format_change(share: Any) -> str:
    return "–" if share is None else f"{100 * share:+.2f}"


def _format_interval(low: Any, high: Any) -> str:
    return "–" if low is None or high is None else f"[{100 * low:+.2f}, {100 * high:+.2f}]"


def draw_chart(rows: list[CueSensitivity]) -> None:
    """Save the chart of the report as a picture."""
    import vl_convert

    from hansproof.report.charts.sensitivity import sensitivity_charts
    from hansproof.report.html.tables import to_records

    table = Table(COLUMNS, tuple(cue.table_row() for cue in rows))
    for chart in sensitivity_charts(table):
        spec = {**chart.panes[""], "width": 760, "background": "white"}
        values = [{**row, "row": i} for i, row in enumerate(to_records(table))]
        spec["datasets"] = {**spec.get("datasets", {}), "rows": values}
        PICTURE.write_bytes(vl_convert.vegalite_to_png(json.dumps(spec), scale=2))
