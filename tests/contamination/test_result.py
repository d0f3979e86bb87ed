"""Files of results: what is written is read again, and other files are refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hansproof.contamination.result import read_result, write_result
from hansproof.errors import BadInput

from ..support.index_factories import benchmark
from ..support.scan_factories import scan_of

OLDER = "was made by another version (format 1, not 2): make it again with `hansproof scan`"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    result = scan_of(benchmark("one two three four five"), "a one two three four five b", n=3)
    write_result(str(tmp_path / "found.json"), result)
    assert read_result(str(tmp_path / "found.json")) == result
    return tmp_path / "found.json"


def refused(path: Path, content: Any) -> str:
    path.write_text(json.dumps(content))
    with pytest.raises(BadInput) as caught:
        read_result(str(path))
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_file_of_an_older_format_is_refused_whatever_its_keys_are(path: Path) -> None:
    content = json.loads(path.read_text())
    assert refused(path, {**content, "format": 1}) == OLDER
    assert refused(path, {"format": 1, "grams": [], "places": [], "troubles": []}) == OLDER


def test_numbers_of_what_is_not_there_are_refused(path: Path) -> None:
    content = json.loads(path.read_text())
    damaged = "is damaged: it names items or N-grams that do not exist"
    for name in ("ngrams", "passages"):
        changed = json.loads(json.dumps(content))
        rows = changed[name][0]["items" if name == "ngrams" else "hits"]
        rows[0][0] = 99
        assert refused(path, changed) == damaged
    assert refused(path, []).startswith("is not a result of `hansproof scan`: ")
