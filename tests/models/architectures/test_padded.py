"""Networks that are not packed learn what plain PyTorch makes them learn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hansproof.training.recipes import Recipe
from hansproof.training.training_task import TrainingTask
from hansproof.types import Item
from tests.support import checkpoints
from tests.support import training_factories as made

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
engine = pytest.importorskip("hansproof.training.engine")
step = pytest.importorskip("hansproof.training.step")

WHOLE = tuple(kind for kind in checkpoints.OTHERS if kind != "t5")
RATE, BATCH, EPOCHS = 1e-3, 6, 5
ITEMS = checkpoints.mixed(12, 3)


def source(folder: Path, kind: str) -> Path:
    spread = {"gpt2": "initializer_range", "bart": "init_std", "t5": "initializer_factor"}
    other: dict[str, Any] = {spread.get(kind, "initializer_range"): 1.0 if kind == "t5" else 0.2}
    return checkpoints.checkpoint(folder, kind, **other, **checkpoints.undropped(kind))


def ours(folder: Path, recipe: Recipe) -> tuple[Any, Any, list[float]]:
    job = made.job(folder, [TrainingTask(ITEMS, (), 7)], recipe)
    with made.watched() as losses:
        (found,) = engine.train_lanes(job.make_config(BATCH, EPOCHS), [job._build_lane(0, RATE)])
    return job, found, [one for (one,) in losses]


def batches(job: Any) -> list[list[Item]]:
    work, lane = job.make_config(BATCH, EPOCHS), job._build_lane(0, RATE)
    orders = [some for epoch in range(EPOCHS) for some in step.epoch_batches(work, lane, epoch)]
    return [[ITEMS[at] for at in some] for some in orders]


def decayed_rightly(module: Any, decay: float) -> list[dict[str, Any]]:
    """Two groups, as the trainer of transformers makes them: by kind of layer, and biases."""
    from transformers.trainer_pt_utils import get_parameter_names

    norms = [type(one) for one in module.modules() if "norm" in type(one).__name__.lower()]
    names = [name for name in get_parameter_names(module, norms) if "bias" not in name]
    own = dict(module.named_parameters())
    full, bare = ([w for n, w in own.items() if (n in names) == yes] for yes in (True, False))
    return [{"params": full, "weight_decay": decay}, {"params": bare, "weight_decay": 0.0}]


class Plain:
    """A module of transformers with a layer that scores, padded, one batch after the other."""

    def __init__(self, folder: Path, pooling: str, start: dict[str, Any]) -> None:
        self.module = transformers.AutoModel.from_pretrained(folder).train()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.pooling, self.last = pooling, torch.nn.Linear(32, 1)
        with torch.no_grad():
            self.last.weight.copy_(start["head.w"])
            self.last.bias.copy_(start["head.b"])

    def losses(self, batches: Sequence[Sequence[Item]], decay: float) -> list[float]:
        groups = decayed_rightly(self.module, decay)
        groups[0]["params"].append(self.last.weight)
        groups[1]["params"].append(self.last.bias)
        return stepped(groups, self.loss, batches)

    def loss(self, items: Sequence[Item]) -> Any:
        each = iter(self.scores(items))
        found = []
        for item in items:
            own = torch.stack([next(each) for _ in item.choices])
            if len(own) == 1:
                sign = 1 if item.answer == 0 else -1
                found.append(-torch.nn.functional.logsigmoid(sign * own[0]))
            else:
                found.append(own.logsumexp(0) - own[item.answer])
        return torch.stack(found).mean()

    def scores(self, items: Sequence[Item]) -> Any:
        texts = [(i.fields["goal"], choice) for i in items for choice in i.choices]
        apart = self.tokenizer.sep_token is not None
        ids = [self.tokenizer(*((a, b) if apart else (f"{a} {b}",))).input_ids for a, b in texts]
        longest, pad = max(map(len, ids)), self.tokenizer.pad_token_id or 0
        filled = torch.tensor([one + [pad] * (longest - len(one)) for one in ids])
        lengths = torch.tensor([len(one) for one in ids])
        there = (torch.arange(longest) < lengths[:, None]).long()
        said = self.module(input_ids=filled, attention_mask=there).last_hidden_state
        if self.pooling == "mean":
            pooled = (said * there[:, :, None]).sum(1) / lengths[:, None]
        else:
            at = lengths - 1 if self.pooling == "last" else torch.zeros_like(lengths)
            pooled = said[torch.arange(len(said)), at]
        return self.last(pooled)[:, 0]


def stepped(groups: Any, loss_of: Any, batches: Sequence[Sequence[Item]]) -> list[float]:
    optimizer, found = torch.optim.AdamW(groups, lr=RATE), []
    for batch in batches:
        optimizer.zero_grad()
        loss = loss_of(batch)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


@pytest.mark.parametrize("kind", checkpoints.in_turn(WHOLE))
@pytest.mark.parametrize("pooling", ["auto", "mean"])
def test_losses_are_those_of_plain_training(kind: str, pooling: Any, tmp_path: Path) -> None:
    recipe = Recipe(pooling=pooling, decay=1.0)
    folder = source(tmp_path, kind)
    job, found, losses = ours(folder, recipe)
    own = {"auto": "first" if "deberta" in kind else "last", "mean": "mean"}[pooling]
    plain = Plain(folder, own, job.make_config(BATCH, EPOCHS).net.start(7))
    expected = plain.losses(batches(job), recipe.decay)
    assert len(losses) == 10
    assert losses == pytest.approx(expected, abs=1e-4)
    state = plain.module.state_dict()
    for name in ("norm", "ln_f", "ln_1"):  # what must not decay
        for one in (n for n in state if name in n.lower() and n.endswith("weight")):
            assert torch.allclose(found.weights[f"module.{one}"], state[one], atol=5e-4), one


def test_a_network_that_answers_in_words_learns_the_words(tmp_path: Path) -> None:
    """Its loss is that of the module for the answer: the sum over the answer's tokens."""
    items = checkpoints.items(12, 3, counts=(2, 3))
    folder = source(tmp_path, "t5")
    recipe = Recipe(decay=1.0)
    job = made.job(folder, [TrainingTask(items, (), 7)], recipe)
    with made.watched() as losses:
        list(engine.train_lanes(job.make_config(BATCH, EPOCHS), [job._build_lane(0, RATE)]))
    module = transformers.T5ForConditionalGeneration.from_pretrained(folder).train()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def loss(some: Sequence[Item]) -> Any:
        each = []
        for item in some:
            two = len(item.choices) == 2
            names = ("sol0", "sol1") if two else ("A", "B", "C")
            said = ("False", "True") if two else names
            named = " ".join(f"{n}: {c}" for n, c in zip(names, item.choices, strict=True))
            prompt = tokenizer(f"piqa goal: {item.fields['goal']} {named}", return_tensors="pt")
            labels = tokenizer(said[item.answer or 0], return_tensors="pt").input_ids
            each.append(module(**prompt, labels=labels).loss * labels.numel())
        return torch.stack(each).mean()

    work, lane = job.make_config(BATCH, EPOCHS), job._build_lane(0, RATE)
    orders = [some for epoch in range(EPOCHS) for some in step.epoch_batches(work, lane, epoch)]
    expected = stepped(
        decayed_rightly(module, 1.0), loss, [[items[at] for at in some] for some in orders]
    )
    assert [one for (one,) in losses] == pytest.approx(expected, abs=2e-4)


def test_of_one_choice_it_says_by_how_much_yes_is_likelier(tmp_path: Path) -> None:
    folder = source(tmp_path, "t5")
    (item,) = checkpoints.alone(checkpoints.items(1))[:1]
    job = made.job(folder, [TrainingTask((item,), (), 7)], Recipe())
    work, lane = job.make_config(1, 1), job._build_lane(0, RATE)
    weights = {name: one[None] for name, one in work.net.start(0).items()}
    ((score,),) = engine.score_sequences(work, weights, [lane.train.rows], 64)[0]
    module = transformers.T5ForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    text = f"piqa goal: {item.fields['goal']} sol0: {item.choices[0]}"
    prompt = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        labels = [tokenizer(one, return_tensors="pt").input_ids for one in ("True", "False")]
        yes, no = (-module(**prompt, labels=one).loss * one.numel() for one in labels)
    assert score == pytest.approx(float(yes - no), abs=1e-4)
