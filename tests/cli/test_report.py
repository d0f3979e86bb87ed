"""`hansproof report`."""

from __future__ import annotations

from pathlib import Path

from ..support.cli_runner import run_here


def test_report_draws_the_same_page_again(audited: Path) -> None:
    done = run_here("report", "out/audit.json", "-o", "again.html", cwd=audited)
    assert done.returncode == 0
    assert (audited / "again.html").read_text() == (audited / "out/report.html").read_text()
