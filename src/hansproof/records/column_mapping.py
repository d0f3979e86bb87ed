"""The columns that the user names for a file that is not recognised."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import BadInput
from ..types import Displayable

AnswersFrom = Literal["0", "1", "letters", "text"]
NO_HEADER_HINT = "if the first line is an item, add --no-header: its columns are then 1, 2, 3, ..."


@dataclass(frozen=True, slots=True, repr=False)
class ColumnMapping(Displayable):
    """The role of each column; every field is a flag of the command line.

    Attributes:
        choices: One column for each choice, or one column with a list. A single name may be text.
        answer: The column with the right answer.
        fields: The columns with the text of the question. A single name may be text.
        id: The column with the ids of items.
        group: The column with the group of an item; the items of a group belong together.
        labels: A second file with the answers: one label per line, or records with id and label.
        drop_unlabelled: Whether items without an answer are left out.
        answers_from: How answers are written: `"0"` or `"1"` if they are numbers and that is the
            number of the first choice, `"letters"`, or `"text"`. None: as the data show.
        header: Whether the first line of a CSV file names its columns; without names they are
            called 1, 2, 3, ... None: as the file shows.
        list_separator: The text between the choices in one cell, such as `;`, or `none`.
        split_by: What makes a split: `folder`, `file`, or a column that names the split.
        name: The name of the benchmark in titles.

    Examples:
        >>> import hansproof
        >>> rows = [{"stem": "2 + 2?", "A": "3", "B": "4", "key": "B"}]
        >>> mapping = hansproof.ColumnMapping(fields=("stem",), choices=("A", "B"), answer="key")
        >>> hansproof.load(rows, mapping).splits["all"][0].answer
        1
    """

    choices: tuple[str, ...] = ()
    answer: str | None = None
    fields: tuple[str, ...] = ()
    id: str | None = None
    group: str | None = None
    labels: str | None = None
    drop_unlabelled: bool = False
    answers_from: AnswersFrom | None = None
    header: bool | None = None
    list_separator: str | None = None
    split_by: str | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        for name in ("choices", "fields"):
            object.__setattr__(self, name, _list_columns(name, getattr(self, name)))
        for name in ("answer", "id", "group", "labels", "list_separator", "split_by", "name"):
            value = getattr(self, name)
            if isinstance(value, os.PathLike):
                object.__setattr__(self, name, os.fspath(value))
            elif value is not None and not isinstance(value, str):
                raise BadInput("ColumnMapping", f"is {value!r:.60}, must be text", field=name)

    @property
    def separator(self) -> str | None:
        """The text between choices in one cell, or None."""
        signs = {"none": None, "\\n": "\n", "\\t": "\t"}
        return signs.get(self.list_separator or "none", self.list_separator)


def _list_columns(name: str, value: Any) -> tuple[str, ...]:
    """Return the names of columns as a tuple, also if a single one was given."""
    columns = (value,) if isinstance(value, str) else value
    if not (isinstance(columns, list | tuple) and all(isinstance(c, str) for c in columns)):
        raise BadInput(
            "ColumnMapping", f"is {value!r:.60}, must be a list of names of columns", field=name
        )
    return tuple(columns)
