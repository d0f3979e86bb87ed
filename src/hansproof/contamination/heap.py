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

_EVERY = 1.0  # seconds: what is given back is soon asked for again, which costs as well
_given = 0.0


def give_back() -> None:
    """If it was not done just now; nothing where there is no glibc."""
    global _given
    trim, now = _trim(), time.monotonic()
    if trim is not None and now - _given > _EVERY:
        _given = now
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    found = None
    with suppress(OSError, TypeError, AttributeError):  # not Linux, or another libc
        found = ctypes.CDLL(None).malloc_trim
    return found
