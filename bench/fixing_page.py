"""docs/results/fixing.md from bench/fixing.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

JSON, PAGE = Path("bench/fixing.json"), Path("docs/results/fixing.md")
NAMES = {"copa": "COPA", "arct": "ARCT", "piqa": "PIQA"}
USED = {"subset": (), "aflite": ("encoder_linear",)}  # models that an edit looked at

Row = dict[str, Any]


def write(found: Row) -> None:
    PAGE.write_text(page(found))


def page(found: Row) -> str:
    """The page; every number on it is from the file."""
    return "\n".join([_head(found), *_priority(found), *_remedies(found)]) + "\n"


def _head(found: Row) -> str:
    machine = found["machine"]
    return f"""# What the remedies do

`{found["command"]}`, {machine["cores"]} cores, Python {machine["python"]}; the numbers are in
[bench/fixing.json](../../bench/fixing.json). See [fixing a benchmark](../fixing.md) for the
commands.
"""


def _priority(found: Row) -> list[str]:
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
    for spec, one in found["priority"].items():
        until = {(row["until"], row["way"]): row for row in one["until"]}
        points = {(row["way"], row["mirrored"]): row for row in one["left"]}
        start = points["priority", 0]
        for what in ("null", "significant"):
            mine, other = until[what, "priority"], until[what, "random"]
            after = points.get(("priority", int(mine["items"])), start)
            random = points.get(("random", int(mine["items"])), start)
            spread = f"{other['low']} to {other['high']}, {other['orders']} orders"
            cells = [
                f"{spec} ({start['n']:,})", what, f"{mine['items']:.0f}",
                f"{other['items']:.0f} ({spread})", _share(start), _share(after),
                f"{random['accuracy']:.1%}",
            ]  # fmt: skip
            lines.append(f"| {' | '.join(cells)} |")
    lines += ["", *(f"- {spec}: {one['said']}" for spec, one in found["priority"].items()), ""]
    return lines


def _remedies(found: Row) -> list[str]:
    lines = [
        "## Keeping a part",
        "",
        "All labelled splits together. Blind accuracy: from the choices alone, five folds that "
        "part no copies, three seeds, with the 95 % interval over items; in brackets where the "
        "edit looked at what this model sees. `bow`: words and pairs of words; `bov`: GloVe "
        f"vectors, tuned; `encoder_linear`: {found['encoder']}. Time without encoding.",
        "",
        "| benchmark | edit | kept | bow | bov | encoder_linear | seconds |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, one in found["remedies"].items():
        for row in one["rows"]:
            used = USED.get(row["edit"].split()[0], ())
            cells = [
                f"({_share(blind)})" if model in used else _share(blind)
                for model, blind in row["blind"].items()
            ]
            seconds = f"{row['seconds']:.1f}" if "seconds" in row else ""
            kept = f"{row['kept']:,} ({row['kept'] / one['items']:.1%})"
            lines.append(
                f"| {NAMES[name]} | {row['edit']} | {kept} | {' | '.join(cells)} | {seconds} |"
            )
    said = [
        f"- {NAMES[name]}, {row['edit']}: {row['said']}"
        for name, one in found["remedies"].items()
        for row in one["rows"]
        if "said" in row
    ]
    return [*lines, "", *said]


def _share(row: Row) -> str:
    return f"{row['accuracy']:.1%} [{100 * row['low']:.1f}, {100 * row['high']:.1f}]"


if __name__ == "__main__":
    write(json.loads(JSON.read_text()))
