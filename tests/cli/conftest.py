"""An audit that the tests of several commands share, and one that asks few probes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof import auditing
from hansproof.probes.class_balance import ClassBalance

from ..support.cli_runner import run_fresh


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the embedded benchmark was audited."""
    folder = tmp_path_factory.mktemp("audited")
    done = run_fresh("audit", "toy:original", "-o", "out", "--items", "items.csv", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "stdout").write_text(done.stdout)
    (folder / "stderr").write_text(done.stderr)
    return folder


@pytest.fixture
def quick_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits in this process run one quick probe, and the probes that a test names."""
    probes = {"class_balance": ClassBalance()}
    monkeypatch.setattr(auditing, "default_probes", lambda inputs: {**probes})
