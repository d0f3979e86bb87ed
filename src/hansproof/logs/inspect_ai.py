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
from ..types import Item, Items, NoAnswer, Params
from ._eval_archive import EvalArchive, open_archive
from ._json_objects import load_object, nested_object
from ._json_value import JsonValue
from ._log_run import LogEntry, LogRun
from ._matching.quoted_choices import NO_CHOICES, find_named_choice
from ._sniff import file_stem, read_head

_ZIP = b"PK\x03\x04"
_MEMBER_PREFIXES = (b"_journal/", b"samples/", b"header.json", b"summaries.json")
_HEAD = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"eval"\s*:\s*\{')
_SUMMARIES = "summaries.json"
_STOP_REASONS: dict[str, NoAnswer] = {
    "max_tokens": "cut off",
    "model_length": "cut off",
    "content_filter": "refused",
}
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
        entries = tuple(_parse_entry(sample, path) for sample in epochs[epoch])
        reasons = [f"its status is {truncate(str(status))}"] if status != "success" else []
        if len(entries) < expected:
            reasons.append(f"{expected - len(entries)} of {expected} samples are missing")
        yield _build_run(header, epoch, entries, "; ".join(reasons) or None, path)


def items(path: str) -> Items:
    """Return the items that the log contains; an item occurs once for each epoch."""
    header, samples = _read_log(path, whole_samples=True)
    if not samples:
        raise BadInput(path, _explain_empty(header))
    return tuple(_parse_item(sample, path) for sample in samples)


def _parse_item(sample: JsonObject, path: str) -> Item:
    entry = _parse_entry(sample, path)
    assert not isinstance(entry.answer, str)  # `_parse_entry` gives an index or None
    question = JsonValue(sample.get("input"), path, f"input of {truncate(entry.id)}").text()
    choices = [JsonValue(text, path, f"choices of {truncate(entry.id)}") for text in entry.choices]
    return Item(
        JsonValue(entry.id, path, "id").name(),
        {"question": question},
        tuple(choice.text() for choice in choices),
        entry.answer,
    )


def _build_run(
    header: JsonObject,
    epoch: int,
    entries: tuple[LogEntry, ...],
    unfinished: str | None,
    path: str,
) -> LogRun:
    spec = nested_object(header, "eval")
    version = nested_object(spec, "packages").get("inspect_ai", "")
    params: Params = {
        "tool": f"inspect_ai {version}".strip(),
        "task": str(spec.get("task", "")),
        "epoch": epoch,
    }
    model = str(spec.get("model") or file_stem(path))
    return LogRun(entries, model, params=params, unfinished=unfinished)


def _explain_empty(header: JsonObject) -> str:
    """Explain why a log has no samples and what the user can do."""
    status = str(header.get("status", "started"))
    if status == "success":
        return "has no samples: run the evaluation again with log_samples"
    message = nested_object(header, "error").get("message", "")
    reason = f"has no samples: its status is {truncate(status)}"
    return f"{reason} ({truncate(message)})" if isinstance(message, str) and message else reason


def _read_log(path: str, whole_samples: bool = False) -> tuple[JsonObject, list[JsonObject]]:
    """Read the header and the samples of a log, or summaries of them, which cut long texts."""
    try:
        first_bytes = read_head(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None
    if first_bytes.startswith(_ZIP):
        with open_archive(path) as archive:
            return _read_header(archive, path), _read_samples(archive, path, whole_samples)
    header = load_object(read_utf8(path), path)
    return header, _check_samples(header.pop("samples", None) or [], path)


def _read_header(archive: EvalArchive, path: str) -> JsonObject:
    """Read the header of a finished run, or else the one written at its start."""
    for name in ("header.json", "_journal/start.json"):
        if name in archive.infos:
            return load_object(archive.read_member(name), f"{path}/{name}")
    raise BadInput(path, "is not an Inspect log: it contains no header.json")


def _read_samples(archive: EvalArchive, path: str, whole_samples: bool) -> list[JsonObject]:
    """Read samples from the summaries if they are complete and will do, else one by one."""
    names = [name for name in archive.infos if re.fullmatch(r"samples/.+\.json", name, re.DOTALL)]
    if names and _SUMMARIES in archive.infos and not whole_samples:
        file = f"{path}/{_SUMMARIES}"
        summaries = _check_samples(parse_json(archive.read_member(_SUMMARIES), file), file)
        # not all versions include the choices
        if len(summaries) == len(names) and all(sample.get("choices") for sample in summaries):
            return [_add_reason(sample, archive, path) for sample in summaries]
    return [load_object(archive.read_member(name), f"{path}/{name}") for name in names]


def _add_reason(summary: JsonObject, archive: EvalArchive, path: str) -> JsonObject:
    """Return the whole sample instead of a summary without scores: it says why there are none."""
    name = f"samples/{summary.get('id')}_epoch_{summary.get('epoch')}.json"
    if nested_object(summary, "scores") or name not in archive.infos:
        return summary
    return load_object(archive.read_member(name), f"{path}/{name}")


def _check_samples(value: object, file: str) -> list[JsonObject]:
    if not isinstance(value, list) or not all(isinstance(sample, dict) for sample in value):
        raise BadInput(file, "is not a list of objects", field="samples")
    return value


def _parse_entry(sample: JsonObject, path: str) -> LogEntry:
    """Parse the entry of a sample, with a reason if the model gave no answer."""
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
        message = f"{truncate(str(id))} has {len(targets)} right answers; exactly one is needed"
        raise BadInput(path, message, field="target")
    texts = tuple(choices)
    choice = _scored_choice(nested_object(sample, "scores"), texts)
    answer = _answer_index(targets[0], texts) if targets else None
    return LogEntry(
        str(id),
        "" if choice is None else choice,
        answer=answer,
        choices=texts,
        no_answer=_find_reason(sample) if choice is None else None,
        prompt=_quote_prompt(sample.get("input"), texts),
    )


def _find_reason(sample: JsonObject) -> NoAnswer:
    """Return why a sample has no answer: it failed, or the model stopped early, or else."""
    if sample.get("error"):
        return "error"
    completions = nested_object(sample, "output").get("choices")
    first = completions[0] if isinstance(completions, list) and completions else None
    stop_reason = first.get("stop_reason") if isinstance(first, dict) else None
    return _STOP_REASONS.get(str(stop_reason), "unparsed")


def _quote_prompt(value: object, choices: tuple[str, ...]) -> str:
    """Return the input of a sample, a text or messages, and the choices that the solver adds."""
    messages = value if isinstance(value, list) else [{"content": value}]
    contents = [message.get("content") for message in messages if isinstance(message, dict)]
    texts = [content for content in contents if isinstance(content, str)]
    return "\n".join([*texts, *choices]) if texts else ""


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
