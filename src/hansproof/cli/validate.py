"""`hansproof validate`: check that a benchmark can be read."""

from __future__ import annotations

from typing import Any

import click

from ._main import cli
from ._options import bench_argument, item_options, load_benchmark


@cli.command()
@bench_argument
@item_options
def validate(bench: str | list[str], **flags: Any) -> None:
    """Check that a benchmark can be read; say what was understood, or the first thing wrong.

    It says how the answers were read, with an example: check that it is right.

    \b
    Examples:
      hansproof validate items.jsonl
      hansproof validate test.jsonl --labels test-labels.lst
      hansproof validate items.csv --answers-from 1
    """
    from ..report.escape import reveal_hidden

    benchmark = load_benchmark(bench, flags)
    for split, items in benchmark.splits.items():
        choice_counts = sorted({len(item.choices) for item in items})
        answers = "labelled" if split in benchmark.labelled_splits() else "no answers"
        fields = ", ".join(dict.fromkeys(name for item in items for name in item.fields))
        choices = "/".join(map(str, choice_counts))
        line = f"{split}: {len(items)} items, {choices} choices, {answers}; fields: {fields}"
        click.echo(reveal_hidden(line))
    for note in benchmark.notes:
        click.echo(reveal_hidden(note))
