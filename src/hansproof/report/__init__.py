"""Reports of an audit: a page (`html`), views for the terminal, a section for a dataset card."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..types import Audit


def render_html(audit: Audit) -> str:
    """Render an audit as one self-contained page that opens offline.

    Examples:
        >>> import hansproof
        >>> page = hansproof.html(hansproof.audit("toy:original", probes=["class_balance"]))
        >>> page[:15]
        '<!doctype html>'
    """
    from .._infra.docstrings import keep_docstrings

    keep_docstrings("altair")  # it does not import without them
    from .html.page import render_page

    return render_page(audit)
