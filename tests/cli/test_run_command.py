"""How commands end: interrupted, without memory, without a reader, on a full disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hansproof.benchmarks

from ..support.cli_runner import expect_one_line_error, run_fresh, run_here

INTERRUPT_AT = """
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise {error}
sys.meta_path.insert(0, Interrupt())
sys.argv = ["hansproof", *{args!r}]
from hansproof.cli import main
main()
"""
SHOW = ("show", "toy")


def run_with_interrupt(
    module: str, args: tuple[str, ...] = SHOW, error: str = "KeyboardInterrupt"
) -> subprocess.CompletedProcess[str]:
    code = INTERRUPT_AT.format(module=module, args=args, error=error)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


@pytest.mark.parametrize(
    "module",
    [
        "hansproof.cli._run_command", "click", "hansproof.cli._main", "hansproof.cli.show",
        "hansproof.benchmarks", "numpy", "msgspec", "rich.console",
    ],
)  # fmt: skip
def test_ctrl_c_while_modules_are_imported(module: str) -> None:
    done = run_with_interrupt(module)
    assert (done.returncode, done.stderr) == (130, "hansproof: interrupted\n")


def test_ctrl_c_that_an_import_turns_into_another_error() -> None:
    error = "ImportError('numpy is broken') from KeyboardInterrupt()"
    done = run_with_interrupt("numpy", error=error)
    assert (done.returncode, done.stderr) == (130, "hansproof: interrupted\n")


def test_ctrl_c_while_a_class_is_made_by_exec(tmp_path: Path) -> None:
    code = "import hansproof.cli._run_command as module; from hansproof.cli import main\n"
    code += "module.run_command = lambda: exec('raise KeyboardInterrupt')\nmain()"
    (tmp_path / "interrupted.py").write_text(code)
    command = [sys.executable, "-m", "interrupted"]  # only -m would end by a signal
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (130, "hansproof: interrupted\n")


def test_another_error_of_an_import_is_not_hidden() -> None:
    done = run_with_interrupt("numpy", error="ImportError('numpy is broken')")
    assert done.returncode == 1
    assert done.stderr.endswith("ImportError: numpy is broken\n")


@pytest.mark.parametrize("command", ["audit", "predict", "scan"])
def test_commands_that_can_continue_say_so(command: str) -> None:
    done = run_with_interrupt("click", (command, "toy"))
    hint = "run the same command again to continue"
    assert (done.returncode, done.stderr) == (130, f"hansproof: interrupted; {hint}\n")


SWALLOWED = """
import os, signal, sys, weakref
class Target: pass
target = Target()
def callback(reference):
    os.kill(os.getpid(), signal.SIGINT)  # Python ignores what is raised in here
    sum(range(10))
reference = weakref.ref(target, callback)
import hansproof.cli._run_command as run_command
def run():
    global target
    del target
    import time
    time.sleep(30)
