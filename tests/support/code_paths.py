"""Runs the tests of a module twice: as small inputs run, and with compiled code throughout."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def compiled_code() -> Iterator[None]:
    """Treat no input as small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hansproof._infra.compilation.SMALL_INPUT", -1)
        yield


@pytest.fixture(autouse=True, scope="module", params=["plain", "compiled"])
def code_path(request: pytest.FixtureRequest) -> Iterator[None]:
    """Import this into a module whose tests hold for both."""
    if request.param == "plain":
        yield
    else:
        with compiled_code():
            yield
