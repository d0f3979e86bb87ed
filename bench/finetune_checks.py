"""Check on a GPU that the captured, compiled, packed training step equals a plain loop.

    PYTHONPATH=src python -m bench.finetune_checks build/finetune bench/finetune_checks.json

`bench.finetune pack` makes the folder. Three checks: the losses of three parallel runs match those
of `BertForMultipleChoice`, padded, in single precision, one run at a time (MiniLM's shape without
dropout, random weights, 20 steps); `deterministic` gives the same numbers twice; all runs finish
exactly once even if most of the memory is in use elsewhere.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from bench.finetune_ours import NO_QUESTIONS, RECIPE, _build_training
from bench.finetune_peers import BATCH, CLIP, DECAY, RATE, SHAPES, WARM_UP, TokenizedItems, collate
from hansproof.training import engine, step
from hansproof.training.adam import LaneWeights
from hansproof.training.compilation import run_eager
from hansproof.training.determinism import deterministic_mode
from hansproof.training.step import Lane, TrainConfig

STEPS, RUNS = 20, 3
SHAPE = SHAPES["minilm"]


def build_config() -> Any:
    """Return a config without dropout, with initial weights large enough to tell runs apart."""
    config = SHAPE.config()
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    config.initializer_range = 0.05
    return config


def build_encoder() -> Any:
    torch.manual_seed(0)
    return transformers.BertModel(build_config())


def build_lanes(train_config: TrainConfig, questions: Any) -> list[Lane]:
    return [Lane(questions, NO_QUESTIONS, seed, RATE * (1 + seed)) for seed in range(RUNS)]


def run_ours(data: TokenizedItems, precision: str, compiled: bool) -> list[list[float]]:
    """Return the losses by step and run."""
    train_config, questions = _build_training(
        build_config(), build_encoder(), "pooler", data, "cuda", precision, 2
    )
    lanes = build_lanes(train_config, questions)
    size = step.BatchShape.from_lanes(train_config, lanes)
    starts = [train_config.net.start(lane.seed) for lane in lanes]
    weights = LaneWeights.from_lanes(starts, train_config.device, train_config.dtype)
    train_step = step.TrainStep(train_config, size, weights, lanes, 1)
    with run_eager(not compiled):
        run_step = step.capture_step(train_step)
    losses = []
    batches = [
        [*step.epoch_batches(train_config, lane, 0), *step.epoch_batches(train_config, lane, 1)]
        for lane in lanes
    ]
    for i in range(STEPS):
        train_step.load_batch(
            [lane_batches[i] for lane_batches in batches], [i] * RUNS, [STEPS] * RUNS
        )
        run_step()
        losses.append(train_step.losses.tolist())
    return losses


def run_theirs(data: TokenizedItems) -> list[list[float]]:
    """Return the same losses computed with transformers and PyTorch."""
    train_config, questions = _build_training(
        build_config(), build_encoder(), "pooler", data, "cuda", "fp32", 2
    )
    rows = data.rows()
    losses = []
    for lane in build_lanes(train_config, questions):
        model = transformers.BertForMultipleChoice(build_config()).cuda().train()
        model.bert.load_state_dict(build_encoder().state_dict())
        start = train_config.net.start(lane.seed)
        with torch.no_grad():
            model.classifier.weight.copy_(start["head.w"])
            model.classifier.bias.copy_(start["head.b"])
        parameters = [*model.named_parameters()]
        no_decay = [w for n, w in parameters if "LayerNorm" in n or n.endswith("bias")]
        with_decay = [w for n, w in parameters if not ("LayerNorm" in n or n.endswith("bias"))]
        groups = [
            {"params": with_decay, "weight_decay": DECAY},
            {"params": no_decay, "weight_decay": 0.0},
        ]
        adam = torch.optim.AdamW(groups, lr=lane.rate)
        schedule = transformers.get_linear_schedule_with_warmup(adam, WARM_UP * STEPS, STEPS)
        batches = [
            *step.epoch_batches(train_config, lane, 0),
            *step.epoch_batches(train_config, lane, 1),
        ][:STEPS]
        lane_losses = []
        for batch in batches:
            inputs = {k: v.cuda() for k, v in collate([rows[i] for i in batch]).items()}
            loss = model(**inputs).loss
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
            adam.step()
            schedule.step()
            lane_losses.append(loss.item())
        losses.append(lane_losses)
    return [list(step_losses) for step_losses in zip(*losses, strict=True)]


def max_difference(first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]) -> float:
    return float(np.abs(np.array(first) - np.array(second)).max())


def is_repeatable(data: TokenizedItems) -> bool:
    """Return whether two runs with dropout end with exactly the same weights."""
    train_config, questions = _build_training(
        SHAPE.config(), build_encoder(), "pooler", data, "cuda", "bf16", 2
    )
    train_config = replace(train_config, deterministic=True)

    def train_once() -> dict[str, torch.Tensor]:
        with deterministic_mode(True):
            (lane_result,) = engine.train_lanes(
                train_config, [Lane(questions, NO_QUESTIONS, 1, RATE)]
            )
        assert lane_result.weights is not None
        return lane_result.weights

    first, second = train_once(), train_once()
    return all(torch.equal(first[name], second[name]) for name in first)


@contextmanager
def occupy_memory(bytes_left: int) -> Iterator[None]:
    """Hold all GPU memory except `bytes_left` while the context is open."""
    torch.cuda.empty_cache()
    free, _ = torch.cuda.mem_get_info()
    block = torch.empty(max(0, free - bytes_left), dtype=torch.uint8, device="cuda")
    yield
    del block


def train_in_little_memory(data: TokenizedItems) -> dict[str, Any]:
    """Train eight runs that should fit by the estimate, but do not fit in memory."""
    shape = SHAPES["bert-large"]
    torch.manual_seed(0)
    large = transformers.BertModel(shape.config())
    train_config, questions = _build_training(
        shape.config(), large, "pooler", data, "cuda", "bf16", 1
    )
    attempts = []
    lane_capacity, train_together = engine._lane_capacity, engine._train_together

    def record_attempt(
        train_config: TrainConfig, lanes: Sequence[Lane], parts: int, watch: Any
    ) -> Any:
        attempts.append({"runs": len(lanes), "parts": parts})
        return train_together(train_config, lanes, parts, watch)

    engine._lane_capacity, engine._train_together = lambda train_config, lanes: 8, record_attempt  # type: ignore[assignment]
    try:
        with occupy_memory(24 * 2**30):
            lanes = [Lane(questions, NO_QUESTIONS, seed, RATE) for seed in range(8)]
            epochs = [lane_result.epoch for lane_result in engine.train_lanes(train_config, lanes)]
    finally:
        engine._lane_capacity, engine._train_together = lane_capacity, train_together
    return {"left_gib": 24, "tried": attempts, "finished": len(epochs), "epochs": epochs}


def main(folder: str, out: str) -> None:
    torch.set_float32_matmul_precision("highest")
    data = TokenizedItems.read(folder, "train")
    assert len(data.answers) // BATCH * 2 >= STEPS
    assert RECIPE.clip == CLIP
    expected = run_theirs(data)
    single, eager, half = (
        run_ours(data, "fp32", True),
        run_ours(data, "fp32", False),
        run_ours(data, "bf16", True),
    )
    report = {
        "command": "python -m bench.finetune_checks (see its docstring)",
        "device": torch.cuda.get_device_name(), "torch": torch.__version__,
        "transformers": transformers.__version__, "steps": STEPS, "runs at once": RUNS,
        "largest difference of losses": {
            "fp32, compiled": max_difference(single, expected),
            "fp32, not compiled": max_difference(eager, expected),
            "bf16, compiled": max_difference(half, expected),
        },
        "losses": {"plain": expected, "fp32": single, "bf16": half},
        "deterministic: the same to the last bit": is_repeatable(data),
        "out of memory": train_in_little_memory(data),
    }  # fmt: skip
    Path(out).write_text(json.dumps(report, indent=1) + "\n")
    print({name: value for name, value in report.items() if name != "losses"})


if __name__ == "__main__":
    main(*sys.argv[1:])
