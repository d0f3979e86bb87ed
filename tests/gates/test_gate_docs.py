"""docs/gate.md says what is so: its examples are used (tests/test_pages.py runs its commands)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from hansproof.gates import read_limits
from hansproof.gates.limits import MEASURES
from hansproof.gates.limits_file import DEFAULTS

from ..support.gate_page import PAGE, blocks
from ..support.gate_projects import benchmark, run


def test_the_page_names_the_defaults() -> None:
    named = re.search(r"What a file does not name keeps its default: (.*?)\. ", PAGE, re.S)
    assert named is not None
    pairs = re.findall(r"`(\w+)`\s+(\w+)", named[1])
    assert pairs == [
        ("verdicts", DEFAULTS.worst_verdict),
        *((limit.name, f"{limit.bound:g}") for limit in DEFAULTS.number_limits()),
    ]


def test_the_page_names_every_measure_and_its_probe() -> None:
    sentence = re.search(
        r"A limit by name replaces the verdict of its probe: (.*?)\.\n", PAGE, re.S
    )
    assert sentence is not None
    for name, measure in MEASURES.items():
        assert f"`{name}`" in sentence[1]
        assert f"`{measure.probe}`" in sentence[1]


def test_the_example_of_limits_is_one(tmp_path: Path) -> None:
    (limits,) = blocks("toml")
    (tmp_path / "hansproof.toml").write_text(limits)
    assert len(read_limits(tmp_path / "hansproof.toml").limits) == 9
    names = {limit.name for limit in read_limits(tmp_path / "hansproof.toml").limits}
    assert names >= set(MEASURES) - {"contamination"}


@pytest.mark.parametrize(
    ("spec", "codes"),
    [("original", [0, 1, 0]), pytest.param("balanced", [0, 0, 0], marks=pytest.mark.slow)],
)
def test_the_steps_of_the_workflow_run(tmp_path: Path, spec: str, codes: list[int]) -> None:
    benchmark(tmp_path / "data/mine.jsonl", f"toy:{spec}")
    workflow = yaml.safe_load(blocks("yaml")[0])
    steps = [step["run"] for step in workflow["jobs"]["gate"]["steps"] if "run" in step]
    ours = [step for step in steps if step.startswith("hansproof ")]
    assert [step.split()[1] for step in ours] == ["audit", "gate", "card"]
    done = [run(["bash", "-c", f"export GITHUB_STEP_SUMMARY=summary.md; {step}"], tmp_path)
            for step in ours]  # fmt: skip
    assert [one.returncode for one in done] == codes, done
    assert ("::error title=hansproof cues::" in done[1].stdout) == (codes[1] == 1)
    assert (tmp_path / "audit/gate.xml").exists()
    assert (tmp_path / "summary.md").read_text().startswith("## Shortcuts (hansproof)")


def test_the_example_in_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks("python")[-1]
    assert "hansproof.gate(" in code
    exec(code, {})
    assert capsys.readouterr().out.startswith("False [('balance', 'skipped'), ")
