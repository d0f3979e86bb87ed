"""One thread: for networks this small, several only wait for each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hansproof._infra.threads import single_threaded


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    with single_threaded():
        yield
