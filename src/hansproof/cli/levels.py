"""`hansproof levels`: write lists of clean and contaminated items."""

from __future__ import annotations

import os
from typing import Any

import click

from ..errors import BadInput
from ._main import cli
from ._options import BENCH_HELP, VariadicCommand, input_options, item_options, load_inputs


@cli.command(cls=VariadicCommand, epilog=BENCH_HELP)
@click.argument("bench")
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder for the lists.")
@input_options(("scans", "reference"))
@item_options
def levels(bench: str, output: str, **flags: Any) -> None:
    """Write lists of the items that scans found, and of those that they did not.

    One id a line: clean.txt, dirty.txt (matches, with or without answer), near.txt, common.txt
    and unsearchable.txt; and levels.csv with all of them.

    \b
    Examples:
      hansproof levels piqa:dev --scans found.json -o lists
      hansproof edit clean piqa:dev --scans found.json -o piqa-clean      the items themselves
    """
    from .._infra import atomic_io
    from ..contamination.levels import (
        CLEAN,
        COMMON,
        DIRTY,
        NEAR,
        SHORT,
        LevelRules,
        classify_items,
    )
    from ..records.spreadsheet import to_csv

    atomic_io.check_writable(os.path.join(output, "levels.csv"))
    benchmark, inputs = load_inputs(bench, ("scans", "reference"), flags)
    if not inputs.get("scans"):
        raise BadInput("--scans", "give what `hansproof scan` found")
    reference = inputs.get("reference", ())
    findings = classify_items(benchmark, inputs["scans"], reference, LevelRules())
    labelled_findings = [
        (split, finding) for split, split_findings in findings.items() for finding in split_findings
    ]
    levels_by_list = {
        "clean": (CLEAN,), "dirty": DIRTY, "near": (NEAR,),
        "common": (COMMON,), "unsearchable": (SHORT,),
    }  # fmt: skip
    for name, selected_levels in levels_by_list.items():
        ids = [
            finding.item.id for _, finding in labelled_findings if finding.level in selected_levels
        ]
        path = os.path.join(output, f"{name}.txt")
        atomic_io.write_file(path, "".join(f"{item_id}\n" for item_id in ids).encode())
        click.echo(f"{path}: {len(ids):,} items")
    rows = [
        {"id": finding.item.id, "split": split, "level": finding.level}
        for split, finding in labelled_findings
    ]
    atomic_io.write_file(os.path.join(output, "levels.csv"), to_csv(("id", "split", "level"), rows))
