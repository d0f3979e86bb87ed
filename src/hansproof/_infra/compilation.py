"""Compiles functions with numba; the machine code is cached where a folder can be written.

numba caches it beside the source, in the user's cache folder, or in NUMBA_CACHE_DIR. Where it can
write to none of these, as in a read-only installation without a home folder, functions are compiled
again in every process.
"""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

Kernel = Callable[..., Any]


def compile_function(**options: Any) -> Callable[[Kernel], Kernel]:
    """Make a decorator that compiles a function on its first call; takes the options of `njit`."""
    from numba import njit

    def compile_lazily(function: Kernel) -> Kernel:
        compiled: Kernel
        try:
            compiled = njit(cache=True, **options)(function)
        except RuntimeError as error:
            if "no locator available" not in str(error):
                raise
            _warn_without_cache()
            compiled = njit(**options)(function)
        return compiled

    return compile_lazily


@cache
def _warn_without_cache() -> None:
    """Warn once; the parent of a worker process has warned already."""
    if multiprocessing.parent_process() is None:
        warnings.warn(
            "compiled code cannot be cached, so every command compiles it again: set "
            "NUMBA_CACHE_DIR to a writable folder",
            stacklevel=2,
        )
