"""Limits, read from `hansproof.toml` or from `[tool.hansproof]` in pyproject.toml.

[limits]
verdicts = "caution"  # the worst verdict of a probe that no other limit here names
cue_lift = 0.1
duplicates = 0

[limits.estimates]
"partial_input/test: choices (*)" = 0.6
"accuracy/test: mine" = { at_least = 0.7 }
"""

from __future__ import annotations

import os
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ..errors import BadInput, UnknownName
from ..types import Verdict
from .limits import MEASURES

OWN_FILE, SHARED_FILE = "hansproof.toml", "pyproject.toml"
ESTIMATES = "estimates"
VERDICTS = "verdicts"
ANY_VERDICT = "any"
ALLOWED_VERDICTS = ("clear", "caution", ANY_VERDICT)
BOUNDS = ("at_most", "at_least")
MAX_BOUND = 1e12


@dataclass(frozen=True, slots=True)
class Limit:
    """An upper or lower bound on a number, or the worst verdict that a probe may have."""

    name: str  # a measure, `probe/estimate` with wildcards, or a probe
    bound: float = 0.0
    at_most: bool = True
    worst_verdict: Verdict | None = None  # of a probe, instead of a bound


# definite flaws, repaired by removing items; these limits hold unless a file names them
COUNT_LIMITS = (Limit("duplicates", 0), Limit("contradictions", 0))


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits and their source."""

    source: str  # a file, or `built in`
    limits: tuple[Limit, ...] = ()  # on numbers
    # the worst verdict of the probes whose measures have no limit; None: only `limits` count
    worst_verdict: Verdict | None = "caution"

    def number_limits(self) -> tuple[Limit, ...]:
        """Return the limits on numbers: the given ones, then the defaults that they leave out."""
        if self.worst_verdict is None:
            return self.limits
        names = {limit.name for limit in self.limits}
        return (*self.limits, *(limit for limit in COUNT_LIMITS if limit.name not in names))


DEFAULTS = Limits("built in")


def find_limits(start: str | os.PathLike[str] = ".") -> Limits:
    """Read the limits of the nearest parent folder that has some, or return the defaults.

    The search ends at the root of the repository.
    """
    folder = Path(start).resolve()
    for candidate in (folder, *folder.parents):
        if (candidate / OWN_FILE).is_file():
            return read_limits(candidate / OWN_FILE)
        if (candidate / SHARED_FILE).is_file() and "hansproof" in _tool_tables(
            _read_toml(candidate / SHARED_FILE)
        ):
            return read_limits(candidate / SHARED_FILE)
        if (candidate / ".git").exists():  # files outside are not part of the repository
            break
    return DEFAULTS


def read_limits(path: str | os.PathLike[str]) -> Limits:
    """Read the limits of one file."""
    content = _read_toml(path)
    if os.path.basename(path) == SHARED_FILE:
        content = _tool_tables(content).get("hansproof", {})
        _check_table(path, "tool.hansproof", content)
    for name in content:
        if name != "limits":
            raise UnknownName(f"setting in {path}:", name, ("limits",))
    table = content.get("limits", {})
    _check_table(path, "limits", table)
    if not table:
        raise BadInput(path, "contains no limits", field="limits")
    worst_verdict = _parse_verdict(path, table.get(VERDICTS, "caution"))
    limits = [
        limit
        for name, value in table.items()
        if name != VERDICTS
        for limit in _parse_limits(path, name, value)
    ]
    if worst_verdict is None and not limits:
        raise BadInput(
            path, "sets no limit: any verdict is allowed and no number is limited", field="limits"
        )
    return Limits(os.fspath(path), tuple(limits), worst_verdict)


def _read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(path, str(error.strerror)) from None
    except (
        ValueError,
        RecursionError,
    ) as error:  # also of too many digits
        raise BadInput(path, f"is not valid TOML: {error}") from None


def _tool_tables(content: dict[str, Any]) -> dict[str, Any]:
    tools = content.get("tool")
    return tools if isinstance(tools, dict) else {}


def _check_table(path: object, name: str, value: object) -> None:
    if not isinstance(value, dict):
        raise BadInput(path, "must be a table", field=name)


def _parse_verdict(path: object, value: object) -> Verdict | None:
    """Parse the worst verdict that is allowed; None if any is."""
    if value not in ALLOWED_VERDICTS:
        message = f"is {value!r}, must be {', '.join(ALLOWED_VERDICTS[:-1])} or {ANY_VERDICT}"
        raise BadInput(path, message, field=VERDICTS)
    return None if value == ANY_VERDICT else cast(Verdict, value)


def _parse_limits(path: object, name: str, value: Any) -> list[Limit]:
    """Parse one entry of the table `limits`."""
    if name == ESTIMATES:
        _check_table(path, f"limits.{ESTIMATES}", value)
        return [
            limit
            for key, setting in value.items()
            for limit in _parse_estimate_limits(path, key, setting)
        ]
    if name not in MEASURES:
        raise UnknownName(f"limit in {path}:", name, (*MEASURES, ESTIMATES, VERDICTS))
    return [Limit(name, _parse_bound(path, name, value, 0.0, MEASURES[name].maximum))]


def _parse_estimate_limits(path: object, name: str, value: Any) -> list[Limit]:
    """Parse `0.6` or `{ at_least = 0.7, at_most = 0.9 }`."""
    probe, slash, estimate = name.partition("/")
    if not (probe and slash and estimate):
        raise BadInput(path, 'must be written "probe/name of the estimate"', field=name)
    bounds = value if isinstance(value, dict) else {"at_most": value}
    if not bounds:
        raise BadInput(path, f"needs {' or '.join(BOUNDS)}", field=name)
    for bound_name in bounds:
        if bound_name not in BOUNDS:
            raise UnknownName(f"bound of {name!r} in {path}:", bound_name, BOUNDS)
    return [
        Limit(name, _parse_bound(path, name, b, None), w == "at_most") for w, b in bounds.items()
    ]


def _parse_bound(
    path: object, name: str, value: object, minimum: float | None, maximum: float | None = None
) -> float:
    """Parse a number within range; booleans are rejected."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput(path, f"is {value!r}, must be a number", field=name)
    if not abs(value) <= sys.float_info.max:
        value_text = f"{value!r}" if isinstance(value, float) else "too large a number"
        raise BadInput(path, f"is {value_text}, must be a number", field=name)
    if (minimum is not None and value < minimum) or (maximum is not None and value > maximum):
        allowed_range = (
            f"at least {minimum:g}" if maximum is None else f"between {minimum:g} and {maximum:g}"
        )
        raise BadInput(path, f"is {value:g}, must be {allowed_range}", field=name)
    if abs(value) > MAX_BOUND:  # such a limit could not be broken, or could not hold
        message = f"is {value:g}, more than any number of an audit: choose one closer to 0"
        raise BadInput(path, message, field=name)
    return float(value)
