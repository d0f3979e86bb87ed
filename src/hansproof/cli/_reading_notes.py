"""Says in at most two short lines how files of items were read; `validate` prints the details."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import plugins
from ._printing import echo_note

if TYPE_CHECKING:
    from ..types import Benchmark

MORE = "`hansproof validate` shows more"
MAX_COLUMNS, MAX_OMISSION = 60, 110  # characters
# parts of the notes of a benchmark: see formats/_describe.py and records/answer_readings.py
COLUMNS_NOTE = (
    r"columns[^:]*: the question is in (?P<fields>.*), the choices are in (?P<choices>.*?), "
    r"(?:the answer is in (?P<answer>.*?)|there is no answer)"
    r"(?:, the choices were shuffled.*?)?; equivalent flags: (?P<flags>.*)"
)
ANSWERS_NOTE = r"answers[^:]*: (?P<reading>.*?); for example"
SHORT_READINGS = {
    "numbers that count from 0": "0 = the first choice",
    "numbers that count from 1": "1 = the first choice",
}
OMISSIONS = ("left out", "were not read")


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
    import textwrap

    files = list(dict.fromkeys(item.file for items in benchmark.splits.values() for item in items))
    subject = files[0] if len(files) == 1 else f"{len(files):,} files"
    columns = _describe_columns(benchmark.notes)
    notes = [f"read {subject or 'the items'}{columns and f': {columns}'}; {MORE}"]
    omissions = [
        note.partition(" (")[0] for note in benchmark.notes if any(o in note for o in OMISSIONS)
    ]
    if omissions:
        notes.append(textwrap.shorten("; ".join(omissions), MAX_OMISSION, placeholder=" ..."))
    return notes


def _describe_columns(notes: Sequence[str]) -> str:
    """Return the columns that were read, and how answers are written; empty if unknown."""
    import textwrap

    match = next(filter(None, (re.fullmatch(COLUMNS_NOTE, note) for note in notes)), None)
    if match is None:
        return ""
    columns = f"{match['fields']}, {match['choices']}"
    labels = re.search(r"--labels (\S+)", match["flags"])
    answer = match["answer"] or (labels and os.path.basename(labels[1].strip("'")))
    readings = {
        answers["reading"]
        for answers in (re.match(ANSWERS_NOTE, note) for note in notes)
        if answers is not None
    }
    how = ", ".join(sorted(SHORT_READINGS.get(reading, reading) for reading in readings))
    columns = textwrap.shorten(columns, MAX_COLUMNS, placeholder=" ...")
    return ", ".join(filter(None, (columns, answer or "no answers"))) + (how and f" ({how})")
