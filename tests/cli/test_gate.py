"""`gate` and `card` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import defusedxml.ElementTree as ET  # noqa: N817
import pytest
from click.testing import CliRunner

from hansproof import auditing as auditing
from hansproof import gates
from hansproof.cli import cli
from hansproof.errors import HansproofError
from hansproof.gates.limits_file import DEFAULTS

from ..support.cli_runner import expect_one_line_error, run_here, run_on_terminal
from ..support.gate_projects import (
    UNDECIDED,
    benchmark,
    exposed_items,
    small_items,
    write_items,
)
from ..support.markers import needs_data


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gated")
    for spec in ("original", "balanced"):
        auditing.save_audit(
            gates.load_or_run(f"toy:{spec}", DEFAULTS), folder / spec / "audit.json"
        )
    (folder / "undecided.toml").write_text(UNDECIDED)
    return folder


def statuses(stdout: str) -> dict[str, str]:
    """Status by limit, from the lines."""
    rows = [line.replace("not measured", "not-measured").split() for line in stdout.splitlines()]
    return {name: status for status, name, *_ in rows}


FAILING = {"balance": "skipped", "class_balance": "undecided", "cues": "fail",
           "integrity": "pass", "partial_input": "fail", "shortcuts": "fail",
           "surface": "undecided",
           "duplicates": "pass", "contradictions": "pass"}  # fmt: skip


def test_the_flawed_version_fails_and_the_balanced_one_passes(audited: Path) -> None:
    done = run_here("gate", "original/audit.json", cwd=audited)
    assert (done.returncode, statuses(done.stdout)) == (1, FAILING)
    assert done.stderr == (
        "limits: built in: worst verdict caution, duplicates 0, contradictions 0\n"
        "Gate failed: 3 limits failed and 2 are undecided "
        "(undecided fails, unless --allow-undecided).\n"
    )
    assert run_here("gate", "original", cwd=audited).stdout == done.stdout  # by its folder
    allowing = run_here("gate", "original", "--allow-undecided", cwd=audited)
    assert (allowing.returncode, allowing.stdout) == (1, done.stdout)  # it is exposed
    done = run_here("gate", "balanced/audit.json", cwd=audited)
    assert (done.returncode, statuses(done.stdout)) == (0, dict.fromkeys(FAILING, "pass"))


def test_two_probes_exposed_fail(tmp_path: Path) -> None:
    """Take the longest choice, or always the first: no number of the old defaults saw these."""
    write_items(tmp_path / "quiz.jsonl", exposed_items())
    done = run_here("gate", "quiz.jsonl", "--allow-undecided", cwd=tmp_path)
    assert done.returncode == 1
    failing = [name for name, status in statuses(done.stdout).items() if status == "fail"]
    assert failing == ["class_balance", "shortcuts", "surface"]
    assert "Taking the longest choice answers 91.7% of all items (chance 33.3%)." in done.stdout


@pytest.mark.parametrize("n", [1, 3])
def test_too_few_items_fail_unless_that_is_allowed(tmp_path: Path, n: int) -> None:
    write_items(tmp_path / "few.jsonl", small_items()[:n])
    done = run_here("gate", "few.jsonl", cwd=tmp_path)
    assert done.returncode == 1
    found = statuses(done.stdout)
    assert {found[name] for name in ("cues", "partial_input", "shortcuts", "surface")} == {
        "undecided"
    }
    assert (found["balance"], "fail" in found.values()) == ("skipped", False)
    allowing = run_here("gate", "few.jsonl", "--allow-undecided", cwd=tmp_path)
    assert (allowing.returncode, allowing.stdout) == (0, done.stdout)
    by_number = "[limits]\n" + "".join(
        f"{name} = 0.1\n"
        for name in (
            "cue_lift",
            "blind_accuracy",
            "surface_gain",
            "shortcut_gain",
            "class_imbalance",
        )
    )
    (tmp_path / "numbers.toml").write_text(by_number)
    done = run_here("gate", "few.jsonl", "--limits", "numbers.toml", cwd=tmp_path)
    assert (done.returncode, [*statuses(done.stdout).values()].count("undecided")) == (1, 5)


def test_a_finding_is_wrapped_under_its_row_on_a_terminal(audited: Path) -> None:
    (audited / "cues.toml").write_text("[limits]\ncue_lift = 0.1\n")
    _, text = run_on_terminal("gate", "original", "--limits", "cues.toml", cwd=audited)
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if "cue_lift" in line)
    assert lines[at].endswith("0.423 [0.259, 0.479] > 0.1")
    assert "the choice with “new” is right 2 of 26 times in original (worst of 3)" in " ".join(
        line.strip() for line in lines[at + 1 : at + 3]
    )
    rows = [line for line in lines if not line.startswith(("limits:", "Gate "))]
    assert max(map(len, rows)) <= 80


def test_a_benchmark_is_asked_what_the_limits_need(audited: Path, tmp_path: Path) -> None:
    saved = run_here("gate", "original/audit.json", cwd=audited)
    done = run_here("gate", "toy:original", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, saved.stdout)


@needs_data
def test_arct_fails(tmp_path: Path) -> None:
    done = run_here("gate", "arct:dev", cwd=tmp_path)
    assert (done.returncode, statuses(done.stdout)) == (1, {**FAILING, "surface": "fail"})
    assert (
        "Taking the longest choice answers 61.2% of the items in dev (chance 50.0%)." in done.stdout
    )


def test_an_interval_across_a_limit_fails_unless_that_is_allowed(audited: Path) -> None:
    args = ("gate", "original/audit.json", "--limits", "undecided.toml")
    done = run_here(*args, cwd=audited)
    outcome = "Gate failed: 1 limit is undecided (undecided fails, unless --allow-undecided)."
    assert (done.returncode, done.stderr) == (1, f"limits: undecided.toml\n{outcome}\n")
    assert done.stdout.startswith("undecided  class_imbalance  0.000 [-0.088, 0.088] ≷ 0.05  ")
    assert (
        "if the value stays the same, about 381 items are needed to decide (now 120)" in done.stdout
    )
    allowing = run_here(*args, "--allow-undecided", cwd=audited)
    assert (allowing.returncode, allowing.stdout) == (0, done.stdout)


def test_what_is_not_measured_fails(audited: Path) -> None:
    (audited / "more.toml").write_text(
        '[limits]\nverdicts = "any"\ncontamination = 0.1\nduplicates = 0\n'
        '[limits.estimates]\n"cues/*: ceiling" = 0.6\n'
    )
    done = run_here("gate", "balanced/audit.json", "--limits", "more.toml", cwd=audited)
    assert done.returncode == 1
    assert [line[:12].strip() for line in done.stdout.splitlines()] == [
        "not measured", "pass", "not measured",
    ]  # fmt: skip


def test_xml_and_annotations_and_json(audited: Path) -> None:
    done = run_here(
        "gate", "original/audit.json", "--junit", "out/gate.xml", "--github", cwd=audited
    )
    suite = ET.parse(audited / "out/gate.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("9", "5")
    assert [case.get("name") for case in suite] == list(FAILING)
    marked = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert [line.split("::")[1] for line in marked] == [
        f"error title=hansproof {name}"
        for name in ("class_balance", "cues", "partial_input", "shortcuts", "surface")
    ]
    found = json.loads(run_here("gate", "original/audit.json", "--json", cwd=audited).stdout)
    assert found["passed"] is False
    assert {o["limit"]["name"]: o["status"] for o in found["outcomes"]} == FAILING
    args = ("gate", "original/audit.json", "--limits", "undecided.toml", "--github")
    assert "::error title=" in run_here(*args, cwd=audited).stdout.splitlines()[-1]
    allowing = run_here(*args, "--allow-undecided", cwd=audited)
    assert "::warning title=" in allowing.stdout.splitlines()[-1]


def test_a_json_file_that_is_no_audit_is_a_benchmark(tmp_path: Path) -> None:
    benchmark(tmp_path / "mine.jsonl", "toy:original")
    rows = [json.loads(line) for line in (tmp_path / "mine.jsonl").read_text().splitlines()]
    (tmp_path / "mine.json").write_text(json.dumps(rows))
    (tmp_path / "hansproof.toml").write_text('[limits]\nverdicts = "any"\nduplicates = 0\n')
    done = run_here("gate", "mine.json", cwd=tmp_path)
    assert (done.returncode, statuses(done.stdout)) == (0, {"duplicates": "pass"})
    assert done.stderr == f"limits: {tmp_path.resolve()}/hansproof.toml\nGate passed: 1 limit.\n"


def test_columns_by_flag(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("frage,eins,zwei,loesung\nwarum,a,b,1\nwarum,a,b,0\n")
    (tmp_path / "hansproof.toml").write_text('[limits]\nverdicts = "any"\ncontradictions = 0\n')
    flags = ("--choices", "eins", "--choices", "zwei", "--answer", "loesung", "--field", "frage")
    done = run_here("gate", "q.csv", *flags, cwd=tmp_path)
    assert (done.returncode, statuses(done.stdout)) == (1, {"contradictions": "fail"})


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("none.json",), "none.json: no such file"),
        (("tooy",), "tooy: neither a saved audit nor a benchmark; did you mean toy?"),
        (("lists",), "lists/audit.json: is not a saved audit (Object missing"),
        (("none/none",), "none/none: neither a saved audit nor a benchmark"),
        (("tooy:original",), "unknown benchmark 'tooy'; did you mean toy?"),
        (("broken.json",), "broken.json"),
        (("newer.json",), "newer.json: schema: 99 is newer"),
        (
            ("newer.json", "--field", "x"),
            "is a saved audit, so options about reading items do not apply",
        ),
        (("toy", "--limits", "none.toml"), "none.toml: No such file"),
        (("toy", "--limits", "bad.toml"), "did you mean cue_lift?"),
        (("toy", "--github", "--json"), "cannot be combined with --json"),
        (("toy", "--junit", "folder"), "folder: cannot be written"),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/audit.json").write_text('{"a": [1], "b": [2]}')
    (tmp_path / "broken.json").write_text('{"schema": 1, "results": ')
    (tmp_path / "newer.json").write_text('{"schema": 99, "results": []}')
    (tmp_path / "bad.toml").write_text("[limits]\ncue_lfit = 1")
    done = CliRunner().invoke(cli, ["gate", *args])
    assert isinstance(done.exception, HansproofError), done.output
    assert said in str(done.exception)


def test_a_mistake_is_exit_code_2() -> None:
    done = run_here("gate", "tooy")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].endswith("did you mean toy?")
    assert "Traceback" not in done.stderr


def test_the_card_goes_to_the_terminal_or_to_a_file(audited: Path) -> None:
    shown = run_here("card", "original/audit.json", cwd=audited)
    assert shown.returncode == 0
    assert shown.stdout.startswith("## Shortcuts (hansproof)\n")
    written = run_here("card", "original/audit.json", "-o", "card.md", cwd=audited)
    assert (written.returncode, written.stdout) == (0, "")
    assert (audited / "card.md").read_text() == shown.stdout
    assert "none.json: is not a saved audit (No such file" in expect_one_line_error(
        run_here("card", "none.json", cwd=audited)
    )


def test_a_folder_without_an_audit_is_audited_and_that_is_said(tmp_path: Path) -> None:
    benchmark(tmp_path / "items" / "mine.jsonl", "toy:original")
    (tmp_path / "hansproof.toml").write_text('[limits]\nverdicts = "any"\nduplicates = 0\n')
    done = run_here("gate", "items", cwd=tmp_path)
    assert done.returncode == 0
    note = "items has no audit.json: auditing it as a benchmark"
    assert done.stderr.splitlines()[0] == note
