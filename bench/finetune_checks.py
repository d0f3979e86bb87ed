"""On a GPU: is the captured, compiled, packed step of several runs what a plain loop does?

    PYTHONPATH=src python -m bench.finetune_checks build/finetune bench/finetune_checks.json

(`bench.finetune pack` makes the folder.) Without dropout, MiniLM's shape, random weights, 20 steps:
losses of three runs at once beside `BertForMultipleChoice`, padded, in single precision, one at a
time. Then: twice the same numbers with `deterministic`; and all runs finished, each once, though
most of the memory is taken by somebody else.
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

from bench.finetune_ours import NOTHING, RECIPE, _work
from bench.finetune_peers import BATCH, CLIP, DECAY, RATE, SHAPES, WARM_UP, Data, collate
from hansproof.training import engine, step
from hansproof.training.adam import LaneWeights
from hansproof.training.compilation import run_eager
from hansproof.training.determinism import deterministic_mode
from hansproof.training.step import Lane, TrainConfig

STEPS, RUNS = 20, 3
SHAPE = SHAPES["minilm"]


def config() -> Any:
    """Without dropout, and with weights large enough to tell runs apart."""
    made = SHAPE.config()
    made.hidden_dropout_prob = made.attention_probs_dropout_prob = 0.0
    made.initializer_range = 0.05
    return made


def module() -> Any:
    torch.manual_seed(0)
    return transformers.BertModel(config())


def lanes(work: TrainConfig, questions: Any) -> list[Lane]:
    return [Lane(questions, NOTHING, seed, RATE * (1 + seed)) for seed in range(RUNS)]


def ours(data: Data, precision: str, compiled: bool) -> list[list[float]]:
    """Losses by step and run."""
    work, questions = _work(config(), module(), "pooler", data, "cuda", precision, 2)
    some = lanes(work, questions)
    size = step.BatchShape.from_lanes(work, some)
    starts = [work.net.start(lane.seed) for lane in some]
    weights = LaneWeights.from_lanes(starts, work.device, work.dtype)
    one = step.TrainStep(work, size, weights, some, 1)
    with run_eager(not compiled):
        go = step.capture_step(one)
    found = []
    batches = [
        [*step.epoch_batches(work, lane, 0), *step.epoch_batches(work, lane, 1)] for lane in some
    ]
    for at in range(STEPS):
        one.load_batch([own[at] for own in batches], [at] * RUNS, [STEPS] * RUNS)
        go()
        found.append(one.losses.tolist())
    return found


def theirs(data: Data) -> list[list[float]]:
    """The same by transformers and PyTorch."""
    work, questions = _work(config(), module(), "pooler", data, "cuda", "fp32", 2)
    rows = data.rows()
    found = []
    for lane in lanes(work, questions):
        model = transformers.BertForMultipleChoice(config()).cuda().train()
        model.bert.load_state_dict(module().state_dict())
        start = work.net.start(lane.seed)
        with torch.no_grad():
            model.classifier.weight.copy_(start["head.w"])
            model.classifier.bias.copy_(start["head.b"])
        named = [*model.named_parameters()]
        bare = [w for n, w in named if "LayerNorm" in n or n.endswith("bias")]
        full = [w for n, w in named if not ("LayerNorm" in n or n.endswith("bias"))]
        groups = [{"params": full, "weight_decay": DECAY}, {"params": bare, "weight_decay": 0.0}]
        adam = torch.optim.AdamW(groups, lr=lane.rate)
        warm = transformers.get_linear_schedule_with_warmup(adam, WARM_UP * STEPS, STEPS)
        batches = [*step.epoch_batches(work, lane, 0), *step.epoch_batches(work, lane, 1)][:STEPS]
        each = []
        for batch in batches:
            given = {k: v.cuda() for k, v in collate([rows[at] for at in batch]).items()}
            loss = model(**given).loss
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
            adam.step()
            warm.step()
            each.append(loss.item())
        found.append(each)
    return [list(some) for some in zip(*found, strict=True)]


def furthest(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    return float(np.abs(np.array(one) - np.array(other)).max())


def repeated(data: Data) -> bool:
    """Whether two runs with dropout have the same weights to the last bit."""
    work, questions = _work(SHAPE.config(), module(), "pooler", data, "cuda", "bf16", 2)
    work = replace(work, deterministic=True)

    def once() -> dict[str, torch.Tensor]:
        with deterministic_mode(True):
            (found,) = engine.train_lanes(work, [Lane(questions, NOTHING, 1, RATE)])
        assert found.weights is not None
        return found.weights

    one, other = once(), once()
    return all(torch.equal(one[name], other[name]) for name in one)


@contextmanager
def crowded(left: int) -> Iterator[None]:
    """While it lasts, somebody else has all memory but so many bytes."""
    torch.cuda.empty_cache()
    free, _ = torch.cuda.mem_get_info()
    block = torch.empty(max(0, free - left), dtype=torch.uint8, device="cuda")
    yield
    del block


def squeezed(data: Data) -> dict[str, Any]:
    """Eight runs where the guess says that all have room, and memory says that they have not."""
    shape = SHAPES["bert-large"]
    torch.manual_seed(0)
    large = transformers.BertModel(shape.config())
    work, questions = _work(shape.config(), large, "pooler", data, "cuda", "bf16", 1)
    tried = []
    room, together = engine._lane_capacity, engine._train_together

    def noted(work: TrainConfig, some: Sequence[Lane], parts: int, watch: Any) -> Any:
        tried.append({"runs": len(some), "parts": parts})
        return together(work, some, parts, watch)

    engine._lane_capacity, engine._train_together = lambda work, lanes: 8, noted  # type: ignore[assignment]
    try:
        with crowded(24 * 2**30):
            some = [Lane(questions, NOTHING, seed, RATE) for seed in range(8)]
            found = [one.epoch for one in engine.train_lanes(work, some)]
    finally:
        engine._lane_capacity, engine._train_together = room, together
    return {"left_gib": 24, "tried": tried, "finished": len(found), "epochs": found}


def main(folder: str, out: str) -> None:
    torch.set_float32_matmul_precision("highest")
    data = Data.read(folder, "train")
    assert len(data.answers) // BATCH * 2 >= STEPS
    assert RECIPE.clip == CLIP
    plainly = theirs(data)
    single, eager, half = (
        ours(data, "fp32", True),
        ours(data, "fp32", False),
        ours(data, "bf16", True),
    )
    found = {
        "command": "python -m bench.finetune_checks (see its docstring)",
        "device": torch.cuda.get_device_name(), "torch": torch.__version__,
        "transformers": transformers.__version__, "steps": STEPS, "runs at once": RUNS,
        "largest difference of losses": {
            "fp32, compiled": furthest(single, plainly),
            "fp32, not compiled": furthest(eager, plainly),
            "bf16, compiled": furthest(half, plainly),
        },
        "losses": {"plain": plainly, "fp32": single, "bf16": half},
        "deterministic: the same to the last bit": repeated(data),
        "out of memory": squeezed(data),
    }  # fmt: skip
    Path(out).write_text(json.dumps(found, indent=1) + "\n")
    print({name: value for name, value in found.items() if name != "losses"})


if __name__ == "__main__":
    main(*sys.argv[1:])
