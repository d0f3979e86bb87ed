"""The columns that the user names for a file that is not recognised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AnswersFrom = Literal["0", "1", "letters", "text"]
NO_HEADER_HINT = "if the first line is an item, add --no-header: its columns are then 1, 2, 3, ..."


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """The role of each column; every field is a flag of the command line.

    Examples:
        >>> import hansproof
        >>> rows = [{"stem": "2 + 2?", "A": "3", "B": "4", "key": "B"}]
        >>> mapping = hansproof.ColumnMapping(fields=("stem",), choices=("A", "B"), answer="key")
        >>> hansproof.load(rows, mapping).splits["all"][0].answer
        1
    """

    choices: tuple[str, ...] = ()  # one column per choice, or one column with a list
    answer: str | None = None
    fields: tuple[str, ...] = ()
    id: str | None = None
    group: str | None = None
    labels: str | None = None  # a second file: one label per line, or records with id and label
    drop_unlabelled: bool = False
    # how answers are read: numbers of which the first choice is 0 or 1, letters, or texts
    answers_from: AnswersFrom | None = None
    header: bool | None = None  # whether the first line of a CSV file names its columns
    list_separator: str | None = None  # between the choices in one cell, such as `;`
    split_by: str | None = None  # `folder`, `file`, or a column that names the split of each item
    name: str | None = None  # of the benchmark, in titles

    @property
    def separator(self) -> str | None:
        """The text between choices in one cell, or None."""
        signs = {"none": None, "\\n": "\n", "\\t": "\t"}
        return signs.get(self.list_separator or "none", self.list_separator)
