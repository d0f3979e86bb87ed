"""The page says what was measured."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def test_the_figures_of_the_page_are_those_of_the_bench() -> None:
    page = (ROOT / "docs" / "vectors.md").read_text()
    found = json.loads((ROOT / "bench" / "counterfit.json").read_text())["counterfit"]
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in page.splitlines()]
    printed = {cells[0]: [float(cell) for cell in cells[1:]] for cells in lines if cells}
    for name in ("lists", "before and after"):
        for row in found[name]:
            label, *numbers = row.values()
            assert printed[label] == pytest.approx(numbers, abs=1e-4), label
    moved, named = (f"{found[name]:,}" for name in ("words that moved", "words of the lists"))
    assert re.search(rf"{moved} words move, {named} are in a\s+list", page)
