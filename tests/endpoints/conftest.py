"""Fixtures of the tests of endpoints."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hansproof.endpoints import pacing, session


@pytest.fixture(autouse=True)
def fresh_session(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No ability is remembered from one test to the next, and waiting is short."""
    monkeypatch.setattr(pacing, "FIRST_PAUSE", 0.01)
    session._proven.clear()
    yield
    session._proven.clear()
