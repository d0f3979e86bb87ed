from __future__ import annotations

from pathlib import Path

import pytest

from hansproof import load
from hansproof.errors import BadInput
from hansproof.sweeps import expand_model_specs, load_or_train, load_trained_models
from hansproof.sweeps.trained_model import _distinct_endings
from hansproof.types import Benchmark, Item


def benchmark(word: str = "yes") -> Benchmark:
    items = tuple(
        Item(f"{split}{at}", {"q": f"why {at}"}, (f"{word} {at}", f"no {at}"), 0)
        for split in ("train", "test")
        for at in range(20)
    )
    return Benchmark("b", {"train": items[:20], "test": items[20:]}, {"train": "train"})


def test_what_learns_is_trained_on_the_training_split() -> None:
    one = load_or_train(benchmark(), "bow")
    scores = one.model.score(benchmark().splits["test"])
    assert all(right > wrong for right, wrong in scores)
    assert one.name == "bow"


def test_what_learns_nothing_is_taken_as_it_is() -> None:
    one = load_or_train(benchmark(), "longest")
    assert one.model.score((Item("", {}, ("a", "aaa"), None),)) == [(1.0, 3.0)]


def test_its_key_tells_it_from_others() -> None:
    keys = {
        load_or_train(benchmark(), "bow").key,
        load_or_train(benchmark(), "bow:ngram=1").key,
        load_or_train(benchmark(), "bow", seed=1).key,
        load_or_train(benchmark("indeed"), "bow").key,
        load_or_train(benchmark(), "longest").key,
    }
    assert len(keys) == 5
    assert load_or_train(benchmark(), "bow").key in keys


def test_without_a_split_to_train_on_it_says_so() -> None:
    one = load("toy:original")
    with pytest.raises(BadInput, match="toy: has no split to train bow on"):
        load_or_train(one, "bow")


def test_folders_of_kept_models_by_name_and_wildcard(tmp_path: Path) -> None:
    for name in ("b", "a", "other"):
        (tmp_path / name).mkdir()
    for name in ("b", "a"):
        (tmp_path / name / "hansproof.json").write_text("{}")
    both = [f"saved:{tmp_path}/a", f"saved:{tmp_path}/b"]
    assert expand_model_specs(f"{tmp_path}/*") == expand_model_specs(f"saved:{tmp_path}/*") == both
    assert expand_model_specs(f"kept:{tmp_path}/*") == both  # its former name
    assert expand_model_specs(f"{tmp_path}/a") == both[:1]
    assert expand_model_specs("bow:ngram=1") == ["bow:ngram=1"]
    with pytest.raises(BadInput, match="no folder of a saved model has this name"):
        expand_model_specs(f"{tmp_path}/x*")


def test_models_are_called_by_what_tells_them_apart() -> None:
    found = load_trained_models(benchmark(), ["bow", "longest", "bow"])
    assert [one.name for one in found] == ["bow", "longest"]
    assert len(found[0].train_ids) == 20
    assert not found[1].train_ids
    assert _distinct_endings(["runs/a/kept", "runs/b/kept", "bow"]) == ["a/kept", "b/kept", "bow"]
    assert _distinct_endings(["x/kept", "x/other"]) == ["kept", "other"]
