"""Models that `--lm` and `--encoder` name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.inputs.model_specs import build_encoder, build_lm
from hansproof.models.lm import Lm
from hansproof.pretrained.text_encoder import TextEncoder


def test_folders_hub_ids_and_specs_name_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bow").mkdir()  # a folder comes before the plug-in
    for value in ("gpt2", "org/name", "bow"):
        assert build_lm(value) == Lm(value)
        assert build_encoder(value) == TextEncoder(value, "mean", "", "auto")
    assert build_lm("lm:gpt2,batch=2,device=cpu") == Lm("gpt2", batch=2, device="cpu")
    spec = "encoder_linear:x,pooling=first,cache=c,device=cpu"
    assert build_encoder(spec) == TextEncoder("x", "first", "c", "cpu")


def test_settings_that_have_no_effect_are_refused() -> None:
    assert build_lm("lm:gpt2,score_by=sum") == Lm("gpt2")  # as it is without the setting
    with pytest.raises(BadInput, match=r"^--lm: score_by has no effect here: leave it out$"):
        build_lm("lm:gpt2,score_by=letters")
    with pytest.raises(BadInput, match=r"^--encoder: penalties has no effect here: leave it out$"):
        build_encoder("encoder_linear:x,penalties=2")
