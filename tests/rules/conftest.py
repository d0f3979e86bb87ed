"""Matrices are multiplied in one thread, as in an audit: many small ones are slower in several."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hansproof._infra.threads import single_threaded


@pytest.fixture(scope="package", autouse=True)
def one_thread() -> Iterator[None]:
    with single_threaded():
        yield
