"""A benchmark of PIQA's size: a file under 8 MB that is open within 2 seconds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...support.report_page import seconds_to_open_again, write
from ...support.report_sample import sample

if TYPE_CHECKING:
    from ...support.report_page import Open


def test_a_big_audit_stays_small_and_quick(open_page: Open, tmp_path: Path) -> None:
    big = sample(("train", "dev", "test", "easy", "hard"), size=3600, rows=1000, flagged=60)
    path = write(big, tmp_path)
    assert path.stat().st_size < 8_000_000
    page = open_page(path)
    assert page.locator("[data-name=cues] output").inner_text() == "6,000 rows"
    assert seconds_to_open_again(page) < 2
