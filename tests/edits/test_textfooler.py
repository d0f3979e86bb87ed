from __future__ import annotations

import multiprocessing
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansproof import load
from hansproof.attack.stop_words import STOP_WORDS
from hansproof.attack.words import TextWords
from hansproof.edits.textfooler import Textfooler
from hansproof.errors import BadInput, UnknownName
from hansproof.sweeps import TrainedModel, load_or_train
from hansproof.types import Benchmark, EditResult, Items
from hansproof.vectors import save_vectors

from ..support import attack_factories as made
from ..support.attack_factories import MODEL, make_textfooler
from ..support.markers import needs_data


def benchmark(items: Items) -> Benchmark:
    return Benchmark("made", {"test": items, "train": items[:2]}, {"test": "test"})


def test_the_model_has_changed_items_wrong_and_others_as_before(tmp_path: Path) -> None:
    old = benchmark(made.some(60))
    found = make_textfooler(tmp_path)(old, trained=[MODEL])
    scores = made.Weighing().score
    changed = 0
    for before, after in zip(old.splits["test"], found.benchmark.splits["test"], strict=True):
        assert (before.id, before.answer, before.group) == (after.id, after.answer, after.group)
        if after != before:
            changed += 1
            (row,) = scores((after,))
            assert row[after.answer or 0] < max(row)
            assert after.meta["edit"] == "textfooler"
            assert {**after.meta, "edit": 0, "swaps": 0} == {**before.meta, "edit": 0, "swaps": 0}
    assert changed > 10
    rows = found.report.tables["splits"].rows
    assert [row[3] for row in rows] == [changed]
    assert found.benchmark.splits["train"] == old.splits["train"]


def test_stop_words_and_untouched_texts_stay(tmp_path: Path) -> None:
    old = benchmark(made.some(60))
    found = make_textfooler(tmp_path, where="right")(old, trained=[MODEL]).benchmark
    for before, after in zip(old.splits["test"], found.splits["test"], strict=True):
        assert before.fields == after.fields
        for at, (one, other) in enumerate(zip(before.choices, after.choices, strict=True)):
            assert at == before.answer or one == other
            pairs = zip(
                TextWords.from_text(one).words, TextWords.from_text(other).words, strict=True
            )
            assert all(was == now for was, now in pairs if was in STOP_WORDS)


def test_the_draw_is_the_seeds(tmp_path: Path) -> None:
    items = made.some(60)
    one, again = (make_textfooler(tmp_path, most=20, seed=3).select_items(items) for _ in range(2))
    other = make_textfooler(tmp_path, most=20, seed=4).select_items(items)
    assert one == again != other
    assert len(one) == len(other) == 20
    assert list(one) == sorted(one, key=items.index)


class Slow(made.Weighing):
    """As good as the other, but it takes its time."""

    def score(self, items: Items) -> list[tuple[float, ...]]:
        time.sleep(0.02)
        return super().score(items)


def _attack(folder: Path, items: Items) -> EditResult:
    return make_textfooler(folder)(benchmark(items), trained=[TrainedModel("slow", Slow(), "slow")])


def test_one_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    items = made.some(400, choices=3)
    start = multiprocessing.get_context("fork")
    process = start.Process(target=_attack, args=(tmp_path, items))
    process.start()
    journal = tmp_path / "journal"
    while process.is_alive() and not _lines(journal) > 30:
        time.sleep(0.005)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    kept = _lines(journal)
    assert 30 < kept < 400
    whole = _attack(tmp_path, items)
    assert _lines(journal) == 400
    for path in journal.iterdir():
        path.unlink()
    assert _attack(tmp_path, items) == whole


def _lines(journal: Path) -> int:
    files = list(journal.glob("*.jsonl")) if journal.exists() else []
    return sum(path.read_bytes().count(b'"item"') for path in files)


def test_bad_flags_are_a_line(tmp_path: Path) -> None:
    old = benchmark(made.some(5))
    with pytest.raises(BadInput, match="--trained: names 0 models; exactly one is needed"):
        make_textfooler(tmp_path)(old)
    with pytest.raises(UnknownName, match="unknown part 'wrongs'; did you mean wrong"):
        make_textfooler(tmp_path, where="wrongs")(old, trained=[MODEL])
    with pytest.raises(BadInput, match="--encoder: is none, so sentences cannot be compared"):
        make_textfooler(tmp_path, sentence=0.9)
    with pytest.raises(BadInput, match="--source: is 'thesaurus', must be vectors or wordnet"):
        make_textfooler(tmp_path, source="thesaurus")
    for flag, value in (("word_cosine", 2), ("sentence", 2), ("window", 0), ("neighbours", 0)):
        with pytest.raises(BadInput, match=f"--{flag.replace('_', '-')}: is "):
            make_textfooler(tmp_path, **{flag: value})


def test_vectors_of_another_language_are_a_line(tmp_path: Path) -> None:
    path = str(tmp_path / "other.npz")
    save_vectors(path, ("qqq", "zzz"), np.eye(2, dtype=np.float32))
    with pytest.raises(BadInput, match=r"other\.npz: has no vector for any word of these items"):
        replace(make_textfooler(tmp_path), vectors=path)(benchmark(made.some(5)), trained=[MODEL])


@needs_data
def test_a_bag_of_words_trained_on_the_spot(tmp_path: Path) -> None:
    """From a name to a changed benchmark, with the benchmark's own words as neighbours."""
    copa = load("copa")
    choices = [choice for item in copa.splits["test"] for choice in item.choices]
    words = sorted(
        {word.lower() for choice in choices for word in TextWords.from_text(choice).words}
    )
    rng = np.random.default_rng(0)
    path = str(tmp_path / "words.npz")
    save_vectors(path, tuple(words), rng.normal(size=(len(words), 8)).astype(np.float32))
    flags: dict[str, Any] = {"encoder": "none", "sentence": 0, "tagger": "none", "most": 60}
    attack = Textfooler(vectors=path, word_cosine=0.3, journal=str(tmp_path), **flags)
    found = attack(copa, trained=[load_or_train(copa, "bow")])
    (row,) = found.report.tables["splits"].rows
    _, items, _, flipped, *_ = row
    assert items == 60
    assert isinstance(flipped, int)
    assert flipped > 20
