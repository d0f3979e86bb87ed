"""Writes runs line by line to `.part`, which gets its final name when the run is complete."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from .._infra import atomic_io
from ..errors import BadInput
from ..records.location import truncate
from ..types import NoAnswer, Predictions
from .header import HEADER_FIELDS, NAN, SCHEMA, parse_header
from .lines import parse_fold, parse_line, parse_object, parse_text_answer

PART = ".part"


class PredictionsWriter:
    """Writes outcomes item by item; those of a killed run count as finished.

    `finished_scores` contains scores, `unanswered` why an item has none, both by item id.
    """

    def __init__(self, path: str, run: Predictions) -> None:
        old_run = _resume_run(path, run)
        self.finished_scores, self.unanswered = dict(old_run.scores), dict(old_run.unanswered)
        self._file = open(path, "ab")  # noqa: SIM115  closed by `close`
        if not self._file.tell():
            self._write_record(_build_header(run))

    def add_item(self, id: str, scores: tuple[float, ...]) -> None:
        """Write the scores of one item, flushed when this returns."""
        self._require_new(id)
        self.finished_scores[id] = scores
        self._write_record({"id": id, "scores": scores})

    def add_no_answer(self, id: str, reason: NoAnswer) -> None:
        """Write why an item has no answer, flushed when this returns."""
        self._require_new(id)
        self.unanswered[id] = reason
        self._write_record({"id": id, "no_answer": reason})

    def _require_new(self, id: str) -> None:
        if id in self.finished_scores or id in self.unanswered:
            raise ValueError(f"{id} has already been written")

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

    Only the header is taken from `run`; its scores are not written.
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
        file.writelines(_encode_lines(run))


def to_bytes(run: Predictions, extra_header: Mapping[str, Any]) -> bytes:
    """Encode a run as the bytes of its file, with extra values in the header."""
    _, *lines = _encode_lines(run)
    return b"".join([_encode_record({**_build_header(run), **extra_header}), *lines])


def write_new(path: str, run: Predictions) -> None:
    """Write a complete run; raise if the file contains another run."""
    data = to_bytes(run, {})
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read(len(data) + 1) != data:
                raise BadInput(path, "contains another run: write to another folder, or delete it")
    atomic_io.write_file(path, data)


def write_partial(path: str, run: Predictions) -> str:
    """Write an incomplete run to `.part`, so that it can be resumed, and return that path.

    Outcomes of the same run in an existing file are preserved; a file of another run is refused.
    """
    part_path = path + PART
    old_run = _resume_run(part_path, run)
    scores = {**old_run.scores, **run.scores}
    unanswered = {**old_run.unanswered, **run.unanswered}
    unanswered = {id: reason for id, reason in unanswered.items() if id not in scores}
    merged = replace(
        run,
        scores=scores,
        unanswered=unanswered,
        folds={**old_run.folds, **run.folds},
        text_answers={**old_run.text_answers, **run.text_answers},
    )
    with atomic_io.atomic_write(part_path) as file:
        file.writelines(_encode_lines(merged))
    return part_path


def _encode_lines(run: Predictions) -> Iterator[bytes]:
    yield _encode_record(_build_header(run))
    for id, row in run.scores.items():
        yield _encode_record({"id": id, "scores": row, **_further_entries(run, id)})
    for id, reason in run.unanswered.items():
        yield _encode_record({"id": id, "no_answer": reason, **_further_entries(run, id)})


def _further_entries(run: Predictions, id: str) -> dict[str, int | NoAnswer]:
    """Return the fold and the answer in the text of an item as entries of its line, if known."""
    entries: dict[str, int | NoAnswer] = {"fold": run.folds[id]} if id in run.folds else {}
    return entries | ({"text_answer": run.text_answers[id]} if id in run.text_answers else {})


def _build_header(run: Predictions) -> dict[str, Any]:
    header = {name: getattr(run, name) for name in HEADER_FIELDS}
    if run.train_accuracy is not None and math.isnan(run.train_accuracy):
        header["train_accuracy"] = NAN
    return {"predictions": SCHEMA, **header}


def _encode_record(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"


def _resume_run(path: str, run: Predictions) -> Predictions:
    """Read the finished lines of a killed writer and truncate an incomplete last line."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return replace(run, scores={}, unanswered={}, folds={}, text_answers={})
    with open(path, "rb") as file:
        data = file.read()
    complete_data = data[: data.rfind(b"\n") + 1]
    numbered_lines = enumerate(complete_data.decode(errors="replace").splitlines(), 1)
    number, first_line = next(numbered_lines, (1, ""))
    if first_line:
        _require_same_run(parse_header(parse_object(first_line, path, number), path), run, path)
    scores: dict[str, tuple[float, ...]] = {}
    unanswered: dict[str, NoAnswer] = {}
    folds: dict[str, int] = {}
    text_answers: dict[str, int | NoAnswer] = {}
    for number, text in numbered_lines:
        record = parse_object(text, path, number)
        id, answer = parse_line(record, path, number)
        if (fold := parse_fold(record, path, number)) is not None:
            folds[id] = fold
        if (text_answer := parse_text_answer(record, path, number)) is not None:
            text_answers[id] = text_answer
        if isinstance(answer, int):
            raise BadInput(
                path, "was not written by hansproof: delete it, or write elsewhere", line=number
            )
        if isinstance(answer, str):
            unanswered[id] = answer
        else:
            scores[id] = answer
    if len(complete_data) < len(data):
        os.truncate(path, len(complete_data))
    return replace(
        run, scores=scores, unanswered=unanswered, folds=folds, text_answers=text_answers
    )


def _require_same_run(old_run: Predictions, run: Predictions, path: str) -> None:
    """Raise if the header of an existing file is that of another run."""
    for name in HEADER_FIELDS:
        old_value, new_value = getattr(old_run, name), getattr(run, name)
        if _values_differ(old_value, new_value):
            old_text, new_text = truncate(str(old_value)), truncate(str(new_value))
            message = f"was left by another run ({old_text}, now {new_text})"
            raise BadInput(path, f"{message}: delete it, or write elsewhere", field=name)


def _values_differ(old_value: object, new_value: object) -> bool:
    both_nan = old_value != old_value and new_value != new_value
    return old_value != new_value and not both_nan
