"""A folder is a registry: the file name is the name, the docstring's first line the summary.

Names and summaries are read without importing anything, so listing stays cheap. Third parties
add theirs as a file (`./mine.py`) or as an entry point in the group `hansproof.<kind>` that
names a module. On the command line `-` and `_` are the same.
"""

from __future__ import annotations

import importlib
import os
import sys
from functools import cache
from importlib import metadata
from types import ModuleType
from typing import Any

from .errors import BadInput, UnknownName

KINDS = ("benchmarks", "models", "probes", "edits", "formats", "logs")
_PACKAGE_DIR = os.path.dirname(__file__)


def names(kind: str) -> dict[str, str]:
    """Every plug-in of a kind with its one-line summary, sorted, nothing imported."""
    summaries = {}
    for entry in os.scandir(os.path.join(_PACKAGE_DIR, kind)):
        name = entry.name.removesuffix(".py")
        if name.startswith(("_", ".")) or (name == entry.name and not entry.is_dir()):
            continue
        summaries[name] = read_summary(
            os.path.join(entry.path, "__init__.py") if entry.is_dir() else entry.path
        )
    for point in _entry_points(kind):
        summaries[point.name] = _read_entry_point_summary(point)
    return dict(sorted(summaries.items()))


def read_summary(path: str) -> str:
    """The first line of a file's docstring."""
    with open(path, encoding="utf-8") as file:
        return file.readline().strip().strip('"').strip()


@cache
def _entry_points(kind: str) -> metadata.EntryPoints:
    return metadata.entry_points(group=f"hansproof.{kind}")


def _read_entry_point_summary(point: metadata.EntryPoint) -> str:
    if point.dist is None:
        return ""
    path = str(point.dist.locate_file(point.module.replace(".", "/") + ".py"))
    return read_summary(path) if os.path.exists(path) else f"from {point.dist.name}"


def load_module(kind: str, name: str) -> ModuleType:
    """The module of a plug-in: a `.py` file, an entry point, or one of ours."""
    if name.endswith(".py"):
        return _load_file(name)
    module_name = name.replace("-", "_")
    for point in _entry_points(kind):
        if point.name.replace("-", "_") == module_name:
            return importlib.import_module(point.module)
    if module_name not in names(kind):
        raise UnknownName(kind.removesuffix("s"), name, names(kind))
    return importlib.import_module(f"hansproof.{kind}.{module_name}")


def load_class(kind: str, name: str) -> Any:
    """The class a plug-in file is about: `class_balance.py` defines `ClassBalance`."""
    plugin_module = load_module(kind, name)
    stem = plugin_module.__name__.rpartition(".")[2]
    class_name = "".join(part.capitalize() for part in stem.split("_"))
    if not hasattr(plugin_module, class_name):
        raise BadInput(plugin_module.__file__, f"defines no class {class_name}")
    return getattr(plugin_module, class_name)


def inputs_of(plugin_class: Any) -> tuple[str, ...]:
    """What a probe or an edit looks at beside the benchmark: what it needs, and what it may use."""
    return (*plugin_class.needs, *getattr(plugin_class, "uses", ()))


def _load_file(path: str) -> ModuleType:
    import importlib.util

    stem = os.path.basename(path).removesuffix(".py").replace("-", "_")
    if not os.path.exists(path):
        raise BadInput(path, "no such file")
    name = f"hansproof_file.{stem}"  # never the name of a real module
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # a .py file always has a loader
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded  # dataclasses look their module up by name
    spec.loader.exec_module(loaded)
    return loaded
