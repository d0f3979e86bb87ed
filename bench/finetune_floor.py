"""Compute a lower bound on the time of fine-tuning: matrix products and optimiser traffic.

Two ceilings are measured on the device: a large matrix product, and a large copy (bytes read and
written). An update needs the products of all tokens, without padding, once forward and twice
backward. Then AdamW reads and writes the weight and both moments of each parameter (24 bytes),
reads its gradient and writes the copy that the products use (bf16: 2 + 2 bytes; fp32: 4 + 0). The
floor is the sum of both, because they run one after the other. Softmax, norms, activations,
dropout and gradient clipping are counted as free.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from transformers import BertForMultipleChoice

from bench.finetune_peers import BATCH, BertShape, TokenizedItems

ADAM_BYTES = {"bf16": 24 + 2 + 2, "fp32": 24 + 4}
TYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}
TIMES = 20
SIDE = {"cpu": 2048, "cuda": 8192}  # of the matrices in the large product
COPIED = {"cpu": 2**28, "cuda": 2**32}  # bytes, far more than any cache

Work = Callable[[], object]


def measure_ceilings(device: str, precision: str) -> dict[str, float]:
    """Measure the FLOP/s and bytes/s of the device."""
    side, size = SIDE[device], COPIED[device]
    product = time_work(_make_products(side, side, side, 1, device, precision), device)
    source = torch.randint(0, 255, (size,), dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    copy = time_work(lambda: target.copy_(source), device)
    return {"flop_per_s": 2 * side**3 / product, "bytes_per_s": 2 * size / copy}


def compute_floor(
    shape: BertShape, data: TokenizedItems, device: str, precision: str, ceilings: dict[str, float]
) -> dict[str, Any]:
    """Return the milliseconds of an update, and their parts."""
    update_work = count_work(shape, data)
    product_rates = measure_products(shape, data, device, precision)
    # on a CPU, small products that fit a cache may be faster than the large one
    rate = max(ceilings["flop_per_s"], *product_rates.values())
    traffic = update_work["parameters"] * ADAM_BYTES[precision]
    products, adam = 1000 * update_work["flop"] / rate, 1000 * traffic / ceilings["bytes_per_s"]
    return {
        "ms_per_update": products + adam, "products_ms": products, "adam_ms": adam,
        **update_work, "adam_bytes": traffic, "precision": precision, "flop_per_s": rate,
        "flop_per_s_at": product_rates,
    }  # fmt: skip


def count_work(shape: BertShape, data: TokenizedItems) -> dict[str, float]:
    """Count the work of an update, as the mean over all possible batches."""
    lengths = data.lengths()
    items = len(data.answers)
    tokens = BATCH * sum(lengths) / items
    # pairs of tokens that attend to each other
    pairs = BATCH * sum(length**2 for length in lengths) / items
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


def measure_products(
    shape: BertShape, data: TokenizedItems, device: str, precision: str
) -> dict[str, float]:
    """Measure the FLOP/s of the products that occur, reading the weights of each layer anew."""
    tokens, h, inner = round(count_work(shape, data)["tokens"]), shape.width, shape.inner
    sizes = [(tokens, h, 3 * h), (tokens, h, h), (tokens, h, inner), (tokens, inner, h),
             (h, tokens, inner)]  # fmt: skip
    return {
        f"{m} x {k} x {n}": 2 * m * k * n * shape.layers
        / time_work(_make_products(m, k, n, shape.layers, device, precision), device, graph=True)
        for m, k, n in sizes
    }  # fmt: skip


def _make_products(m: int, k: int, n: int, count: int, device: str, precision: str) -> Work:
    """Return a function that does `count` products of random matrices of this size."""
    kind = TYPES[precision]
    left_factor = torch.randn(m, k, device=device).to(kind)
    right_factors = [torch.randn(k, n, device=device).to(kind) for _ in range(count)]
    out = torch.empty(m, n, device=device, dtype=kind)

    def multiply_all() -> None:
        for right_factor in right_factors:
            torch.mm(left_factor, right_factor, out=out)

    return multiply_all


def time_work(work: Work, device: str, graph: bool = False) -> float:
    """Return the seconds that `work` takes, after warming up.

    On a GPU, the median measured with events; of a CUDA graph if launch times would matter.
    """
    for _ in range(3):
        work()
    if device == "cpu":
        return min(_time_on_cpu(work) for _ in range(TIMES))  # other processes may use these cores
    torch.cuda.synchronize()
    if graph:
        captured = torch.cuda.CUDAGraph()
        with torch.cuda.graph(captured):
            work()
        work = captured.replay
        work()
    return statistics.median(_time_on_gpu(work) for _ in range(TIMES))


def _time_on_cpu(work: Work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _time_on_gpu(work: Work) -> float:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    work()
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) / 1000
