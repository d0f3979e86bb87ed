"""Gives memory that is free back to the system.

Passages that are kept lie between blocks of text that are gone, and glibc keeps the holes, which
no block fits into any more: without this a scan grows by some 20 MB with every gigabyte.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache

_INTERVAL = 1.0  # seconds: what is given back is soon asked for again, which costs as well
_last_trim = 0.0


def trim_heap() -> None:
    """If it was not done just now; nothing where there is no glibc."""
    global _last_trim
    trim, now = _find_malloc_trim(), time.monotonic()
    if trim is not None and now - _last_trim > _INTERVAL:
        _last_trim = now
        trim(0)


@cache
def _find_malloc_trim() -> Callable[[int], int] | None:
    malloc_trim = None
    with suppress(OSError, TypeError, AttributeError):  # not Linux, or another libc
        malloc_trim = ctypes.CDLL(None).malloc_trim
    return malloc_trim
