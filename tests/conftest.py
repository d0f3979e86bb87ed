"""What all tests share: under HANSPROOF_NO_SKIP=1 a skipped test is a failed one."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# the machines that run this are noisy: a slow example is no failure
settings.register_profile("hansproof", deadline=None)
settings.load_profile("hansproof")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if report.skipped and os.environ.get("HANSPROOF_NO_SKIP") == "1":
        report.outcome = "failed"
        report.longrepr = f"skipped, which HANSPROOF_NO_SKIP forbids: {report.longrepr}"
