"""Write docs/results/fixing.md from bench/fixing.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs.wrap import wrap_markdown

JSON, PAGE = Path("bench/fixing.json"), Path("docs/results/fixing.md")
NAMES = {"copa": "COPA", "arct": "ARCT", "piqa": "PIQA"}
USED = {"subset": (), "aflite": ("encoder_linear",)}  # models that see what the edit used

Row = dict[str, Any]


def write_page(report: Row) -> None:
    PAGE.write_text(render_fixing_page(report))


def render_fixing_page(report: Row) -> str:
    """Render the page; all its numbers come from the file."""
    return wrap_markdown(
        "\n".join([_render_head(report), *_priority_table(report), *_edits_table(report)])
    )


def _render_head(report: Row) -> str:
    machine = report["machine"]
    return f"""# What the remedies do

How many items each remedy costs, and how much blind models (which see only the choices) still
answer afterwards. [Fixing a benchmark](../fixing.md) describes the commands.

Measured by `{report["command"]}` on {machine["cores"]} cores with Python {machine["python"]}; the
numbers are in [bench/fixing.json](../../bench/fixing.json).
"""


def _priority_table(report: Row) -> list[str]:
    lines = [
        "## Which items to mirror first",
        "",
        "The number of items to mirror until the strength of all cues together is at the level of "
        "chance (*null*), and until no single cue is significant after correction (*significant*): "
        "in the order of `run priority`, and in random orders (median, lowest to highest). The "
        "last three columns show what a bag of words answers from the choices alone: before any "
        "item is mirrored, and after as many as priority needs, in either order.",
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
        "All labelled splits together. The accuracies are those of blind models, which see only "
        "the choices: five folds that keep near copies together, three seeds, with the 95% "
        "interval over items. An accuracy is in brackets if the edit used what this model sees. "
        "`bow`: words and pairs of words; `bov`: GloVe vectors, tuned; `encoder_linear`: "
        f"{report['encoder']}. The time does not include encoding.",
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
