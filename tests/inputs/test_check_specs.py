"""Models are checked by name before one of them runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hansproof.benchmarks import load
from hansproof.errors import HansproofError
from hansproof.inputs.check_specs import check_specs

TOY = load("toy:original")


@pytest.mark.parametrize(
    ("name", "spec", "message"),
    [
        ("blind", "nosuch", "unknown model 'nosuch'"),
        ("blind", "saved:x", "--blind: saved:x is trained already"),
        ("blind", "bow:depth=3", "unknown parameter of bow 'depth'"),
        ("trained", "nosuch", "unknown model 'nosuch'"),
        ("against", "saved:x*", "no folder of a saved model has this name"),
        ("lm", "bow", "bow is not a causal language model"),
        ("lm", "x.jsonl", "x.jsonl: no such file"),
        ("lm", "./x", "./x: no such folder"),
        ("lm", "lm", "name a pretrained model"),
        ("encoder", "bow", "bow is not an encoder"),
        ("encoder", "./x", "./x: no such folder"),
    ],
)
def test_what_cannot_be_used_is_an_error(
    name: str, spec: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HansproofError) as error:
        check_specs(TOY, {"predictions": ["x"], name: [spec]})
    assert message in str(error.value)


def test_models_and_objects_pass() -> None:
    values: dict[str, list[Any]] = {"blind": ["bow", "longest"], "against": ["bow"], "lm": [3]}
    check_specs(TOY, values)
    check_specs(TOY, {"lm": ["none"], "encoder": ("none",)})
