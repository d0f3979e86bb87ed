"""A fine-tuned model in a folder: it scores as it did, and says so where it cannot."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hansproof import models
from hansproof.errors import ModelError
from hansproof.models.hf import Hf
from hansproof.models.saved import SavedModel
from hansproof.types import Item
from tests.support import checkpoints

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
safetensors = pytest.importorskip("safetensors.torch")

ITEMS, TEST = checkpoints.items(8), checkpoints.items(8, 3, counts=(2, 5))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """A fitted model, and the folder it is kept in."""
    source = checkpoints.checkpoint(tmp_path_factory.mktemp("bert"), "bert")
    fitted = Hf(
        str(source),
        rates=(2e-3,),
        epochs=3,
        pooling="pooler",
        length=20,
        device="cpu",
        precision="fp32",
    ).fit(ITEMS, (), 0)
    folder = tmp_path_factory.mktemp("kept") / "run"
    fitted.save(str(folder))
    return fitted, folder


@pytest.fixture
def copy(trained: tuple[Any, Path], tmp_path: Path) -> Path:
    """A copy of the folder, to be damaged."""
    return Path(shutil.copytree(trained[1], tmp_path / "copy"))


def refused(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        SavedModel(str(folder), device="cpu").score(TEST)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(str(folder))
    return line


def test_it_scores_what_it_scored(trained: tuple[Any, Path]) -> None:
    """Also items of other numbers of choices and other fields, in their own format."""
    fitted, folder = trained
    kept = models.load(f"saved:{folder},device=cpu")
    assert kept.score(TEST) == fitted.score(TEST)
    copa = Item("", {"premise": "w1 w2"}, ("w3", "w4 w5"), 0, meta={"asks_for": "cause"})
    arct = Item("", {"claim": "w1", "reason": "w2"}, ("w3", "w4"), 1)
    assert kept.score((copa, arct)) == fitted.score((copa, arct))
    assert (
        kept.fit_info.tokenizer
        == fitted.fit_info.tokenizer
        == "TokenizersBackend, at most 20 tokens"
    )
    assert not hasattr(kept, "fit")


def test_it_may_be_moved(trained: tuple[Any, Path], copy: Path) -> None:
    fitted, folder = trained
    assert SavedModel(str(copy), device="cpu").score(TEST) == fitted.score(TEST)
    assert SavedModel(str(copy)).materials() == SavedModel(str(folder)).materials()


def test_the_folder_is_one_of_transformers(trained: tuple[Any, Path]) -> None:
    """With the words as they were trained, and those that did not occur as they decayed."""
    fitted, folder = trained
    module, report = transformers.BertModel.from_pretrained(folder, output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    assert torch.equal(module.embeddings.word_embeddings.weight, fitted.weights["words"])
    assert torch.equal(module.pooler.dense.weight, fitted.weights["pooler.w"])
    assert json.loads((folder / "hansproof.json").read_text()) == {
        "pooling": "pooler", "inputs": "pair", "length": 20, "task": "", "chosen": fitted.chosen,
    }  # fmt: skip


def test_what_was_chosen_is_told_again(trained: tuple[Any, Path]) -> None:
    from hansproof.models._transformers.finetuned import load_finetuned

    fitted, folder = trained
    again: Any = load_finetuned(str(folder), "cpu")
    assert again.chosen == fitted.chosen
    assert again.weights.keys() == fitted.weights.keys()
    assert all(torch.equal(one, fitted.weights[name]) for name, one in again.weights.items())


def test_kept_again_it_is_the_same(trained: tuple[Any, Path], tmp_path: Path) -> None:
    from hansproof.models._transformers.finetuned import load_finetuned

    fitted, folder = trained
    load_finetuned(str(folder), "cpu").save(str(tmp_path / "again"))
    assert SavedModel(str(tmp_path / "again"), device="cpu").score(TEST) == fitted.score(TEST)


def test_what_changes_in_the_folder_is_seen(trained: tuple[Any, Path], copy: Path) -> None:
    model = SavedModel(str(copy), device="cpu")
    before, print_before = model.score(TEST), model.materials()
    head = safetensors.load_file(copy / "head.safetensors")
    safetensors.save_file({n: 2 * one for n, one in head.items()}, copy / "head.safetensors")
    assert model.materials() != print_before
    assert model.score(TEST)[0] == pytest.approx([2 * one for one in before[0]], rel=1e-4)


def _rewritten(path: Path, **other: Any) -> None:
    known = json.loads(path.read_text())
    path.write_text(json.dumps({**known, **other}))


def _other_head(folder: Path) -> None:
    safetensors.save_file({"head.w": torch.zeros(1, 7)}, folder / "head.safetensors")


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a plain checkpoint": (lambda at: (at / "hansproof.json").unlink(), "hansproof.json"),
    "notes cut short": (lambda at: (at / "hansproof.json").write_text("{"), "cannot be loaded"),
    "notes of another kind": (
        lambda at: (at / "hansproof.json").write_text("[]"),
        "cannot be loaded",
    ),
    "notes without the choice": (
        lambda at: (at / "hansproof.json").write_text('{"pooling": "first"}'),
        "cannot be loaded",
    ),
    "notes that are no numbers": (
        lambda at: _rewritten(at / "hansproof.json", length="many"),
        "cannot be loaded",
    ),
    "notes of no length": (
        lambda at: _rewritten(at / "hansproof.json", length=-5),
        "length is -5, must be at least 1",
    ),
    "notes of an unknown pooling": (
        lambda at: _rewritten(at / "hansproof.json", pooling="some"),
        "pooling is 'some', must be auto or first",
    ),
    "nothing chosen": (
        lambda at: _rewritten(at / "hansproof.json", chosen=None),
        "cannot be loaded",
    ),
    "no head": (lambda at: (at / "head.safetensors").unlink(), "cannot be loaded"),
    "half a head": (
        lambda at: (at / "head.safetensors").write_bytes(b"1234567890"),
        "cannot be loaded",
    ),
    "another's head": (_other_head, "head.safetensors does not belong to the model in this folder"),
    "no weights": (lambda at: (at / "model.safetensors").unlink(), "cannot be loaded"),
    "no tokenizer": (lambda at: (at / "tokenizer.json").unlink(), "cannot be loaded"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_folder_is_refused_in_a_line(fault: str, copy: Path) -> None:
    damage, said = FAULTS[fault]
    damage(copy)
    assert said in refused(copy)


def test_what_it_cuts_is_counted(copy: Path) -> None:
    model = SavedModel(str(copy), device="cpu")
    long = tuple(replace(item, fields={"goal": "w1 " * 200}) for item in TEST[:2])
    model.score(long)
    assert model.fit_info.cut == model.fit_info.sequences == sum(len(item.choices) for item in long)
    assert model.fit_info.length == 20


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "no such folder" in refused(tmp_path / "nowhere")
