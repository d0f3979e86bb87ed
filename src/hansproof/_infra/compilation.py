"""Compiles functions with numba; the machine code is cached where a folder can be written.

numba caches it beside the source, in the user's cache folder, or in NUMBA_CACHE_DIR. Where it can
write to none of these, as in a read-only installation without a home folder, functions are compiled
again in every process.

Compilation takes seconds, so small inputs are left to numpy and Python, which give the same results
(`is_small`).
"""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

Kernel = Callable[..., Any]

SMALL_INPUT = 1 << 16  # characters or rows: numpy and Python take some hundredths of a second


def is_small(size: int) -> bool:
    """Return whether an input is so small that compiled code is not worth its compilation."""
    return size <= SMALL_INPUT


def compile_function(**options: Any) -> Callable[[Kernel], Kernel]:
    """Make a decorator that compiles a function on its first call; takes the options of `njit`."""
    from numba import njit

    def compile_lazily(function: Kernel) -> Kernel:
        compiled: Kernel
        try:
            # a wrapper for calls from C is never used, and would take a tenth of the time
            compiled = njit(cache=True, no_cfunc_wrapper=True, **options)(function)
            _watch_compiler()
        except RuntimeError as error:
            if "no locator available" not in str(error):
                raise
            _warn_without_cache()
            compiled = njit(no_cfunc_wrapper=True, **options)(function)
        return compiled

    return compile_lazily


_announcements: list[Callable[[], None]] = []


def announce_compilation(announce: Callable[[], None]) -> None:
    """Call `announce` once, when a function is about to be compiled that the cache does not have.

    It is not called if there is no cache: there is a warning instead.
    """
    _announcements[:] = [announce]


@cache
def _watch_compiler() -> None:
    from numba.core import event

    class CompilerListener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            while _announcements:
                _announcements.pop()()

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", CompilerListener())


@cache
def _warn_without_cache() -> None:
    """Warn once; the parent of a worker process has warned already."""
    if multiprocessing.parent_process() is None:
        warnings.warn(
            "compiled code cannot be cached, so every command compiles it again: set "
            "NUMBA_CACHE_DIR to a writable folder",
            stacklevel=2,
        )
