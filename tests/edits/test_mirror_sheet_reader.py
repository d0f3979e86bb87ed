"""Worksheets as they come back from people and their spreadsheets."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hansproof.edits.mirror import Mirror
from hansproof.errors import BadInput
from hansproof.records.spreadsheet import read_sheet, write_sheet
from hansproof.types import Benchmark, Cell, EditResult, Item

ITEMS = (
    Item("001", {"premise": 'He said "no", and left.'}, ("=SUM(1)", "-5 degrees; cold"), 0),
    Item("002", {"premise": "Two\nlines, one item."}, ("Yes.", "It’s naïve."), 1),
    Item("1-2", {"premise": "The dog barked."}, ("It saw a cat.", "It slept."), 0),
)
BENCHMARK = Benchmark("b", {"all": ITEMS})
NEW = {"001": '=He said "yes", and\nleft.', "002": "Two lines; two items. é", "1-2": "The dog lay."}
Table = list[list[str]]


def table(folder: Path) -> Table:
    """The filled worksheet as a spreadsheet shows it: a header, rows, cells."""
    path = str(folder / "written.csv")
    rows = Mirror().worksheet(BENCHMARK)
    write_sheet(path, [row | {"new_premise": NEW[row["id"]]} for row in rows])
    return list(csv.reader(io.StringIO(Path(path).read_text("utf-8-sig"), newline="")))


def saved(rows: Table, delimiter: str = ",", end: str = "\r\n", quoting: int = 0) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)  # type: ignore[arg-type]
    return out.getvalue()


def edited(data: bytes, folder: Path, name: str = "sheet.csv") -> EditResult:
    (folder / name).write_bytes(data)
    return Mirror(sheet=str(folder / name))(BENCHMARK)


def new_texts(found: EditResult) -> dict[str, str]:
    items = found.benchmark.splits["all"]
    return {str(i.meta["mirrored_from"]): next(iter(i.fields.values())) for i in items if i.meta}


def problems(found: EditResult) -> list[tuple[Cell, ...]]:
    """Row, id, status and what, of what was not counted but seen."""
    rows = found.report.tables["rows"].rows if "rows" in found.report.tables else ()
    return [(*row[:3], row[-1]) for row in rows if row[3] in ("row", "spelling")]


def wider(rows: Table) -> Table:
    """Columns of somebody's own, and empty ones at the end."""
    return [["note", *row, "", ""] if at == 0 else ["mine", *row, "", ""]
            for at, row in enumerate(rows)]  # fmt: skip


def all_at_once(rows: Table) -> bytes:
    rows = [*wider([rows[0], *rows[:0:-1]]), ["", ""], [], [""] * 12]
    return ("sep=;\r\n" + saved(rows, ";", quoting=csv.QUOTE_ALL)).encode("utf-16")


SAVED: dict[str, Callable[[Table], bytes]] = {
    "as written": lambda rows: saved(rows).encode("utf-8-sig"),
    "no byte order mark": lambda rows: saved(rows).encode(),
    "line feeds": lambda rows: saved(rows, end="\n").encode(),
    "UTF-16 with tabs": lambda rows: saved(rows, "\t").encode("utf-16"),
    "UTF-16, big end first": lambda rows: b"\xfe\xff" + saved(rows, "\t").encode("utf-16-be"),
    "semicolons": lambda rows: saved(rows, ";").encode("utf-8-sig"),
    "tabs": lambda rows: saved(rows, "\t").encode(),
    "sep= on top": lambda rows: b"\xef\xbb\xbfsep=;\r\n" + saved(rows, ";").encode(),
    "all cells quoted": lambda rows: saved(rows, quoting=csv.QUOTE_ALL).encode(),
    "other order": lambda rows: saved([rows[0], *rows[:0:-1]]).encode(),
    "columns in other order": lambda rows: saved([row[::-1] for row in rows]).encode(),
    "extra columns": lambda rows: saved(wider(rows)).encode(),
    "empty rows": lambda rows: saved([*rows[:2], [], *rows[2:], [""] * 9, [], []]).encode(),
    "no apostrophes": lambda rows: saved([[c.removeprefix("'") for c in r] for r in rows]).encode(),
    "blanks at the end": lambda rows: saved([[f"{c} " for c in r] for r in rows]).encode(),
    "guidelines and more deleted": lambda rows: saved([row[:-1] for row in rows]).encode(),
    "all at once": all_at_once,
}


