"""Predictions as the code of Niven and Kao writes them: preds.csv, or that file as .gz.

    run_no,dataset,id,prob0,prob1,pred,correct
    1,dev,16625502_544_A3C9GGDXBZW62D,0.97,0.03,0,True

Every run on every dataset is a run of its own. The folder names the experiment: bert_large_adv_rw
is the model bert_large, trained on the adversarial set, that saw reason and warrants. Seed and
accuracy in training stand in accs.csv beside it; without it the number of the run is the seed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import BadInput
from ._head import HEAD, text
from ._rows import Row, rows
from ._run import Entry, Run
from ._unpack import start, unpacked

_COLUMNS = ("run_no", "dataset", "id", "prob0", "prob1", "pred", "correct")
_VIEWS = {"_rw": "reason+choices", "_cw": "claim+choices", "_w": "choices"}
_ADVERSARIAL = "_adv"
_INDEX = {"0": 0, "1": 1}
_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class _Experiment:
    model: str
    view: str
    trained_on: str


def matches(path: str, head: bytes) -> bool:
    """Whether the header has these columns."""
    if head.startswith(b"\x1f\x8b"):
        try:
            head = start(path, HEAD)
        except BadInput:
            return False
    header = text(head).partition("\n")[0]
    return set(_COLUMNS) <= {cell.strip() for cell in header.split(",")}


def runs(path: str) -> Iterator[Run]:
    """One run for each run and dataset, in the order of the file."""
    found: dict[tuple[int, str], list[Entry]] = {}
    for row in rows(unpacked(path), path, _COLUMNS):
        key = row.take("run_no", int), row.cells["dataset"].strip()
        found.setdefault(key, []).append(_entry(row))
    folder = os.path.dirname(os.path.abspath(path))
    about = _experiment(os.path.basename(folder))
    seeds = _seeds(os.path.join(folder, "accs.csv"))
    for (number, dataset), entries in found.items():
        seed, train = seeds.get(number, (number, None))
        yield Run(
            tuple(entries),
            about.model,
            dataset,
            about.view,
            seed,
            about.trained_on,
            train,
        )


def _entry(row: Row) -> Entry:
    scores = row.take("prob0", float), row.take("prob1", float)
    said = row.take("pred", _INDEX.__getitem__)
    right = row.take("correct", lambda cell: _TRUTH[cell.lower()])
    if scores[said] < scores[1 - said]:
        raise row.bad("pred", f"{said} is the less probable choice")
    return Entry(row.cells["id"].strip(), scores, row.line, said if right else 1 - said)


def _experiment(name: str) -> _Experiment:
    """`bert_large_adv_w` in its parts."""
    ending = next((ending for ending in _VIEWS if name.endswith(ending)), "")
    model = name.removesuffix(ending)
    trained_on = "arct_adversarial:train" if model.endswith(_ADVERSARIAL) else "arct:train"
    model = model.removesuffix(_ADVERSARIAL) or name
    return _Experiment(model, _VIEWS.get(ending, "full"), trained_on)


def _seeds(path: str) -> dict[int, tuple[int, float]]:
    """Seed and accuracy in training of every run, where the file is there."""
    if not os.path.exists(path):
        return {}
    return {
        row.take("run_no", int): (row.take("seed", int), row.take("train", float))
        for row in rows(unpacked(path), path, ("run_no", "seed", "train"))
    }
