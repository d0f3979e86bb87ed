"""Every kind of report of an audit as plain text."""

from __future__ import annotations

from html.parser import HTMLParser

from rich.console import Console, RenderableType

from hansproof.diff import compare_audits
from hansproof.gates import GateResult, judge_audit
from hansproof.gates.limits_file import DEFAULTS
from hansproof.report import render_html
from hansproof.report.card import render_card
from hansproof.report.terminal.audit import audit_view
from hansproof.report.terminal.diff import diff_view
from hansproof.report.terminal.gate import gate_view
from hansproof.types import Audit

WIDE = 2000  # so that no sentence is wrapped


class VisibleText(HTMLParser):
    """Collects the text of a page outside scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.hidden_depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden_depth += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self.hidden_depth -= tag in ("script", "style")
        self.parts.append("\n" if tag in ("p", "h1", "h2", "h3", "h4", "dd", "header") else "")

    def handle_data(self, data: str) -> None:
        if not self.hidden_depth:
            self.parts.append(data)


def read_page(audit: Audit) -> str:
    """What a reader sees of the page before its script draws."""
    parser = VisibleText()
    parser.feed(render_html(audit))
    return "".join(parser.parts)


def print_wide(view: RenderableType) -> str:
    console = Console(width=WIDE, no_color=True)
    with console.capture() as captured:
        console.print(view)
    return captured.get()


def judge_by_defaults(audit: Audit) -> GateResult:
    return judge_audit(audit, DEFAULTS)


def all_reports(audit: Audit, other: Audit) -> dict[str, str]:
    """The reports by kind; `other` is what the audit is compared with."""
    return {
        "audit": print_wide(audit_view(audit, verbose=True)),
        "page": read_page(audit),
        "card": render_card(audit),
        "gate": print_wide(gate_view(judge_by_defaults(audit))),
        "diff": print_wide(diff_view(other, audit, compare_audits(other, audit))),
    }
