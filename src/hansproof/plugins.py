"""Plug-ins: a folder is a registry, and `name:key=value` specs build plug-ins.

A plug-in's name is its file name, its summary the first line of its docstring. Both are read
without importing the file, so listing stays cheap. Third parties add plug-ins as a file
(`./mine.py`) or as an entry point in the group `hansproof.<kind>` that names a module. On the
command line `-` and `_` are the same.

A spec is a plug-in's name with parameters: `bow`, or `bow:ngram=1,penalty=2`. A plug-in that takes
parameters is a frozen dataclass; its fields are its parameters. The first value after the colon may
omit its name and then sets the first field: `hf:bert-base-uncased,recipe=branco`.
"""

from __future__ import annotations

import dataclasses
import importlib
import os
import sys
import types
import typing
from functools import cache
from importlib import metadata
from types import ModuleType
from typing import Any

from .errors import BadInput, UnknownName

MODEL_INPUTS = ("trained", "against")  # inputs that are models, for probes that run on request
TEXT_INPUTS = ("lm", "encoder")  # inputs that say something about the text of each choice
KINDS = ("benchmarks", "models", "probes", "edits", "formats", "logs")
ALIASES = {("models", "kept"): "saved"}  # former names that still work, by kind and name
_PACKAGE_DIR = os.path.dirname(__file__)


def names(kind: str) -> dict[str, str]:
    """Map the names of all plug-ins of a kind, sorted, to their summaries; import none of them."""
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
    """Read the first line of a Python file's docstring."""
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
    """Import the module of a plug-in: a `.py` file, an entry point, or a built-in plug-in."""
    if name.endswith(".py"):
        return _load_file(name)
    module_name = name.replace("-", "_")
    for point in _entry_points(kind):
        if point.name.replace("-", "_") == module_name:
            return importlib.import_module(point.module)
    module_name = resolve_alias(kind, module_name)
    if module_name not in names(kind):
        raise UnknownName(kind.removesuffix("s"), name, names(kind))
    return importlib.import_module(f"hansproof.{kind}.{module_name}")


def resolve_alias(kind: str, name: str) -> str:
    """Return the current name of a plug-in that was renamed; any other name unchanged."""
    return ALIASES.get((kind, name), name)


def load_class(kind: str, name: str) -> Any:
    """Import a plug-in and return its class.

    The class has the file's name in CamelCase, with or without the kind: `class_balance.py`
    defines `ClassBalance`, `edits/easy_hard.py` defines `EasyHardEdit`.
    """
    plugin_module = load_module(kind, name)
    stem = plugin_module.__name__.rpartition(".")[2]
    class_name = "".join(part.capitalize() for part in stem.split("_"))
    for candidate in (class_name, class_name + kind.removesuffix("s").capitalize()):
        if hasattr(plugin_module, candidate):
            return getattr(plugin_module, candidate)
    raise BadInput(plugin_module.__file__, f"does not define a class {class_name}")


def inputs_of(plugin_class: Any) -> tuple[str, ...]:
    """Name the inputs besides the benchmark that a probe or an edit requires or can use."""
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


def build_plugin(kind: str, spec: str) -> Any:
    """Build the plug-in of a spec: its name or Python file, and parameters after a colon."""
    name = plugin_name(spec)
    plugin_class = _load_dataclass(kind, name)
    fields, hints = _init_fields(plugin_class), typing.get_type_hints(plugin_class)
    values = {}
    for key, text in _parse_parameters(spec, fields).items():
        values[key] = _parse_value(hints[key], text, f"{name}:{key}")
    for key, field in fields.items():
        if key not in values and field.default is field.default_factory is dataclasses.MISSING:
            raise BadInput(spec, f"{key} must be given: {name}:{key}=VALUE")
    return plugin_class(**values)


def plugin_name(spec: str) -> str:
    """Return the part of a spec before the colon."""
    return spec.partition(":")[0]


def with_parameter(
    kind: str, spec: str, key: str, value: str, value_type: type | None = None
) -> str | None:
    """Add a parameter to a spec, unless the spec sets it already.

    Returns None if the plug-in has no such parameter, or if `value_type` is given and the
    parameter is of another type.
    """
    name, _, parameters = spec.partition(":")
    plugin_class = _load_dataclass(kind, name)
    fields = _init_fields(plugin_class)
    if key not in fields or (
        value_type is not None and typing.get_type_hints(plugin_class)[key] is not value_type
    ):
        return None
    if key in _parse_parameters(spec, fields):
        return spec
    return f"{name}:{','.join(filter(None, (parameters, f'{key}={value}')))}"


def _load_dataclass(kind: str, name: str) -> Any:
    plugin_class = load_class(kind, name)
    if not dataclasses.is_dataclass(plugin_class):
        raise BadInput(
            name,
            f"{plugin_class.__name__} is not a dataclass: a {kind.removesuffix('s')}'s fields are "
            "its "
            "parameters",
        )
    return plugin_class


def _init_fields(plugin_class: Any) -> dict[str, dataclasses.Field[Any]]:
    return {field.name: field for field in dataclasses.fields(plugin_class) if field.init}


def _parse_parameters(spec: str, fields: dict[str, dataclasses.Field[Any]]) -> dict[str, str]:
    """Split the parameters of a spec into names and texts."""
    name, _, parameter_text = spec.partition(":")
    parameters: dict[str, str] = {}
    for pair in filter(None, parameter_text.split(",")):
        key, equals, text = pair.partition("=")
        key = key.strip().replace("-", "_")
        is_unnamed = not parameters and not equals and key not in fields
        if is_unnamed and fields:  # the first parameter may omit its name
            key, equals, text = next(iter(fields)), "=", pair
        if key not in fields:
            if not parameters and fields and not key.isidentifier():  # a path that contains a =
                message = f"a value with = in it needs its name: {name}:{next(iter(fields))}={pair}"
                raise BadInput(spec, message)
            raise UnknownName(f"parameter of {name}", key, fields)
        if not equals:
            raise BadInput(spec, f"{key} has no value: {name}:{key}=VALUE")
        if key in parameters:
            raise BadInput(spec, f"{key} is given twice")
        parameters[key] = text.strip()
    return parameters


def _parse_value(hint: Any, text: str, location: str) -> Any:
    """Convert a parameter's text to the type of its field; bars separate values of a tuple."""
    origin, type_args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return tuple(_parse_value(type_args[0], element, location) for element in text.split("|"))
    if origin is typing.Literal:
        if text not in type_args:
            raise BadInput(location, f"is {text!r}, must be {' or '.join(filter(None, type_args))}")
        return text
    if isinstance(hint, types.UnionType) or origin is typing.Union:
        value_type = next(arg for arg in type_args if arg is not type(None))
        return _parse_value(value_type, text, location)
    if hint is bool:
        if text.lower() not in ("true", "false"):
            raise BadInput(location, f"is {text!r}, must be true or false")
        return text.lower() == "true"
    try:
        return hint(text)
    except ValueError:
        raise BadInput(location, f"is {text!r}, must be of type {hint.__name__}") from None
