"""Rows that take a model: which, by what recipe, and from the store the second time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof.papers import PAPERS, load_paper
from hansproof.papers.retrain import RetrainJob, load_model_rows, model_spec
from hansproof.training.recipes import get_recipe
from tests.support.checkpoints import checkpoint

from ..support.cli_runner import expect_one_line_error, run_here
from ..support.markers import needs_data


@pytest.mark.parametrize("key", PAPERS)
def test_jobs_have_recipes_that_are_known(key: str) -> None:
    paper = load_paper(key)
    rows = [*load_model_rows(paper)]
    assert rows
    for row in rows:
        assert get_recipe(row.job.recipe).seeds
        assert any((row.table, row.index) == place[:2] for place in paper.tables[row.table].figures)


def test_a_model_gets_the_recipe_of_the_row_unless_it_has_its_own() -> None:
    job = RetrainJob("copa", "kavumba-bert", "bert-large-uncased")
    assert model_spec(job, "hf:x,pooling=mean") == "hf:x,pooling=mean,recipe=kavumba-bert"
    assert model_spec(job, "hf:x,recipe=branco") == "hf:x,recipe=branco"
    assert model_spec(job, None) == "hf:bert-large-uncased,recipe=kavumba-bert"
    assert model_spec(job, "bow") == "bow"


def test_some_rows_are_for_the_checkpoints_of_the_paper_alone() -> None:
    job = RetrainJob("piqa", "branco-t5", "t5-large", paper_only=True)
    assert model_spec(job, None) == "hf:t5-large,recipe=branco-t5"
    assert model_spec(job, "hf:x") is None
    head = RetrainJob("copa", "kavumba-bert", "bert-base-uncased", use="next", paper_only=True)
    assert model_spec(head, None) == "nsp:bert-base-uncased"
    assert model_spec(head, "hf:x") is None


def test_frozen_rows_take_the_weights_of_the_model() -> None:
    job = RetrainJob("copa", "kavumba-roberta", "roberta-large", use="joined")
    assert model_spec(job, "hf:x,pooling=mean") == "frozen_svm:encoder=x,joined=true,pooling=mean"
    assert model_spec(job, None) == "frozen_svm:encoder=roberta-large,joined=true"
    assert model_spec(job, "bow") is None


@needs_data
def test_rows_are_filled_and_kept(tmp_path: Path) -> None:
    command = ("reproduce", "kavumba2019", "--table", "5", "--model", "bow", "--seeds", "2",
               "--store", str(tmp_path / "store"), "--json")  # fmt: skip
    done = run_here(*command)
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
    assert run_here(*command).stdout == done.stdout
    assert {path: path.stat().st_mtime_ns for path in files} == files


@needs_data
@pytest.mark.slow
def test_sensitivity_is_looked_at_again(tmp_path: Path) -> None:
    """By what is kept: table 5, asked for later, finds the same runs done."""
    model = f"hf:{checkpoint(tmp_path / 'bert', 'bert')},rates=1e-3,epochs=1"
    command = ("reproduce", "kavumba2019", "--model", model, "--seeds", "1",
               "--store", str(tmp_path / "store"), "--json")  # fmt: skip
    (table,) = json.loads(run_here(*command, "--table", "7").stdout)["tables"]
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
    said = expect_one_line_error(
        run_here("reproduce", "niven2019", "--table", "2", "--model", "bow")
    )
    assert "no row of table-2 can be retrained" in said
    said = expect_one_line_error(
        run_here("reproduce", "branco2021", "--table", "7", "--model", "bow")
    )
    assert "no row of table-7 can be retrained" in said
    said = expect_one_line_error(run_here("reproduce", "niven2019", "--full", "--model", "bow"))
    assert "leave out --model" in said
    said = expect_one_line_error(
        run_here("reproduce", "niven2019", "--model", "bow", "--seeds", "x")
    )
    assert "--seeds" in said
    assert "no such file" in expect_one_line_error(
        run_here("reproduce", "kavumba2019", "--data", "nowhere")
    )
    assert "unknown model" in expect_one_line_error(
        run_here("reproduce", "kavumba2019", "--table", "5", "--model", "bo")
    )
