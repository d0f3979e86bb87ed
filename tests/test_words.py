"""Names in the source are plain words: see "Words" in CONTRIBUTING.md.

`words_allowed.txt` lists the exceptions. It can only shrink: an entry that is no longer needed
fails a test, too.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from .support.import_graph import ROOT, package_part

FILES = sorted(ROOT.rglob("*.py"))
ALLOWED = {
    tuple(line.split())
    for line in Path(__file__).with_name("words_allowed.txt").read_text().splitlines()
    if line and not line.startswith("#")
}
MAX_FUNCTION_LINES = 40  # without the docstring
MAX_FILE_LINES = 330

# names that say nothing of what a variable contains
FILLERS = {
    "one", "found", "at", "some", "what", "said", "known", "own", "there", "made", "told",
    "shown", "named", "asked", "given", "kept", "every", "each", "whole", "held", "most", "where",
    "who", "wanted", "left", "seen", "done", "here", "both", "same", "such", "about", "much",
    "many", "few", "beside", "behind", "far", "near", "together", "apart", "others", "rest",
}  # fmt: skip
IRREGULAR_PARTICIPLES = {
    "begun", "bound", "built", "caught", "chosen", "dealt", "done", "drawn", "felt", "found",
    "given", "gone", "had", "heard", "held", "hidden", "kept", "known", "laid", "left", "lost",
    "made", "met", "named", "said", "seen", "sent", "shown", "spent", "spoken", "stood", "taken",
    "told", "torn", "turned", "understood", "won", "written",
}  # fmt: skip
NO_PARTICIPLES = ("need", "feed", "seed", "speed", "embed", "shed")


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def is_participle(name: str) -> bool:
    """Whether a name is a participle and nothing else; `expected_credit` is not."""
    word = name.strip("_").lower()
    if "_" in word:
        return False
    regular = len(word) > 4 and word.endswith("ed") and not word.endswith(NO_PARTICIPLES)
    return regular or word in IRREGULAR_PARTICIPLES


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def variables(tree: ast.AST) -> set[str]:
    """Names of all variables and parameters."""
    stored = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return stored | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def count_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function from `def` on, without the docstring."""
    first = function.body[0]
    has_docstring = ast.get_docstring(function, clean=False) is not None
    docstring = (first.end_lineno or 0) - first.lineno + 1 if has_docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def private_imports(path: Path, tree: ast.AST) -> Iterator[str]:
    """Underscore modules of other packages that a file imports; `_infra` is for all packages."""
    module = ["hansproof", *path.relative_to(ROOT).with_suffix("").parts]
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        base = module[: -node.level] if node.level else []
        target = [*base, *(node.module.split(".") if node.module else [])]
        if target[:1] != ["hansproof"] or len(target) < 2 or target[1] == package_part(path):
            continue
        folder = ROOT.joinpath(*target[1:])
        modules = [a.name for a in node.names if (folder / f"{a.name}.py").exists()]
        modules += [a.name for a in node.names if (folder / a.name).is_dir()]
        if any(part.startswith("_") for part in [*target[2:], *modules]):
            yield ".".join([*target, *modules])


def needed_exceptions() -> dict[str, set[tuple[str, ...]]]:
    """What breaks the rules that have exceptions, by rule."""
    needed: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for path in FILES:
        tree = parse(path)
        needed["filler"] |= {("filler", relative(path), n) for n in variables(tree) & FILLERS}
        needed["long"] |= {
            ("long", relative(path), function.name)
            for function in functions(tree)
            if count_lines(function) > MAX_FUNCTION_LINES
        }
    return needed


def test_class_names_are_unique() -> None:
    homes = defaultdict(list)
    for path in FILES:
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(relative(path))
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_no_function_or_class_is_only_a_participle() -> None:
    names = [
        f"{relative(path)}: {node.name}"
        for path in FILES
        for node in ast.walk(parse(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and is_participle(node.name)
    ]
    assert names == []


@pytest.mark.parametrize("rule", ["filler", "long"])
def test_exceptions_are_listed_and_needed(rule: str) -> None:
    allowed = {entry for entry in ALLOWED if entry[0] == rule}
    needed = needed_exceptions()[rule]
    assert sorted(needed - allowed) == [], "rename the variable, or split the function"
    assert sorted(allowed - needed) == [], "take these out of words_allowed.txt"


def test_no_import_of_another_packages_private_module() -> None:
    imports = [
        f"{relative(path)}: {target}"
        for path in FILES
        for target in private_imports(path, parse(path))
    ]
    assert imports == []


def test_no_file_is_too_long() -> None:
    lengths = {relative(path): len(path.read_text().splitlines()) for path in FILES}
    assert {path: n for path, n in lengths.items() if n > MAX_FILE_LINES} == {}


def test_the_checks_see_what_they_look_for() -> None:
    assert [*map(is_participle, ("told", "_Scored", "expected_credit", "seed", "read"))] == [
        True, True, False, False, False,
    ]  # fmt: skip
    tree = ast.parse("from ..models._x import f\nfrom .._infra import progress\nfrom ._y import g")
    assert [*private_imports(ROOT / "probes" / "x.py", tree)] == ["hansproof.models._x"]
    assert variables(ast.parse("def f(a):\n    for one in a: b = one")) == {"a", "b", "one"}
