"""An audit as a page (`html`), and as a table for the terminal (`text.summary`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..types import Audit


def render_html(audit: Audit) -> str:
    """One self-contained page that opens offline."""
    from .html.page import render_page

    return render_page(audit)
