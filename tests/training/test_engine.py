"""The engine against plain transformers and PyTorch: the same losses, the same weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hansproof.training.recipes import Recipe
from hansproof.training.training_task import TrainingTask
from hansproof.types import Items
from tests.support import checkpoints

from ..support import training_factories as made
from ..support.plain_trainer import Plain
from ..support.training_factories import RECIPE, like

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
engine = pytest.importorskip("hansproof.training.engine")
step = pytest.importorskip("hansproof.training.step")

pytestmark = pytest.mark.usefixtures("alone")
RATE = 1e-3
SEVERAL = checkpoints.items(28, 1, counts=(2, 3, 4, 5))
MANY = checkpoints.mixed(40, 1)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.bert(tmp_path_factory.mktemp("bert"))


def ours(
    folder: Path, items: Items, recipe: Recipe, batch: int, epochs: int, parts: int = 1
) -> tuple[Any, Any, list[float]]:
    """The job, what was trained, and the loss of every step."""
    job = made.job(folder, [TrainingTask(items, (), 7)], recipe)
    with made.watched() as losses:
        work, lanes = job.make_config(batch, epochs), [job._build_lane(0, RATE)]
        (found,) = engine._train_together(work, lanes, parts, lambda done, now: None)
    return job, found, [one for (one,) in losses]


def theirs(folder: Path, job: Any, recipe: Recipe, batch: int, epochs: int, micro: int = 0) -> Any:
    """The plain way over the same batches: what is trained, and its losses."""
    work, lane = job.make_config(batch, epochs), job._build_lane(0, RATE)
    start = work.net.start(lane.seed)
    batches = [some.tolist() for at in range(epochs) for some in step.epoch_batches(work, lane, at)]
    plain = Plain(
        folder, recipe.pooling, (start["head.w"], start["head.b"]), rate=RATE, decay=recipe.decay,
        decay_all=recipe.decay_all, clip=recipe.clip, warm=round(recipe.warmup * len(batches)),
        steps=len(batches), schedule=recipe.schedule, micro=micro,
    )  # fmt: skip
    return plain, plain.losses(lane.train.items, batches)


def check_weights(folder: Path, job: Any, found: Any, recipe: Recipe, plain: Any) -> None:
    """All of them; but keys have a bias to which attention is blind, so that noise moves it."""
    own, beyond = made.family(folder, recipe).split_state(job.restore(found.weights))
    expected = plain.encoder.state_dict()
    assert own.keys() == expected.keys()
    for name, weight in own.items():
        if not name.endswith("key.bias"):
            assert torch.allclose(weight, expected[name], atol=2e-4), name
    assert torch.allclose(beyond["head.w"], plain.last.weight, atol=2e-4)
    assert torch.allclose(beyond["head.b"], plain.last.bias, atol=2e-4)


@pytest.mark.parametrize("pooling", ["pooler", "first", "mean"])
def test_packed_lanes_learn_what_padded_modules_do(bert: Path, pooling: str) -> None:
    """Items of one to five choices, of which those that are missing have no part."""
    recipe = like(RECIPE, pooling=pooling)
    job, found, losses = ours(bert, MANY, recipe, 8, 4)
    plain, expected = theirs(bert, job, recipe, 8, 4)
    assert len(losses) == 20
    assert losses == pytest.approx(expected, abs=1e-4)
    check_weights(bert, job, found, recipe, plain)
    moved = found.weights["0.up.w"] - job.make_config(8, 4).net.start(7)["0.up.w"]
    assert moved.abs().mean() > 10 * 2e-4  # far more than what counts as equal


def test_the_loss_is_that_of_the_model_for_multiple_choice(bert: Path) -> None:
    """The class of transformers that the papers used, with its own labels and loss."""
    items = checkpoints.items(8, 3, counts=(3,))
    recipe = like(RECIPE, pooling="pooler")
    job, _, losses = ours(bert, items, recipe, 8, 1)
    start = job.make_config(8, 1).net.start(7)
    module = transformers.BertForMultipleChoice.from_pretrained(bert).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    with torch.no_grad():
        module.classifier.weight.copy_(start["head.w"])
        module.classifier.bias.copy_(start["head.b"])
        pairs = [(item.fields["goal"], choice) for item in items for choice in item.choices]
        given = tokenizer(*zip(*pairs, strict=True), padding=True, return_tensors="pt")
        labels = torch.tensor([item.answer for item in items])
        folded = {name: one.view(8, 3, -1) for name, one in given.items()}
        assert losses == pytest.approx([module(**folded, labels=labels).loss.item()], abs=1e-5)


def test_small_batches_that_add_up_are_one_batch(bert: Path) -> None:
    """Four items at a time, eight times, as the papers went about it."""
    recipe = like(RECIPE, pooling="first", accumulation=8)
    job, found, losses = ours(bert, checkpoints.mixed(160, 2), recipe, 32, 4)
    plain, expected = theirs(bert, job, recipe, 32, 4, micro=4)
    assert len(losses) == 20
    assert losses == pytest.approx(expected, abs=1e-4)
    check_weights(bert, job, found, recipe, plain)


@pytest.mark.parametrize("parts", [2, 3, 8])
def test_a_batch_in_parts_is_the_same_batch(bert: Path, parts: int) -> None:
    """As after an out-of-memory; also where the parts are not alike, and for what is left over."""
    _, whole, expected = ours(bert, MANY[:21], RECIPE, 8, 3)
    _, found, losses = ours(bert, MANY[:21], RECIPE, 8, 3, parts)
    assert losses == pytest.approx(expected, abs=1e-5)
    for name, weight in found.weights.items():
        if not name.endswith("qkv.b"):
            assert torch.allclose(weight, whole.weights[name], atol=1e-4), name


@pytest.mark.parametrize(("leftover", "steps"), [("keep", 12), ("drop", 8)])
def test_what_is_left_over_is_a_small_batch_or_none(bert: Path, leftover: str, steps: int) -> None:
    recipe = like(RECIPE, leftover=leftover, warmup=0.25)
    job, found, losses = ours(bert, MANY[:22], recipe, 8, 4)
    plain, expected = theirs(bert, job, recipe, 8, 4)
    assert len(losses) == steps
    assert losses == pytest.approx(expected, abs=1e-4)
    check_weights(bert, job, found, recipe, plain)


@pytest.mark.parametrize("items", [checkpoints.alone(SEVERAL)[:24], SEVERAL[:24]])
def test_items_of_one_choice_only_and_of_several_only(bert: Path, items: Items) -> None:
    recipe = like(RECIPE, warmup=0.25)
    job, _, losses = ours(bert, items, recipe, 8, 4)
    _, expected = theirs(bert, job, recipe, 8, 4)
    assert len(losses) == 12
    assert losses == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "other",
    [
        {"decay_all": True, "decay": 0.5},
        {"clip": 0.0},
        {"clip": 0.01},
        {"schedule": "constant"},
        {"schedule": "cosine"},
        {"warmup": 0.0},
        {"warmup": 0.5},
    ],
)
def test_every_part_of_a_recipe_does_what_pytorch_does(bert: Path, other: dict[str, Any]) -> None:
    recipe = like(RECIPE, pooling="mean", **other)
    job, found, losses = ours(bert, MANY[:16], recipe, 8, 5)
    plain, expected = theirs(bert, job, recipe, 8, 5)
    assert losses == pytest.approx(expected, abs=1e-4)
    check_weights(bert, job, found, recipe, plain)


def test_words_that_do_not_occur_only_decay(bert: Path) -> None:
    """Their rows are not trained at all, and yet end where plain training leaves them."""
    recipe, few = like(RECIPE, decay=1.0), MANY[:6]
    job, found, _ = ours(bert, few, recipe, 8, 10)
    plain, _ = theirs(bert, job, recipe, 8, 10)
    texts = [" ".join((*item.fields.values(), *item.choices)) for item in few]
    seen = {one for ids in plain.tokenizer(texts)["input_ids"] for one in ids}
    assert len(found.weights["words"]) == len(seen) + 1
    before = made.family(bert, recipe).base["words"]
    after = job.restore(found.weights)["words"]
    unseen = sorted({*range(1, len(before))} - seen)  # but for padding, which is zeros
    assert len(unseen) > 5
    share = after[unseen] / before[unseen]
    assert share.std() < 1e-6
    assert 0.99 < share.mean() < 0.999
    expected = plain.encoder.embeddings.word_embeddings.weight
    assert torch.allclose(after[unseen], expected[unseen], rtol=1e-5)
    assert torch.allclose(after, expected, atol=2e-4)


def test_items_without_an_answer_teach_nothing(bert: Path) -> None:
    unknown = tuple(replace(item, answer=None) for item in SEVERAL[8:12])
    _, _, losses = ours(bert, MANY[:4] + unknown, RECIPE, 8, 1)
    _, _, expected = ours(bert, MANY[:4], RECIPE, 8, 1)
    assert losses == pytest.approx(expected, abs=1e-6)


def test_with_nothing_to_learn_from_the_weights_stay(bert: Path) -> None:
    job, found, losses = ours(bert, (), RECIPE, 8, 2)
    start = job.make_config(8, 2).net.start(7)
    assert losses == []
    assert all(torch.equal(weight, start[name]) for name, weight in found.weights.items())
