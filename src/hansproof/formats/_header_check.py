"""Checks that the header of a table is not its first item, which would be lost."""

from __future__ import annotations

from ..errors import BadInput
from ..records.answers import RawAnswer, Reading, is_readable
from ..records.by_content import DELIMITED
from ..records.choices import Choices
from ..records.column_mapping import NO_HEADER_HINT, ColumnMapping
from ..records.location import Location, file_extension


def check_header(
    file: str, choice_columns: tuple[str, ...], mapping: ColumnMapping, reading: Reading
) -> None:
    """Raise if the columns that the user names look like an item, unless `--header` is given."""
    if mapping.header is not None or file_extension(file) not in DELIMITED:
        return
    raw = RawAnswer(Location(file, 1), "", mapping.answer, Choices(choice_columns))
    if (
        (mapping.answer is not None and is_readable(raw, reading))  # it answers the others
        or any(name.rstrip().endswith((".", "?", "!")) for name in mapping.fields)
        or any(name.lstrip().startswith(("[", "{")) for name in mapping.choices)
    ):
        message = f"looks like an item, not a header: {NO_HEADER_HINT}; if not, add --header"
        raise BadInput(file, message, line=1)
