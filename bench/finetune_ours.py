"""Ours, as `models/hf` trains it, but from tokens: the engine itself, with no way around it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
import transformers

from bench.finetune_peers import (
    BATCH,
    CLIP,
    DECAY,
    EPOCHS,
    RATE,
    WARM_UP,
    Clock,
    Data,
    Plan,
    Shape,
    Timing,
    Trained,
)  # fmt: skip
from hansproof.models._architectures import packed
from hansproof.models._transformers.finetune import compute_dtype as choose
from hansproof.training.engine import score_sequences, train_lanes
from hansproof.training.packing import Sequences
from hansproof.training.recipes import Recipe
from hansproof.training.step import EncodedQuestions, Lane, TrainConfig
from hansproof.types import Item

RECIPE = Recipe(
    epochs=EPOCHS, schedule="linear", warmup=WARM_UP, decay=DECAY, clip=CLIP, leftover="drop",
    selection="last",
)  # fmt: skip
TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}
NOTHING = EncodedQuestions((), np.zeros((0, 2), np.int64))


def ours(shape: Shape, data: Data, device: str, runs: int, precision: str, plan: Plan) -> Timing:
    """So many runs at once, each of `plan.total` epochs, of which the first is not timed."""
    if device == "cpu" and runs > 1:
        return _by_process(shape, data, runs, precision, plan)
    torch.manual_seed(0)
    config = shape.config()
    module = transformers.BertModel(config)
    work, questions = _work(config, module, "pooler", data, device, precision, plan.total)
    lanes = [Lane(questions, NOTHING, seed, RATE) for seed in range(runs)]
    clock = Clock(device)

    def watch(done: float, accuracy: float | None) -> None:
        clock.end()
        clock.begin()

    clock.begin()
    found = list(train_lanes(work, lanes, watch))
    if len(clock.seconds) != plan.total or len(found) != runs:
        raise MemoryError(f"{runs} runs do not fit at once")
    set_up = max(0.0, clock.seconds[0] - float(np.median(clock.seconds[1:])))
    return replace(Timing.of(clock, data, plan, precision), runs=runs, set_up=set_up)


def _work(
    config: Any, module: Any, pooling: str, data: Data, device: str, precision: str, epochs: int
) -> tuple[TrainConfig, EncodedQuestions]:
    flat = [sequence for item in data.tokens for sequence in item]
    kinds = [sequence for item in data.segments for sequence in item]
    family = packed.build_packed(config, module, pooling, None if pooling == "pooler" else 0.0)
    net, tokens, _ = family.trim_vocabulary(flat)
    table = Sequences.from_lists(tokens, kinds, device)
    rows = np.arange(len(flat), dtype=np.int64).reshape(-1, 2)
    items = tuple(Item("", {}, ("", ""), answer) for answer in data.answers)
    place = torch.zeros(1, device=device).device
    work = TrainConfig(net, table, RECIPE, BATCH, epochs, place, TYPES[precision])
    return work, EncodedQuestions(items, rows)


def _by_process(shape: Shape, data: Data, runs: int, precision: str, plan: Plan) -> Timing:
    """One run for each core, as a sweep has it."""
    given = [(shape, data, precision, plan)] * runs
    with multiprocessing.get_context("spawn").Pool(runs) as pool:
        each = pool.map(_alone, given)
    seconds = tuple(max(some) for some in zip(*(one.seconds for one in each), strict=True))
    return replace(each[0], seconds=seconds, runs=runs)


def _alone(given: tuple[Shape, Data, str, Plan]) -> Timing:
    shape, data, precision, plan = given
    torch.set_num_threads(1)
    return ours(shape, data, "cpu", 1, precision, plan)


def ours_pretrained(source: str, data: Data, test: Data, device: str, seed: int) -> Trained:
    """What `peers.pretrained` does: mean pooling and a linear layer, 10 epochs, the last tested."""
    both = Data(*(a + b for a, b in zip(_parts(data), _parts(test), strict=True)))
    module = transformers.AutoModel.from_pretrained(source, dtype=torch.float32)
    work, questions = _work(module.config, module, "mean", both, device, "fp32", EPOCHS)
    work = replace(work, dtype=choose("auto", work.device))
    size = len(data.answers)
    learn = EncodedQuestions(questions.items[:size], questions.rows[:size])
    clock = Clock(device)
    clock.begin()
    (found,) = train_lanes(work, [Lane(learn, NOTHING, seed, RATE)])
    clock.end()
    assert found.weights is not None
    weights = {name: one[None] for name, one in found.weights.items()}
    (said,) = score_sequences(work, weights, [questions.rows[size:]], 32)
    right = np.mean(said.argmax(axis=1) == np.array(test.answers))
    return Trained(float(right), sum(clock.seconds))


def _parts(data: Data) -> Sequence[Any]:
    return data.tokens, data.segments, data.answers
