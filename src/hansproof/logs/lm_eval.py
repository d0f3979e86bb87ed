"""lm-evaluation-harness: `samples_TASK_TIME.jsonl`, which `--log_samples` writes.

A score is the log-likelihood of a choice, from which the tool computes `acc`; with `--per-char` it
is divided by the number of characters of the choice, as for `acc_norm`. A generated answer is a
letter or the text of a choice; any other is unparsed. Every filter of the task is a run. Model and
settings are read from `results_TIME.json` in the same folder; without it the file names the model.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from ..predictions import ModelAnswer
from ..records.lines import iter_lines, read_utf8
from ..records.location import Location, truncate, type_name
from ..types import Params
from ._json_objects import load_object, nested_object
from ._log_run import LogEntry, LogRun
from ._matching.quoted_choices import (
    NO_CHOICES,
    find_named_choice,
    find_quoted_choices,
    match_quoted_choices,
)
from ._sniff import file_stem

_HEAD = re.compile(rb'\s*\{\s*"doc_id"\s*:\s*\d+\s*,\s*"doc"\s*:')
_NAME = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl")
_IDS = ("id", "ID", "Id", "idx", "ind", "qid", "guid", "uid", "question_id", "example_id",
        "sample_id", "Record ID")  # fmt: skip


def matches(path: str, head: bytes) -> bool:
    """Check whether the first line is a sample as the tool writes it."""
    return _HEAD.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def runs(path: str) -> Iterator[LogRun]:
    """Yield one run per filter of the task; most tasks have one filter."""
    return _read_runs(path, per_char=False)


def runs_per_char(path: str) -> Iterator[LogRun]:
    """Yield the same runs with log-likelihoods divided by the length of the choice."""
    return _read_runs(path, per_char=True)


def _read_runs(path: str, per_char: bool) -> Iterator[LogRun]:
    task_info = _read_task_info(path)
    filters: dict[str, list[_LoggedSample]] = {}
    cut_off_note = None
    for line, text in iter_lines(path):
        if not text.strip():
            continue
        try:
            record = load_object(text, path, line)
        except BadInput:
            if text.endswith("\n"):
                raise
            cut_off_note = f"line {line} is cut off"
            break
        sample = _parse_sample(record, task_info, per_char, Location(path, line))
        filters.setdefault(sample.filter_name, []).append(sample)
    if not filters:
        raise BadInput(path, cut_off_note or "contains no samples")
    for name, samples in filters.items():
        yield _build_run(
            name if len(filters) > 1 else "", samples, task_info, per_char, cut_off_note
        )


@dataclass(frozen=True, slots=True)
class _TaskInfo:
    """Model, task and settings, from the results file in the folder of the samples."""

    model: str
    task: str
    params: Params
    split: str | None = None
    device: str = ""
    delimiter: str | None = None  # text between a question and a choice


@dataclass(frozen=True, slots=True)
class _LoggedSample:
    line: int
    filter_name: str
    metrics: tuple[str, ...]
    ids: dict[str, str]  # candidates for the id of the item, by name
    model_answer: ModelAnswer | None
    answer: int | None
    choices: tuple[str, ...]
    prompt: str


def _read_task_info(path: str) -> _TaskInfo:
    folder, name = os.path.split(os.path.abspath(path))
    match = _NAME.fullmatch(name)
    task, time = match.groups() if match else (file_stem(name), "")
    model = file_stem(name)
    results_files = glob.glob(os.path.join(glob.escape(folder), f"*_{glob.escape(time)}.json"))
    if not time or not results_files:
        return _TaskInfo(model, task, {"tool": "lm-eval", "task": task})
    results = load_object(read_utf8(results_files[0]), results_files[0])
    config, settings = nested_object(results, "config"), nested_object(results, "configs", task)
    params: Params = {
        "tool": f"lm-eval {results.get('lm_eval_version') or ''}".strip(),
        "task": task,
        "num_fewshot": _scalar_or_none(nested_object(results, "n-shot").get(task)),
        "random_seed": _scalar_or_none(config.get("random_seed")),
        "fewshot_seed": _scalar_or_none(config.get("fewshot_seed")),
    }
    split_names = (settings.get("test_split"), settings.get("validation_split"))
    delimiter = settings.get("target_delimiter")
    return _TaskInfo(
        str(results.get("model_name") or model),
        task,
        {name: value for name, value in params.items() if value is not None},
        next((split for split in split_names if isinstance(split, str)), None),
        str(config.get("device") or ""),
        delimiter if isinstance(delimiter, str) else None,
    )


def _scalar_or_none(value: object) -> str | int | float | None:
    return value if isinstance(value, str | int | float) else None


def _parse_sample(
    record: dict[str, Any], task_info: _TaskInfo, per_char: bool, location: Location
) -> _LoggedSample:
    doc = record.get("doc")
    doc = doc if isinstance(doc, dict) else {}
    metrics = record.get("metrics")
    metrics = tuple(map(str, metrics)) if isinstance(metrics, list) else ()
    continuations = _request_arguments(record.get("arguments"), 1, location)
    prompt = _quote_prompt(record.get("arguments"), continuations, location)
    target = record.get("target")
    model_answer: ModelAnswer | None
    if continuations and all(isinstance(text, str) for text in continuations):
        if "acc_mutual_info" in metrics:
            continuations = continuations[
                : len(continuations) // 2
            ]  # the second half repeats the choices without the question
        if len(continuations) < 2:
            raise location.error(
                "arguments", f"{NO_CHOICES} ({task_info.task} has one text to score)"
            )
        choices = match_quoted_choices(doc, continuations)
        model_answer = _choice_scores(record, len(continuations), location)
        if per_char:
            lengths = _choice_lengths(continuations, task_info.delimiter, location)
            model_answer = tuple(
                score / length for score, length in zip(model_answer, lengths, strict=True)
            )
        answer = _gold_index(target, continuations, choices)
    else:
        choices = next(find_quoted_choices(doc), ())
        model_answer = _written_choice(record, choices, task_info.task, location)
        answer = find_named_choice(target, choices) if isinstance(target, str) else None
    ids = {name: doc[name] for name in _IDS if isinstance(doc.get(name), str | int)}
    ids["doc_id"] = location.require_name(record.get("doc_id"), "doc_id")
    id_texts = {name: str(id).strip() for name, id in ids.items()}
    filter_name = str(record.get("filter", ""))
    return _LoggedSample(
        location.line, filter_name, metrics, id_texts, model_answer, answer, choices, prompt
    )


def _quote_prompt(value: object, continuations: Sequence[object], location: Location) -> str:
    """Return the context of the requests, and the choices that were scored after it."""
    contexts = dict.fromkeys(map(str, _request_arguments(value, 0, location)))
    return "\n".join([*contexts, *(text for text in continuations if isinstance(text, str))])


def _request_arguments(value: object, position: int, location: Location) -> list[Any]:
    """Return one argument of every request: 0 is the context, 1 a choice or settings."""
    if isinstance(value, dict):  # newer versions: {"gen_args_0": {"arg_0": ..., "arg_1": ...}}
        arguments = [
            nested_object(value, f"gen_args_{i}").get(f"arg_{position}") for i in range(len(value))
        ]
    elif isinstance(value, list):
        arguments = [
            request[position] if isinstance(request, list) and len(request) > position else None
            for request in value
        ]
    else:
        raise location.error(
            "arguments", f"is {type_name(value)}, which lm-eval does not write here"
        )
    return arguments


def _choice_scores(record: dict[str, Any], count: int, location: Location) -> tuple[float, ...]:
    """Return the log-likelihood of every choice, without the `is_greedy` flag of each."""
    responses = record.get("filtered_resps")
    if not isinstance(responses, list) or len(responses) < count:
        raise location.error("filtered_resps", f"does not have a score for each of {count} choices")
    return tuple(_parse_score(response, location) for response in responses[:count])


def _innermost_value(value: object) -> object:
    """Return the first value of nested lists, which have one level per request and repeat."""
    while isinstance(value, list) and value:
        value = value[0]
    return value


def _parse_score(value: object, location: Location) -> float:
    value = _innermost_value(value)
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise location.error("filtered_resps", f"{truncate(str(value))} is not a score") from None


def _choice_lengths(
    continuations: Sequence[str], delimiter: str | None, location: Location
) -> list[int]:
    """Return the number of characters of every choice, without the delimiter before it."""
    if len(set(continuations)) == 1:
        raise location.error(None, "has its choices in the question, so --per-char cannot be used")
    if delimiter is None or not all(text.startswith(delimiter) for text in continuations):
        delimiter = " " if all(text.startswith(" ") for text in continuations) else ""
    lengths = [len(text) - len(delimiter) for text in continuations]
    if not all(lengths):
        raise location.error("arguments", "has an empty choice, so --per-char cannot be used")
    return lengths


def _gold_index(
    target: object, continuations: Sequence[str], choices: tuple[str, ...]
) -> int | None:
    """Return the right choice from an index, as a number or text, or from its text."""
    text = str(target).strip()
    if re.fullmatch(r"\d{1,4}", text):
        return int(text) if int(text) < len(continuations) else None
    stripped = [continuation.strip() for continuation in continuations]
    if stripped.count(text) == 1:
        return stripped.index(text)
    return choices.index(text) if choices.count(text) == 1 else None


def _written_choice(
    record: dict[str, Any], choices: tuple[str, ...], task: str, location: Location
) -> int | None:
    """Return the choice that a generated answer names; None if it names none."""
    if not choices:
        raise location.error("doc", f"{NO_CHOICES} ({task})")
    response = _innermost_value(record.get("filtered_resps"))
    if not isinstance(response, str):
        raise location.error("filtered_resps", f"is {type_name(response)}, not an answer")
    return find_named_choice(response, choices)


def _build_run(
    filter_name: str,
    samples: Sequence[_LoggedSample],
    task_info: _TaskInfo,
    per_char: bool,
    cut_off_note: str | None,
) -> LogRun:
    id_name = _shared_id_name(samples)
    entries = tuple(
        LogEntry(
            sample.ids[id_name],
            "" if sample.model_answer is None else sample.model_answer,
            sample.line,
            sample.answer,
            sample.choices,
            prompt=sample.prompt,
        )
        for sample in samples
    )
    params = {**task_info.params, **({"filter": filter_name} if filter_name else {})}
    if isinstance(entries[0].model_answer, tuple):
        params["score"] = "per character" if per_char else "log-likelihood"
        params["acc_norm"] = "acc_norm" in samples[0].metrics
    return LogRun(
        entries,
        task_info.model,
        task_info.split,
        params=params,
        device=task_info.device,
        unfinished=cut_off_note,
    )


def _shared_id_name(samples: Sequence[_LoggedSample]) -> str:
    """Return the name of an id that is unique for every sample, or else `doc_id`."""
    for name in _IDS:
        ids = {sample.ids.get(name) for sample in samples}
        if len(ids) == len(samples) and None not in ids and "" not in ids:
            return name
    return "doc_id"
