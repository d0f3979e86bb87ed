"""Rows that take a model: which, by what recipe, and from the store the second time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof.reproduce import PAPERS, read
from hansproof.reproduce.rerun import Job, rows_of, spec_of
from hansproof.training.recipes import named

from ..commands import one_line_of_complaint, run
from ..models.checkpoints import checkpoint
from ..needs import needs_data


@pytest.mark.parametrize("key", PAPERS)
def test_jobs_have_recipes_that_are_known(key: str) -> None:
    paper = read(key)
    rows = [*rows_of(paper)]
    assert rows
    for row in rows:
        assert named(row.job.recipe).seeds
        assert any((row.table, row.row) == place[:2] for place in paper.tables[row.table].figures)


def test_a_model_gets_the_recipe_of_the_row_unless_it_has_its_own() -> None:
    job = Job("copa", "kavumba-bert", "bert-large-uncased")
    assert spec_of(job, "hf:x,pooling=mean") == "hf:x,pooling=mean,recipe=kavumba-bert"
    assert spec_of(job, "hf:x,recipe=branco") == "hf:x,recipe=branco"
    assert spec_of(job, None) == "hf:bert-large-uncased,recipe=kavumba-bert"
    assert spec_of(job, "bow") == "bow"


def test_some_rows_are_for_the_checkpoints_of_the_paper_alone() -> None:
    job = Job("piqa", "branco-t5", "t5-large", own=True)
    assert spec_of(job, None) == "hf:t5-large,recipe=branco-t5"
    assert spec_of(job, "hf:x") is None
    head = Job("copa", "kavumba-bert", "bert-base-uncased", use="next", own=True)
    assert spec_of(head, None) == "nsp:bert-base-uncased"
    assert spec_of(head, "hf:x") is None


def test_frozen_rows_take_the_weights_of_the_model() -> None:
    job = Job("copa", "kavumba-roberta", "roberta-large", use="joined")
    assert spec_of(job, "hf:x,pooling=mean") == "frozen_svm:encoder=x,joined=true,pooling=mean"
    assert spec_of(job, None) == "frozen_svm:encoder=roberta-large,joined=true"
    assert spec_of(job, "bow") is None


@needs_data
def test_rows_are_filled_and_kept(tmp_path: Path) -> None:
    command = ("reproduce", "kavumba2019", "--table", "5", "--model", "bow", "--seeds", "2",
               "--store", str(tmp_path / "store"), "--json")  # fmt: skip
    done = run(*command)
    assert done.returncode == 0, done.stderr
    (table,) = json.loads(done.stdout)["tables"]
    cells = [row["cells"]["overall"] for row in table["rows"]]
    assert [one["status"] for one in cells] == [
        "re-run with bow", "re-run with bow", "from published predictions",
    ] * 2  # fmt: skip
    assert all(0.4 < one["rerun"]["mean"] / 100 < 0.7 for one in cells)
    assert {one["rerun"]["note"] for one in cells} == {"2 runs, n = 500, cpu"}
    # half of the pairs is another training set
    assert cells[0]["rerun"] != cells[1]["rerun"]
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "store").glob("*.jsonl")}
    assert len(files) == 6
    assert run(*command).stdout == done.stdout
    assert {path: path.stat().st_mtime_ns for path in files} == files


@needs_data
@pytest.mark.slow
def test_sensitivity_is_looked_at_again(tmp_path: Path) -> None:
    """By what is kept: table 5, asked for later, finds the same runs done."""
    model = f"hf:{checkpoint(tmp_path / 'bert', 'bert')},rates=1e-3,epochs=1"
    command = ("reproduce", "kavumba2019", "--model", model, "--seeds", "1",
               "--store", str(tmp_path / "store"), "--json")  # fmt: skip
    (table,) = json.loads(run(*command, "--table", "7").stdout)["tables"]
    for row in table["rows"]:
        cells = row["cells"]
        assert cells["s_copa"]["status"] == f"re-run with {model}"
        s, after, away = (cells[c]["rerun"]["value"] for c in ("s_copa", "s_b_copa", "difference"))
        assert 0 < s < 100
        assert away == pytest.approx(after - s)
        assert cells["productivity"]["status"] == "exact"
    kept = [*(tmp_path / "store" / "kept").iterdir()]
    assert len(kept) == 2


@needs_data
def test_what_cannot_be_asked_is_refused() -> None:
    said = one_line_of_complaint(run("reproduce", "niven2019", "--table", "2", "--model", "bow"))
    assert "no row of table-2 can be run again" in said
    said = one_line_of_complaint(run("reproduce", "branco2021", "--table", "7", "--model", "bow"))
    assert "no row of table-7 can be run again" in said
    said = one_line_of_complaint(run("reproduce", "niven2019", "--full", "--model", "bow"))
    assert "leave out --model" in said
    said = one_line_of_complaint(run("reproduce", "niven2019", "--model", "bow", "--seeds", "x"))
    assert "--seeds" in said
    assert "no such file" in one_line_of_complaint(
        run("reproduce", "kavumba2019", "--data", "nowhere")
    )
    assert "unknown model" in one_line_of_complaint(
        run("reproduce", "kavumba2019", "--table", "5", "--model", "bo")
    )
