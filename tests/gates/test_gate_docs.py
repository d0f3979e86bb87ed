"""docs/gate.md says what is so: its examples are used (tests/test_pages.py runs its commands)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from hansproof.gates import read_limits
from hansproof.gates.limits_file import DEFAULTS

from ..support.gate_page import PAGE, blocks
from ..support.gate_projects import benchmark, run


def test_the_page_names_the_defaults() -> None:
    named = re.search(r"Without a file these limits hold: (.*?)\. ", PAGE, re.S)
    assert named is not None
    pairs = re.findall(r"`(\w+)` ([\d.]+)", named[1])
    assert [(name, float(bound)) for name, bound in pairs] == [
        (limit.name, limit.bound) for limit in DEFAULTS.limits
    ]


def test_the_example_of_limits_is_one(tmp_path: Path) -> None:
    (limits,) = blocks("toml")
    (tmp_path / "hansproof.toml").write_text(limits)
    assert len(read_limits(tmp_path / "hansproof.toml").limits) == 7


@pytest.mark.parametrize(
    ("spec", "codes"),
    [("original", [0, 1, 0]), pytest.param("balanced", [0, 0, 0], marks=pytest.mark.slow)],
)
def test_the_steps_of_the_workflow_run(tmp_path: Path, spec: str, codes: list[int]) -> None:
    benchmark(tmp_path / "data/mine.jsonl", f"stable:{spec}")
    workflow = yaml.safe_load(blocks("yaml")[0])
    steps = [step["run"] for step in workflow["jobs"]["gate"]["steps"] if "run" in step]
    ours = [step for step in steps if step.startswith("hansproof ")]
    assert [step.split()[1] for step in ours] == ["audit", "gate", "card"]
    done = [run(["bash", "-c", f"export GITHUB_STEP_SUMMARY=summary.md; {step}"], tmp_path)
            for step in ours]  # fmt: skip
    assert [one.returncode for one in done] == codes, done
    assert ("::error title=hansproof cue_lift::" in done[1].stdout) == (codes[1] == 1)
    assert (tmp_path / "audit/gate.xml").exists()
    assert (tmp_path / "summary.md").read_text().startswith("## Shortcuts (hansproof)")


def test_the_example_in_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks("python")[-1]
    assert "hansproof.gate(" in code
    exec(code, {})
    assert capsys.readouterr().out.startswith("False [('cue_lift', 'fail'), ('blind_accuracy', ")
