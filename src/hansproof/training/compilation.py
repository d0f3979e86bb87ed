"""Chains of small operations as one kernel, where there is a GPU and a compiler for it.

Compiling takes some 15 seconds for each shape of a batch, which short trainings do not win back.
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
    """The same function; over tensors on a GPU compiled, once for each shape or for any."""

    def decorate(function: F) -> F:
        compiled: list[Callable[..., Any]] = []

        @functools.wraps(function)
        def call_compiled(first: torch.Tensor, *args: Any) -> Any:
            if _eager or not first.is_cuda or not HAS_COMPILER:
                return function(first, *args)
            if not compiled:
                # every benchmark and view has a shape of its own
                torch._dynamo.config.recompile_limit = MAX_SHAPES
                compiled.append(torch.compile(function, dynamic=dynamic))
            return compiled[0](first, *args)

        return call_compiled  # type: ignore[return-value]

    return decorate


@contextmanager
def run_eager(enabled: bool = True) -> Iterator[None]:
    """While it lasts nothing is compiled: for shapes that come once, or for few updates."""
    global _eager
    previous, _eager = _eager, enabled or _eager
    try:
        yield
    finally:
        _eager = previous
