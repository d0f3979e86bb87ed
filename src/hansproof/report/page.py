"""The page: everything it needs is inside it, and it may load nothing."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

import vl_convert
from altair.utils.schemapi import debug_mode
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..plugins import names
from ..types import Audit
from .headline import headline, title
from .numbers import against_chance, corrected, is_share
from .order import ordered
from .panels import data, panel
from .store import Store, embedded
from .visible import HIDDEN, isolated, visible

SCRIPTS = (
    "data", "text", "numbers", "items", "cells", "rows", "tables", "toolbar", "charts", "start",
)  # fmt: skip
STYLES = ("page", "figures", "tables", "print")


def page(audit: Audit) -> str:
    """The report of an audit, as one HTML file."""
    store, questions = Store(audit.items), names("probes")
    with debug_mode(False):  # or every stroke of a picture would be looked up in Vega-Lite's schema
        panels = [
            panel(f"probe-{at}", result, questions.get(result.probe, ""), store)
            for at, result in enumerate(ordered(audit))
        ]
    scripts = [_vega(), _own_script()]
    template = _environment().get_template("template.html")
    return template.render(
        audit=audit,
        title=title(audit),
        headline=headline(audit),
        panels=panels,
        data=embedded({"hidden": HIDDEN, **data(panels, store)}),
        policy=_policy(scripts),
        scripts=scripts,
        style=Markup("\n".join(_read(f"css/{name}.css") for name in STYLES)),  # noqa: S704
    )


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("hansproof.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        shown=isolated,
        visible=visible,
        against_chance=against_chance,
        corrected=corrected,
        is_share=is_share,
    )
    return made


def _policy(scripts: list[Markup]) -> str:
    """Nothing from elsewhere; of scripts, only those of ours, known by their bytes.

    Vega's tooltips and the intervals in tables set styles from scripts, which styles must allow.
    """
    hashes = [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    ]
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _vega() -> Markup:
    """Vega, Vega-Lite and Vega-Embed in one script, from the package that has them."""
    return Markup(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))  # noqa: S704


def _own_script() -> Markup:
    parts = "\n".join(_read(f"js/{name}.js") for name in SCRIPTS)
    return Markup(f'(() => {{\n"use strict";\n{parts}}})();')  # noqa: S704


def _read(name: str) -> str:
    return files("hansproof.report").joinpath(name).read_text(encoding="utf-8")