run_command.run_command = run
from hansproof.cli import main
main()
"""


def test_ctrl_c_in_a_callback_is_not_lost() -> None:
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", SWALLOWED], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "hansproof: interrupted\n")
    assert time.monotonic() - start < 20


@pytest.mark.parametrize("delay", [0.5, 2.5])
def test_ctrl_c_reaches_no_worker(delay: float, tmp_path: Path) -> None:
    args = ("predict", "toy", "--model", "bow", "--seeds", "500", "--jobs", "2")
    command = [sys.executable, "-m", "hansproof", *args]
    # a terminal sends it to all processes of the group
    with subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    hint = "run the same command again to continue"
    assert (process.returncode, stderr) == (130, f"hansproof: interrupted; {hint}\n")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "ran out of memory"),
        (MemoryError("Unable to allocate 7 GiB"), "ran out of memory (Unable to allocate 7 GiB)"),
        (ImportError("a.so: failed to map segment from shared object"), "ran out of memory"),
    ],
)
def test_memory_that_ran_out(
    error: Exception, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise error

    monkeypatch.setattr(hansproof.benchmarks, "load", fail)
    assert expect_one_line_error(run_here(*SHOW)) == f"hansproof: {message}\n"
    assert "Traceback" in run_here("--debug", *SHOW).stderr


def test_an_audit_that_needs_more_memory_than_there_is(tmp_path: Path) -> None:
    shell = f"ulimit -v 400000; exec {sys.executable} -m hansproof audit toy -o audit"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("hansproof: ran out of memory")
    assert "Traceback" not in done.stderr


COMMANDS = [("list",), ("--help",), ("show", "toy"), ("run", "balance", "toy", "--json")]


def run_into(
    stdout: int, args: tuple[str, ...], unbuffered: str
) -> subprocess.CompletedProcess[str]:
    """Run a command that writes to an open file."""
    return subprocess.run(
        [sys.executable, "-m", "hansproof", *args],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_a_full_disk(args: tuple[str, ...], unbuffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = run_into(full.fileno(), args, unbuffered)
    message = "hansproof: stdout: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, message)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_a_reader_that_has_ended(args: tuple[str, ...], unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = run_into(writer, args, unbuffered)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_closed_stdout(tmp_path: Path) -> None:
    shell = f"exec {sys.executable} -m hansproof audit toy -o audit >&-"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    reason = "it is closed; use > /dev/null to discard the output"
    assert done.stderr == f"hansproof: stdout: cannot be written: {reason}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
def test_a_stderr_that_cannot_be_written_changes_nothing(redirection: str, tmp_path: Path) -> None:
    shell = f"exec {sys.executable} -m hansproof edit permute toy:original -o new --json"
    done = subprocess.run(
        ["bash", "-c", f"{shell} {redirection}"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)
    assert (tmp_path / "new/original.jsonl").exists()


def test_a_file_name_that_is_not_utf8(tmp_path: Path) -> None:
    rows = [
        {"question": f"q {n}", "choices": [f"a {n % 5}", f"b {n % 7}"], "answer": n % 2}
        for n in range(20)
    ]
    content = "".join(json.dumps(row) + "\n" for row in rows)
    folder = tmp_path / "folder\udcff"
    folder.mkdir()
    for path in (tmp_path / "caf\udce9.jsonl", folder / "part\udce9.jsonl"):
        path.write_text(content)
    commands = [
        ("validate", "caf\udce9.jsonl"),
        ("audit", "caf\udce9.jsonl", "-o", "out\udcff", "--items", "flags\udcff.csv"),
        ("audit", "folder\udcff", "-o", "other", "--items", "other.csv", "--split-by", "file"),
        ("card", "out\udcff/audit.json", "-o", "card\udcff.md"),
        ("report", "out\udcff/audit.json", "-o", "page\udcff.html"),
        ("run", "cues", "folder\udcff", "--json"),
        ("edit", "permute", "folder\udcff", "-o", "new\udcff", "--json"),
        ("worksheet", "mirror", "caf\udce9.jsonl", "-o", "sheet\udcff.csv"),
        ("index", "caf\udce9.jsonl", "-o", "index\udcff.npz"),
        ("predict", "caf\udce9.jsonl", "--model", "bow", "--seeds", "1", "--store", "store\udcff"),
        ("run", "accuracy", "caf\udce9.jsonl", "--predictions", "store\udcff/*.jsonl", "--json"),
        ("diff", "out\udcff/audit.json", "other/audit.json", "--json"),
    ]
    for args in commands:
        done = run_here(*args, cwd=tmp_path)
        assert done.returncode == 0, (args, done.stderr)
        done.stdout.encode()  # UTF-8
    assert json.loads((tmp_path / "out\udcff/audit.json").read_bytes().decode())["benchmark"] == (
        "caf\\udce9"
    )
    assert "caf\\udce9" in (tmp_path / "out\udcff/report.html").read_bytes().decode()
    assert "part\\udce9" in (tmp_path / "other.csv").read_bytes().decode()


def test_such_a_name_is_printed_on_a_terminal_that_is_strict(tmp_path: Path) -> None:
    (tmp_path / "caf\udce9.jsonl").write_text(
        '{"question": "?", "choices": ["a", "b"], "answer": 0}\n'
    )
    done = run_fresh("validate", "caf\udce9.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    gone = run_fresh("validate", "none\udce9.jsonl", cwd=tmp_path)
    assert expect_one_line_error(gone) == "hansproof: none\\udce9.jsonl: no such file\n"
