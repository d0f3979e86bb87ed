"""Files and folders of logs that cannot be read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..support.cli_runner import expect_one_line_error, run_here


def test_an_unreadable_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan_folder = os.scandir

    def refuse(path: str) -> Iterator[os.DirEntry[str]]:  # root may read everything
        if path == "runs":
            raise PermissionError(13, "Permission denied", path)
        return scan_folder(path)

    (tmp_path / "runs").mkdir()
    monkeypatch.setattr("os.scandir", refuse)
    done = run_here("run", "accuracy", "toy:original", "--predictions", "runs", cwd=tmp_path)
    assert expect_one_line_error(done) == "hansproof: runs: cannot be read: Permission denied\n"