@pytest.mark.parametrize("way", SAVED, ids=list(SAVED))
def test_however_it_was_saved_it_is_read(way: str, tmp_path: Path) -> None:
    found = edited(SAVED[way](table(tmp_path)), tmp_path)
    assert problems(found) == []
    assert new_texts(found) == NEW


def test_as_old_macs_saved_it(tmp_path: Path) -> None:
    rows = [[cell.replace("\n", " ") for cell in row] for row in table(tmp_path)]
    found = edited(saved(rows, ";", end="\r").encode(), tmp_path)
    assert len(new_texts(found)) == 3
    # its line break is gone, which is no more than a matter of spelling
    assert [problem[:3] for problem in problems(found)] == [(3, "002", "read")]


def test_json_lines(tmp_path: Path) -> None:
    rows = [row | {"new_premise": NEW[row["id"]]} for row in Mirror().worksheet(BENCHMARK)]
    write_sheet(str(tmp_path / "sheet.jsonl"), rows)
    assert new_texts(Mirror(sheet=str(tmp_path / "sheet.jsonl"))(BENCHMARK)) == NEW


def column(rows: Table, name: str) -> int:
    return rows[0].index(name)


def changed(name: str, text: str) -> Callable[[Table], Table]:
    """One cell of the last row, which is row 4 and the item 1-2."""

    def change(rows: Table) -> Table:
        rows[3][column(rows, name)] = text
        return rows

    return change


REFUSED: dict[str, tuple[Callable[[Table], Table], str]] = {
    "choice edited": (
        changed("choice_2", "It woke."),
        'choice 2 was edited: "It woke." is "It slept." in the benchmark',
    ),
    "choice deleted": (changed("choice_1", ""), 'choice 1 was edited: "" is'),
    "old text edited": (
        changed("premise", "The dog ran."),
        'premise was edited: "The dog ran." is "The dog barked." in the benchmark',
    ),
    "other choice": (
        changed("must_become_right", "choice 1: It saw a cat."),
        'must_become_right was edited: "choice 1: It saw a cat." should be "choice 2: It slept."',
    ),
    "no choice": (changed("must_become_right", ""), 'must_become_right was edited: "" should be'),
    "id turned into a date": (
        changed("id", "02. Jan"),
        "no item that lacks a partner has the id 02. Jan: the texts are those of 1-2",
    ),
    "unknown id": (
        lambda rows: changed("id", "x")(changed("premise", "What?")(rows)),
        "no item that lacks a partner has the id x",
    ),
    "cell split in two": (
        lambda rows: [*rows[:3], [*rows[3], "and", "more"]],
        "has 2 cells after the last column: quotes are missing",
    ),
}


@pytest.mark.parametrize("how", REFUSED, ids=list(REFUSED))
def test_a_spoilt_row_is_refused_and_the_others_are_read(how: str, tmp_path: Path) -> None:
    spoil, what = REFUSED[how]
    found = edited(saved(spoil(table(tmp_path))).encode(), tmp_path)
    ((row, _, status, said),) = problems(found)
    assert (row, status) == (4, "refused")
    assert str(said).startswith(what)
    assert new_texts(found) == {id: text for id, text in NEW.items() if id != "1-2"}
    assert found.report.evidence["to do"] == ("1-2",)
    assert "rows: 2 accepted, 1 refused; 1 still to write" in found.report.notes


def test_a_refused_row_is_not_lost_on_the_next_worksheet(tmp_path: Path) -> None:
    rows = changed("id", "02. Jan")(table(tmp_path))
    (tmp_path / "sheet.csv").write_text(saved(rows))
    left = Mirror(sheet=str(tmp_path / "sheet.csv")).worksheet(BENCHMARK)
    mine = next(row for row in left if row["id"] == "1-2")
    assert mine["new_premise"] == NEW["1-2"]
    assert (
        mine["problem"]
        == "no item that lacks a partner has the id 02. Jan: the texts are those of 1-2"
    )


def test_leading_zeros_lost(tmp_path: Path) -> None:
    rows = table(tmp_path)
    for row in rows[1:3]:
        row[0] = row[0].lstrip("0")
    found = edited(saved(rows).encode(), tmp_path)
    assert [problem[-1] for problem in problems(found)] == [
        "no item that lacks a partner has the id 1: the texts are those of 001",
        "no item that lacks a partner has the id 2: the texts are those of 002",
    ]


