"""`hansproof validate`: check that a benchmark can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._infra.plural import plural
from ._main import cli
from ._options import BENCH_HELP, bench_argument, item_options, load_benchmark
from ._printing import print_lines

if TYPE_CHECKING:
    from ..types import Benchmark


@cli.command(epilog=BENCH_HELP)
@bench_argument
@item_options
def validate(bench: str | list[str], **flags: Any) -> None:
    """Check that a benchmark can be read, and how.

    Prints how columns and answers were understood, with an example to check, or the first error.

    \b
    Examples:
      hansproof validate items.jsonl
      hansproof validate test.jsonl --labels test-labels.lst
      hansproof validate items.csv --answers-from 1
    """
    from ..report.escape import reveal_hidden

    benchmark = load_benchmark(bench, flags)
    splits = {split: _describe_split(benchmark, split) for split in benchmark.splits}
    lines = [_format_split(split, facts) for split, facts in splits.items()]
    notes = [note.text for note in benchmark.notes]
    data = {"name": benchmark.name, "splits": splits, "notes": notes}
    print_lines(data, *map(reveal_hidden, [*lines, *notes]))


def _describe_split(benchmark: Benchmark, split: str) -> dict[str, Any]:
    items = benchmark.splits[split]
    return {
        "items": len(items),
        "choices": sorted({len(item.choices) for item in items}),
        "labelled": split in benchmark.labelled_splits(),
        "fields": [*dict.fromkeys(name for item in items for name in item.fields)],
    }


def _format_split(split: str, facts: dict[str, Any]) -> str:
    choices = "/".join(map(str, facts["choices"]))
    choices += " choice" if facts["choices"] == [1] else " choices"
    answers = "labelled" if facts["labelled"] else "no answers"
    fields = ", ".join(facts["fields"])
    return f"{split}: {plural(facts['items'], 'item')}, {choices}, {answers}; fields: {fields}"
