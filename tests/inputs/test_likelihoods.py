"""Likelihoods of choices: as the model plug-in gives them, from the cache, and from files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansproof import models, views
from hansproof.errors import BadInput, ModelError
from hansproof.inputs import likelihood_files as files
from hansproof.inputs import likelihoods as inputs
from hansproof.inputs.load import find_cached_inputs, load_inputs
from hansproof.models.lm import BlindLikelihood, Lm
from hansproof.probes.cues import Cues
from hansproof.probes.surface import Surface
from hansproof.types import Benchmark, Item
from tests.support import torch_models

pytest.importorskip("transformers")

ITEMS = (
    *torch_models.cued(12, 3, (2, 3)),
    Item("same", {"q": "why"}, ("a word1", " a word1 "), 0),
    Item("empty", {"q": "why"}, ("", "the word2"), 1),
    Item("odd", {"q": "why"}, ("caf\u00e9 \udcff", "\u0000\n2"), 1),
)
UNLABELLED = (Item("x", {"q": "why"}, ("not a choice", "word3"), None),)
BENCH = Benchmark("b", {"train": ITEMS[:5], "test": ITEMS[5:], "hidden": UNLABELLED})


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return torch_models.causal(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Nothing is in the cache, nor in memory."""
    from hansproof.models._transformers import likelihood

    likelihood._load_cached.cache_clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    yield tmp_path / "xdg" / "hansproof" / "likelihoods"
    likelihood._load_cached.cache_clear()


@dataclass
class Counter:
    """A model that counts what it is asked for, and may stop after some batches."""

    asked: list[list[str]] = field(default_factory=list)
    stop_after: int | None = None

    def score(
        self, model: Lm, choices: Any, on_batch: Callable[[Mapping[str, Any]], None] | None = None
    ) -> dict[str, BlindLikelihood]:
        texts = [*choices]
        self.asked.append(texts)
        known: dict[str, BlindLikelihood] = {}
        for i in range(0, len(texts), 2):
            if self.stop_after is not None and i >= 2 * self.stop_after:
                raise KeyboardInterrupt
            batch = {
                text: BlindLikelihood(-float(len(text)), len(text.split()), False)
                for text in texts[i : i + 2]
            }
            known |= batch
            if on_batch is not None:
                on_batch(batch)
        return known


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> Counter:
    """In place of the network."""
    counting = Counter()

    def score(
        self: Lm, choices: Any, on_batch: Callable[[Mapping[str, Any]], None] | None = None
    ) -> dict[str, BlindLikelihood]:
        return counting.score(self, choices, on_batch)

    monkeypatch.setattr(Lm, "score_choices", score)
    return counting


def load(value: object, benchmark: Benchmark = BENCH) -> Any:
    return load_inputs(benchmark, {"lm": value})["lm"]


@pytest.mark.parametrize(("score_by", "method"), [("sum", "totals"), ("token", "means")])
def test_they_are_the_scores_of_the_model_without_the_question(
    gpt2: Path, score_by: str, method: str
) -> None:
    (likelihoods,) = load(f"lm:source={gpt2},device=cpu,batch=4")
    visible = views.apply_view(views.parse_view("choices", ("q", "r")), ITEMS)
    scores = models.load(f"lm:source={gpt2},device=cpu,score_by={score_by}").score(visible)
    values = getattr(likelihoods, method)(ITEMS)
    assert values == pytest.approx(np.concatenate(scores), rel=1e-5)
    assert (likelihoods.model, likelihoods.device) == ("lm:tiny", "cpu")
    assert likelihoods.by_text["a word1"] == likelihoods.by_text[" a word1 "]
    assert likelihoods.by_text[""] == (0.0, 0)
    assert "not a choice" not in likelihoods.by_text  # of a split without answers


def test_a_second_audit_needs_no_model_and_another_benchmark_only_its_new_texts(
    gpt2: Path, counter: Counter, empty_cache: Path
) -> None:
    few = replace(BENCH, splits={"test": ITEMS[:5]})
    load(str(gpt2), few)
    first = load(str(gpt2))
    n_texts = len({choice for item in ITEMS for choice in item.choices})
    assert len(counter.asked[0]) + len(counter.asked[1]) == n_texts
    assert len({*counter.asked[0], *counter.asked[1]}) == n_texts
    assert load(f"lm:{gpt2}") == first
    assert len(counter.asked) == 2
    assert len([*empty_cache.glob("*.jsonl")]) == 1


def test_an_interrupted_run_continues(gpt2: Path, counter: Counter) -> None:
    counter.stop_after = 3
    with pytest.raises(KeyboardInterrupt):
        load(str(gpt2))
    counter.stop_after = None
    load(str(gpt2))
    assert len(counter.asked[0]) - len(counter.asked[1]) == 6


