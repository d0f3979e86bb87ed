"""Keeps requests apart: a limit per minute, and pauses that a server asks for."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds between two tries, doubled each time
LONGEST_WAIT = 600.0  # seconds that a server may ask to wait for


class Pacer:
    """Decides when the next request may be sent, for all that are under way together."""

    def __init__(self, rpm: int) -> None:
        self._interval = 60.0 / rpm if rpm else 0.0
        self._next = 0.0
        self._resume = 0.0

    async def wait(self) -> None:
        """Wait for this request's turn."""
        while True:
            turn = max(time.monotonic(), self._next)
            self._next = turn + self._interval
            while (delay := turn - time.monotonic()) > 0:
                await asyncio.sleep(delay)
            if turn >= self._resume:
                return

    def pause(self, seconds: float) -> None:
        """Send nothing for so long: the server has asked for it; then all take new turns."""
        self._resume = max(self._resume, time.monotonic() + seconds)
        self._next = max(self._next, self._resume)


def backoff(attempt: int) -> float:
    """Return how long to wait before a request is repeated.

    The wait doubles with each attempt, and is random, so that not all requests come at once.
    """
    longest = min(FIRST_PAUSE * 2**attempt, LONGEST_PAUSE)
    return random.uniform(longest / 2, longest)  # noqa: S311


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait, given as a number or as a date."""
    value = headers.get("Retry-After", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
            aware = date if date.tzinfo else date.replace(tzinfo=UTC)
            seconds = (aware - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return min(max(seconds, 0.0), 1e9) if seconds == seconds else None
