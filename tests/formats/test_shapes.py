"""Files as people have them load as a careful person reads them, or are refused with help."""

from __future__ import annotations

from pathlib import Path

import pytest

import hansproof
from hansproof import benchmarks
from hansproof.errors import BadInput

from ..support.cli_runner import run_here
from ..support.item_shapes import BANK, NearMiss, Shape
from ..support.near_misses import TABLE_MISSES
from ..support.near_misses_in_json import JSON_MISSES
from ..support.near_misses_subtle import SUBTLE_MISSES
from ..support.shape_checks import (
    advised_commands,
    expect_help,
    expect_questions,
    follow_advice,
    notes_of,
    try_load,
    write_near_miss,
    write_shape,
)
from ..support.shapes_elsewhere import ELSEWHERE, numbered_rows
from ..support.shapes_in_json import DOCUMENTS
from ..support.shapes_in_tables import TABLES
from ..support.shapes_with_traps import TRAPS

SHAPES = [*TABLES, *DOCUMENTS, *ELSEWHERE, *TRAPS]
NEAR_MISSES = [*TABLE_MISSES, *JSON_MISSES, *SUBTLE_MISSES]
DRAWN = [shape for shape in SHAPES if shape.drawn and not shape.undecidable]


def test_there_are_enough() -> None:
    assert len({shape.name for shape in SHAPES}) == len(SHAPES) >= 60
    assert len({miss.name for miss in NEAR_MISSES}) == len(NEAR_MISSES) >= 40
    assert all(len(shape.all_questions) >= 6 for shape in SHAPES)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_shape_loads(shape: Shape, tmp_path: Path) -> None:
    target = write_shape(shape, tmp_path)
    benchmark = try_load(target)
    if isinstance(benchmark, BadInput):
        error = benchmark
        assert "\n" not in str(error)
        if shape.unusual:
            for advised in follow_advice(error, target):  # if any loads, it loads the items
                expect_questions(advised, shape)
            return
        assert shape.undecidable, f"refused: {error}"
        expect_help(error, (), shape.all_questions[0].text)
        benchmarks = [*follow_advice(error, target)]
        assert benchmarks, f"no advice works: {advised_commands(error)}"
        benchmark = benchmarks[0]
    expect_questions(benchmark, shape)


@pytest.mark.parametrize("shape", DRAWN, ids=lambda shape: shape.name)
def test_an_order_is_drawn_and_stays(shape: Shape, tmp_path: Path) -> None:
    target = write_shape(shape, tmp_path)
    benchmark = hansproof.load(target)
    assert hansproof.load(target).sha256() == benchmark.sha256()
    answers = [item.answer for items in benchmark.splits.values() for item in items]
    assert len(set(answers)) > 1  # eight items of four choices


@pytest.mark.parametrize("miss", NEAR_MISSES, ids=lambda miss: miss.name)
def test_a_near_miss_is_refused(miss: NearMiss, tmp_path: Path) -> None:
    path = write_near_miss(miss, tmp_path)
    with pytest.raises(BadInput) as caught:
        benchmarks.load(path)
    error = caught.value
    assert "\n" not in str(error)
    assert str(error).isprintable()
    assert len(str(error)) < 1000
    assert miss.flag in "\n".join([str(error), *notes_of(error)])
    if miss.columns:
        expect_help(error, miss.columns, miss.example)


@pytest.mark.parametrize(
    "name",
    ["names that say nothing", "two sets of choices", "A, B, D", "a; b; c", "a / b / c",
     "from 0 or from 1", "preferences", "answers that disagree"],
)  # fmt: skip
def test_the_advice_for_a_near_miss_works(name: str, tmp_path: Path) -> None:
    """These are items if the user says so: the command that is advised reads all of them."""
    path = write_near_miss(next(m for m in NEAR_MISSES if m.name == name), tmp_path)
    with pytest.raises(BadInput) as caught:
        benchmarks.load(path)
    for benchmark in follow_advice(caught.value, path):
        assert [len(items) for items in benchmark.splits.values()] == [len(BANK)]
        return
    pytest.fail(f"no advice works: {advised_commands(caught.value)}")


def test_a_file_that_is_given_twice(tmp_path: Path) -> None:
    """It is refused or read once: no item has the id of another."""
    path = tmp_path / "quiz.csv"
    path.write_text(numbered_rows(BANK))
    benchmark = try_load([str(path), f"{tmp_path}/../{tmp_path.name}/quiz.csv"])
    if isinstance(benchmark, BadInput):
        return
    ids = [item.id for items in benchmark.splits.values() for item in items]
    assert len(set(ids)) == len(ids) == len(BANK)


def test_the_advice_can_be_pasted(tmp_path: Path) -> None:
    """The command line prints the notes, and the command that they advise runs as it stands."""
    miss = next(m for m in NEAR_MISSES if m.name == "names that say nothing")
    path = Path(write_near_miss(miss, tmp_path))
    done = run_here("validate", path.name, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    with pytest.raises(BadInput) as caught:
        benchmarks.load(str(path))
    assert all(note.replace(f"{tmp_path}/", "") in done.stderr for note in notes_of(caught.value))
    (command,) = advised_commands(caught.value)
    assert run_here(*command[1:], cwd=tmp_path).returncode == 0
