"""What screen readers say of the marks of a chart: what the tooltips show, rounded as there."""

from __future__ import annotations

from typing import Any

# A line is one mark with many values: its points are described instead.
UNDESCRIBED_MARKS = ("line", "area", "rule", "text")

VegaSpec = dict[str, Any]


def describe_marks(spec: VegaSpec) -> None:
    """Give every mark with a tooltip its description, and hide the others from screen readers.

    Vega would otherwise list all columns behind a mark, also computed ones, with all digits.
    """
    for layer in spec.get("layer", ()):
        describe_marks(layer)
    if "mark" not in spec:
        return
    mark = spec["mark"] if isinstance(spec["mark"], dict) else {"type": spec["mark"]}
    tooltip = spec.get("encoding", {}).get("tooltip", ())
    if mark.get("aria") is not False and tooltip and mark["type"] not in UNDESCRIBED_MARKS:
        spec["encoding"]["description"] = {"value": {"expr": _describe(tooltip)}}
    else:
        spec["mark"] = mark | {"aria": False}


def _describe(tooltip: list[VegaSpec]) -> str:
    """Return a Vega expression such as `'cue: ' + datum['cue'] + '; p: ' + …`."""
    return " + '; ' + ".join(
        f"'{entry.get('title', entry['field'])}: ' + {_format_field(entry)}" for entry in tooltip
    )


def _format_field(entry: VegaSpec) -> str:
    value = f"datum['{entry['field']}']"
    if entry["type"] != "quantitative":
        return f"{value}"
    return f"(isValid({value}) ? format({value}, '{entry.get('format', '')}') : 'none')"
