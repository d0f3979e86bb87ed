"""What the user says about a file whose shape is not recognised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Which column is what; each field is a flag of the command line."""

    choices: tuple[str, ...] = ()  # columns that hold one choice each, or one that holds a list
    answer: str | None = None
    fields: tuple[str, ...] = ()
    id: str | None = None
    group: str | None = None
    labels: str | None = None  # a second file: one label per line, or records with id and label
    drop_unlabelled: bool = False
