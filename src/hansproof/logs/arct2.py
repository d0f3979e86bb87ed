"""Predictions as the code of Niven and Kao writes them: preds.csv, or that file as .gz.

    run_no,dataset,id,prob0,prob1,pred,correct
    1,dev,16625502_544_A3C9GGDXBZW62D,0.97,0.03,0,True

Every run on every dataset becomes one run. The file names the experiment: bert_large_adv_rw.csv is
the model bert_large, trained on the adversarial set, that saw reason and warrants. Where the code
of the paper wrote the folder, with preds.csv beside accs.csv, the folder names the experiment, and
accs.csv contains seed and training accuracy; else the number of the run is the seed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import BadInput
from ..types import FULL
from ._csv_rows import CsvRow, read_rows
from ._log_run import LogEntry, LogRun
from ._sniff import HEAD_SIZE, decode_head
from ._unpack import read_start, read_unpacked

_COLUMNS = ("run_no", "dataset", "id", "prob0", "prob1", "pred", "correct")
_VIEWS = {"_rw": "reason+choices", "_cw": "claim+choices", "_w": "choices"}
_ADVERSARIAL = "_adv"
_OWN_NAMES = ("preds", "preds-dev-test")  # file names of the paper's code and of its release
_INDEX = {"0": 0, "1": 1}
_NO_ANSWER = ("", "-1")
_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class _ArctExperiment:
    model: str
    view: str | None
    trained_on: str | None


def matches(path: str, head: bytes) -> bool:
    """Check whether the header has these columns."""
    if head.startswith(b"\x1f\x8b"):
        try:
            head = read_start(path, HEAD_SIZE)
        except BadInput:
            return False
    header = decode_head(head).partition("\n")[0]
    return set(_COLUMNS) <= {cell.strip() for cell in header.split(",")}


def runs(path: str) -> Iterator[LogRun]:
    """Yield one run per run number and dataset, in the order of the file."""
    entries_by_run: dict[tuple[int, str], list[LogEntry]] = {}
    for row in read_rows(read_unpacked(path), path, _COLUMNS):
        key = row.parse_cell("run_no", int), row.cells["dataset"].strip()
        entries_by_run.setdefault(key, []).append(_parse_entry(row))
    experiment, seeds = _read_experiment(path)
    for (number, dataset), entries in entries_by_run.items():
        seed, train_accuracy = seeds.get(number, (number, None))
        yield LogRun(
            tuple(entries),
            experiment.model,
            dataset,
            experiment.view,
            seed,
            experiment.trained_on,
            train_accuracy,
        )


def _parse_entry(row: CsvRow) -> LogEntry:
    if row.cells["pred"].strip() in _NO_ANSWER:
        return LogEntry(row.cells["id"].strip(), "", row.line)
    scores = row.parse_cell("prob0", float), row.parse_cell("prob1", float)
    choice = row.parse_cell("pred", _INDEX.__getitem__)
    is_right = row.parse_cell("correct", lambda cell: _TRUTH[cell.lower()])
    if scores[choice] < scores[1 - choice]:
        raise row.error("pred", f"{choice} is the less probable choice")
    return LogEntry(row.cells["id"].strip(), scores, row.line, choice if is_right else 1 - choice)


def _read_experiment(path: str) -> tuple[_ArctExperiment, dict[int, tuple[int, float]]]:
    """Return the experiment of a file, and seed and training accuracy by run where they are known.

    Outside a folder of the paper's code, a name without endings says nothing of view and training.
    """
    folder, file = os.path.split(os.path.abspath(path))
    stem, accuracies = file.partition(".")[0], os.path.join(folder, "accs.csv")
    if stem in _OWN_NAMES and os.path.exists(accuracies):
        experiment = _parse_experiment(os.path.basename(folder), FULL, "arct:train")
        return experiment, _read_seeds(accuracies)
    return _parse_experiment(stem, None, None), {}


def _parse_experiment(
    name: str, default_view: str | None, default_training: str | None
) -> _ArctExperiment:
    """Parse the name of an experiment, such as `bert_large_adv_w`."""
    ending = next((ending for ending in _VIEWS if name.endswith(ending)), "")
    model = name.removesuffix(ending)
    adversarial = model.endswith(_ADVERSARIAL)
    trained_on = "arct_adversarial:train" if adversarial else default_training
    model = model.removesuffix(_ADVERSARIAL) or name
    return _ArctExperiment(model, _VIEWS.get(ending, default_view), trained_on)


def _read_seeds(path: str) -> dict[int, tuple[int, float]]:
    """Read seed and training accuracy of every run."""
    return {
        row.parse_cell("run_no", int): (row.parse_cell("seed", int), row.parse_cell("train", float))
        for row in read_rows(read_unpacked(path), path, ("run_no", "seed", "train"))
    }
