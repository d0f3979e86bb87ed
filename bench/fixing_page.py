"""Write docs/results/fixing.md from bench/fixing.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

JSON, PAGE = Path("bench/fixing.json"), Path("docs/results/fixing.md")
NAMES = {"copa": "COPA", "arct": "ARCT", "piqa": "PIQA"}
USED = {"subset": (), "aflite": ("encoder_linear",)}  # models that see what the edit used

Row = dict[str, Any]


def write_page(report: Row) -> None:
    PAGE.write_text(render_fixing_page(report))


def render_fixing_page(report: Row) -> str:
    """Render the page; all its numbers come from the file."""
    return "\n".join([_render_head(report), *_priority_table(report), *_edits_table(report)]) + "\n"


def _render_head(report: Row) -> str:
    machine = report["machine"]
    return f"""# What the remedies do

`{report["command"]}`, {machine["cores"]} cores, Python {machine["python"]}; the numbers are in
[bench/fixing.json](../../bench/fixing.json). See [fixing a benchmark](../fixing.md) for the
commands.
"""


def _priority_table(report: Row) -> list[str]:
    lines = [
        "## Which items to mirror first",
        "",
        "Items to be mirrored until the strength of all cues together lies in the band of its null "
        "(*null*), and until no single cue is significant after correction (*significant*): in the "
        "order of `run priority`, and in random orders (median, lowest to highest). Beside it what "
        "a bag of words answers from the choices alone before any is mirrored, and when as many "
        "are as priority needs.",
        "",
        "| benchmark | until | by priority | at random | blind before | after, by priority | "
        "after, at random |",
        "|---|---|---|---|---|---|---|",
    ]
    for spec, measured in report["priority"].items():
        until = {(row["until"], row["way"]): row for row in measured["until"]}
        points = {(row["way"], row["mirrored"]): row for row in measured["left"]}
        start = points["priority", 0]
        for criterion in ("null", "significant"):
            by_priority, at_random = until[criterion, "priority"], until[criterion, "random"]
            after = points.get(("priority", int(by_priority["items"])), start)
            random_point = points.get(("random", int(by_priority["items"])), start)
            spread = f"{at_random['low']} to {at_random['high']}, {at_random['orders']} orders"
            cells = [
                f"{spec} ({start['n']:,})",
                criterion,
                f"{by_priority['items']:.0f}",
                f"{at_random['items']:.0f} ({spread})",
                _format_accuracy(start),
                _format_accuracy(after),
                f"{random_point['accuracy']:.1%}",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    lines += [
        "",
        *(f"- {spec}: {measured['said']}" for spec, measured in report["priority"].items()),
        "",
    ]
    return lines


def _edits_table(report: Row) -> list[str]:
    lines = [
        "## Keeping a part",
        "",
        "All labelled splits together. Blind accuracy: from the choices alone, five folds that "
        "part no copies, three seeds, with the 95% interval over items; in brackets where the "
        "edit looked at what this model sees. `bow`: words and pairs of words; `bov`: GloVe "
        f"vectors, tuned; `encoder_linear`: {report['encoder']}. Time without encoding.",
        "",
        "| benchmark | edit | kept | bow | bov | encoder_linear | seconds |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, measured in report["remedies"].items():
        for row in measured["rows"]:
            used = USED.get(row["edit"].split()[0], ())
            cells = [
                f"({_format_accuracy(blind)})" if model in used else _format_accuracy(blind)
                for model, blind in row["blind"].items()
            ]
            seconds = f"{row['seconds']:.1f}" if "seconds" in row else ""
            kept_cell = f"{row['kept']:,} ({row['kept'] / measured['items']:.1%})"
            lines.append(
                f"| {NAMES[name]} | {row['edit']} | {kept_cell} | {' | '.join(cells)} | {seconds} |"
            )
    summaries = [
        f"- {NAMES[name]}, {row['edit']}: {row['said']}"
        for name, measured in report["remedies"].items()
        for row in measured["rows"]
        if "said" in row
    ]
    return [*lines, "", *summaries]


def _format_accuracy(row: Row) -> str:
    return f"{row['accuracy']:.1%} [{100 * row['low']:.1f}, {100 * row['high']:.1f}]"


if __name__ == "__main__":
    write_page(json.loads(JSON.read_text()))
