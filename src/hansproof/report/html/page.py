"""The page of a report: a single file that contains everything and loads nothing."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

import vl_convert
from altair.utils.schemapi import debug_mode
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ...plugins import names
from ...results import is_share
from ...types import Audit
from ..escape import HIDDEN_CHARS, escape_html, reveal_hidden
from ..format_numbers import format_estimate, format_q
from ..headline import audit_title, build_headline
from ..probe_order import sort_results
from .evidence import EvidenceStore, json_for_html
from .panels import build_panel, page_data

SCRIPTS = (
    "data", "text", "numbers", "items", "cells", "rows", "tables", "toolbar", "charts", "start",
)  # fmt: skip
STYLESHEETS = ("page", "figures", "tables", "print")


def render_page(audit: Audit) -> str:
    """Render the report of an audit as one HTML file."""
    store, questions = EvidenceStore(audit.items), names("probes")
    with debug_mode(False):  # else altair validates every mark against Vega-Lite's schema
        panels = [
            build_panel(f"probe-{i}", result, questions.get(result.probe, ""), store)
            for i, result in enumerate(sort_results(audit))
        ]
    scripts = [_vega_script(), _own_script()]
    template = _jinja_environment().get_template("template.html")
    return template.render(
        audit=audit,
        title=audit_title(audit),
        headline=build_headline(audit),
        panels=panels,
        data=json_for_html({"hidden": HIDDEN_CHARS, **page_data(panels, store)}),
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
        reveal=reveal_hidden,
        estimate=format_estimate,
        q_value=format_q,
        is_share=is_share,
    )
    return environment


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
