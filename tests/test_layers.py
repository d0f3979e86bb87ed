"""Imports follow one direction: from the nouns to the command line, never back."""

from __future__ import annotations

import ast
import gzip
import subprocess
import sys
from pathlib import Path

import pytest

import hansproof

ROOT = Path(hansproof.__file__).parent

# what stands in one line may import from the lines above it and from its own
LAYERS = [
    ["types", "errors"],
    ["checks", "cluster", "credit", "digest", "files", "plugins", "progress", "text"],
    ["drawn", "encode", "specs", "stats", "views"],
    ["bags"],
    ["ranking"],
    ["formats"],
    ["corpus"],
    ["contamination"],
    ["fetch"],
    ["benchmarks"],
    ["predictions"],
    ["vectors"],
    ["training"],
    ["null"],
    ["cues"],
    ["models"],
    ["attack"],
    ["predict"],
    ["bridges"],
    ["logs"],
    ["ratings", "accuracies"],
    ["edits"],
    ["probes"],
    ["audit"],
    ["diff", "items"],
    ["gate"],
    ["report"],
    ["reproduce"],
    ["pytest_plugin"],
    ["flags"],
    ["cli"],
    ["__main__"],
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")

# where training runs there may be torch, transformers and numpy, and nothing else of these
LIGHT = {
    "types", "attack", "credit", "digest", "drawn", "errors", "specs", "text", "views",
    "predictions", "models", "training", "vectors",
}  # fmt: skip
HEAVY = {"msgspec", "click", "rich", "numba", "sklearn", "defusedxml"}


def part(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path, tree: ast.AST) -> set[str]:
    """Top-level parts of the package that a file imports, anywhere in it."""
    here = ["hansproof", *path.relative_to(ROOT).with_suffix("").parts]
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {a.name.split(".")[1] for a in node.names if a.name.startswith("hansproof.")}
        elif isinstance(node, ast.ImportFrom):
            base = here[: -node.level] if node.level else []
            whole = [*base, *(node.module.split(".") if node.module else [])]
            if whole[:1] != ["hansproof"]:
                continue
            found |= {whole[1]} if len(whole) > 1 else {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_goes_back(path: Path) -> None:
    own = part(path)
    assert own in RANK, f"{own} has no layer: give it one"
    for name in imports(path, ast.parse(path.read_text())):
        assert RANK[name] < RANK[own] or name == own, f"{own} imports {name}"


@pytest.mark.parametrize(
    "path", [p for p in FILES if part(p) in LIGHT], ids=lambda path: str(path.relative_to(ROOT))
)
def test_the_training_path_is_light(path: Path) -> None:
    for node in ast.parse(path.read_text()).body:
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not {name.split(".")[0] for name in names} & HEAVY


BARE = """
import runpy, sys
class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {heavy!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Lacking())
sys.argv = ["bench.papers", "run", {folder!r}, {folder!r}, "niven2019"]
runpy.run_module("bench.papers", run_name="__main__")
"""


def test_papers_are_run_again_where_there_is_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "benchmarks.json.gz").write_bytes(gzip.compress(b"{}"))
    (tmp_path / "runs.json").write_text('{"niven2019": []}')
    code = BARE.format(heavy=HEAVY, folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_check_itself_sees_an_import_that_goes_back() -> None:
    tree = ast.parse("def f():\n    from ..cli import main\n    from . import _splits")
    assert imports(ROOT / "probes" / "x.py", tree) == {"cli", "probes"}
    assert RANK["cli"] > RANK["probes"]


def test_no_file_is_longer_than_a_sitting() -> None:
    for path in FILES:
        assert len(path.read_text().splitlines()) <= 330, path
