"""Checkpoints with something wrong or odd about them: one line that says what, or it works."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hansproof import models
from hansproof.errors import BadInput, ModelError
from hansproof.pretrained import checkpoint
from hansproof.types import Item, Items
from tests.support import checkpoints
from tests.support.checkpoints import BERT_LIKE, OTHERS

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
safetensors = pytest.importorskip("safetensors.torch")

ITEMS = checkpoints.items(4)
CHEAP = {"rates": "1e-3", "epochs": 1, "device": "cpu", "precision": "fp32"}
Damage = Callable[[Path], object]


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a folder lacks is not looked for elsewhere."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def fitted(folder: Path | str, items: Items = ITEMS, **other: Any) -> Any:
    given = {**CHEAP, **other}
    spec = ",".join(f"{name}={value}" for name, value in given.items())
    return models.load(f"hf:source={folder},{spec}").fit(items, (), 0)


def refused(folder: Path | str, **other: Any) -> str:
    """The one line that it is refused with."""
    with pytest.raises(ModelError) as caught:
        fitted(folder, **other)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(str(folder))
    return line


def _rewritten(weights: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    safetensors.save_file(change(safetensors.load_file(weights)), weights, {"format": "pt"})


def _settings(folder: Path, name: str = "config.json", **other: Any) -> None:
    known = json.loads((folder / name).read_text())
    (folder / name).write_text(json.dumps({**known, **other}))


def _no_tokenizer(folder: Path) -> None:
    for path in folder.glob("tokenizer*"):
        path.unlink()


def _pickled(folder: Path) -> None:
    weights = safetensors.load_file(folder / "model.safetensors")
    torch.save(weights, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def _truncated(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1000])


def _fewer_weights(folder: Path) -> None:
    _rewritten(
        folder / "model.safetensors",
        lambda found: {name: one for name, one in found.items() if "layer.1.output" not in name},
    )


def _other_tokenizer(folder: Path) -> None:
    more = [f"more{i}" for i in range(60)]
    checkpoints.tokenizer(folder, "bert", (*more, *checkpoints.WORDS, *checkpoints.SAID))


FAULTS: dict[str, tuple[Damage, str]] = {
    "no tokenizer": (_no_tokenizer, "has no tokenizer, or one without a vocabulary"),
    "half a tokenizer": (lambda at: (at / "tokenizer.json").unlink(), "cannot be loaded"),
    "another's tokenizer": (
        _other_tokenizer,
        "its tokenizer has a token .* its network has only 75",
    ),
    "only a pickle": (_pickled, "only pytorch_model.bin, which could run code when loaded"),
    "no weights": (
        lambda at: (at / "model.safetensors").unlink(),
        "has no weights in .safetensors files$",
    ),
    "truncated weights": (_truncated, "cannot be loaded: Error while deserializing"),
    "empty weights": (
        lambda at: (at / "model.safetensors").write_bytes(b""),
        "cannot be loaded: Error while deserializing",
    ),
    "weights that lack some": (_fewer_weights, r"has no weights for .*LayerNorm.* \(4 are missing"),
    "weights of another shape": (
        lambda at: _settings(at, hidden_size=64),
        "cannot be loaded: .*mismatched",
    ),
    "no configuration": (lambda at: (at / "config.json").unlink(), "Should have a `model_type`"),
    "a broken configuration": (
        lambda at: (at / "config.json").write_text("{"),
        "not a valid JSON",
    ),
    "a network nobody knows": (
        lambda at: _settings(at, model_type="no-such-thing"),
        "cannot be loaded",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_checkpoint_is_refused_in_a_line(fault: str, tmp_path: Path) -> None:
    damage, said = FAULTS[fault]
    folder = checkpoints.checkpoint(tmp_path, "bert")
    damage(folder)
    line = refused(folder)
    assert re.search(said, line), line


@pytest.mark.parametrize("kind", [*BERT_LIKE, *OTHERS])
def test_a_tokenizer_is_not_made_up(kind: str, tmp_path: Path) -> None:
    """Transformers makes one that knows no words, and everything reads the same."""
    folder = checkpoints.checkpoint(tmp_path, kind)
    _no_tokenizer(folder)
    assert "tokenizer" in refused(folder)


def test_no_folder_and_no_name_are_refused() -> None:
    assert "cannot be loaded" in refused("no/such/folder/anywhere")
    with pytest.raises(ModelError, match="name a pretrained model"):
        models.load("hf").fit(ITEMS, (), 0)


CODE = "open({!r}, 'w').write('ran')\nclass Config: ...\nclass Model: ...\nclass Tokenizer: ..."
REMOTE = {
    "AutoConfig": "remote.Config",
    "AutoModel": "remote.Model",
    "AutoModelForSeq2SeqLM": "remote.Model",
    "AutoTokenizer": ["remote.Tokenizer", "remote.Tokenizer"],
}


@pytest.mark.parametrize("kind", ["bert", "no-such-thing"])
@pytest.mark.parametrize("where", ["config.json", "tokenizer_config.json"])
def test_code_of_a_checkpoint_is_never_run(kind: str, where: str, tmp_path: Path) -> None:
    """What transformers knows itself is opened with that; anything else is refused."""
    folder = checkpoints.checkpoint(tmp_path / "it", "bert")
    ran = tmp_path / "ran"
    (folder / "remote.py").write_text(CODE.format(str(ran)))
    _settings(folder, where, auto_map=REMOTE, tokenizer_class="Tokenizer")
    if kind == "bert":
        assert math.isfinite(fitted(folder).score(ITEMS)[0][0])
    else:
        _settings(folder, auto_map=REMOTE, model_type=kind)
        assert "cannot be loaded" in refused(folder)
    assert not ran.exists()


def test_the_marker_would_have_been_written(tmp_path: Path) -> None:
    """The test of the test above: the code does what it is said to do."""
    ran = tmp_path / "ran"
    exec(CODE.format(str(ran)), {})
    assert ran.read_text() == "ran"


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_no_token_for_padding_is_needed(kind: str, tmp_path: Path) -> None:
    """Texts of other lengths beside a text change nothing about it."""
    folder = checkpoints.checkpoint(tmp_path, kind)
    assert transformers.AutoTokenizer.from_pretrained(folder).pad_token is None
    model = fitted(folder)
    together = model.score(ITEMS)
    for item, row in zip(ITEMS, together, strict=True):
        assert model.score((item,))[0] == pytest.approx(row, abs=1e-5)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "bart"])
def test_texts_beyond_the_limit_are_cut_and_counted(kind: str, tmp_path: Path) -> None:
    """By the room that the network has, and by the limit that is set."""
    folder = checkpoints.checkpoint(tmp_path, kind)
    long = tuple(
        Item(str(at), {"goal": f"w{at}"}, (" ".join(["w8"] * count), "w9"), 0)
        for at, count in enumerate((5, 30, 90, 400))
    )
    for length, cut in ((0, 2), (20, 3)):
        model = fitted(folder, long, length=length)
        assert (model.fit_info.cut, model.fit_info.sequences, model.fit_info.length) == (
            cut,
            8,
            length or 64,
        )
        assert all(math.isfinite(one) for row in model.score(long) for one in row)
    assert fitted(folder, ITEMS).fit_info.cut == 0


ODD = (
    ("", ""), ("\ud800 w1", "\udfff"), ("\x00", "\u202e\ufeff"), ("w1 " * 300, "w2" * 900),
    ("[SEP][CLS][PAD]", "</s><pad><s>"), ("\U0001f937\u200d\u2640\ufe0f" * 5, "中文 ağaç"),
    (" ", "\n\t"), ("e\u0301" * 40, "\U0010ffff"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "recipe"),
    [*((kind, "default") for kind in (*BERT_LIKE, *OTHERS)), ("gpt2", "branco"), ("t5", "branco")],
)
def test_odd_texts_are_learnt_from_and_scored(kind: str, recipe: str, tmp_path: Path) -> None:
    items = tuple(
        Item(str(at), {"goal": first}, (second, "w1", f"{second} w2"), at % 3)
        for at, (first, second) in enumerate(ODD)
    )
    model = fitted(checkpoints.checkpoint(tmp_path, kind), items, recipe=recipe, batches=8)
    assert all(math.isfinite(one) for row in model.score(items) for one in row)


@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2", "t5"])
def test_a_limit_without_room_for_a_frame_is_kept(kind: str, length: int, tmp_path: Path) -> None:
    long = (Item("", {"goal": "w1 " * 100}, ("w2 " * 100, "w3"), 0),)
    model = fitted(checkpoints.checkpoint(tmp_path, kind), long, length=length)
    assert all(math.isfinite(one) for one in model.score(long)[0])
    assert model.fit_info.cut == model.fit_info.sequences


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_a_checkpoint_in_half_precision_is_trained_in_single(
    kind: str, dtype: Any, tmp_path: Path
) -> None:
    """And kept as such, so that whoever opens it gets what was trained."""
    folder = checkpoints.checkpoint(tmp_path, kind)
    _rewritten(
        folder / "model.safetensors", lambda found: {n: one.to(dtype) for n, one in found.items()}
    )
    _settings(folder, dtype=str(dtype).removeprefix("torch."))
    assert transformers.AutoModel.from_pretrained(folder).dtype == dtype
    model = fitted(folder, rates="1e-6")  # too small a step for half precision
    start = model.base_model.architecture.build_scorer().start(0)
    assert all(one.dtype == torch.float32 for one in model.weights.values())
    name = next(name for name in start if name.endswith(("0.up.w", "mlp.c_fc.weight")))
    moved = (model.weights[name].cpu() - start[name]).abs()
    assert 0 < moved.max() < 1e-5
    model.save(str(tmp_path / "kept"))
    assert transformers.AutoModel.from_pretrained(tmp_path / "kept").dtype == torch.float32


def test_a_fingerprint_is_of_all_that_scores_depend_on(tmp_path: Path) -> None:
    folder = checkpoints.checkpoint(tmp_path, "bert")
    seen = {checkpoint.fingerprint(str(folder))}
    (folder / "README.md").write_text("nothing of weight")
    assert checkpoint.fingerprint(str(folder)) in seen
    weights = folder / "model.safetensors"
    changes: list[Callable[[], None]] = [
        lambda: _settings(folder, layer_norm_eps=1e-6),
        lambda: _settings(folder, "tokenizer_config.json", model_max_length=9),
        lambda: _rewritten(weights, lambda found: {n: one + 1 for n, one in found.items()}),
    ]
    for change in changes:
        change()
        seen.add(checkpoint.fingerprint(str(folder)))
    assert len(seen) == 4


def test_what_transformers_has_to_say_is_not_passed_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """No bars and no reports; what it says of others afterwards is as before."""
    folder = checkpoints.checkpoint(tmp_path, "gpt2")
    level = transformers.utils.logging.get_verbosity()
    capfd.readouterr()
    fitted(folder, recipe="branco", batches=4).score(ITEMS)
    assert capfd.readouterr() == ("", "")
    assert transformers.utils.logging.get_verbosity() == level
    assert os.environ["HF_HUB_OFFLINE"] == "1"


def test_what_is_cut_when_it_is_scored_is_counted_too(tmp_path: Path) -> None:
    model = fitted(checkpoints.checkpoint(tmp_path / "bert", "bert"))
    assert model.fit_info.cut == 0
    long = Item("", {"goal": "w1 " * 200}, ("w2", "w3"), 0)
    known = model.fit_info.sequences
    first, second = model.score((long,))[0]
    assert (model.fit_info.cut, model.fit_info.sequences) == (2, known + 2)
    assert first != second  # the choices are still there


def test_a_checkpoint_that_asks_for_code_of_the_hub_is_refused(tmp_path: Path) -> None:
    folder = checkpoints.checkpoint(tmp_path / "bert", "bert")
    _settings(folder, attn_implementation="somebody/kernel")
    assert "somebody/kernel" in refused(folder)


@pytest.mark.parametrize(
    "spec", ["lm:source={}", "frozen_svm:encoder={}", "encoder_linear:encoder={}"]
)
def test_no_model_goes_without_a_tokenizer(spec: str, tmp_path: Path) -> None:
    kind = "gpt2" if spec.startswith("lm") else "bert"
    folder = checkpoints.checkpoint(tmp_path / kind, kind)
    if kind == "gpt2":
        network = transformers.AutoModelForCausalLM.from_config(checkpoint.load_config(str(folder)))
        network.save_pretrained(folder)
    _no_tokenizer(folder)
    model = models.load(spec.format(folder))
    with pytest.raises(ModelError, match="tokenizer"):
        model.fit(ITEMS, (), 0) if hasattr(model, "fit") else model.score(ITEMS)


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    folder = checkpoints.checkpoint(tmp_path / "bert", "bert")
    before = checkpoint.fingerprint(str(folder))
    (folder / "tokenizer_files").mkdir()
    (folder / "vocab.txt").symlink_to(folder / "nowhere")
    assert checkpoint.fingerprint(str(folder)) == before


@pytest.mark.parametrize("source", ["./nowhere", "/nowhere", "~/nowhere"])
def test_a_folder_that_is_not_there(source: str) -> None:
    assert refused(source) == f"{source}: no such folder"


def test_what_reads_from_the_left_is_scored_at_its_end(tmp_path: Path) -> None:
    turned = checkpoints.checkpoint(tmp_path / "bert", "bert", is_decoder=True)
    assert fitted(turned).chosen["pooling"] == "last"
    gpt2 = checkpoints.checkpoint(tmp_path / "gpt2", "gpt2")
    with pytest.raises(
        BadInput, match="hf:pooling: is first, but this network sees the whole text only at its"
    ):
        fitted(gpt2, pooling="first")


def test_only_devices_that_compute_are_taken(tmp_path: Path) -> None:
    folder = checkpoints.checkpoint(tmp_path / "bert", "bert")
    with pytest.raises(ModelError, match="device 'meta': must be auto, cpu or cuda"):
        fitted(folder, device="meta")
