"""Reading printed figures: digits, labels, copies that are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.errors import BadInput, UnknownName
from hansproof.papers import PAPERS, load_paper
from hansproof.papers.implied_counts import possible_counts, randomisation_p_values
from hansproof.papers.printed_figures import TEXT, PrintedFigure, select_tables


@pytest.mark.parametrize("key", PAPERS)
def test_every_figure_matches_itself_and_not_one_a_digit_away(key: str) -> None:
    figures = [*load_paper(key).iter_figures()]
    assert len(figures) > 60
    for figure in figures:
        assert figure.matches(figure.parts)
        for name, value in figure.parts.items():
            if isinstance(value, str | bool):
                assert not figure.matches({**figure.parts, name: f"{value}?"})
            else:
                away = value + 10.0 ** -figure.digits[name]
                assert not figure.matches({**figure.parts, name: away})


@given(st.floats(-100, 100), st.integers(0, 4))
def test_a_number_matches_what_it_is_rounded_to(value: float, digits: int) -> None:
    printed = PrintedFigure(("t", 0, "c"), {"value": round(value, digits)}, {"value": digits}, "")
    assert printed.matches({"value": value})


@given(st.integers(1, 600), st.data())
def test_counts_are_those_that_round_to_the_share(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    printed = round(100 * k / n, 1)
    found = possible_counts(printed, n)
    assert k in found
    assert all(abs(100 * one / n - printed) <= 0.05 + 1e-6 for one in found)


def test_no_count_of_an_odd_share() -> None:
    assert possible_counts(53.5, 500) == []
    assert possible_counts(53.6, 500) == [268]


@given(st.integers(1, 12), st.integers(1, 12), st.data())
def test_dealt_is_the_hypergeometric(n: int, m: int, data: st.DataObject) -> None:
    from scipy.stats import hypergeom

    a, b = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    one = 100 * hypergeom.sf(a - 1, n + m, a + b, n)
    assert randomisation_p_values(a, n, b, m)[1] == pytest.approx(one, abs=1e-9)


def test_digits_are_those_of_the_longest_number_of_a_column() -> None:
    table = load_paper("niven2019").tables["table-1"]
    assert table.figures["table-1", 2, "test_max"].parts == {"value": 0.77}
    assert table.figures["table-1", 2, "test_max"].digits == {"value": 3}
    assert table.figures["table-1", 2, "test_mean"].digits == {"mean": 3, "spread": 2}


def test_labels_name_rows_and_are_no_figures() -> None:
    table = load_paper("branco2021").tables["table-10"]
    assert table.labels == ("task", "split", "choice")
    assert table.find_row(task="ARC", split="dev", choice=4) == 14


def test_tables_by_number_or_name() -> None:
    paper = load_paper("niven2019")
    assert select_tables(paper, ["4", "table-1", TEXT]) == ["table-1", "table-4", TEXT]
    assert select_tables(paper, []) == [*paper.tables]
    with pytest.raises(UnknownName, match="unknown table '7'"):
        select_tables(paper, ["7"])


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"key": 3, "tables": 5}', "[" * 100_000, '{"key": "x"}', "\x00"]
)
def test_files_that_are_none_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "paper.json"
    path.write_text(text)
    with pytest.raises(BadInput, match="not a file of a paper's figures"):
        load_paper(str(path))


def test_a_file_of_another_paper(tmp_path: Path) -> None:
    path = tmp_path / "paper.json"
    known = {"key": "smith2020", "paper": "", "citation": "", "tables": [], "text_figures": []}
    path.write_text(json.dumps(known))
    with pytest.raises(UnknownName, match="smith2020"):
        load_paper(str(path))
    with pytest.raises(UnknownName, match="did you mean niven2019"):
        load_paper("niven2018")
    with pytest.raises(BadInput, match="No such file"):
        load_paper("nowhere.json")
