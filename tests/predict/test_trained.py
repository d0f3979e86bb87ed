from __future__ import annotations

from pathlib import Path

import pytest

from hansproof import load
from hansproof.errors import BadInput
from hansproof.predict import all_trained, specs_of, trained
from hansproof.predict._trained import _apart
from hansproof.types import Benchmark, Item


def benchmark(word: str = "yes") -> Benchmark:
    items = tuple(
        Item(f"{split}{at}", {"q": f"why {at}"}, (f"{word} {at}", f"no {at}"), 0)
        for split in ("train", "test")
        for at in range(20)
    )
    return Benchmark("b", {"train": items[:20], "test": items[20:]}, {"train": "train"})


def test_what_learns_is_trained_on_the_training_split() -> None:
    one = trained(benchmark(), "bow")
    scores = one.model.score(benchmark().splits["test"])
    assert all(right > wrong for right, wrong in scores)
    assert one.name == "bow"


def test_what_learns_nothing_is_taken_as_it_is() -> None:
    one = trained(benchmark(), "longest")
    assert one.model.score((Item("", {}, ("a", "aaa"), None),)) == [(1.0, 3.0)]


def test_its_key_tells_it_from_others() -> None:
    keys = {
        trained(benchmark(), "bow").key,
        trained(benchmark(), "bow:ngram=1").key,
        trained(benchmark(), "bow", seed=1).key,
        trained(benchmark("indeed"), "bow").key,
        trained(benchmark(), "longest").key,
    }
    assert len(keys) == 5
    assert trained(benchmark(), "bow").key in keys


def test_without_a_split_to_train_on_it_says_so() -> None:
    one = load("stable:original")
    with pytest.raises(BadInput, match="stable: has no split to train bow on"):
        trained(one, "bow")


def test_folders_of_kept_models_by_name_and_wildcard(tmp_path: Path) -> None:
    for name in ("b", "a", "other"):
        (tmp_path / name).mkdir()
    for name in ("b", "a"):
        (tmp_path / name / "hansproof.json").write_text("{}")
    both = [f"kept:{tmp_path}/a", f"kept:{tmp_path}/b"]
    assert specs_of(f"{tmp_path}/*") == specs_of(f"kept:{tmp_path}/*") == both
    assert specs_of(f"{tmp_path}/a") == both[:1]
    assert specs_of("bow:ngram=1") == ["bow:ngram=1"]
    with pytest.raises(BadInput, match="no folder of a kept model of such a name"):
        specs_of(f"{tmp_path}/x*")


def test_models_are_called_by_what_tells_them_apart() -> None:
    found = all_trained(benchmark(), ["bow", "longest", "bow"])
    assert [one.name for one in found] == ["bow", "longest"]
    assert len(found[0].learnt) == 20
    assert not found[1].learnt
    assert _apart(["runs/a/kept", "runs/b/kept", "bow"]) == ["a/kept", "b/kept", "bow"]
    assert _apart(["x/kept", "x/other"]) == ["kept", "other"]
