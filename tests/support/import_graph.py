"""Which top-level parts of the package a source file imports."""

from __future__ import annotations

import ast
from pathlib import Path

import hansproof

ROOT = Path(hansproof.__file__).parent


def package_part(path: Path) -> str:
    """The top-level package or module that a source file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_parts(path: Path, tree: ast.AST) -> set[str]:
    """Top-level parts of the package that a file imports, anywhere in it."""
    module = ["hansproof", *path.relative_to(ROOT).with_suffix("").parts]
    parts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            parts |= {a.name.split(".")[1] for a in node.names if a.name.startswith("hansproof.")}
        elif isinstance(node, ast.ImportFrom):
            base = module[: -node.level] if node.level else []
            target = [*base, *(node.module.split(".") if node.module else [])]
            if target[:1] != ["hansproof"]:
                continue
            parts |= {target[1]} if len(target) > 1 else {alias.name for alias in node.names}
    return parts
