"""A saved audit is not read as a benchmark of the items that it quotes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof.benchmarks import load
from hansproof.errors import BadInput
from hansproof.records.saved_audit import find_saved_audit

from ..support.report_sample import sample


@pytest.mark.parametrize("source", ["", "audit.json", "*.json"])
def test_a_saved_audit_is_refused(source: str, tmp_path: Path) -> None:
    sample().save(tmp_path)
    with pytest.raises(BadInput, match=r"audit\.json: is a saved audit, not a benchmark: ") as info:
        load(str(tmp_path / source))
    assert "`hansproof report`" in str(info.value)
    assert "hansproof.Audit.load" in str(info.value)


def test_a_saved_audit_is_found_by_its_folder_or_its_file(tmp_path: Path) -> None:
    sample().save(tmp_path)
    path = str(tmp_path / "audit.json")
    assert find_saved_audit(path) == path == find_saved_audit(str(tmp_path))


def test_other_json_files_are_benchmarks(tmp_path: Path) -> None:
    items = [{"question": "2 + 2?", "choices": ["3", "4"], "answer": "4"}]
    path = tmp_path / "audit.json"
    path.write_text(json.dumps({"schema": 1, "items": items}))
    assert find_saved_audit(str(path)) is None
    assert len(load(str(path)).splits["all"]) == 1
    path.write_text('{"schema": 1, "results": [')
    assert find_saved_audit(str(path)) is None
