"""A pretrained model as it is asked for: settings, many tasks, seeds, runs that break down."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from hansproof import models
from hansproof.errors import BadInput, MissingExtra, ModelError, UnknownName
from hansproof.models.hf import Hf
from hansproof.pretrained.checkpoint import fingerprint
from hansproof.training.recipes import get_recipe
from hansproof.training.selection import selection_accuracy
from hansproof.training.training_task import TrainingTask
from tests.support import checkpoints

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

TRAIN, SELECT, TEST = (checkpoints.items(n, seed) for n, seed in ((12, 1), (6, 2), (8, 3)))
TASKS = [TrainingTask(TRAIN[at:], SELECT, at) for at in range(3)]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoints.checkpoint(tmp_path_factory.mktemp("bert"), "bert")


@pytest.fixture
def model(bert: Path) -> Hf:
    return made(bert, rates=(1e-3,), epochs=2, batches=(4,))


def made(folder: Path, **other: Any) -> Hf:
    """One that gives the same numbers on any CPU, nearly."""
    return Hf(str(folder), device="cpu", precision="fp32", **other)


def quiet(share: float, accuracy: float | None) -> None:
    """Nobody looks on."""


def test_what_is_set_comes_before_the_recipe() -> None:
    spec = "hf:somewhere,recipe=branco,rates=1e-4|2e-4,epochs=3,length=40,pooling=mean,inputs=pair"
    settled = models.load(spec).effective_recipe()
    assert (settled.rates, settled.epochs, settled.length) == ((1e-4, 2e-4), 3, 40)
    assert (settled.pooling, settled.inputs) == ("mean", "pair")
    assert (settled.batches, settled.decay) == (get_recipe("branco").batches, 0.1)
    assert models.load("hf:somewhere").effective_recipe() == get_recipe("default")


@pytest.mark.parametrize(
    "odd", ["rates=0", "rates=-1", "rates=nan", "batches=0", "epochs=-1", "length=-5"]
)
def test_settings_that_cannot_be_trained_with_are_refused(odd: str) -> None:
    with pytest.raises(BadInput, match=f"hf:{odd.partition('=')[0]}"):
        models.load(f"hf:somewhere,{odd}")


def test_recipes_and_values_that_are_none_are_refused() -> None:
    with pytest.raises(UnknownName, match="did you mean branco"):
        models.load("hf:somewhere,recipe=brnco")
    with pytest.raises(BadInput, match="hf:pooling"):
        models.load("hf:somewhere,pooling=max")


def test_it_takes_one_run_at_a_time_on_a_cpu(model: Hf) -> None:
    assert model.batch_capacity() == 1


def test_several_tasks_are_each_as_by_themselves(model: Hf) -> None:
    together = [fitted.score(TEST) for fitted in model.fit_many(TASKS, quiet)]
    for task, scores in zip(TASKS, together, strict=True):
        alone = model.fit(task.items, task.select, task.seed).score(TEST)
        for row, expected in zip(scores, alone, strict=True):
            # of other words that occur, so sums come in another order
            assert row == pytest.approx(expected, abs=1e-4)
    assert len({str(scores) for scores in together}) == 3


def test_how_far_it_is_is_told_as_it_goes(model: Hf) -> None:
    told: list[tuple[float, float | None]] = []
    seen = [len(told) for _ in model.fit_many(TASKS, lambda *now: told.append(now))]
    shares = [share for share, _ in told]
    assert shares == pytest.approx([at / 6 for at in range(1, 7)])
    assert all(accuracy is not None and 0 <= accuracy <= 1 for _, accuracy in told)
    assert seen == [2, 4, 6]


def test_the_same_seed_gives_the_same_and_another_another(model: Hf) -> None:
    """Whatever was drawn before; and what is drawn afterwards is as if nothing had been."""
    scores = []
    for state, seed in ((1, 5), (2, 5), (2, 6)):
        torch.manual_seed(state)
        expected = torch.random.get_rng_state()
        scores.append(model.fit(TRAIN, SELECT, seed).score(TEST))
        assert torch.equal(torch.random.get_rng_state(), expected)
    assert scores[0] == scores[1] != scores[2]


def test_every_rate_is_tried_and_the_best_is_kept(bert: Path) -> None:
    model = Hf(
        str(bert), rates=(1e-9, 3e-3, 1e20), epochs=8, batches=(4,), device="cpu", precision="fp32"
    )
    fitted = model.fit(TRAIN, TRAIN, 0)  # by what is learnt by heart
    found = [
        re.fullmatch(r"rate=(\S+) batch=4: epoch (\d), (.*)", trial) for trial in fitted.trials
    ]
    assert [one and one[1] for one in found] == ["1e-09", "0.003", "1e+20"]
    assert [one and one[3].endswith("on select") for one in found] == [True, True, False]
    assert found[2] is not None
    assert found[2][3] == "diverged"
    assert fitted.chosen["rate"] == 3e-3
    assert fitted.chosen["batch"] == 4
    assert fitted.chosen["precision"] == "float32"
    best = f"{selection_accuracy(fitted.score(TRAIN), TRAIN):.3f} on select"
    assert found[1] is not None
    assert found[1][3] == best
    assert int(found[1][2]) == fitted.chosen["epoch"]


def test_a_run_that_breaks_down_says_nothing_and_cannot_be_kept(bert: Path, tmp_path: Path) -> None:
    fitted = made(bert, rates=(1e20,), epochs=2).fit(TRAIN, SELECT, 0)
    assert fitted.fit_info.diverged
    assert fitted.chosen["nan"] is True
    assert {one for row in fitted.score(TEST) for one in row} == {0.0}
    assert [len(row) for row in fitted.score(TEST)] == [len(item.choices) for item in TEST]
    with pytest.raises(ModelError, match="training diverged"):
        fitted.save(str(tmp_path / "kept"))
    assert not (tmp_path / "kept").exists()


def test_a_run_that_is_well_tells_of_itself(model: Hf, bert: Path) -> None:
    fitted = model.fit(TRAIN, SELECT, 0)
    assert not fitted.fit_info.diverged
    assert "nan" not in fitted.chosen
    assert fitted.fit_info.tokenizer == "TokenizersBackend, at most 64 tokens"
    assert (fitted.fit_info.device, fitted.fit_info.length, fitted.fit_info.cut) == ("cpu", 64, 0)
    texts = {(str(i.fields), c) for i in (*TRAIN, *SELECT) for c in i.choices}
    assert fitted.fit_info.sequences == len(texts)


def test_with_nothing_to_choose_by_or_to_learn_from_it_works(model: Hf) -> None:
    assert model.fit(TRAIN, (), 0).chosen["epoch"] == 2
    assert all(map(math.isfinite, model.fit((), (), 0).score(TEST)[0]))
    assert list(model.fit_many([], quiet)) == []


def test_what_is_drawn_before_the_last_layer_is_the_seed_s(model: Hf) -> None:
    found: list[Any] = [model.fit((), (), seed).weights for seed in (1, 1, 2)]
    first, again, other = found
    assert torch.equal(first["head.w"], again["head.w"])
    assert not torch.equal(first["head.w"], other["head.w"])
    assert torch.equal(first["words"], other["words"])


def test_who_asks_for_the_same_every_time_gets_the_same_on_a_cpu(model: Hf, bert: Path) -> None:
    strict = Hf(
        str(bert),
        rates=(1e-3,),
        epochs=2,
        batches=(4,),
        device="cpu",
        precision="fp32",
        deterministic=True,
    )
    assert strict.fit(TRAIN, SELECT, 0).score(TEST) == model.fit(TRAIN, SELECT, 0).score(TEST)
    assert not torch.are_deterministic_algorithms_enabled()


def test_its_material_is_the_checkpoint(model: Hf, bert: Path) -> None:
    assert len(model.materials()["fingerprint"]) == 64
    assert Hf(str(bert)).materials() == model.materials()


def test_without_torch_it_says_what_to_install(model: Hf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"pip install 'hansproof\[models\]'"):
        model.fit(TRAIN, SELECT, 0)


@pytest.mark.parametrize("faster", [True, False])
def test_products_are_in_half_precision_where_that_is_faster(
    faster: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hansproof.models._transformers import finetune

    monkeypatch.setattr(finetune, "_half_is_faster", lambda: faster)
    cpu, cuda = torch.device("cpu"), torch.device("cuda")
    assert (
        finetune.compute_dtype("auto", cuda)
        == finetune.compute_dtype("bf16", cpu)
        == torch.bfloat16
    )
    assert (
        finetune.compute_dtype("fp32", cuda) == finetune.compute_dtype("fp32", cpu) == torch.float32
    )
    assert finetune.compute_dtype("auto", cpu) == (torch.bfloat16 if faster else torch.float32)


def test_the_mean_is_taken_of_what_was_made_for_it(bert: Path, tmp_path: Path) -> None:
    """A sentence encoder has a folder that says so."""
    import shutil

    assert _pooling(bert) == "first"
    shutil.copytree(bert, tmp_path / "sentences")
    (tmp_path / "sentences" / "1_Pooling").mkdir()
    (tmp_path / "sentences" / "1_Pooling" / "config.json").write_text("{}")
    before, after = (fingerprint(str(one)) for one in (bert, tmp_path / "sentences"))
    assert before != after  # else a store would take records of the one for the other's
    assert _pooling(tmp_path / "sentences") == "mean"
    assert _pooling(tmp_path / "sentences", pooling="first") == "first"


def _pooling(folder: Path, **other: Any) -> Any:
    return made(folder, epochs=1, **other).fit(TRAIN[:2], (), 0).chosen["pooling"]
