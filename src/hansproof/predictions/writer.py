"""Writes runs line by line to `.part`, which gets its final name when the run is complete."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .._infra import atomic_io
from ..errors import BadInput
from ..records.location import truncate
from ..types import Predictions
from .header import HEADER_FIELDS, NAN, SCHEMA, parse_header
from .lines import parse_line, parse_object

PART = ".part"


class PredictionsWriter:
    """Writes scores item by item; `finished_scores` includes those of a killed run."""

    def __init__(self, path: str, run: Predictions) -> None:
        self.finished_scores = _resume_scores(path, run)
        self._file = open(path, "ab")  # noqa: SIM115  closed by `close`
        if not self._file.tell():
            self._write_record(_build_header(run))

    def add_item(self, id: str, scores: tuple[float, ...]) -> None:
        """Write the scores of one item, flushed when this returns."""
        if id in self.finished_scores:
            raise ValueError(f"{id} was written before")
        self.finished_scores[id] = scores
        self._write_record({"id": id, "scores": scores})

    def _write_record(self, record: Mapping[str, Any]) -> None:
        self._file.write(_encode_record(record))
        self._file.flush()  # to the operating system, so that the line survives a killed process

    def close(self) -> None:
        """Sync the file to disk and close it."""
        os.fsync(self._file.fileno())
        self._file.close()


@contextmanager
def open_writer(path: str, run: Predictions) -> Iterator[PredictionsWriter]:
    """Open a writer for a run; leaving the block without an error completes the file.

    Only the header is taken from `run`; `run.scores` is not written.
    """
    part_path = path + PART
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        writer = PredictionsWriter(part_path, run)
    except OSError as error:
        raise BadInput(path, f"cannot be written: {error.strerror}") from None
    try:
        yield writer
    finally:
        writer.close()
    os.replace(part_path, path)


def write(path: str, run: Predictions) -> None:
    """Write a complete run at once."""
    with atomic_io.atomic_write(path) as file:
        file.writelines(_encode_lines(run, run.scores))


def to_bytes(run: Predictions, extra_header: Mapping[str, Any]) -> bytes:
    """Encode a run as the bytes of its file, with extra values in the header."""
    _, *lines = _encode_lines(run, run.scores)
    return b"".join([_encode_record({**_build_header(run), **extra_header}), *lines])


def write_new(path: str, run: Predictions) -> None:
    """Write a complete run; raise if the file contains another run."""
    data = to_bytes(run, {})
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read(len(data) + 1) != data:
                raise BadInput(path, "holds another run: write to another folder, or remove it")
    atomic_io.write_file(path, data)


def write_partial(path: str, run: Predictions) -> str:
    """Write an incomplete run to `.part`, so that it can be resumed, and return that path.

    Scores of the same run in an existing file are preserved; a file of another run is refused.
    """
    part_path = path + PART
    scores = {**_resume_scores(part_path, run), **run.scores}
    with atomic_io.atomic_write(part_path) as file:
        file.writelines(_encode_lines(run, scores))
    return part_path


def _encode_lines(run: Predictions, scores: Mapping[str, tuple[float, ...]]) -> Iterator[bytes]:
    yield _encode_record(_build_header(run))
    for id, row in scores.items():
        yield _encode_record({"id": id, "scores": row})


def _build_header(run: Predictions) -> dict[str, Any]:
    header = {name: getattr(run, name) for name in HEADER_FIELDS}
    if run.train_accuracy is not None and math.isnan(run.train_accuracy):
        header["train_accuracy"] = NAN
    return {"predictions": SCHEMA, **header}


def _encode_record(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"


def _resume_scores(path: str, run: Predictions) -> dict[str, tuple[float, ...]]:
    """Read the finished lines of a killed writer and truncate an incomplete last line."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return {}
    with open(path, "rb") as file:
        data = file.read()
    complete_data = data[: data.rfind(b"\n") + 1]
    numbered_lines = enumerate(complete_data.decode(errors="replace").splitlines(), 1)
    number, first_line = next(numbered_lines, (1, ""))
    if first_line:
        old_run = parse_header(parse_object(first_line, path, number), path)
        changed_field = next(
            (
                name
                for name in HEADER_FIELDS
                if _values_differ(getattr(old_run, name), getattr(run, name))
            ),
            None,
        )
        if changed_field:
            old_value, new_value = getattr(old_run, changed_field), getattr(run, changed_field)
            old_text, new_text = truncate(str(old_value)), truncate(str(new_value))
            message = f"was left by another run ({old_text}, now {new_text})"
            raise BadInput(path, f"{message}: remove it, or write elsewhere", field=changed_field)
    scores = {}
    for number, text in numbered_lines:
        id, answer = parse_line(parse_object(text, path, number), path, number)
        if isinstance(answer, int):
            raise BadInput(path, "was not written by hansproof: remove it", line=number)
        scores[id] = answer
    if len(complete_data) < len(data):
        os.truncate(path, len(complete_data))
    return scores


def _values_differ(old_value: object, new_value: object) -> bool:
    both_nan = old_value != old_value and new_value != new_value
    return old_value != new_value and not both_nan