def test_a_model_that_is_killed_loses_little(
    gpt2: Path, counter: Counter, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results are saved now and then; what a killed writer leaves is no obstacle."""
    monkeypatch.setattr(files, "SAVE_SECONDS", 0.0)
    n_saved: list[int] = []
    write_table = files.write_table

    def write(path: str, table: files.LikelihoodTable) -> None:
        n_saved.append(len(table.by_digest))
        write_table(path, table)

    monkeypatch.setattr(files, "write_table", write)
    load(str(gpt2))
    assert n_saved[:3] == [2, 4, 6]
    (path,) = empty_cache.glob("*.jsonl")
    Path(f"{path}.4711.part").write_text('{"hansproof": "likel')
    assert load(str(gpt2))
    assert len(counter.asked) == 1


@pytest.mark.parametrize("content", ["", "mine\n", '{"hansproof": "likelihoods of choices"}\n'])
def test_a_damaged_file_in_the_cache_is_made_again(
    gpt2: Path, counter: Counter, empty_cache: Path, content: str
) -> None:
    first = load(str(gpt2))
    (path,) = empty_cache.glob("*.jsonl")
    path.write_text(content)
    assert find_cached_inputs(BENCH, [Surface()], ()) == {}
    with pytest.warns(UserWarning, match="is damaged, so likelihoods are computed again"):
        assert load(str(gpt2)) == first
    assert load(str(gpt2)) == first
    assert len(counter.asked) == 2


def test_a_cache_that_cannot_be_written_costs_only_time(
    gpt2: Path, counter: Counter, empty_cache: Path
) -> None:
    empty_cache.parent.mkdir(parents=True)
    empty_cache.write_text("a file")
    with pytest.warns(UserWarning, match="likelihoods are computed again next time") as warnings:
        (likelihoods,) = load(str(gpt2))
    assert len(warnings) == 1
    assert likelihoods.totals(ITEMS[:1]) == pytest.approx([-len(c) for c in ITEMS[0].choices])


def test_other_audits_find_likelihoods_of_all_choices(
    gpt2: Path, counter: Counter, empty_cache: Path
) -> None:
    few = replace(BENCH, splits={"test": ITEMS[:5]})
    loaded = load(str(gpt2), few)
    assert find_cached_inputs(few, [Cues(), Surface()], ()) == {"lm": loaded}
    assert find_cached_inputs(BENCH, [Surface()], ()) == {}  # some choices are missing
    assert find_cached_inputs(few, [Cues()], ()) == {}  # which does not use them
    assert find_cached_inputs(few, [Surface()], ("lm",)) == {}
    assert find_cached_inputs(Benchmark("b", {"all": UNLABELLED}), [Surface()], ()) == {}
    (path,) = empty_cache.glob("*.jsonl")
    path.rename(path.with_name("0.jsonl"))  # not the name that the fingerprint gives
    assert find_cached_inputs(few, [Surface()], ()) == {}


def test_none_declines_them(gpt2: Path) -> None:
    assert load("none") == []
    with pytest.raises(BadInput, match="--lm: is none and something else"):
        load(["none", str(gpt2)])


def test_models_of_the_same_name_can_be_told_apart(
    gpt2: Path, tmp_path: Path, counter: Counter
) -> None:
    other = torch_models.causal(tmp_path / "tiny", places=40)
    first, second = load([str(gpt2), str(other), f"lm:{gpt2}"])
    assert first.fingerprint != second.fingerprint
    assert first.model != second.model
    assert first.model.startswith("lm:tiny ")


@pytest.mark.parametrize("value", ["bow", "bow:ngram=1", "./mine.py", "mine.py:x=1"])
def test_other_models_are_refused(value: str) -> None:
    with pytest.raises(BadInput, match=f"--lm: {value} is not a causal language model"):
        load(value)


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"has no weights in \.safetensors files"):
        load(str(tmp_path))
    with pytest.raises(ModelError, match=r"\./here: no such folder"):
        load("./here")
    with pytest.raises(ModelError, match="name a pretrained model"):
        load("lm")
    with pytest.raises(BadInput, match="lm:batch: is 0"):
        load("lm:x,batch=0")


def test_objects_are_of_all_choices(gpt2: Path, counter: Counter) -> None:
    (likelihoods,) = load(str(gpt2))
    assert load(likelihoods) == [likelihoods]
    few = replace(likelihoods, by_text={"": (0.0, 0)})
    with pytest.raises(BadInput, match="lm:tiny: has no likelihoods for"):
        load(few)


def test_a_file_stands_for_the_model(gpt2: Path, counter: Counter, tmp_path: Path) -> None:
    path = str(tmp_path / "far" / "away.jsonl")
    texts = [choice for item in ITEMS for choice in item.choices]
    files.write_likelihoods(path, f"lm:source={gpt2},device=cpu", texts[:10])
    with pytest.raises(BadInput, match=r"away\.jsonl: has no likelihoods for \d+ of the \d+ c"):
        load(path)
    files.write_likelihoods(path, f"lm:source={gpt2},device=cpu", texts)
    (from_file,) = load(path)
    assert [from_file] == load(f"lm:source={gpt2},device=cpu")
    assert len(counter.asked) == 3  # two for the file, and one for the cache
    assert load(str(tmp_path / "*" / "*.jsonl")) == [from_file]
    with pytest.raises(BadInput, match=r"nothing\.jsonl: no such file"):
        load(str(tmp_path / "nothing.jsonl"))


def test_a_file_of_another_model_is_left_alone(
    gpt2: Path, counter: Counter, tmp_path: Path
) -> None:
    path = str(tmp_path / "x.jsonl")
    files.write_table(path, files.LikelihoodTable("lm:other", "abc", "cpu"))
    with pytest.raises(BadInput, match="has likelihoods of another model, lm:other"):
        files.write_likelihoods(path, f"lm:{gpt2}", ["a"])
    Path(path).write_text("mine\n")
    with pytest.raises(BadInput, match="is not a JSON object"):
        files.write_likelihoods(path, f"lm:{gpt2}", ["a"])
    assert Path(path).read_text() == "mine\n"
    with pytest.raises(BadInput, match="is not a folder"):
        files.write_likelihoods(f"{path}/y.jsonl", f"lm:{gpt2}", ["a"])
    assert counter.asked == []


def test_files_are_known_by_fingerprint_and_not_by_name(
    gpt2: Path, counter: Counter, empty_cache: Path
) -> None:
    load(str(gpt2))
    (path,) = empty_cache.glob("*.jsonl")
    header = json.loads(path.read_text().splitlines()[0])
    assert path == Path(inputs.cache_path(header["fingerprint"]))
    assert header["model"] == "lm:tiny"
    assert os.listdir(empty_cache) != []
    assert "word1" not in path.read_text()  # texts are digests


def test_settings_without_an_effect_are_refused(gpt2: Path, tmp_path: Path) -> None:
    message = "--lm: score_by has no effect here: leave it out"
    with pytest.raises(BadInput, match=message):
        load(f"lm:source={gpt2},score_by=letters")
    with pytest.raises(BadInput, match=message):
        files.write_likelihoods(str(tmp_path / "x.jsonl"), f"lm:{gpt2},score_by=token", ["a"])
    assert load(f"lm:source={gpt2},score_by=sum")


def test_choices_that_are_cut_are_not_cached(
    tmp_path: Path, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = torch_models.causal(tmp_path / "short", places=24)
    long = Item("long", {"q": "why"}, ("word1 " * 40, "the word2"), 1)
    benchmark = Benchmark("b", {"all": (*ITEMS[:3], long)})
    message = "1 of 9 choices are longer than the model reads, so their beginning was cut off"
    with pytest.warns(UserWarning, match=message):
        (first,) = load(str(folder), benchmark)
    assert find_cached_inputs(benchmark, [Surface()], ()) == {}
    with pytest.warns(UserWarning, match="1 of 1 choices are longer"):
        assert load(str(folder), benchmark) == [first]
    (path,) = empty_cache.glob("*.jsonl")
    assert long.choices[0] in first.by_text
    assert len(path.read_text().splitlines()) == len(first.by_text)  # with the header
    path_of_file = str(tmp_path / "x.jsonl")
    with pytest.warns(UserWarning, match="are longer than the model reads"):
        files.write_likelihoods(path_of_file, str(folder), first.by_text)
    assert load(path_of_file, benchmark) == [first]  # a file is complete


def test_a_cache_entry_that_is_no_unicode_is_passed_over(
    gpt2: Path, counter: Counter, empty_cache: Path
) -> None:
    load(str(gpt2))
    (path,) = empty_cache.glob("*.jsonl")
    header, *rows = path.read_text().splitlines()
    damaged = json.dumps({**json.loads(header), "fingerprint": "\ud800"})
    path.write_text("\n".join([damaged, *rows]))
    assert find_cached_inputs(BENCH, [Surface()], ()) == {}
    with pytest.raises(BadInput, match="fingerprint: must be a text"):
        load(str(path))


def test_objects_and_paths_of_the_same_name_can_be_told_apart(
    gpt2: Path, tmp_path: Path, counter: Counter
) -> None:
    other = torch_models.causal(tmp_path / "tiny", places=40)
    (loaded,) = load(str(gpt2))
    assert loaded.model == "lm:tiny"
    first, second = load([loaded, str(other)])
    assert first.model != second.model
    assert load([loaded, str(gpt2)]) == [loaded]
    with pytest.raises(BadInput, match="--lm: is none and something else"):
        load(["none", loaded])
