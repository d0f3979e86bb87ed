"""One thread, for those who ask: for networks this small, several only wait for each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hansproof.training.threads import one_thread


@pytest.fixture
def alone() -> Iterator[None]:
    with one_thread():
        yield
