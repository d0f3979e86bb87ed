"""What is written for a spreadsheet is read back as it was, however it was saved."""

from __future__ import annotations

import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hansproof.errors import BadInput
from hansproof.records.spreadsheet import escape_formula, read_sheet, unescape_formula, write_sheet

# no NUL, which no text may hold, and no halves of characters, which no file can
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
TRICKY = st.sampled_from(
    ["=1+1", "'=1", "''-", '"', 'a "b", c', "x\ny", "x\r\ny", "\r", "\t", "sep=;"]
)
ROWS = st.lists(st.tuples(TEXT | TRICKY, TEXT | TRICKY), min_size=1, max_size=5)


@given(ROWS, st.sampled_from(["csv", "jsonl"]))
@example([("sep=;", "'")], "csv")
def test_any_text_comes_back_as_it_was(texts: list[tuple[str, str]], ending: str) -> None:
    rows = [{"id": str(at), "a": a, "b": b} for at, (a, b) in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/sheet.{ending}"
        write_sheet(path, rows)
        assert [row.cells for row in read_sheet(path).rows] == rows


@given(
    st.binary(max_size=60) | st.text(max_size=40).map(lambda text: text.encode("utf-16", "replace"))
)
@example(b'sep="\nid"a\n')
@example(b"id,a\n" + b"x" * 200_000)
def test_any_bytes_are_a_table_or_an_error(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.csv"
        path.write_bytes(data)
        with suppress(BadInput):
            read_sheet(str(path))


@given(TEXT | TRICKY)
def test_no_cell_is_a_formula(text: str) -> None:
    assert escape_formula(text)[:1] not in ("=", "+", "-", "@", "\t", "\r")
    assert unescape_formula(escape_formula(text)) == text


def test_a_sheet_is_what_excel_reads(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(str(path), [{"id": "1", "=x": "é"}])
    assert path.read_bytes() == b"\xef\xbb\xbfid,'=x\r\n1,\xc3\xa9\r\n"


@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(
            b"id;a\n1;\xe9\n",
            r"line 2: save it as UTF-8 \(in Excel: Save as, CSV UTF-8\)$",
            id="cp1252",
        ),
        pytest.param(b"PK\x03\x04rest", "is a workbook", id="xlsx"),
        pytest.param(b"id,a,a\n", "a: appears twice in the header", id="column twice"),
        pytest.param(b'id,a\n1,"x\n', "sheet.csv:2: is not a readable table", id="open quote"),
        pytest.param(b"\xff\xfei\0d", "is not valid UTF-16: save it as", id="half of UTF-16"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_read(data: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=what):
        read_sheet(str(path))


def test_rows_are_numbered_as_a_spreadsheet_does(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text('sep=;\nid;a;;\n1;"two\nlines";;\n\n;;;\n4;x\n5;y;;;beyond\n')
    rows = read_sheet(str(path)).rows
    assert [(row.number, row.cells["a"], row.extra_cells) for row in rows] == [
        (2, "two\nlines", 0), (5, "x", 0), (6, "y", 1)
    ]  # fmt: skip


def test_other_endings_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"must end in .csv or .jsonl"):
        write_sheet(str(tmp_path / "sheet.xlsx"), [{"id": "1"}])


def test_what_is_no_text_in_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "sheet.jsonl"
    path.write_text('{"id": 1, "a": null}\n{"id": 2, "a": ["x"]}\n')
    with pytest.raises(BadInput, match=r"sheet.jsonl:2: a: is a list, not text"):
        read_sheet(str(path))


def test_a_sheet_of_30_000_columns(tmp_path: Path) -> None:
    columns = [f"c{i}" for i in range(30_000)]
    path = tmp_path / "x.csv"
    path.write_text(",".join(columns) + "\n" + ",".join(["v"] * 30_000) + "\n")
    start = time.perf_counter()
    sheet = read_sheet(str(path))
    assert time.perf_counter() - start < 2  # was quadratic
    assert sheet.columns == tuple(columns)
