"""Inspect: `.eval` and `.json` logs of tasks with choices.

What is read is the letter that the `choice` scorer took for the answer; it counts in the order
of the sample's choices, also where the solver shuffled them for the model. Choices that were
shuffled with the dataset stand in the log as shuffled. Every epoch is a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..errors import BadInput
from ..formats._json import loads
from ..formats._lines import document
from ..formats._record import kind, shown
from ..types import Params
from ._head import head
from ._json import inner, load
from ._members import Members, opened
from ._quoted import NO_CHOICES, named, no_answer
from ._run import Entry, Run

_ZIP = b"PK\x03\x04"
_OURS = (b"_journal/", b"samples/", b"header.json", b"summaries.json")
_HEAD = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"eval"\s*:\s*\{')
_SUMMARIES = "summaries.json"
_SCORER = "choice"  # the one that belongs to tasks with choices
_STATED = re.compile(r"ANSWER\s*:\s*(\w)\W*", re.IGNORECASE)  # how the solver asks for a letter

Record = dict[str, Any]


def matches(path: str, head: bytes) -> bool:
    """Whether this is an archive whose first member is of a log, or the beginning of a log."""
    if head.startswith(_ZIP):
        return head[30:].startswith(_OURS)
    return _HEAD.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def runs(path: str) -> Iterator[Run]:
    """One run for each epoch."""
    header, samples = _log(path)
    status = header.get("status", "started")
    if not samples:
        raise BadInput(path, _why_empty(header))
    epochs: dict[int, list[Record]] = {}
    for sample in samples:
        epoch = sample.get("epoch", 1)
        if type(epoch) is not int:
            raise BadInput(path, f"is {kind(epoch)}, not a number", field="epoch")
        epochs.setdefault(epoch, []).append(sample)
    listed = inner(header, "eval", "dataset").get("sample_ids")
    expected = len(listed) if isinstance(listed, list) else 0
    for epoch in sorted(epochs):
        entries = [_entry(sample, path) for sample in epochs[epoch]]
        said = tuple(entry for entry in entries if entry is not None)
        reasons = [f"its status is {shown(str(status))}"] if status != "success" else []
        if len(entries) < expected:
            reasons.append(f"{expected - len(entries)} of {expected} samples are missing")
        if len(said) < len(entries):
            reasons.append(no_answer(len(entries) - len(said)))
        yield _run(header, epoch, said, "; ".join(reasons) or None)


def _run(header: Record, epoch: int, entries: tuple[Entry, ...], unfinished: str | None) -> Run:
    spec = inner(header, "eval")
    version = inner(spec, "packages").get("inspect_ai", "")
    params: Params = {
        "tool": f"inspect_ai {version}".strip(),
        "task": str(spec.get("task", "")),
        "epoch": epoch,
    }
    return Run(entries, str(spec.get("model") or "model"), params=params, unfinished=unfinished)


def _why_empty(header: Record) -> str:
    """Why a log has no samples, and what may be done."""
    status = str(header.get("status", "started"))
    if status == "success":
        return "has no samples: run it again with samples logged (log_samples)"
    message = inner(header, "error").get("message", "")
    ended = f"has no samples: its status is {shown(status)}"
    return f"{ended} ({shown(message)})" if isinstance(message, str) and message else ended


def _log(path: str) -> tuple[Record, list[Record]]:
    """What a log says of the run, and of its samples."""
    try:
        start = head(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None
    if start.startswith(_ZIP):
        with opened(path) as members:
            return _header(members, path), _samples(members, path)
    header = load(document(path), path)
    return header, _records(header.pop("samples", None) or [], path)


def _header(members: Members, path: str) -> Record:
    """What stands in the log when the run has ended; or what it began with."""
    for name in ("header.json", "_journal/start.json"):
        if name in members.infos:
            return load(members.read(name), f"{path}/{name}")
    raise BadInput(path, "is no log of Inspect: it holds no header.json")


def _samples(members: Members, path: str) -> list[Record]:
    """The summaries, which say it all in one member; else the samples, one by one."""
    names = [name for name in members.infos if re.fullmatch(r"samples/.+\.json", name, re.DOTALL)]
    if names and _SUMMARIES in members.infos:
        file = f"{path}/{_SUMMARIES}"
        found = _records(loads(members.read(_SUMMARIES), file), file)
        # not all versions repeat the choices there
        if len(found) == len(names) and all(sample.get("choices") for sample in found):
            return found
    return [load(members.read(name), f"{path}/{name}") for name in names]


def _records(found: object, file: str) -> list[Record]:
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise BadInput(file, "is not a list of objects", field="samples")
    return found


def _entry(sample: Record, path: str) -> Entry | None:
    """What was said about an item; None where there is no answer."""
    id, choices = sample.get("id"), sample.get("choices")
    if not isinstance(id, str | int):
        raise BadInput(path, f"is {kind(id)}, not text", field="id")
    if not choices:
        raise BadInput(path, NO_CHOICES)
    if not isinstance(choices, list) or not all(isinstance(text, str) for text in choices):
        raise BadInput(path, f"{shown(str(id))}: is not a list of texts", field="choices")
    target = sample.get("target")
    right = target if isinstance(target, list) else [target]
    if len(right) > 1:
        what = f"{shown(str(id))} has {len(right)} right answers: hansproof reads logs with one"
        raise BadInput(path, what, field="target")
    texts = tuple(choices)
    said = _said(inner(sample, "scores"), texts)
    answer = _index(right[0], texts) if right else None
    return None if said is None else Entry(str(id), said, None, answer, texts)


def _said(scores: Record, choices: tuple[str, ...]) -> int | None:
    """The answer as the scorer for choices took it, or else the first that names one choice."""
    names = sorted(scores, key=lambda name: name != _SCORER)
    if _SCORER in scores:
        names = names[:1]
    found = (_index(inner(scores, name).get("answer"), choices) for name in names)
    return next((index for index in found if index is not None), None)


def _index(answer: object, choices: tuple[str, ...]) -> int | None:
    """The index of a letter; from the 27th choice on the tool counts 1, 2, 3."""
    if not isinstance(answer, str):
        return None
    text = answer.strip()
    if len(choices) > 26 and re.fullmatch(r"[1-9]\d{0,3}", text):
        return 25 + int(text) if 25 + int(text) < len(choices) else None
    if re.fullmatch(r"[A-Za-z]", text):
        index = ord(text.upper()) - ord("A")
        return index if index < len(choices) else None
    stated = _STATED.fullmatch(text)
    return named(stated[1] if stated else text, choices)
