"""The gate's lines in a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from hansproof.gates import Limit, Limits, judge_audit
from hansproof.report.terminal.gate import gate_view
from hansproof.types import Estimate

from ...support import gate_factories


def shown(terminal: bool) -> str:
    audit = gate_factories.audit(gate_factories.estimates("p", Estimate("e [red]x[/red]", 0.5)))
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, highlight=False, width=200)
    limits = Limits("", (Limit("p/*", 0.1),), worst_verdict=None)
    console.print(gate_view(judge_audit(audit, limits)))
    return out.getvalue()


def test_colour_is_for_terminals() -> None:
    assert shown(terminal=False) == "fail  p/*  0.5 > 0.1  e [red]x[/red]\n"
    assert shown(terminal=True).startswith(
        "\x1b[1;31mfail\x1b[0m  p/*  0.5 > 0.1\n      e [red]x[/red]\n"
    )
