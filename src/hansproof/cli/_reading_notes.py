"""Says in at most two short lines how files of items were read; `validate` prints the details."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import plugins
from ._printing import echo_note

if TYPE_CHECKING:
    from ..types import Benchmark

MORE = "`hansproof validate` shows more"
MAX_COLUMNS, MAX_OMISSION = 60, 110  # characters


def echo_reading(bench: str | Sequence[str], benchmark: Benchmark) -> None:
    """Print on stderr how the files of a benchmark were read, and what was left out."""
    from ..report.escape import reveal_hidden

    if not benchmark.notes or (isinstance(bench, str) and _is_named(bench)):
        return
    for note in _summarize_notes(benchmark):
        echo_note(f"note: {reveal_hidden(note)}")


def _is_named(bench: str) -> bool:
    return bench.partition(":")[0].replace("-", "_") in plugins.names("benchmarks")


def _summarize_notes(benchmark: Benchmark) -> list[str]:
    """Return a note on columns and answers, and one if something was not read."""
    files = list(dict.fromkeys(item.file for items in benchmark.splits.values() for item in items))
    subject = files[0] if len(files) == 1 else f"{len(files):,} files"
    columns = _shorten(_list_briefs(benchmark, "columns")[:1], MAX_COLUMNS)
    answers = ", ".join(_list_briefs(benchmark, "answers"))
    how = f": {columns}{f' ({answers})' if answers else ''}" if columns else ""
    notes = [f"read {subject or 'the items'}{how}; {MORE}"]
    omissions = _shorten(_list_briefs(benchmark, "omission"), MAX_OMISSION)
    return [*notes, *([omissions] if omissions else [])]


def _list_briefs(benchmark: Benchmark, kind: str) -> list[str]:
    """List the different notes of a kind, each in a few words."""
    return [*dict.fromkeys(note.brief for note in benchmark.notes if note.kind == kind)]


def _shorten(briefs: Sequence[str], limit: int) -> str:
    import textwrap

    return textwrap.shorten("; ".join(briefs), limit, placeholder=" ...")
