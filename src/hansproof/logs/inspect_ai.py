"""Inspect: `.eval` and `.json` logs of tasks with choices.

The answer is the letter that the `choice` scorer recorded. It refers to the order of the choices in
the sample, even if the solver shuffled them for the model. Choices that were shuffled with the
dataset are in shuffled order in the log. Every epoch is a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..errors import BadInput
from ..records.lines import read_utf8
from ..records.location import truncate, type_name
from ..records.stdlib_json import parse_json
from ..types import Params
from ._eval_archive import EvalArchive, open_archive
from ._json_objects import load_object, nested_object
from ._log_run import LogEntry, LogRun
from ._matching.quoted_choices import NO_CHOICES, find_named_choice, format_no_answer
from ._sniff import read_head

_ZIP = b"PK\x03\x04"
_MEMBER_PREFIXES = (b"_journal/", b"samples/", b"header.json", b"summaries.json")
_HEAD = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"eval"\s*:\s*\{')
_SUMMARIES = "summaries.json"
_SCORER = "choice"  # the scorer of tasks with choices
_ANSWER_LINE = re.compile(
    r"ANSWER\s*:\s*(\w)\W*", re.IGNORECASE
)  # the form that the solver asks for

JsonObject = dict[str, Any]


def matches(path: str, head: bytes) -> bool:
    """Check whether the bytes begin an archive with members of a log, or a JSON log."""
    if head.startswith(_ZIP):
        return head[30:].startswith(_MEMBER_PREFIXES)
    return _HEAD.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def runs(path: str) -> Iterator[LogRun]:
    """Yield one run per epoch."""
    header, samples = _read_log(path)
    status = header.get("status", "started")
    if not samples:
        raise BadInput(path, _explain_empty(header))
    epochs: dict[int, list[JsonObject]] = {}
    for sample in samples:
        epoch = sample.get("epoch", 1)
        if type(epoch) is not int:
            raise BadInput(path, f"is {type_name(epoch)}, not a number", field="epoch")
        epochs.setdefault(epoch, []).append(sample)
    sample_ids = nested_object(header, "eval", "dataset").get("sample_ids")
    expected = len(sample_ids) if isinstance(sample_ids, list) else 0
    for epoch in sorted(epochs):
        entries = [_parse_entry(sample, path) for sample in epochs[epoch]]
        answered_entries = tuple(entry for entry in entries if entry is not None)
        reasons = [f"its status is {truncate(str(status))}"] if status != "success" else []
        if len(entries) < expected:
            reasons.append(f"{expected - len(entries)} of {expected} samples are missing")
        if len(answered_entries) < len(entries):
            reasons.append(format_no_answer(len(entries) - len(answered_entries)))
        yield _build_run(header, epoch, answered_entries, "; ".join(reasons) or None)


def _build_run(
    header: JsonObject, epoch: int, entries: tuple[LogEntry, ...], unfinished: str | None
) -> LogRun:
    spec = nested_object(header, "eval")
    version = nested_object(spec, "packages").get("inspect_ai", "")
    params: Params = {
        "tool": f"inspect_ai {version}".strip(),
        "task": str(spec.get("task", "")),
        "epoch": epoch,
    }
    return LogRun(entries, str(spec.get("model") or "model"), params=params, unfinished=unfinished)


def _explain_empty(header: JsonObject) -> str:
    """Explain why a log has no samples and what the user can do."""
    status = str(header.get("status", "started"))
    if status == "success":
        return "has no samples: run it again with samples logged (log_samples)"
    message = nested_object(header, "error").get("message", "")
    reason = f"has no samples: its status is {truncate(status)}"
    return f"{reason} ({truncate(message)})" if isinstance(message, str) and message else reason


def _read_log(path: str) -> tuple[JsonObject, list[JsonObject]]:
    """Read the header and the samples of a log."""
    try:
        first_bytes = read_head(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None
    if first_bytes.startswith(_ZIP):
        with open_archive(path) as archive:
            return _read_header(archive, path), _read_samples(archive, path)
    header = load_object(read_utf8(path), path)
    return header, _check_samples(header.pop("samples", None) or [], path)


def _read_header(archive: EvalArchive, path: str) -> JsonObject:
    """Read the header of a finished run, or else the one written at its start."""
    for name in ("header.json", "_journal/start.json"):
        if name in archive.infos:
            return load_object(archive.read_member(name), f"{path}/{name}")
    raise BadInput(path, "is no log of Inspect: it holds no header.json")


def _read_samples(archive: EvalArchive, path: str) -> list[JsonObject]:
    """Read samples from the summaries if they are complete, else one by one."""
    names = [name for name in archive.infos if re.fullmatch(r"samples/.+\.json", name, re.DOTALL)]
    if names and _SUMMARIES in archive.infos:
        file = f"{path}/{_SUMMARIES}"
        summaries = _check_samples(parse_json(archive.read_member(_SUMMARIES), file), file)
        # not all versions include the choices
        if len(summaries) == len(names) and all(sample.get("choices") for sample in summaries):
            return summaries
    return [load_object(archive.read_member(name), f"{path}/{name}") for name in names]


def _check_samples(value: object, file: str) -> list[JsonObject]:
    if not isinstance(value, list) or not all(isinstance(sample, dict) for sample in value):
        raise BadInput(file, "is not a list of objects", field="samples")
    return value


def _parse_entry(sample: JsonObject, path: str) -> LogEntry | None:
    """Parse the entry of a sample; None if the model gave no answer."""
    id, choices = sample.get("id"), sample.get("choices")
    if not isinstance(id, str | int):
        raise BadInput(path, f"is {type_name(id)}, not text", field="id")
    if not choices:
        raise BadInput(path, NO_CHOICES)
    if not isinstance(choices, list) or not all(isinstance(text, str) for text in choices):
        raise BadInput(path, f"{truncate(str(id))}: is not a list of texts", field="choices")
    target = sample.get("target")
    targets = target if isinstance(target, list) else [target]
    if len(targets) > 1:
        message = (
            f"{truncate(str(id))} has {len(targets)} right answers: hansproof reads logs with one"
        )
        raise BadInput(path, message, field="target")
    texts = tuple(choices)
    choice = _scored_choice(nested_object(sample, "scores"), texts)
    answer = _answer_index(targets[0], texts) if targets else None
    return None if choice is None else LogEntry(str(id), choice, None, answer, texts)


def _scored_choice(scores: JsonObject, choices: tuple[str, ...]) -> int | None:
    """Return the answer of the `choice` scorer, or else the first that names a choice."""
    names = sorted(scores, key=lambda name: name != _SCORER)
    if _SCORER in scores:
        names = names[:1]
    indices = (_answer_index(nested_object(scores, name).get("answer"), choices) for name in names)
    return next((index for index in indices if index is not None), None)


def _answer_index(answer: object, choices: tuple[str, ...]) -> int | None:
    """Convert a letter to an index; from the 27th choice on, Inspect counts 1, 2, 3."""
    if not isinstance(answer, str):
        return None
    text = answer.strip()
    if len(choices) > 26 and re.fullmatch(r"[1-9]\d{0,3}", text):
        return 25 + int(text) if 25 + int(text) < len(choices) else None
    if re.fullmatch(r"[A-Za-z]", text):
        index = ord(text.upper()) - ord("A")
        return index if index < len(choices) else None
    answer_line = _ANSWER_LINE.fullmatch(text)
    return find_named_choice(answer_line[1] if answer_line else text, choices)
