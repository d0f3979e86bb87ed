"""`hansproof levels`: write lists of clean and contaminated items."""

from __future__ import annotations

import os
from typing import Any

import click

from .._infra.plural import plural
from ..errors import BadInput
from ._main import cli
from ._options import (
    BENCH_HELP,
    VariadicCommand,
    bench_argument,
    input_options,
    item_options,
    load_inputs,
)
from ._outputs import check_output_folder, force_option, write_editable
from ._printing import print_lines


@cli.command(cls=VariadicCommand, epilog=BENCH_HELP)
@bench_argument
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder for the lists.")
@input_options(("scans", "reference"))
@force_option
@item_options
def levels(bench: str | list[str], output: str, **flags: Any) -> None:
    """List the items that scans found in a corpus.

    Writes files with one id per line: clean.txt (not found), dirty.txt (found, with or without the
    answer), near.txt (near-duplicates), common.txt (common phrases only) and unsearchable.txt (too
    short); and levels.csv with all items.

    \b
    Examples:
      hansproof levels piqa:dev --scans found.json -o lists
      hansproof edit clean piqa:dev --scans found.json -o piqa-clean    the items
    """
    from ..contamination.levels import LevelRules, classify_items
    from ..records.spreadsheet import to_csv

    check_output_folder(output)
    benchmark, inputs = load_inputs(bench, ("scans", "reference"), flags)
    if not inputs.get("scans"):
        raise BadInput("--scans", "is missing: give the result files of `hansproof scan`")
    reference = inputs.get("reference", ())
    findings = classify_items(benchmark, inputs["scans"], reference, LevelRules())
    rows = [
        {"id": finding.item.id, "split": split, "level": finding.level}
        for split, split_findings in findings.items()
        for finding in split_findings
    ]
    ids_by_path = {
        os.path.join(output, f"{name}.txt"): [row["id"] for row in rows if row["level"] in levels]
        for name, levels in _levels_by_list().items()
    }
    contents = {path: "".join(f"{id}\n" for id in ids) for path, ids in ids_by_path.items()}
    write_editable(
        {path: content.encode() for path, content in contents.items()}
        | {os.path.join(output, "levels.csv"): to_csv(("id", "split", "level"), rows)}
    )
    print_lines(
        {path: len(ids) for path, ids in ids_by_path.items()},
        *(f"{path}: {plural(len(ids), 'item')}" for path, ids in ids_by_path.items()),
    )


def _levels_by_list() -> dict[str, tuple[str, ...]]:
    """Map the names of the lists to the levels of the items that they contain."""
    from ..contamination.levels import CLEAN, COMMON, DIRTY, NEAR, SHORT

    return {
        "clean": (CLEAN,), "dirty": DIRTY, "near": (NEAR,),
        "common": (COMMON,), "unsearchable": (SHORT,),
    }  # fmt: skip
