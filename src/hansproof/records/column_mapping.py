"""The columns that the user names for a file that is not recognised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """The role of each column; every field is a flag of the command line."""

    choices: tuple[str, ...] = ()  # one column per choice, or one column with a list
    answer: str | None = None
    fields: tuple[str, ...] = ()
    id: str | None = None
    group: str | None = None
    labels: str | None = None  # a second file: one label per line, or records with id and label
    drop_unlabelled: bool = False
