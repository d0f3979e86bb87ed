"""The version of the code behind a score covers all that can change one."""

from __future__ import annotations

import ast
from pathlib import Path

from hansproof.sweeps import code_version
from hansproof.sweeps.version import ROOT, SOURCES

# packages and modules that read, write and display, or that run what others compute
HARMLESS = {
    "auditing", "display", "report",  # methods of the types, which no model calls
    "_infra/plural",
    "_infra/atomic_io", "_infra/locks", "_infra/optional_progress", "_infra/progress", "benchmarks",
    "download", "errors", "executors", "formats", "predictions", "records",
}  # fmt: skip


def source_files(name: str) -> list[Path]:
    return [*(ROOT / name).rglob("*.py"), *ROOT.glob(f"{name}.py")]


def imported_sources(path: Path) -> set[str]:
    """The packages and modules of hansproof that a file imports; of `_infra` each module."""
    here = ["hansproof", *path.relative_to(ROOT).with_suffix("").parts]
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*here[: -node.level], *(node.module or "").split(".")]
            names = [[*filter(None, base), alias.name][1:] for alias in node.names]
            found |= {"/".join(n[:2]) if n[0] == "_infra" else n[0] for n in names}
    return found


def test_all_that_can_change_a_score_is_in_the_version() -> None:
    """Whatever models, training and sweeps import, directly or not, unless it is harmless."""
    left, known = {"models", "training", "sweeps"}, set[str]()
    while left:
        name = left.pop()
        known.add(name)
        for path in source_files(name):
            left |= imported_sources(path) - known - HARMLESS
    assert known <= set(SOURCES)
    assert all(source_files(name) for name in SOURCES)
    assert code_version().partition("+")[0] == "0.1.0"
    assert len(code_version().partition("+")[2]) == 12


def test_more_sources_are_another_version() -> None:
    assert code_version("attack") != code_version()
