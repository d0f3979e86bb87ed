"""Training that gives the same numbers every time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deterministic_mode(strict: bool) -> Iterator[None]:
    """Make PyTorch deterministic within the block, and restore its state afterwards.

    `strict` is for a GPU, where the order of some sums is otherwise arbitrary.
    """
    import torch

    was_deterministic = torch.are_deterministic_algorithms_enabled()
    warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
    fill_memory = torch.utils.deterministic.fill_uninitialized_memory
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        if strict:
            os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # required by cuBLAS
            torch.use_deterministic_algorithms(True)
            # no memory is read before it is written, and filling it takes a fifth of the time
            torch.utils.deterministic.fill_uninitialized_memory = False
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(was_deterministic, warn_only=warn_only)
            torch.utils.deterministic.fill_uninitialized_memory = fill_memory
