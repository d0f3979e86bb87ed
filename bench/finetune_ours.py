"""Time hansproof's training engine as `models/hf` uses it, but starting from tokens."""

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
    AccuracyResult,
    BertShape,
    EpochClock,
    Timing,
    TimingPlan,
    TokenizedItems,
)  # fmt: skip
from hansproof.models._architectures import packed
from hansproof.models._transformers.finetune import compute_dtype
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
NO_QUESTIONS = EncodedQuestions((), np.zeros((0, 2), np.int64))


def time_ours(
    shape: BertShape, data: TokenizedItems, device: str, runs: int, precision: str, plan: TimingPlan
) -> Timing:
    """Time parallel runs of `plan.total` epochs, of which the first is not timed."""
    if device == "cpu" and runs > 1:
        return _time_processes(shape, data, runs, precision, plan)
    torch.manual_seed(0)
    config = shape.config()
    module = transformers.BertModel(config)
    train_config, questions = _build_training(
        config, module, "pooler", data, device, precision, plan.total
    )
    lanes = [Lane(questions, NO_QUESTIONS, seed, RATE) for seed in range(runs)]
    clock = EpochClock(device)

    def watch(progress: float, accuracy: float | None) -> None:
        clock.end()
        clock.begin()

    clock.begin()
    results = list(train_lanes(train_config, lanes, watch))
    if len(clock.seconds) != plan.total or len(results) != runs:
        raise MemoryError(f"{runs} runs do not fit at once")
    set_up = max(0.0, clock.seconds[0] - float(np.median(clock.seconds[1:])))
    return replace(Timing.from_clock(clock, data, plan, precision), runs=runs, set_up=set_up)


def _build_training(
    config: Any,
    module: Any,
    pooling: str,
    data: TokenizedItems,
    device: str,
    precision: str,
    epochs: int,
) -> tuple[TrainConfig, EncodedQuestions]:
    sequences = [sequence for item in data.tokens for sequence in item]
    segments = [sequence for item in data.segments for sequence in item]
    family = packed.build_packed(config, module, pooling, None if pooling == "pooler" else 0.0)
    net, tokens, _ = family.trim_vocabulary(sequences)
    table = Sequences.from_lists(tokens, segments, device)
    rows = np.arange(len(sequences), dtype=np.int64).reshape(-1, 2)
    items = tuple(Item("", {}, ("", ""), answer) for answer in data.answers)
    torch_device = torch.zeros(1, device=device).device
    train_config = TrainConfig(net, table, RECIPE, BATCH, epochs, torch_device, TYPES[precision])
    return train_config, EncodedQuestions(items, rows)


def _time_processes(
    shape: BertShape, data: TokenizedItems, runs: int, precision: str, plan: TimingPlan
) -> Timing:
    """Time one run per core, as a sweep does."""
    tasks = [(shape, data, precision, plan)] * runs
    with multiprocessing.get_context("spawn").Pool(runs) as pool:
        timings = pool.map(_time_single_threaded, tasks)
    seconds = tuple(
        max(repetition_seconds)
        for repetition_seconds in zip(*(timing.seconds for timing in timings), strict=True)
    )
    return replace(timings[0], seconds=seconds, runs=runs)


def _time_single_threaded(task: tuple[BertShape, TokenizedItems, str, TimingPlan]) -> Timing:
    shape, data, precision, plan = task
    torch.set_num_threads(1)
    return time_ours(shape, data, "cpu", 1, precision, plan)


def train_ours_pretrained(
    source: str, data: TokenizedItems, test: TokenizedItems, device: str, seed: int
) -> AccuracyResult:
    """Do the same as `finetune_peers.train_pretrained` with hansproof's engine."""
    combined = TokenizedItems(*(a + b for a, b in zip(_columns(data), _columns(test), strict=True)))
    module = transformers.AutoModel.from_pretrained(source, dtype=torch.float32)
    train_config, questions = _build_training(
        module.config, module, "mean", combined, device, "fp32", EPOCHS
    )
    train_config = replace(train_config, dtype=compute_dtype("auto", train_config.device))
    size = len(data.answers)
    learn = EncodedQuestions(questions.items[:size], questions.rows[:size])
    clock = EpochClock(device)
    clock.begin()
    (lane_result,) = train_lanes(train_config, [Lane(learn, NO_QUESTIONS, seed, RATE)])
    clock.end()
    assert lane_result.weights is not None
    weights = {name: tensor[None] for name, tensor in lane_result.weights.items()}
    (scores,) = score_sequences(train_config, weights, [questions.rows[size:]], 32)
    accuracy = np.mean(scores.argmax(axis=1) == np.array(test.answers))
    return AccuracyResult(float(accuracy), sum(clock.seconds))


def _columns(data: TokenizedItems) -> Sequence[Any]:
    return data.tokens, data.segments, data.answers
