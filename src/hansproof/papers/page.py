"""Reproductions as an HTML page: one file that loads nothing from elsewhere."""

from __future__ import annotations

from importlib import metadata
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..report.escape import escape_html, reveal_hidden
from .render import comparison_tables, format_figure
from .reproduction import FigureStatus, Reproduction
from .terminal import STATUS_MARKS, format_counts

CSS_CLASSES = {status: status.name.lower() for status in FigureStatus}
STATUS_MEANINGS = {
    FigureStatus.EXACT: "counted in the data, the same to the printed digits",
    FigureStatus.PREDICTIONS: "the same to the printed digits, from released predictions",
    FigureStatus.DIFFERS: "both numbers are shown",
    FigureStatus.RERUN: "by another model, with the paper's recipe",
    FigureStatus.CANNOT: "the reason is below the table",
    FigureStatus.CONTRADICTS: "the evidence is below the table",
}


def render_page(reproduction: Reproduction) -> str:
    """Render all tables with their findings, and a legend of the colours."""
    environment = Environment(
        loader=PackageLoader("hansproof.papers", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(safe_text=escape_html, reveal=reveal_hidden)
    style = files("hansproof.report.html").joinpath("css/page.css").read_text(encoding="utf-8")
    page_style = files("hansproof.papers").joinpath("page.css").read_text(encoding="utf-8")
    return environment.get_template("template.html").render(
        reproduction=reproduction,
        counts=reproduction.figure_counts(),
        tables=comparison_tables(reproduction),
        format_counts=format_counts,
        format_figure=format_figure,
        marks=STATUS_MARKS,
        classes=CSS_CLASSES,
        meanings=STATUS_MEANINGS,
        version=metadata.version("hansproof"),
        style=Markup(style + page_style),  # noqa: S704
    )
