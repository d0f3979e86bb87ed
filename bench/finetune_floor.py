"""What fine-tuning cannot be faster than: its matrix products and its optimiser's bytes.

Two ceilings are measured where it runs: a large matrix product, and a large copy (bytes read and
written). An update needs the products of the tokens there are, without padding, forward once and
backward twice; then AdamW reads and writes weight and both moments of every parameter (24 bytes),
reads its gradient and writes the copy that products are done with (bf16: 2 + 2 bytes; fp32: 4 + 0).
The floor is the sum of both, as they come one after the other. Softmax, norms, activations,
dropout and the clipping of gradients are free.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from transformers import BertForMultipleChoice

from bench.finetune_peers import BATCH, Data, Shape

ADAM_BYTES = {"bf16": 24 + 2 + 2, "fp32": 24 + 4}
TYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}
TIMES = 20
SIDE = {"cpu": 2048, "cuda": 8192}  # of the large product
COPIED = {"cpu": 2**28, "cuda": 2**32}  # bytes, far more than any cache has

Work = Callable[[], object]


def ceilings(device: str, precision: str) -> dict[str, float]:
    """FLOP/s and bytes/s."""
    side, size = SIDE[device], COPIED[device]
    product = seconds(_products(side, side, side, 1, device, precision), device)
    source = torch.randint(0, 255, (size,), dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    copy = seconds(lambda: target.copy_(source), device)
    return {"flop_per_s": 2 * side**3 / product, "bytes_per_s": 2 * size / copy}


def floor(
    shape: Shape, data: Data, device: str, precision: str, found: dict[str, float]
) -> dict[str, Any]:
    """Milliseconds of an update, and what they are made of."""
    counted, each = work(shape, data), at_shapes(shape, data, device, precision)
    rate = max(found["flop_per_s"], *each.values())  # what fits a cache may be faster on a CPU
    traffic = counted["parameters"] * ADAM_BYTES[precision]
    products, adam = 1000 * counted["flop"] / rate, 1000 * traffic / found["bytes_per_s"]
    return {
        "ms_per_update": products + adam, "products_ms": products, "adam_ms": adam,
        **counted, "adam_bytes": traffic, "precision": precision, "flop_per_s": rate,
        "flop_per_s_at": each,
    }  # fmt: skip


def work(shape: Shape, data: Data) -> dict[str, float]:
    """What an update has to do: the mean over all batches there could be."""
    lengths = data.lengths()
    items = len(data.answers)
    tokens = BATCH * sum(lengths) / items
    pairs = BATCH * sum(length**2 for length in lengths) / items  # of tokens that see each other
    sequences = BATCH * len(lengths) / items
    layer = 4 * shape.width**2 + 2 * shape.width * shape.inner  # 12 h² where inner is 4 h
    head = shape.width**2 + shape.width  # pooler and head read one token of a sequence
    linear = 6 * (shape.layers * layer * tokens + head * sequences)
    attention = 3 * 4 * pairs * shape.width * shape.layers
    with torch.device("meta"):
        model = BertForMultipleChoice(shape.config())
    return {
        "tokens": tokens, "sequences": sequences, "flop": linear + attention,
        "flop_attention": attention, "parameters": sum(p.numel() for p in model.parameters()),
    }  # fmt: skip


def at_shapes(shape: Shape, data: Data, device: str, precision: str) -> dict[str, float]:
    """FLOP/s of the products that occur, each layer's weights read anew."""
    tokens, h, inner = round(work(shape, data)["tokens"]), shape.width, shape.inner
    sizes = [(tokens, h, 3 * h), (tokens, h, h), (tokens, h, inner), (tokens, inner, h),
             (h, tokens, inner)]  # fmt: skip
    return {
        f"{m} x {k} x {n}": 2 * m * k * n * shape.layers
        / seconds(_products(m, k, n, shape.layers, device, precision), device, graph=True)
        for m, k, n in sizes
    }  # fmt: skip


def _products(m: int, k: int, n: int, count: int, device: str, precision: str) -> Work:
    """So many products of that size, of random numbers, each with its own right-hand side."""
    kind = TYPES[precision]
    left = torch.randn(m, k, device=device).to(kind)
    right = [torch.randn(k, n, device=device).to(kind) for _ in range(count)]
    out = torch.empty(m, n, device=device, dtype=kind)

    def all_of_them() -> None:
        for one in right:
            torch.mm(left, one, out=out)

    return all_of_them


def seconds(work: Work, device: str, graph: bool = False) -> float:
    """After warming up: on a GPU the median, by events, of a graph where launches would show."""
    for _ in range(3):
        work()
    if device == "cpu":
        return min(_on_cpu(work) for _ in range(TIMES))  # others may be at work on these cores
    torch.cuda.synchronize()
    if graph:
        captured = torch.cuda.CUDAGraph()
        with torch.cuda.graph(captured):
            work()
        work = captured.replay
        work()
    return statistics.median(_on_gpu(work) for _ in range(TIMES))


def _on_cpu(work: Work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _on_gpu(work: Work) -> float:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    work()
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) / 1000
