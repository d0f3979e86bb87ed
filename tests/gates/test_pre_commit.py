"""The hook for pre-commit, as far as it runs offline: without building its environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from ..support.gate_page import blocks
from ..support.gate_projects import benchmark, run

pytest.importorskip("pre_commit")
MANIFEST = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def example() -> dict[str, Any]:
    """The hook as docs/gate.md configures it."""
    (repo,) = yaml.safe_load(blocks("yaml")[1])["repos"]
    (hook,) = repo["hooks"]
    return dict(hook)


def test_the_manifest_is_valid(tmp_path: Path) -> None:
    done = run(["pre-commit", "validate-manifest", str(MANIFEST)], tmp_path)
    assert done.returncode == 0, done.stdout


def committed(folder: Path, spec: str) -> tuple[int, str]:
    """What comes of a commit of a benchmark where the hook of the page is installed."""
    benchmark(folder / "data/mine.jsonl", spec)
    (hook,) = yaml.safe_load(MANIFEST.read_text())
    assert hook["id"] == example()["id"]
    # the environment of the tests in place of one that would have to be built
    local = {**hook, **example(), "language": "system"}
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    for command in (
        ["git", "init", "-q"],
        ["git", "config", "user.email", "a@example.org"],
        ["git", "config", "user.name", "A"],
        ["pre-commit", "install"],
        ["git", "add", "."],
    ):
        done = run(command, folder)
        assert done.returncode == 0, done.stderr
    done = run(["git", "commit", "-m", "items"], folder)
    return done.returncode, done.stdout + done.stderr


def test_a_commit_of_a_flawed_benchmark_is_stopped(tmp_path: Path) -> None:
    code, said = committed(tmp_path, "toy:original")
    assert code == 1
    assert "hansproof gate" in said
    assert "fail       cues " in said
    assert run(["git", "log"], tmp_path).returncode != 0  # nothing was committed


@pytest.mark.slow
def test_a_commit_of_a_sound_one_goes_through(tmp_path: Path) -> None:
    code, said = committed(tmp_path, "toy:balanced")
    assert code == 0, said
    (tmp_path / "notes.txt").write_text("nothing to do with it")
    assert run(["git", "add", "."], tmp_path).returncode == 0
    done = run(["git", "commit", "-m", "notes"], tmp_path)
    assert done.returncode == 0
    assert "Skipped" in done.stdout + done.stderr  # `files` says when to look