def test_the_second_of_two_is_refused(tmp_path: Path) -> None:
    rows = table(tmp_path)
    again = [cell.replace("lay", "stood") for cell in rows[3]]
    found = edited(saved([*rows, again]).encode(), tmp_path)
    assert problems(found) == [(5, "1-2", "refused", "row 4 is already for the same choice")]
    assert new_texts(found) == NEW


def test_spelling_is_but_noticed(tmp_path: Path) -> None:
    found = edited(saved(changed("choice_2", "it slept")(table(tmp_path))).encode(), tmp_path)
    assert problems(found) == [
        (4, "1-2", "read",
         'choice 2 is spelled differently: "it slept" is "It slept." in the benchmark')
    ]  # fmt: skip
    assert new_texts(found) == NEW
    assert found.benchmark.splits["all"][-1].choices == ITEMS[2].choices


@pytest.mark.parametrize("cell", ["2", "choice 2", " Choice_2 ", "choice 2: it slept"])
def test_a_choice_may_be_named_in_short(cell: str, tmp_path: Path) -> None:
    rows = changed("must_become_right", cell)(table(tmp_path))
    assert new_texts(edited(saved(rows).encode(), tmp_path)) == NEW


def test_rows_deleted_or_left_empty_stay_to_do(tmp_path: Path) -> None:
    rows = changed("new_premise", "  ")(table(tmp_path))
    del rows[1]
    found = edited(saved(rows).encode(), tmp_path)
    assert problems(found) == []
    assert found.report.evidence["to do"] == ("001", "1-2")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("id,premise,choice_1,choice_2,new_premise\n", "must_become_right: missing column; found"),
        ("Dear all, here is the sheet.\n", "id: missing column; found: Dear all"),
        ("", "id: missing column; found: "),
    ],
)
def test_files_that_are_no_worksheet(text: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=what):
        edited(text.encode(), tmp_path)


def test_a_nul_costs_its_row_only(tmp_path: Path) -> None:
    rows = changed("new_premise", "It \0 rained.")(table(tmp_path))
    found = edited(saved(rows).encode("utf-16"), tmp_path)
    assert problems(found) == [(4, "1-2", "refused", "new_premise contains a NUL character")]
    assert set(new_texts(found)) == set(NEW) - {"1-2"}


def test_a_long_text_is_no_trouble(tmp_path: Path) -> None:
    long = "very " * 40_000
    rows = changed("new_premise", long)(table(tmp_path))
    assert new_texts(edited(saved(rows).encode(), tmp_path)) == NEW | {"1-2": long.strip()}


UNKNOWN = ("Cn", "Co")  # not printable for Python, but fonts may show them


def can_be_seen(text: str) -> bool:
    shown = [c for c in text if c.isprintable() or unicodedata.category(c) in UNKNOWN]
    return any(not c.isspace() for c in shown)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
WRITTEN = st.builds("{}{}".format, st.sampled_from(["=", "'", '"', "\n", "-", "x"]), TEXT)


ROW = st.tuples(WRITTEN, TEXT, TEXT, WRITTEN).filter(lambda row: row[1].strip() != row[2].strip())


@settings(max_examples=40)
@given(texts=st.lists(ROW, min_size=1, max_size=3))
def test_any_texts_go_out_and_come_back(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str, str, str]]
) -> None:
    assume(any(can_be_seen(written) for *_, written in texts))  # otherwise nothing is filled in
    items = tuple(Item(str(at), {"q": q}, (a, b), 0) for at, (q, a, b, _) in enumerate(texts))
    benchmark = Benchmark("b", {"all": items})
    rows = [row | {"new_q": texts[int(row["id"])][3]} for row in Mirror().worksheet(benchmark)]
    path = str(tmp_path_factory.getbasetemp() / "any.csv")
    write_sheet(path, rows)
    assert [row.cells for row in read_sheet(path).rows] == rows
    found = Mirror(sheet=path)(benchmark)
    wanted = {str(at): text[3].strip() for at, text in enumerate(texts) if can_be_seen(text[3])}
    assert new_texts(found) == wanted
    assert problems(found) == []
