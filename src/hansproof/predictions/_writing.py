"""Writes runs: line by line to `.part`, which takes its name when the run is complete."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .. import files
from ..errors import BadInput
from ..formats._record import shown
from ..types import Predictions
from ._header import HEADER, NAN, SCHEMA, header_of
from ._lines import line_of, object_of

PART = ".part"


class Writer:
    """Takes the scores of one item after the other; `done` holds those of a run that was killed."""

    def __init__(self, path: str, run: Predictions) -> None:
        self.done = _resumed(path, run)
        self._file = open(path, "ab")  # noqa: SIM115  open as long as the run lasts
        if not self._file.tell():
            self._put(_header(run))

    def add(self, id: str, scores: tuple[float, ...]) -> None:
        """One item, on disk when this returns."""
        if id in self.done:
            raise ValueError(f"{id} was written before")
        self.done[id] = scores
        self._put({"id": id, "scores": scores})

    def _put(self, record: Mapping[str, Any]) -> None:
        self._file.write(_encoded(record))
        self._file.flush()  # to the system, which a killed process does not take down

    def close(self) -> None:
        """Everything to the disk itself."""
        os.fsync(self._file.fileno())
        self._file.close()


@contextmanager
def writing(path: str, run: Predictions) -> Iterator[Writer]:
    """Write a run; leaving the block without an error says that it is complete.

    What `run.scores` holds is not written: it is the header that is taken from `run`.
    """
    part = path + PART
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        writer = Writer(part, run)
    except OSError as error:
        raise BadInput(path, f"cannot be written: {error.strerror}") from None
    try:
        yield writer
    finally:
        writer.close()
    os.replace(part, path)


def write(path: str, run: Predictions) -> None:
    """Write all of a run at once."""
    with files.part(path) as file:
        file.writelines(_lines(run, run.scores))


def content(run: Predictions, more: Mapping[str, Any]) -> bytes:
    """All of a run's file, and more in its header than the run itself says."""
    _, *lines = _lines(run, run.scores)
    return b"".join([_encoded({**_header(run), **more}), *lines])


def write_new(path: str, run: Predictions) -> None:
    """Write all of a run, but not over a file that holds another."""
    said = content(run, {})
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read(len(said) + 1) != said:
                raise BadInput(path, "holds another run: write to another folder, or remove it")
    files.write(path, said)


def keep(path: str, run: Predictions) -> str:
    """Write what there is of a run to `.part`, from where it can go on; the name of that file.

    What such a file holds of the same run is kept, too; one of another run is refused.
    """
    part = path + PART
    scores = {**_resumed(part, run), **run.scores}
    with files.part(part) as file:
        file.writelines(_lines(run, scores))
    return part


def _lines(run: Predictions, scores: Mapping[str, tuple[float, ...]]) -> Iterator[bytes]:
    yield _encoded(_header(run))
    for id, row in scores.items():
        yield _encoded({"id": id, "scores": row})


def _header(run: Predictions) -> dict[str, Any]:
    header = {name: getattr(run, name) for name in HEADER}
    if run.train_accuracy is not None and math.isnan(run.train_accuracy):
        header["train_accuracy"] = NAN
    return {"predictions": SCHEMA, **header}


def _encoded(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"


def _resumed(path: str, run: Predictions) -> dict[str, tuple[float, ...]]:
    """The finished lines of a killed writer; what it left of a line is cut off."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return {}
    with open(path, "rb") as file:
        content = file.read()
    kept = content[: content.rfind(b"\n") + 1]
    numbered = enumerate(kept.decode(errors="replace").splitlines(), 1)
    number, first = next(numbered, (1, ""))
    if first:
        left = header_of(object_of(first, path, number), path)
        other = next((n for n in HEADER if _differ(getattr(left, n), getattr(run, n))), None)
        if other:
            was, now = getattr(left, other), getattr(run, other)
            what = f"was left by another run ({shown(str(was))}, now {shown(str(now))})"
            raise BadInput(path, f"{what}: remove it, or write elsewhere", field=other)
    done = {}
    for number, text in numbered:
        id, said = line_of(object_of(text, path, number), path, number)
        if isinstance(said, int):
            raise BadInput(path, "was not written by hansproof: remove it", line=number)
        done[id] = said
    if len(kept) < len(content):
        os.truncate(path, len(kept))
    return done


def _differ(one: object, other: object) -> bool:
    both_nan = one != one and other != other
    return one != other and not both_nan
