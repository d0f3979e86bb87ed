"""Imports follow one direction: from the nouns to the command line, never back."""

from __future__ import annotations

import ast
import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from .support.import_graph import ROOT, imported_parts, package_part

# a package or module may import from the layers above its own, and from itself
LAYERS = [
    ["errors"],
    ["types"],
    ["_infra", "plugins"],
    ["stats", "text"],
    ["choice_orders"],
    ["views"],
    ["sampling", "scoring"],
    ["results"],
    ["download", "executors", "linear"],
    ["records"],
    ["formats"],
    ["corpus"],
    ["contamination"],
    ["benchmarks"],
    ["predictions"],
    ["vectors"],
    ["training"],
    ["spending"],
    ["capabilities", "pretrained"],
    ["cues"],
    ["rules"],
    ["prompts"],
    ["endpoints"],
    ["models"],
    ["attack"],
    ["sweeps"],
    ["logs"],
    ["inputs"],
    ["edits"],
    ["probes"],
    ["audit_checkpoint"],
    ["auditing", "probe_selection"],
    ["flag_words"],
    ["diff", "item_flags"],
    ["gates"],
    ["report"],
    ["api", "display"],
    ["papers"],
    ["integrations"],
    ["cli"],
    ["__main__"],
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
# methods of the data types hand over to these when they are called, such as `Audit.save`
DELEGATES = {"types": {"auditing", "display", "report"}}
FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")

# a machine for training may have torch, transformers and numpy, and none of HEAVY
LIGHT = {
    "types", "errors", "_infra", "plugins", "choice_orders", "views", "prompts", "endpoints",
    "scoring", "sampling", "spending", "predictions",
    "vectors", "training", "capabilities", "pretrained", "models", "attack",
    "text/tokenizers", "text/ngrams", "text/choice_references", "text/function_words",
    "text/scripts", "text/detect_script", "text/word_libraries", "display/text",
    "inputs/likelihood_files", "inputs/model_names",
}  # fmt: skip
WITH_RICH = {"_infra/progress_bars"}  # imported only where stderr is a terminal
HEAVY = {"msgspec", "click", "rich", "numba", "sklearn", "defusedxml"}


def is_light(path: Path) -> bool:
    name = path.relative_to(ROOT).with_suffix("").as_posix()
    return (package_part(path) in LIGHT or name in LIGHT) and name not in WITH_RICH


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_goes_back(path: Path) -> None:
    own = package_part(path)
    assert own in RANK, f"{own} has no layer: give it one"
    for name in imported_parts(path, ast.parse(path.read_text())):
        is_allowed = RANK[name] < RANK[own] or name == own or name in DELEGATES.get(own, ())
        assert is_allowed, f"{own} imports {name}"


def test_the_types_import_nothing_before_a_method_is_called() -> None:
    code = "import sys, hansproof.types; print(*(m for m in sys.modules if 'hansproof.' in m))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {name.split(".")[1] for name in out.stdout.split()} == {"types"}


@pytest.mark.parametrize(
    "path", [p for p in FILES if is_light(p)], ids=lambda path: str(path.relative_to(ROOT))
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
    assert imported_parts(ROOT / "probes" / "x.py", tree) == {"cli", "probes"}
    assert RANK["cli"] > RANK["probes"]


def test_no_file_is_longer_than_a_sitting() -> None:
    for path in FILES:
        assert len(path.read_text().splitlines()) <= 330, path
