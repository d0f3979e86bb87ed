"""An audit that was stopped continues: with saved results, but only if they are of this audit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from hansproof import load
from hansproof.audit_checkpoint import FILE_NAME, AuditCheckpoint
from hansproof.auditing import run_audit
from hansproof.probes.class_balance import ClassBalance
from hansproof.probes.cues import Cues
from hansproof.types import Benchmark, Result

TOY = load("toy:original")


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A probe that stops the audit, as Ctrl-C does."""

    needs: ClassVar[tuple[str, ...]] = ()

    def __call__(self, benchmark: Benchmark) -> Result:
        raise KeyboardInterrupt


def interrupt(path: Path, benchmark: Benchmark = TOY) -> None:
    probes: dict[str, Any] = {"class_balance": ClassBalance(), "stop": Interrupted()}
    with pytest.raises(KeyboardInterrupt):
        run_audit(benchmark, probes, checkpoint=AuditCheckpoint(str(path), benchmark, {}))


def test_a_stopped_audit_continues_with_the_same_results(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    interrupt(path)
    probes: dict[str, Any] = {"class_balance": ClassBalance(), "cues": Cues()}
    checkpoint = AuditCheckpoint(str(path), TOY, {})
    assert run_audit(TOY, probes, checkpoint=checkpoint) == run_audit(TOY, probes)
    assert checkpoint.resumed == ["class_balance"]
    checkpoint.remove()
    assert not path.exists()


def test_results_of_other_items_or_settings_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    interrupt(path)
    first, *rest = TOY.splits["original"]
    regrouped = replace(TOY, splits={"original": (replace(first, group="other"), *rest)})
    assert AuditCheckpoint(str(path), TOY, {}).find_result(ClassBalance()) is not None
    assert AuditCheckpoint(str(path), regrouped, {}).find_result(ClassBalance()) is None
    other_settings = ClassBalance(split="original")
    assert AuditCheckpoint(str(path), TOY, {}).find_result(other_settings) is None


def test_a_line_that_was_cut_off_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    interrupt(path)
    path.write_bytes(path.read_bytes()[:-20])
    assert AuditCheckpoint(str(path), TOY, {}).find_result(ClassBalance()) is None


def test_probes_of_users_are_run_again(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    checkpoint = AuditCheckpoint(str(path), TOY, {})
    checkpoint.add_result(Interrupted(), ClassBalance()(TOY))
    assert not path.exists()


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """An input that is not data."""

    weights: object = field(default_factory=object)


def test_inputs_that_are_not_data_leave_no_result(tmp_path: Path) -> None:
    from hansproof.probes.robustness import Robustness

    checkpoint = AuditCheckpoint(str(tmp_path / FILE_NAME), TOY, {"trained": [TrainedModel()]})
    checkpoint.add_result(Robustness(), ClassBalance()(TOY))
    assert not (tmp_path / FILE_NAME).exists()


STOPPED_BY_KILL = """
import os, signal, sys
from hansproof.probes import surface
surface.Surface.__call__ = lambda self, benchmark: os.kill(os.getpid(), signal.SIGKILL)
from hansproof.cli import main
sys.argv[1:] = ["audit", "toy:original", "-o", "out", "-q"]
main()
"""


def test_an_audit_that_is_killed_continues_on_the_command_line(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", STOPPED_BY_KILL], cwd=tmp_path)
    assert killed.returncode == -signal.SIGKILL
    assert os.listdir(tmp_path / "out") == [FILE_NAME]
    command = [sys.executable, "-m", "hansproof", "audit", "toy:original", "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0
    assert "continued an interrupted audit: balance, class_balance, cues" in done.stderr
    assert sorted(os.listdir(tmp_path / "out")) == ["audit.json", "report.html"]
