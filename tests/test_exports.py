"""What can be imported from `hansproof`: in any order, documented, and with examples that run."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import hansproof

FUNCTIONS = ("audit", "compare", "fingerprint", "gate", "html", "load", "predict", "run")

# every module is imported before the first function is asked for
IMPORT_ALL_FIRST = f"""
import importlib, pathlib, types
import hansproof

root = pathlib.Path(hansproof.__file__).parent
for path in sorted(root.rglob("*.py")):
    parts = path.relative_to(root.parent).with_suffix("").parts
    if parts[-1] != "__main__" and parts[-2:] != ("integrations", "textattack"):
        importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
for name in {FUNCTIONS!r}:
    assert isinstance(getattr(hansproof, name), types.FunctionType), name
assert len(hansproof.__version__.split(".")) == 3
"""


def test_every_public_name_is_there_and_documented() -> None:
    for name in hansproof.__all__:
        assert getattr(hansproof, name).__doc__, name
    homes = [name for names in hansproof._HOMES.values() for name in names]
    assert sorted(hansproof.__all__) == sorted(["logs", *hansproof._ALIASES, *homes])
    functions = [n for n in hansproof.__all__ if inspect.isfunction(getattr(hansproof, n))]
    assert sorted(functions) == sorted(FUNCTIONS)


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, hansproof; print([m for m in sys.modules if m.startswith('hansproof.')])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_functions_are_functions_after_every_module_was_imported() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL_FIRST], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_no_module_has_the_name_of_a_public_function() -> None:
    folder = Path(hansproof.__file__).parent
    modules = {path.name.removesuffix(".py") for path in folder.iterdir()}
    assert modules & {*FUNCTIONS} == set()


def test_plugins_are_listed_without_another_import() -> None:
    code = "import hansproof; print(*hansproof.plugins.names('probes'))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "partial_input" in out.stdout.split()


def test_every_field_of_a_public_class_is_documented() -> None:
    for name in hansproof.__all__:
        value = getattr(hansproof, name)
        if not (dataclasses.is_dataclass(value) and isinstance(value, type)):
            continue
        documented = re.findall(r"^        (\w+): ", value.__doc__ or "", re.M)
        assert documented == [field.name for field in dataclasses.fields(value)], name


def test_the_version_is_that_of_the_package() -> None:
    assert hansproof.__version__ == metadata.version("hansproof")
    assert "__version__" in dir(hansproof)


def examples_of(value: Any, name: str) -> list[doctest.DocTest]:
    """The examples of a public name and, if it is a class, of its methods."""
    if isinstance(value, ModuleType):
        return doctest.DocTestFinder(recurse=False).find(value, name)
    return [test for test in doctest.DocTestFinder().find(value, name) if test.examples]


@pytest.mark.parametrize("name", hansproof.__all__)
def test_every_public_name_has_examples_that_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tests = examples_of(getattr(hansproof, name), name)
    assert any(test.name == name and test.examples for test in tests), "has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in tests:
        output: list[str] = []
        runner.run(test, out=output.append)
        assert not runner.failures, "".join(output)


def test_the_examples_of_the_package_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (test,) = doctest.DocTestFinder(recurse=False).find(hansproof, "hansproof")
    output: list[str] = []
    assert doctest.DocTestRunner().run(test, out=output.append).failed == 0, "".join(output)
    assert (tmp_path / "audit" / "report.html").stat().st_size > 10_000
