"""Compilation of chains of small operations into one kernel, on a GPU that has a compiler.

Compiling takes about 15 seconds for each shape of a batch, which short trainings do not recover.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import torch

F = TypeVar("F", bound=Callable[..., Any])
MAX_SHAPES = 256
HAS_COMPILER = importlib.util.find_spec("triton") is not None
_eager = False


def compile_on_gpu(dynamic: bool = False) -> Callable[[F], F]:
    """Compile a function for tensors on a GPU, once per shape, or once for all if `dynamic`."""

    def decorate(function: F) -> F:
        compiled: list[Callable[..., Any]] = []

        @functools.wraps(function)
        def call_compiled(first: torch.Tensor, *args: Any) -> Any:
            if _eager or not first.is_cuda or not HAS_COMPILER:
                return function(first, *args)
            if not compiled:
                # every benchmark and view has its own shapes
                torch._dynamo.config.recompile_limit = MAX_SHAPES
                compiled.append(torch.compile(function, dynamic=dynamic))
            return compiled[0](first, *args)

        return call_compiled  # type: ignore[return-value]

    return decorate


@contextmanager
def run_eager(enabled: bool = True) -> Iterator[None]:
    """Turn compilation off, if `enabled`: for shapes that occur once, or for few updates."""
    global _eager
    previous, _eager = _eager, enabled or _eager
    try:
        yield
    finally:
        _eager = previous
