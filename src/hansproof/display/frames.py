"""Tables as data frames of pandas and polars, which are optional."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import MissingExtra

if TYPE_CHECKING:
    import pandas
    import polars

    from ..types import Table


def make_pandas_frame(table: Table) -> pandas.DataFrame:
    """Convert a table to a pandas DataFrame."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("pandas", "Table.to_pandas()") from None
    return pandas.DataFrame(list(table.rows), columns=list(table.columns))


def make_polars_frame(table: Table) -> polars.DataFrame:
    """Convert a table to a polars DataFrame; a column of mixed values becomes text."""
    try:
        import polars
    except ImportError:
        raise MissingExtra("polars", "Table.to_polars()") from None
    # all rows decide on the type of a column: its first values may be missing
    return polars.DataFrame(
        list(table.rows),
        schema=list(table.columns),
        orient="row",
        infer_schema_length=None,
        strict=False,
    )
