"""Broken files are read, or refused in one line and in little time; nothing else happens."""

from __future__ import annotations

import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import hansproof
from hansproof import ColumnMapping
from hansproof.errors import BadInput

from ..support.cli_runner import expect_one_line_error, run_here
from ..support.malformed_files import SEEDS, break_file, hostile_texts, hostile_workbooks
from ..support.shape_checks import notes_of

PER_KIND = 42
SECONDS = 3  # of computing, whatever else the machine does
LONGEST_LINE = 10_000  # of a note: a command that names many columns
HOSTILE = hostile_texts()
ROOT = Path(__file__).parents[2]


@contextmanager
def time_limit() -> Iterator[None]:
    """Stop what takes too long."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"took more than {SECONDS} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def complaint(path: Path, mapping: ColumnMapping | None = None) -> str:
    """Return what is wrong with how a file is read; empty if nothing is."""
    try:
        with time_limit(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            benchmark = hansproof.load(str(path), mapping)
        return "" if all(benchmark.splits.values()) else "loaded without items"
    except BadInput as error:
        lines = [str(error), *notes_of(error)]
        if not all(line.isprintable() for line in lines):
            return f"a line that cannot be printed: {lines!r:.300}"
        longest = max(lines, key=len)
        return f"a line of {len(longest)} characters" if len(longest) > LONGEST_LINE else ""
    except Exception as error:
        return f"{type(error).__name__}: {error!s:.200}"


def test_there_are_five_hundred() -> None:
    assert len(SEEDS) * PER_KIND >= 500


@pytest.mark.parametrize("kind", SEEDS)
def test_seeds_are_sound(kind: str, tmp_path: Path) -> None:
    name, content, mapping = SEEDS[kind]
    (tmp_path / name).write_bytes(content)
    benchmark = hansproof.load(str(tmp_path / name), mapping)
    assert [len(items) for items in benchmark.splits.values()] == [8]


@pytest.mark.parametrize("kind", SEEDS)
def test_random_edits(kind: str, tmp_path: Path) -> None:
    name, _, mapping = SEEDS[kind]
    path = tmp_path / name
    complaints = {}
    for number in range(PER_KIND):
        path.write_bytes(break_file(kind, number))
        complaints[number] = complaint(path, mapping)
    assert {number: text for number, text in complaints.items() if text} == {}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_texts(case: str, tmp_path: Path) -> None:
    name, content = HOSTILE[case]
    (tmp_path / name).write_bytes(content)
    assert complaint(tmp_path / name) == ""


def test_hostile_workbooks(tmp_path: Path) -> None:
    """They are read in processes of their own: some would take all memory, or end the process."""
    cases = hostile_workbooks()
    paths = []
    for number, (name, content) in enumerate(cases.values()):
        paths.append(tmp_path / f"{number}{name}")
        paths[-1].write_bytes(content)
    command = [sys.executable, "-m", "tests.support.limited_reader", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)
    outcomes = dict(zip(cases, done.stdout.splitlines(), strict=True))
    bad = {
        case: outcome
        for case, outcome in outcomes.items()
        if outcome.split()[0] not in ("items", "refused") or float(outcome.split()[-1]) > SECONDS
    }
    assert bad == {}


@pytest.mark.parametrize("kind", SEEDS)
def test_on_the_command_line(kind: str, tmp_path: Path) -> None:
    """Two broken files of each kind: no traceback, and nothing that a terminal would obey."""
    name, _, mapping = SEEDS[kind]
    flags = ["--list-separator", ";"] if mapping else []
    for number in (1, 2):
        (tmp_path / name).write_bytes(break_file(kind, number))
        done = run_here("validate", name, *flags, cwd=tmp_path)
        assert done.returncode in (0, 2), done.stderr
        assert "Traceback" not in done.stderr
        assert all(line.isprintable() for line in (done.stdout + done.stderr).splitlines())


@pytest.mark.parametrize("case", ["an escape in a name", "lone surrogates", "a raised two"])
def test_hostile_texts_on_the_command_line(case: str, tmp_path: Path) -> None:
    name, content = HOSTILE[case]
    (tmp_path / name).write_bytes(content)
    done = run_here("validate", name, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert all(line.isprintable() for line in done.stderr.split("\n"))


@pytest.mark.parametrize("kind", ["semicolons", "quiz", "Aiken", "GIFT", "workbook"])
def test_an_audit_leaves_nothing(kind: str, tmp_path: Path) -> None:
    name, content, _ = SEEDS[kind]
    (tmp_path / name).write_bytes(content[: len(content) // 2])
    expect_one_line_error(run_here("audit", name, "-o", "out", cwd=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == [name]
