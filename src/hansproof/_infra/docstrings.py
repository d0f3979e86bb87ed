"""Keeps the docstrings of packages that cannot be imported without them (`python -OO`)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType


def keep_docstrings(package: str) -> None:
    """Compile a package with its docstrings if Python was told to remove them; call it first."""
    if sys.flags.optimize > 1 and package not in sys.modules:
        sys.meta_path.insert(0, _DocstringFinder(package))


class _DocstringFinder:
    """Finds the modules of one package."""

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] != self._package:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _DocstringLoader(spec.loader.name, spec.loader.path)
        return spec


class _DocstringLoader(SourceFileLoader):
    """Compiles a module with its docstrings, past the cache, which lacks them."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = compile(self.get_data(path), path, "exec", dont_inherit=True, optimize=1)
        return code
