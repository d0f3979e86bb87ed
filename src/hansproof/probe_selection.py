"""The probes of an audit: those that are named, and whether the inputs are of use to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING, fields, replace
from typing import Any, get_type_hints

from . import plugins
from ._infra.value_types import convert_value
from .errors import BadInput, UnknownName
from .types import Audit, Benchmark, Probe

BLIND_NOTE = "The models of --blind answered all items together: parts are judged without them."


def build_probes(
    probes: Iterable[str | Probe], by: str | None = None, argument: str = "--probe"
) -> dict[str, Any]:
    """Build probes by name: of specs such as `cues:ngram=1`, or as they are.

    `by` adds the probe that compares parts of the benchmark. `argument` is named in errors.
    """
    built: dict[str, Any] = {}
    for probe in probes:
        check_probe(probe, argument)
        name = probe_name(probe)
        if name in built:
            raise BadInput(argument, f"{name} is given twice: an audit runs each probe once")
        built[name] = plugins.build_plugin("probes", probe) if isinstance(probe, str) else probe
    if by is not None:
        if "parts" in built:
            raise BadInput(argument, "parts is given, and --by too: use one of them")
        built["parts"] = plugins.load_class("probes", "parts")(by=by)
    return built


def list_probes(probes: Any) -> list[Any]:
    """Return probes as a list, also if a single one was given."""
    if probes is None:
        return []
    is_list = isinstance(probes, Iterable) and not isinstance(probes, str | type)
    return [*probes] if is_list else [probes]


def check_probe(probe: object, argument: str) -> None:
    """Raise BadInput unless an argument is a text or a probe object."""
    if isinstance(probe, str) or _is_probe_object(probe):
        return
    if isinstance(probe, type):
        name = probe.__name__
        message = f"is a class: give an object of it, such as {name}()"
    elif callable(probe):
        message = f"{type(probe).__name__} has no `needs`: a probe names its inputs there, or ()"
    else:
        kind = type(probe).__name__
        message = f"is of type {kind}, must be a probe: a name such as 'cues', or an object"
    raise BadInput(argument, message)


def check_order(probe: object, benchmark: object) -> None:
    """Raise BadInput if the benchmark was given before the probe."""
    is_file = isinstance(probe, str) and plugins.plugin_name(probe).endswith(".py")
    if _is_probe(benchmark) and not _is_probe(probe) and not is_file:
        name = probe_name(benchmark)  # type: ignore[arg-type]
        raise BadInput("`probe`", f"comes before the benchmark: run({name!r}, benchmark)")


def _is_probe(value: object) -> bool:
    if not isinstance(value, str):
        return _is_probe_object(value)
    return plugins.plugin_name(value).replace("-", "_") in plugins.names("probes")


def _is_probe_object(value: object) -> bool:
    return callable(value) and not isinstance(value, type) and hasattr(value, "needs")


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
    values = _convert_settings(template, settings)
    if not is_name:
        return replace(template, **values)
    for name, field in setting_fields.items():
        if name not in values and field.default is field.default_factory is MISSING:
            raise BadInput(probe_name(probe), f"{name} must be given")
    return template(**values)


def _convert_settings(template: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Check settings by the types of the fields of a probe; a list becomes a tuple."""
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()}
    try:
        hints = get_type_hints(template if isinstance(template, type) else type(template))
    except (NameError, TypeError):  # of a probe of one's own, whose types have no name at run time
        return values
    return {name: convert_value(name, value, hints[name]) for name, value in values.items()}


def check_probes(probes: Mapping[str, Any], benchmark: Benchmark, inputs: Collection[str]) -> None:
    """Raise BadInput if there is no probe, if none looks at an input, or no parts to compare.

    `inputs` names those that were given and not declined.
    """
    if not probes:
        raise BadInput("--probes", "is empty: name a probe, or leave it out to run all")
    if "parts" in probes and benchmark.labelled_splits():
        probes["parts"].divide(benchmark)
    for name in inputs:
        if not any(name in plugins.inputs_of(probe) for probe in probes.values()):
            hint = ": add --probe robustness" if name in plugins.MODEL_INPUTS else ""
            raise BadInput(f"--{name}", f"is not used by any probe of this audit{hint}")


def add_blind_note(audit: Audit, inputs: Collection[str]) -> Audit:
    """Say in the result on parts that blind models, if there are any, are not tested there."""
    if "blind" not in inputs:
        return audit
    results = tuple(
        replace(result, notes=(*result.notes, BLIND_NOTE)) if result.probe == "parts" else result
        for result in audit.results
    )
    return replace(audit, results=results)
