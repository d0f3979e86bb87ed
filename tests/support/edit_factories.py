"""How to make each edit, with the files that some of them need."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hansproof.edits.aflite import Aflite
from hansproof.edits.clean import Clean
from hansproof.edits.contrast import Contrast
from hansproof.edits.easy_hard import EasyHardEdit
from hansproof.edits.halve import Halve
from hansproof.edits.mirror import Mirror
from hansproof.edits.negate import Negate
from hansproof.edits.permute import Permute
from hansproof.edits.rewrite import Rewrite
from hansproof.edits.subset import Subset
from hansproof.edits.textfooler import Textfooler
from hansproof.sweeps import TrainedModel
from hansproof.types import Benchmark, EditResult, Item
from hansproof.vectors import save_vectors
from tests.support.torch_models import encoder

from .attack_factories import Weighing
from .scan_factories import some_of

WORDS = ("rain", "sun", "wind", "snow", "ice", "fog")
EXTRAS = {"aflite": ("torch", "transformers")}  # packages that a plain install may lack


def benchmark() -> Benchmark:
    """Pairs of mirrored items in two splits, a few loners, and a split without answers."""
    splits = {
        split: tuple(item for at in range(12) for item in _pair(f"{split}{at}", at))
        + tuple(_item(f"{split}x{at}", at, at % 2) for at in range(5))
        for split in ("train", "test")
    }
    bare = tuple(Item(f"u{at}", {"claim": f"What of {at}?"}, ("a", "b"), None) for at in range(3))
    return Benchmark("made", splits | {"unseen": bare}, {"train": "train", "test": "test"})


def _pair(name: str, at: int) -> tuple[Item, Item]:
    return _item(f"{name}a", at, 0, name), _item(f"{name}b", at, 1, name)


def _item(id: str, at: int, answer: int, group: str | None = None) -> Item:
    one, other = WORDS[at % 6], WORDS[(at + 1) % 6]
    choices = (f"the {one} of {group or id}", f"no {other} at {group or id}")
    return Item(id, {"claim": f"What came of {id}?"}, choices, answer, group, {"at": at})


def aflite(folder: Path) -> Aflite:
    source = str(encoder(folder / "bert"))
    flags: dict[str, Any] = {"cache": str(folder / "vectors"), "device": "cpu", "partitions": 8}
    return Aflite(source, cutoff=0.5, slice=0.1, **flags)


def easy_hard(folder: Path) -> EasyHardEdit:
    path = folder / "easy.txt"
    path.write_text("\n".join(item.id for item in benchmark().splits["test"][:7]))
    return EasyHardEdit("test", str(path))


def mirror(folder: Path) -> Mirror:
    """Every other row of the worksheet filled in."""
    path = folder / "sheet.csv"
    rows = Mirror().worksheet(benchmark())
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        for at, row in enumerate(rows):
            (new,) = [name for name in row if name.startswith("new")]
            writer.writerow(row | ({new: f"What else came of number {at}?"} if at % 2 else {}))
    return Mirror(str(path))


def negate(folder: Path) -> Negate:
    path = folder / "negated.json"
    claims = [item.fields["claim"] for item in benchmark().splits["train"]]
    path.write_text(json.dumps({claim: f"Not: {claim}" for claim in claims[::2]}))
    return Negate(str(path))


def rewrite(folder: Path) -> Rewrite:
    """The first choice of every other item written anew."""
    path = folder / "choices.csv"
    items = [item for items in benchmark().labelled_splits().values() for item in items]
    with path.open("w", newline="") as file:
        choices = {"choice_1": "", "choice_2": ""}
        columns = ["id", "claim", *choices, "choice_to_change", "new_choice"]
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        for item in items[::2]:
            texts = {**item.fields, **dict(zip(choices, item.choices, strict=True))}
            new = {"choice_to_change": "choice 1", "new_choice": f"neither, says {item.id}"}
            writer.writerow({"id": item.id, **texts, **new})
    return Rewrite(str(path))


def textfooler(folder: Path) -> Callable[[Benchmark], EditResult]:
    """All words are near each other; a model that looks at words only."""
    path, width = str(folder / "near.npz"), len(WORDS)
    save_vectors(path, WORDS, (np.eye(width) + 3).astype(np.float32))
    edit = Textfooler(vectors=path, encoder="none", sentence=0, tagger="none", journal=str(folder))
    return lambda benchmark: edit(benchmark, trained=[TrainedModel("weighing", Weighing(), "0")])


def clean(folder: Path) -> Callable[[Benchmark], EditResult]:
    """Some items of splits with answers stood in a text."""
    scan = some_of(replace(benchmark(), splits=benchmark().labelled_splits()))
    return lambda benchmark: Clean()(benchmark, scans=[("found.json", scan)])


MAKERS: dict[str, Callable[[Path], Any]] = {
    "aflite": aflite,
    "clean": clean,
    "contrast": lambda _: Contrast(),
    "easy_hard": easy_hard,
    "halve": lambda _: Halve(),
    "mirror": mirror,
    "negate": negate,
    "permute": lambda _: Permute(),
    "rewrite": rewrite,
    "subset": lambda _: Subset(until="null", randomisations=99),
    "textfooler": textfooler,
}
