"""`python -OO` removes docstrings, which altair needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
from hansproof._infra.docstrings import keep_docstrings
keep_docstrings("altair")
import altair, json, hansproof.views
print(bool(altair.Chart.__doc__), bool(json.__doc__), bool(hansproof.views.__doc__))
"""


@pytest.mark.parametrize(("level", "others"), [("0", "True True"), ("2", "False False")])
def test_only_the_named_package_keeps_its_docstrings(level: str, others: str) -> None:
    environment = {**os.environ, "PYTHONOPTIMIZE": level}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True
    )
    assert done.stdout == f"True {others}\n", done.stderr


@pytest.mark.slow
def test_an_audit_without_docstrings(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONOPTIMIZE": "2"}
    args = ("audit", "toy:original", "-o", "audit", "--items", "flags.csv")
    done = subprocess.run(
        [sys.executable, "-m", "hansproof", *args],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "vega" in (tmp_path / "audit/report.html").read_text()
