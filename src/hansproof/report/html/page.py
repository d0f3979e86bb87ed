"""The page of a report: a single file that contains everything and loads nothing."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from functools import cache
from importlib.resources import files

import vl_convert
from altair.utils.schemapi import debug_mode
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..._infra.plural import plural
from ...plugins import names
from ...results import SKIPPED_PREFIX
from ...types import Audit
from ..audited_command import quote_command
from ..charts._theme import COLOUR_VARIABLES
from ..escape import BLANK_CHARS, HIDDEN_CHARS, escape_html, escape_prose, reveal_hidden
from ..format_numbers import (
    format_chance,
    format_interval,
    format_q,
    format_value,
)
from ..headline import audit_title, build_headline
from .evidence import EvidenceStore, json_for_html
from .panels import build_panels, page_data

SCRIPTS = (
    "data", "text", "numbers", "items", "cells", "rows", "tables", "toolbar", "charts", "commands",
    "folding", "start",
)  # fmt: skip
STYLESHEETS = ("colours", "page", "findings", "figures", "tables", "print")


def render_page(audit: Audit) -> str:
    """Render the report of an audit as one HTML file."""
    store = EvidenceStore(audit.items)
    with debug_mode(False):  # else altair validates every mark against Vega-Lite's schema
        panels = build_panels(audit, names("probes"), store)
    tested = [panel for panel in panels if panel.result.verdict != "skipped"]
    scripts = [_vega_script(), _own_script()]
    template = _jinja_environment().get_template("template.html")
    return template.render(
        audited_command=quote_command(audit),
        audit=audit,
        title=audit_title(audit),
        headline=build_headline(audit),
        tested=tested,
        skipped=[panel for panel in panels if panel.result.verdict == "skipped"],
        has_q=any(result.q is not None for result in audit.results),
        data=json_for_html(
            {
                "hidden": HIDDEN_CHARS,
                "blank": BLANK_CHARS,
                "colours": COLOUR_VARIABLES,
                **page_data(tested, store),
            }
        ),
        policy=_content_security_policy(scripts),
        scripts=scripts,
        style=Markup("\n".join(_read_resource(f"css/{name}.css") for name in STYLESHEETS)),  # noqa: S704
    )


@cache
def _jinja_environment() -> Environment:
    """Return the environment of the template, which is compiled once per process."""
    environment = Environment(
        loader=PackageLoader("hansproof.report.html", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        safe_text=escape_html,
        prose=escape_prose,
        reveal=reveal_hidden,
        count=plural,
        value=format_value,
        interval=format_interval,
        chance=format_chance,
        q_value=format_q,
        date=_format_date,
        reason=_skip_reason,
    )
    return environment


def _format_date(created: str) -> str:
    """Format the time of an audit to the minute; text that is not a time stays as it is."""
    try:
        return f"{datetime.fromisoformat(created):%Y-%m-%d %H:%M} UTC"
    except ValueError:
        return created


def _skip_reason(summary: str) -> str:
    """Return the summary of a skipped result without the word that the heading has already."""
    reason = summary.removeprefix(SKIPPED_PREFIX)
    return reason[:1].upper() + reason[1:]


def _content_security_policy(scripts: list[Markup]) -> str:
    """Build a policy that forbids loading anything and allows only these scripts, by their hashes.

    Inline styles are allowed: Vega's tooltips and the intervals in tables set styles from scripts.
    """
    hashes = [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    ]
    allowed_hashes = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return (
        f"default-src 'none'; script-src {allowed_hashes}; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _vega_script() -> Markup:
    """Return Vega, Vega-Lite and Vega-Embed as one script, from vl_convert."""
    return Markup(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))  # noqa: S704


def _own_script() -> Markup:
    parts = "\n".join(_read_resource(f"js/{name}.js") for name in SCRIPTS)
    return Markup(f'(() => {{\n"use strict";\n{parts}}})();')  # noqa: S704


def _read_resource(name: str) -> str:
    return files("hansproof.report.html").joinpath(name).read_text(encoding="utf-8")
