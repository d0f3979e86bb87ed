"""Tables as data frames."""

from __future__ import annotations

import sys

import pandas
import polars
import pytest

from hansproof.errors import MissingExtra
from hansproof.types import Table

MIXED = Table(("word", "share", "n"), (("not", None, 1), ("never", 0.5, None), ("no", 1, 3)))


def test_pandas_gets_columns_and_rows() -> None:
    frame = MIXED.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["word", "share", "n"]
    assert frame["share"].tolist()[1:] == [0.5, 1.0]
    assert frame["n"].isna().tolist() == [False, True, False]


def test_polars_gets_columns_and_rows() -> None:
    frame = MIXED.to_polars()
    assert isinstance(frame, polars.DataFrame)
    assert frame.rows() == [("not", None, 1), ("never", 0.5, None), ("no", 1.0, 3)]


def test_types_are_decided_by_all_rows() -> None:
    rows = (*((None,) for _ in range(500)), ("late",), (7,))
    assert Table(("value",), rows).to_polars()["value"].to_list()[-2:] == ["late", "7"]


def test_a_table_without_rows_keeps_its_columns() -> None:
    empty = Table(("a", "b"), ())
    assert list(empty.to_pandas().columns) == list(empty.to_polars().columns) == ["a", "b"]


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_missing_package_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'hansproof\[{package}\]'"):
        getattr(MIXED, f"to_{package}")()
