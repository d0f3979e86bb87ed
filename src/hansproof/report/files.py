"""Writes an audit and its page to a folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from . import render_html

if TYPE_CHECKING:
    from ..types import Audit


def save_report(audit: Audit, folder: str | os.PathLike[str]) -> None:
    """Write `audit.json` and `report.html` to a folder; existing files are replaced."""
    from .._infra import atomic_io
    from ..auditing import save_audit

    # before anything is written: it may fail
    page = render_html(audit).encode(errors="backslashreplace")
    save_audit(audit, os.path.join(folder, "audit.json"))
    atomic_io.write_file(os.path.join(folder, "report.html"), page)
