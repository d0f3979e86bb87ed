"""A reproduction as a page: one file that loads nothing, both numbers side by side."""

from __future__ import annotations

from importlib import metadata
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..report.visible import isolated, visible
from .outcome import Reproduction, Status
from .shown import tables, text
from .terminal import MARKS, said

CLASSES = {status: status.name.lower() for status in Status}
MEANING = {
    Status.EXACT: "counted in the data, the same to the printed digits",
    Status.PREDICTIONS: "the same to the printed digits, from what the authors released",
    Status.DIFFERS: "both numbers are shown",
    Status.RERUN: "by another model, with the paper's recipe",
    Status.CANNOT: "the reason stands below the table",
    Status.CONTRADICTS: "the evidence stands below the table",
}


def page(found: Reproduction) -> str:
    """All tables, what was found in them, and what the colours mean."""
    made = Environment(
        loader=PackageLoader("hansproof.reproduce", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(shown=isolated, visible=visible)
    style = files("hansproof.report").joinpath("css/page.css").read_text(encoding="utf-8")
    own = files("hansproof.reproduce").joinpath("page.css").read_text(encoding="utf-8")
    return made.get_template("template.html").render(
        found=found,
        counts=found.counts(),
        tables=tables(found),
        said=said,
        text=text,
        marks=MARKS,
        classes=CLASSES,
        meaning=MEANING,
        version=metadata.version("hansproof"),
        style=Markup(style + own),  # noqa: S704
    )
