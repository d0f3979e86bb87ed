"""A read-only installation without a home folder: compiled without a cache, and one warning."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hansproof
from hansproof._infra.compilation import compile_function

PACKAGE = Path(hansproof.__file__).parent
WARNING = "hansproof: compiled code cannot be cached, so every command compiles it again: set "
ITEMS = "".join(
    f'{{"question": "q {n}", "choices": ["a {n}", "b {n % 3}"], "answer": {n % 2}}}\n'
    for n in range(20)
)


def unwritable_copy(folder: Path) -> Path:
    """A copy of the package in which files stand where numba would make its cache folders."""
    shutil.copytree(PACKAGE, folder / "hansproof", ignore=shutil.ignore_patterns("__pycache__"))
    for package in [folder / "hansproof", *(folder / "hansproof").rglob("*/")]:
        if package.is_dir():
            (package / "__pycache__").touch()
    return folder


def run_unwritable(
    tmp_path: Path, *args: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    }
    (tmp_path / "items.jsonl").write_text(ITEMS)
    source = unwritable_copy(tmp_path / "site")
    return subprocess.run(
        [sys.executable, "-m", "hansproof", *args],
        env={**kept, "HOME": os.devnull, "PYTHONPATH": str(source), **environment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )


def test_without_a_cache_there_is_one_warning(tmp_path: Path) -> None:
    done = run_unwritable(tmp_path, "run", "cues", "items.jsonl")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith(WARNING)
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_workers_do_not_repeat_the_warning(tmp_path: Path) -> None:
    args = ("predict", "items.jsonl", "--model", "bow", "--seeds", "2", "--jobs", "2")
    done = run_unwritable(tmp_path, *args)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("cached") <= 1
    assert "UserWarning" not in done.stderr


@pytest.mark.slow
def test_a_cache_folder_that_is_named_is_used(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    done = run_unwritable(tmp_path, "run", "cues", "items.jsonl", NUMBA_CACHE_DIR=str(cache))
    assert (done.returncode, done.stderr) == (0, "")
    assert list(cache.rglob("*.nbi"))


def test_compilation_is_announced_once_and_only_if_the_cache_is_cold(tmp_path: Path) -> None:
    code = (
        "from hansproof._infra.compilation import announce_compilation; import sys;"
        "announce_compilation(lambda: print('now', file=sys.stderr));"
        "import numpy as np; from hansproof.cues.incidence import _count_and_place;"
        "_count_and_place(np.array([1, 0]), 2); _count_and_place(np.array([1, 0], np.int32), 2)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True
        ).stderr
        for _ in range(2)
    ]
    assert said == ["now\n", ""]


def test_other_errors_of_the_compiler_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**options: object) -> object:
        raise RuntimeError("another error")

    monkeypatch.setattr("numba.njit", fail)
    with pytest.raises(RuntimeError, match="another error"):
        compile_function()(abs)


def test_every_compiled_function_with_a_cache_uses_this_decorator() -> None:
    texts = {path: path.read_text() for path in PACKAGE.rglob("*.py")}
    users = [path.name for path, text in texts.items() if re.search(r"\bcache=True", text)]
    assert users == ["compilation.py"]
