"""The probes of an audit: those that are named, and whether the inputs are of use to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING, fields, replace
from typing import Any

from . import plugins
from .errors import BadInput, UnknownName
from .types import Benchmark, Probe


def build_probes(probes: Iterable[str | Probe], by: str | None = None) -> dict[str, Any]:
    """Build probes by name: of specs such as `cues:ngram=1`, or as they are.

    `by` adds the probe that compares parts of the benchmark.
    """
    built: dict[str, Any] = {}
    for probe in probes:
        name = probe_name(probe)
        if name in built:
            raise BadInput("--probe", f"{name} is given twice: an audit runs each probe once")
        built[name] = plugins.build_plugin("probes", probe) if isinstance(probe, str) else probe
    if by is not None:
        built["parts"] = plugins.load_class("probes", "parts")(by=by)
    return built


def probe_name(probe: str | Probe) -> str:
    """Return the name of a probe: of its spec, or of its class in the spelling of files."""
    if isinstance(probe, str):
        name = plugins.plugin_name(probe)
        return name if name.endswith(".py") else name.replace("-", "_")
    words = re.sub(r"(?<!^)(?=[A-Z])", "_", type(probe).__name__).lower()
    return words.removesuffix("_probe")


def input_names(probe: str | Probe) -> tuple[str, ...]:
    """Name the inputs besides the benchmark that a probe requires or can use."""
    if isinstance(probe, str):
        return plugins.inputs_of(plugins.load_class("probes", plugins.plugin_name(probe)))
    return plugins.inputs_of(probe)


def configure_probe(probe: str | Probe, settings: Mapping[str, Any]) -> Any:
    """Build a probe from its name, its spec or another probe, with settings by name."""
    template: Any = probe
    is_name = isinstance(probe, str) and ":" not in probe
    if isinstance(probe, str):
        template = (plugins.load_class if is_name else plugins.build_plugin)("probes", probe)
    if not hasattr(template, "__dataclass_fields__"):
        raise BadInput(probe_name(probe), "is not a dataclass: the fields of a probe are settings")
    setting_fields = {field.name: field for field in fields(template) if field.init}
    for name in settings:
        if name not in setting_fields:
            raise UnknownName("setting or input", name, (*setting_fields, *input_names(probe)))
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()}
    if not is_name:
        return replace(template, **values)
    for name, field in setting_fields.items():
        if name not in values and field.default is field.default_factory is MISSING:
            raise BadInput(probe_name(probe), f"{name} must be given")
    return template(**values)


def check_probes(probes: Mapping[str, Any], benchmark: Benchmark, inputs: Collection[str]) -> None:
    """Raise BadInput if no probe looks at an input, or if there are no parts to compare."""
    if "parts" in probes and benchmark.labelled_splits():
        probes["parts"].divide(benchmark)
    for name in inputs:
        if not any(name in plugins.inputs_of(probe) for probe in probes.values()):
            hint = ": add --probe robustness" if name in plugins.MODEL_INPUTS else ""
            raise BadInput(f"--{name}", f"is not used by any probe of this audit{hint}")
