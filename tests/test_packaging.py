"""The wheel and the source archive: built without a network, complete, and of use."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "hansproof"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
NO_NETWORK = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        list(map(str, command)),
        env={**os.environ, **environment},
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    return next(dist.glob("*.whl"))


@pytest.fixture(scope="module")
def archive(dist: Path) -> Path:
    return next(dist.glob("*.tar.gz"))


def package_files() -> set[str]:
    """All files of the package, code and data, but for caches."""
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    return {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in files
        if "__pycache__" not in path.parts
    }


def test_the_wheel_has_the_package_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == package_files()
    data = {
        "py.typed",
        "benchmarks/toy.jsonl",
        "papers/figures/niven2019.json",
        "papers/page.css",
        "report/html/template.html",
        "report/html/css/page.css",
        "report/html/js/start.js",
    }
    assert {f"hansproof/{name}" for name in data} <= names


def test_the_archive_can_build_the_wheel_and_run_the_tests(
    archive: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    assert {f"src/{name}" for name in package_files()} <= names
    needed = ("LICENSE", "Makefile", "README.md", "constraints.txt", "docs/index.md", "mkdocs.yml",
              "pyproject.toml", "tests/conftest.py", "bench/cues.py")  # fmt: skip
    assert {*needed} <= names
    run(sys.executable, "-m", "pip", "wheel", *NO_NETWORK, "-w", tmp_path, archive)
    again = zipfile.ZipFile(tmp_path / wheel.name)
    assert again.namelist() == zipfile.ZipFile(wheel).namelist()


def test_an_installed_wheel_works(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    run(sys.executable, "-m", "pip", "install", *NO_NETWORK, "--target", site, wheel)
    where = run(sys.executable, "-c", "import hansproof; print(hansproof.__file__)",
                PYTHONPATH=str(site))  # fmt: skip
    assert Path(where.strip()).is_relative_to(site)
    command = site / "bin" / "hansproof"
    assert VERSION in run(command, "--version", PYTHONPATH=str(site))
    assert "--output" in run(command, "audit", "--help", PYTHONPATH=str(site))
    assert "toy" in run(command, "list", "benchmarks", PYTHONPATH=str(site))
    shown = run(command, "show", "toy:original", PYTHONPATH=str(site))
    assert "120" in shown


def test_a_wheel_tells_the_version_and_the_licence(wheel: Path) -> None:
    files = zipfile.ZipFile(wheel)
    metadata = next(name for name in files.namelist() if name.endswith("METADATA"))
    lines = files.read(metadata).decode().splitlines()
    assert f"Version: {VERSION}" in lines
    assert "License-Expression: Apache-2.0" in lines
