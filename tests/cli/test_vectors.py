"""Files of word vectors from the command line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hansproof import vectors

from ..support.cli_runner import expect_one_line_error, run_here

VECTORS = "good 1 0.2\nfine 0.2 1\nbad 1 0.1\nsoso 0.5 0.5\n"
SIMLEX = "word1\tword2\tSimLex999\ngood\tfine\t9\ngood\tbad\t1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HANSPROOF_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "synonyms").mkdir(parents=True)
    (tmp_path / "data" / "synonyms" / "SimLex-999.txt").write_text(SIMLEX)
    (tmp_path / "v.txt").write_text(VECTORS)
    (tmp_path / "same.txt").write_text("good fine\ngood excellent\n")
    (tmp_path / "apart.txt").write_text("good bad\n")
    return tmp_path


FLAGS = ("counterfit", "--vectors", "v.txt", "--synonyms", "same.txt", "--antonyms", "apart.txt")


def test_counterfit_writes_vectors_that_a_name_finds(folder: Path) -> None:
    done = run_here("vectors", *FLAGS, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    path = os.path.join(str(folder), "cache", "hansproof", "vectors", "counterfitted.npz")
    assert f"{path}: 4 words" in done.stderr
    assert said["tables"]["lists"]["rows"] == [["synonyms", 2, 1, 1], ["antonyms", 1, 1, 0]]
    rows = {name: (old, new) for name, _, old, new in said["tables"]["before and after"]["rows"]}
    assert rows["mean cosine, synonyms"][0] < rows["mean cosine, synonyms"][1]
    assert rows["mean cosine, antonyms"][0] > rows["mean cosine, antonyms"][1]
    assert rows["SimLex-999 Spearman, all"] == pytest.approx((-1, 1))
    assert vectors.load_table("counterfitted").words == ("good", "fine", "bad", "soso")
    done = run_here("vectors", *FLAGS, "--most", "3", "-o", "new.safetensors", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "Counter-fitted 3 words with 1 synonym pair and 1 antonym pair." in done.stdout
    assert vectors.load_table(str(folder / "new.safetensors")).words == ("good", "fine", "bad")


def test_what_cannot_be_is_said_in_a_line(folder: Path) -> None:
    cases = {
        "new.txt: must end in .npz or .safetensors": ("-o", "new.txt"),
        "same.txt:1: is not of the form: word v1": ("--vectors", "same.txt"),
        "none of the 3 pairs has vectors for both words": ("--most", "1"),
        "nowhere.txt: cannot be read": ("--antonyms", "nowhere.txt"),
    }
    for says, flags in cases.items():
        assert says in expect_one_line_error(run_here("vectors", *FLAGS, *flags, cwd=folder))
    assert sorted(p.name for p in folder.iterdir()) == ["apart.txt", "data", "same.txt", "v.txt"]


def test_pick_saves_the_vectors_of_a_benchmark(folder: Path) -> None:
    (folder / "v.txt").write_text(f"{VECTORS}the 1 2\nzzz 1 2\n")
    done = run_here("vectors", "pick", "v.txt", "new.npz", "toy:original", cwd=folder)
    assert done.returncode == 0, done.stderr
    table = vectors.load_table(str(folder / "new.npz"))
    assert "the" in table.words
    assert "zzz" not in table.words
    assert f"new.npz: vectors of {len(table.words)} of " in done.stdout
    (folder / "v.txt").write_text("zzz 1 2\n")
    said = expect_one_line_error(
        run_here("vectors", "pick", "v.txt", "new.npz", "toy:original", cwd=folder)
    )
    assert "v.txt: has no vector for any of the" in said
