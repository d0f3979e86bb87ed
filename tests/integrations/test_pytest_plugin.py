"""The pytest plug-in, in throw-away projects and processes of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.gate_page import blocks
from ..support.gate_projects import UNDECIDED, benchmark, run

(EXAMPLE,) = (block for block in blocks("python") if "assert_within_limits" in block)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the test that docs/gate.md shows."""
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (tmp_path / "test_mine.py").write_text(EXAMPLE)
    return tmp_path


def outcome(folder: Path, *flags: str) -> tuple[int, str]:
    done = run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *flags], folder)
    return done.returncode, done.stdout + done.stderr


def test_a_flawed_benchmark_and_a_missing_file_fail_with_lines(project: Path) -> None:
    """The lines of the gate, and of what the user can put right."""
    benchmark(project / "mine.jsonl", "toy:original")
    (project / "test_missing.py").write_text(EXAMPLE.replace("mine", "missing"))
    code, said = outcome(project)
    assert code == 1
    assert "2 failed" in said
    assert "hansproof: missing.jsonl: no such file" in said
    assert "raise BadInput" not in said
    assert "mine:all is outside its limits" in said
    assert re.search(r"^fail       cues +exposed, allowed: caution +Single words ", said, re.M)
    assert re.search(r"^pass       duplicates ", said, re.M)
    assert "Traceback" not in said
    assert "def assert_within_limits" not in said


def test_a_sound_one_passes_and_is_audited_once(project: Path) -> None:
    benchmark(project / "mine.jsonl", "toy:balanced")
    (project / "other").mkdir()
    benchmark(project / "other" / "mine.jsonl", "toy:original")
    (project / "test_again.py").write_text(
        "def test_again(hansproof_audit, monkeypatch):\n"
        "    first, second = hansproof_audit('mine.jsonl'), hansproof_audit('mine.jsonl')\n"
        "    assert first.audit is second.audit\n"
        "    assert {o.status for o in first.outcomes} == {'pass'}\n"
        "    monkeypatch.chdir('other')\n"
        "    assert hansproof_audit('mine.jsonl').audit.sizes == {'all': 120}\n"
    )
    code, said = outcome(project)
    assert code == 0, said
    assert "2 passed" in said
    assert "warning" not in said


def test_undecided_is_a_failure_and_a_warning_if_it_is_allowed(project: Path) -> None:
    benchmark(project / "mine.jsonl", "toy:original")
    (project / "pyproject.toml").write_text(UNDECIDED.replace("limits", "tool.hansproof.limits"))
    (project / "own.toml").write_text(UNDECIDED)
    (project / "test_allowed.py").write_text(
        "def test_allowed(hansproof_audit):\n"
        "    gated = hansproof_audit('mine.jsonl', limits='own.toml', allow_undecided=True)\n"
        "    gated.assert_within_limits()\n"
    )
    code, said = outcome(project)
    assert code == 1
    assert "1 failed, 1 passed, 1 warning" in said
    assert (
        "test_allowed.py:3: UserWarning: mine:all: undecided  class_imbalance  0.000 [-0.088"
        in said
    )
    assert "FAILED test_mine.py::test_it_has_no_shortcuts" in said
    assert "about 381 items are needed to decide" in said


def test_loading_it_imports_next_to_nothing() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules);"
        "import hansproof.integrations.pytest_plugin;"
        "print(sorted(set(sys.modules) - before))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        out.stdout.strip()
        == "['hansproof', 'hansproof.integrations', 'hansproof.integrations.pytest_plugin']"
    )
