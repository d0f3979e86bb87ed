"""Advice for files whose columns are not recognised."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof import BadInput
from hansproof.benchmarks import load


def test_a_choice_is_never_suggested_as_the_key(tmp_path: Path) -> None:
    path = tmp_path / "quiz.csv"
    path.write_text("question,A,B,C\nWhich is red?,the rose,the leaf,the sky\n" * 2)
    with pytest.raises(BadInput) as caught:
        load(str(path))
    (advice,) = (note for note in caught.value.__notes__ if note.startswith("try:"))
    assert advice.endswith("--choices A --choices B --choices C --answer COLUMN")
