"""The page of `bench/sensitivity.py`, the paper's rows beside it: bench/sensitivity.json, docs."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from hansproof.models._transformers.attribution.methods import BY_NAME
from hansproof.probes.sensitivity.cue_attributions import AttributionTotals
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
JUDGED = "gradient average"  # the paper's reading
READINGS = {"difference": "items with the cue", "difference_all": "all items (as printed)"}
FALLS = 5

Row = dict[str, Any]


def write(runs: str, date: str) -> None:
    """The file of what was measured, the page and the picture."""
    found = {"command": COMMAND, "date": date, **json.loads(Path(runs).read_text())}
    JSON.write_text(json.dumps(_short(found)) + "\n")
    found = json.loads(JSON.read_text())
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(found))
    draw(compared(found, JUDGED))
    print(PAGE.read_text())


def _short(value: Any) -> Any:
    """Seven digits say all there is to say."""
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, dict):
        return {key: _short(one) for key, one in value.items()}
    return [_short(one) for one in value] if isinstance(value, list) else value


def compared(found: Row, way: str) -> list[CueSensitivity]:
    """The cues by one method, over all choices or over those picked."""
    groups = [
        [AttributionTotals(**run["tallies"][way]) for run in found["runs"] if run["group"] == group]
        for group in ("copa", "balanced_copa")
    ]
    cues = {cue: (applies, hits) for cue, (applies, hits) in found["cues"].items()}
    return sort_cues(cues_from_tallies(cues, *groups))


def page(found: Row) -> str:
    """Every number on it is from the file, or from the paper."""
    ways = {way: compared(found, way) for way in found["runs"][0]["tallies"]}
    rows = ways[JUDGED]
    parts = [
        *_head(found), *_lines(ways), *_falls(rows), *_published(rows, found["cues"]),
        *_runs(found),
        *_seen(ways),
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _head(found: Row) -> list[str]:
    devices = ", ".join(sorted({run["device"] for run in found["runs"]}))
    reads = ", ".join(sorted({run["reads"] for run in found["runs"]}))
    seeds = len({run["seed"] for run in found["runs"]})
    ways = {way.split()[0] for run in found["runs"] for way in run["tallies"]}
    left = [method for method in BY_NAME if method not in ways]
    without = f" Not run here: {', '.join(left)}." if left else ""
    return [
        "# Where the gradient looks, before and after balancing", "",
        f"`{found['command']}`, {found['date']}, {devices}; {found['model']}, {reads}. Model "
        "`hf`, recipe `default`, the best epoch by a tenth of the training items, trained on COPA "
        f"dev and on Balanced COPA dev, {seeds} seeds of each; {found['items']} items of COPA's "
        f"test half are looked at. A share is how much of a score hangs on a cue (see "
        f"[sensitivity](../probes/sensitivity.md)); a difference is B-COPA-trained minus "
        f"COPA-trained. Cues: words that apply to at least 4 items of COPA dev (tokenizer "
        f"{found['tokenizer']}). Shares in 1e-2; 95 % intervals, over seeds unless it says "
        f"otherwise. Balanced COPA has twice the items, so its models have also trained longer."
        f"{without}", "",
        "![Change of sensitivity against productivity](../sensitivity.png)", "",
    ]  # fmt: skip


def _lines(ways: dict[str, list[CueSensitivity]]) -> list[str]:
    lines_of = [
        "## The line over productivity", "",
        "Least squares of a cue's difference over its productivity in COPA dev: how much the "
        "difference changes from a cue that is never right to one that always is.", "",
        "| method | choices | mean over | slope | over cues | over seeds | r | cues | seeds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for way, rows in ways.items():
        method, choices = way.split()
        for line in fit_trends(rows):
            low, high = line.seed_interval
            lines_of.append(
                f"| {method} | {choices} | {READINGS[line.quantity]} | {_hundredths(line.slope)} | "
                f"{_ends(line.low, line.high)} | {_ends(low, high)} | {_r(line)} | {line.n} | "
                f"{len(line.slopes)} |"
            )
    return lines_of


def _falls(rows: list[CueSensitivity]) -> list[str]:
    return [
        "", f"## The {FALLS} largest falls", "",
        f"By {_told(JUDGED)}.", "",
        "| cue | applicability | productivity | items | COPA | B-COPA | difference | 95 % |",
        "|---|---|---|---|---|---|---|---|",
        *(_line(cue) for cue in rows[:FALLS] if (cue.difference or 0) < 0),
    ]  # fmt: skip


def _line(cue: CueSensitivity) -> str:
    about = f"{cue.name} | {cue.applicability} | {cue.productivity:.2f} | {cue.items}"
    return f"| {about} | {_shares(cue)} |"


def _shares(cue: CueSensitivity) -> str:
    """Before, after, the difference and its interval."""
    row = dict(zip(COLUMNS, cue.table_row(), strict=True))
    both = f"{_plain(row['sensitivity'])} | {_plain(row['against'])}"
    ends = _ends(row["difference_low"], row["difference_high"])
    return f"{both} | {_hundredths(row['difference'])} | {ends}"


def _published(rows: list[CueSensitivity], counted: dict[str, tuple[int, int]]) -> list[str]:
    paper = json.loads(PAPER.read_text())
    (table,) = (one for one in paper["tables"] if one["id"] == "table-7")
    by_name = {cue.name: cue for cue in rows}
    found = [
        "", "## The cues of Kavumba et al. 2019, table 7 (BERT-large)", "",
        "| cue | productivity, printed | counted here | COPA, printed | B-COPA | difference | "
        "COPA, here | B-COPA | difference | 95 % |", "|---|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for one in table["rows"]:
        applies, hits = counted.get(one["cue"], (0, 0))
        own = f"{hits / applies:.2f}" if applies else "–"
        printed = f"{one['s_copa']:.2f} | {one['s_b_copa']:.2f} | {one['difference']:+.2f}"
        cells = _shares(by_name[one["cue"]]) if one["cue"] in by_name else " | ".join("––––")
        found.append(f"| {one['cue']} | {one['productivity']:.2f} | {own} | {printed} | {cells} |")
    return found


def _runs(found: Row) -> list[str]:
    lines_of = [
        "", "## The models", "", "| trained on | seeds | accuracy on COPA test | 95 % |",
        "|---|---|---|---|",
    ]  # fmt: skip
    for group, name in (("copa", "COPA"), ("balanced_copa", "B-COPA")):
        each = [run["accuracy"] for run in found["runs"] if run["group"] == group]
        low, high = t_interval(each)
        ends = "–" if low is None or high is None else f"[{100 * low:.1f}, {100 * high:.1f}]"
        lines_of.append(f"| {name} | {len(each)} | {100 * statistics.fmean(each):.1f} | {ends} |")
    return lines_of


def _seen(ways: dict[str, list[CueSensitivity]]) -> list[str]:
    """What the numbers say, whatever their sign."""
    rows = ways[JUDGED]
    fallen = [cue for cue in rows if (cue.difference or 0) < 0]
    sure = [cue for cue in rows if _beyond(cue)]
    found = [
        "", "## What is seen", "",
        f"- {len(fallen)} of {len(rows)} cues have a smaller share after balancing, "
        f"{len(rows) - len(fallen)} a larger one; of {len(sure)} the interval over seeds leaves "
        f"out 0 (by chance alone, of about {len(rows) / 20:.0f}).",
    ]  # fmt: skip
    line = next((one for one in fit_trends(rows) if one.quantity == "difference"), None)
    if line is not None:
        found.append(f"- {_direction(line)}")
    others = [way for way in ways if way.endswith(" average") and way != JUDGED]
    return found + [f"- {_alike(rows, way, ways[way])}" for way in others]


def _beyond(cue: CueSensitivity) -> bool:
    low, high = t_interval([one for one in cue.paired_differences if one is not None])
    return low is not None and high is not None and (low > 0 or high < 0)


def _direction(line: Trend) -> str:
    low, high = line.seed_interval
    cues = line.low > 0 or line.high < 0
    seeds = low is not None and high is not None and (low > 0 or high < 0)
    way = "falls" if line.slope < 0 else "rises"
    sure = {
        (True, True): "both intervals leave out 0",
        (True, False): "the interval over cues leaves out 0, that over seeds does not",
        (False, True): "the interval over seeds leaves out 0, that over cues does not",
        (False, False): "neither interval leaves out 0",
    }[cues, seeds]
    return f"The line {way} with productivity ({_told(JUDGED)}): {sure}."


def _alike(rows: list[CueSensitivity], way: str, other: list[CueSensitivity]) -> str:
    """How much two methods agree about what changes."""
    from scipy.stats import spearmanr

    by_name = {cue.name: cue.difference for cue in other}
    pairs = [(c.difference, by_name[c.name]) for c in rows if by_name.get(c.name) is not None]
    rho = float(spearmanr(*zip(*pairs, strict=True)).statistic)
    return (
        f"Differences by {_told(JUDGED)}, and by {_told(way)}, have a rank correlation of "
        f"{rho:.2f} over {len(pairs)} cues."
    )


def _told(way: str) -> str:
    method, choices = way.split()
    return f"{method}, choices {'averaged' if choices == 'average' else 'picked'}"


def _r(line: Trend) -> str:
    return "–" if line.r is None else f"{line.r:+.2f}"


def _plain(share: Any) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def _hundredths(share: Any) -> str:
    return "–" if share is None else f"{100 * share:+.2f}"


def _ends(low: Any, high: Any) -> str:
    return "–" if low is None or high is None else f"[{100 * low:+.2f}, {100 * high:+.2f}]"


def draw(rows: list[CueSensitivity]) -> None:
    """The report's own picture."""
    import vl_convert

    from hansproof.report.charts.sensitivity import sensitivity_charts
    from hansproof.report.html.tables import to_records

    table = Table(COLUMNS, tuple(cue.table_row() for cue in rows))
    for chart in sensitivity_charts(table):
        spec = {**chart.panes[""], "width": 760, "background": "white"}
        values = [{**row, "row": at} for at, row in enumerate(to_records(table))]
        spec["datasets"] = {**spec.get("datasets", {}), "rows": values}
        PICTURE.write_bytes(vl_convert.vegalite_to_png(json.dumps(spec), scale=2))
