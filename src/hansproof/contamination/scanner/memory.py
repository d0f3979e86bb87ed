"""Returns free memory to the operating system.

Passages that are kept fragment the heap: blocks of text no longer fit into the holes between them,
which glibc keeps. Without trimming, a scan grows by some 20 MB with every gigabyte.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache

_INTERVAL = 1.0  # seconds between two trims, as getting memory back costs time
_last_trim = 0.0


def trim_heap() -> None:
    """Trim the heap, unless that was done a moment ago; without glibc, do nothing."""
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
