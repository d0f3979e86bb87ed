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
SHAPES = 256
COMPILER = importlib.util.find_spec("triton") is not None
_plain = False


def fused(dynamic: bool = False) -> Callable[[F], F]:
    """The same function; over tensors on a GPU compiled, once for each shape or for any."""

    def decorated(function: F) -> F:
        compiled: list[Callable[..., Any]] = []

        @functools.wraps(function)
        def call(first: torch.Tensor, *rest: Any) -> Any:
            if _plain or not first.is_cuda or not COMPILER:
                return function(first, *rest)
            if not compiled:
                # every benchmark and view has a shape of its own
                torch._dynamo.config.recompile_limit = SHAPES
                compiled.append(torch.compile(function, dynamic=dynamic))
            return compiled[0](first, *rest)

        return call  # type: ignore[return-value]

    return decorated


@contextmanager
def plain(really: bool = True) -> Iterator[None]:
    """While it lasts nothing is compiled: for shapes that come once, or for few updates."""
    global _plain
    before, _plain = _plain, really or _plain
    try:
        yield
    finally:
        _plain = before
