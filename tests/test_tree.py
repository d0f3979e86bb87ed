"""The tree in CONTRIBUTING.md is that of the source, and every file says what is in it."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from .support.import_graph import ROOT

TREE = runpy.run_path(str(Path(__file__).parents[1] / "docs" / "tree.py"))
FILES = [path for path in sorted(ROOT.rglob("*.py")) if "_" not in path.parent.name[:1]]


def test_the_tree_is_that_of_the_source() -> None:
    text = TREE["PAGE"].read_text()
    assert TREE["page"](text) == text, "run `make docs`"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_says_what_is_in_it(path: Path) -> None:
    summary = TREE["read_summary"](path)
    assert summary
