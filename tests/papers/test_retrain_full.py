"""`--full`, from a hub of next to nothing: random weights under the names of the papers' own."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hansproof import sweeps
from hansproof.papers import PAPERS, load_paper
from hansproof.papers.branco2021 import models as branco
from hansproof.papers.branco2021.tables import TASKS
from hansproof.papers.paper_data import PaperData
from hansproof.papers.retrain import RetrainRequest, load_model_rows, retrain_rows
from hansproof.probes.robustness import Robustness
from hansproof.sweeps import RunSpec
from hansproof.types import Benchmark, Predictions
from tests.support.checkpoints import SAID, checkpoint

from ..support import paper_copies
from ..support.cli_runner import run_fresh
from ..support.markers import needs_data

pytestmark = [pytest.mark.slow, needs_data]

HUB = {
    "bert-base-uncased": "bert", "bert-large-uncased": "bert", "roberta-large": "roberta",
    "albert-xxlarge-v1": "albert", "gpt2-medium": "gpt2", "t5-large": "t5",
    "facebook/bart-large": "bart",
}  # fmt: skip
COMMIT = "0" * 40
LINES = 17  # of a file of items, a head included
# tables that take more than scores
MORE = {
    "kavumba2019": {"table-7": {"bert-large-uncased"}},
    "branco2021": {"table-7": {"roberta-large"}},
}


@pytest.fixture(scope="module")
def words() -> list[str]:
    return sorted({*re.findall(r"\w+", Path(paper_copies.DATA, "copa/copa-dev.xml").read_text())})


@pytest.fixture
def hub(tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where transformers looks for what it has fetched."""
    for name, kind in HUB.items():
        home = tmp_path / "hf" / "hub" / f"models--{name.replace('/', '--')}"
        folder = checkpoint(home / "snapshots" / COMMIT, kind, words=(*SAID, *words))
        if kind == "bert":
            _with_heads(folder)
        (home / "refs").mkdir()
        (home / "refs" / "main").write_text(COMMIT)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # no word vectors in it
    return tmp_path / "hf" / "hub"


def _with_heads(folder: Path) -> None:
    """As BERT was pretrained."""
    from transformers import BertConfig, BertForPreTraining

    BertForPreTraining(BertConfig.from_pretrained(folder)).save_pretrained(folder)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The data, with a few items of what is large; COPA as it is, for its released predictions."""
    folder = tmp_path_factory.mktemp("few")
    for path in Path(paper_copies.DATA).rglob("*"):
        top, *rest = path.relative_to(paper_copies.DATA).parts
        there = folder.joinpath(top, *rest)
        if not path.is_file() or top in ("corpora", "nltk_data"):
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        if top in ("arc", "arct", "arct_adversarial", "piqa", "csqa") and len(rest) == 1:
            there.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:LINES]))
        else:
            there.symlink_to(path)
    return str(folder)


def full(paper: str, few: str, folder: Path, *more: str) -> tuple[dict[str, Any], str]:
    done = run_fresh("reproduce", paper, "--full", "--seeds", "1", "--data", few, "--store",
                 str(folder / "store"), "--json", *more, timeout=900)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def ran(found: dict[str, Any]) -> dict[str, set[str]]:
    """With which checkpoints figures of a table were had."""
    by = {
        table["id"]: {
            cell["rerun"]["by"]
            for row in table["rows"]
            for cell in row["cells"].values()
            if cell["rerun"]
        }
        for table in found["tables"]
    }
    return {id: names for id, names in by.items() if names}


# the other tables of the first are those of the second
@pytest.mark.parametrize(
    ("paper", "tables"),
    [("kavumba2019", ("6", "7")), *((paper, ()) for paper in PAPERS if paper != "kavumba2019")],
)
def test_every_row_is_run_with_the_checkpoint_of_its_own(
    paper: str, tables: tuple[str, ...], hub: Path, few: str, tmp_path: Path
) -> None:
    wanted: dict[str, set[str]] = {}
    for row in load_model_rows(load_paper(paper)):
        if not tables or row.table.removeprefix("table-") in tables:
            wanted.setdefault(row.table, set()).add(row.job.checkpoint)
    wanted |= MORE.get(paper, {})
    asked = [part for table in tables for part in ("--table", table)]
    found, said = full(paper, few, tmp_path, *asked)
    assert ran(found) == wanted
    assert ("left out: table-3: counterfitted" in said) is (paper == "branco2021")
    # what is in the store is not run again
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "store").rglob("*.*")}
    assert full(paper, few, tmp_path, *asked)[0] == found
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "store").rglob("*.*")}
    assert after == before


def test_a_checkpoint_that_is_not_there_costs_its_rows_only(
    hub: Path, few: str, tmp_path: Path
) -> None:
    shutil.rmtree(hub / "models--bert-base-uncased")
    found, said = full("niven2019", few, tmp_path, "--table", "1")
    assert ran(found) == {"table-1": {"bert-large-uncased"}}
    assert said.count("left out: bert-base-uncased on arct, full: ") == 1
    shutil.rmtree(hub / "models--bert-large-uncased")
    store = str(tmp_path / "other")
    again = ("reproduce", "niven2019", "--full", "--table", "1", "--data", few, "--store", store)
    done = run_fresh(*again)
    assert (done.returncode, done.stdout) == (2, "")
    warning, error = done.stderr.splitlines()
    assert "differ from the published version" in warning  # the data of this test
    assert error.startswith("hansproof: bert-large-uncased: cannot be loaded")


def test_an_attack_is_run_again(
    few: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With any word for any other: what counts is whose figures stand where."""
    vectors = tmp_path / "v.txt"
    vectors.write_text("".join(f"{word} 1 {at % 7}\n" for at, word in enumerate(words)))
    attack = Robustness(vectors=str(vectors), encoder="none", sentence=0, tagger="none",
                        word_cosine=-1, journal=str(tmp_path / "journal"))  # fmt: skip
    monkeypatch.setattr(branco, "ATTACK", attack)
    model = f"hf:{checkpoint(tmp_path / 'bert', 'bert', words=words)},rates=1e-3,batches=8,epochs=1"

    def sweep(benchmark: Benchmark, runs: Sequence[RunSpec], keep: str | None) -> list[Predictions]:
        return [*sweeps.run_sweep(benchmark, runs, str(tmp_path / "store"), models_folder=keep)]

    asked = RetrainRequest(model, (0, 1), sweep, str(tmp_path / "kept"))
    paper = load_paper("branco2021")
    found = retrain_rows(paper, ["table-3"], asked, few)
    table = paper.tables["table-3"]
    assert len(found) == 12
    value = {place[1:]: float(one.parts["value"]) for place, one in found.items()}
    for task, (name, _) in TASKS.items():
        at = table.find_row(task=task, model="RoBERTa-large")
        before, delta = value[at, "before"], value[at, "delta"]
        assert value[at, "drop_percent"] == pytest.approx(-100 * delta / before)
        split = "dev" if task != "ARCT" else "test"  # of ARC too, as in their code
        n = len(PaperData(few).benchmark(name).splits[split])
        said = found["table-3", at, "before"]
        assert (said.model, said.note) == (model, f"best run, {n} items of {split}")
    assert any(one < 0 for (_, column), one in value.items() if column == "delta")
