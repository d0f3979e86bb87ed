"""An audit that the tests of several commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..support.cli_runner import run_fresh


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the embedded benchmark was audited."""
    folder = tmp_path_factory.mktemp("audited")
    done = run_fresh("audit", "stable:original", "-o", "out", "--items", "items.csv", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "stdout").write_text(done.stdout)
    (folder / "stderr").write_text(done.stderr)
    return folder
