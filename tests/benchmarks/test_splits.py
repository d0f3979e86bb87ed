"""A changed copy of a named benchmark is used, but not without a word."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from hansproof import auditing, benchmarks
from hansproof.probes.class_balance import ClassBalance
from hansproof.types import Benchmark

from ..support.cli_runner import run_here
from ..support.markers import needs_data

NAMES = ["arct", "arct_adversarial", "arc_challenge", "arc_easy", "balanced_copa", "copa", "csqa"]


def copy_copa(folder: Path, change: Callable[[str], str]) -> str:
    for name in ("copa-dev.xml", "copa-test.xml"):
        text = Path(os.environ["HANSPROOF_DATA"], "copa", name).read_text()
        (folder / name).write_text(change(text) if name == "copa-dev.xml" else text)
    return str(folder)


def load_quietly(name: str, folder: str | None = None) -> Benchmark:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return benchmarks.load(name, folder=folder)


@needs_data
@pytest.mark.parametrize("name", [*NAMES, "piqa", "toy"])
def test_the_published_version(name: str) -> None:
    assert "changed" not in load_quietly(name).card.title


@needs_data
def test_a_copy_that_says_the_same(tmp_path: Path) -> None:
    folder = copy_copa(tmp_path, lambda text: text.replace("\n", "\r\n"))
    assert load_quietly("copa", folder).sha256() == load_quietly("copa").sha256()


@needs_data
def test_a_changed_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copy_copa(tmp_path, lambda text: text.replace("My body", "Your body", 1))
    message = (
        r"^copa:dev differs from the published version \(sha256 [0-9a-f]{12}\); "
        "its figures are not comparable with published ones$"
    )
    with pytest.warns(UserWarning, match=message):
        changed = benchmarks.load("copa", folder=folder)
    assert changed.card.title == "COPA: Choice of Plausible Alternatives (changed copy)"
    audit = auditing.run_audit(changed, {"class_balance": ClassBalance()})
    assert audit.card.title.endswith("(changed copy)")
    # the copy in HANSPROOF_DATA, or one changed in the cache, is no exception
    for variable, root in (("HANSPROOF_DATA", "data"), ("XDG_CACHE_HOME", "cache/hansproof")):
        (tmp_path / root).mkdir(parents=True)
        (tmp_path / root / "copa").symlink_to(tmp_path, target_is_directory=True)
        monkeypatch.delenv("HANSPROOF_DATA", raising=False)
        monkeypatch.setenv(variable, str(tmp_path / root.partition("/")[0]))
        with pytest.warns(UserWarning, match=message):
            benchmarks.load("copa:dev")


@needs_data
def test_one_line_on_the_terminal(tmp_path: Path) -> None:
    folder = copy_copa(tmp_path, lambda text: text.replace("My body", "Your body", 1))
    done = run_here("validate", "copa", "--data", folder)
    assert done.returncode == 0
    assert done.stderr.startswith("hansproof: copa:dev differs from the published version (sha256 ")
    assert done.stderr.count("\n") == 1


def test_both_splits(tmp_path: Path) -> None:
    pair = {"id": "p", "premise": "a", "mirrored": "b", "asks_for": "cause"}
    (tmp_path / "toy.jsonl").write_text(json.dumps({**pair, "choices": ["x", "y"], "answer": 1}))
    with pytest.warns(UserWarning, match="toy:original and mirrored differ from .* their"):
        benchmarks.load("toy", folder=str(tmp_path))
