"""lm-evaluation-harness: `samples_TASK_TIME.jsonl`, which `--log_samples` writes.

A score is the log-likelihood of a whole choice, by which the tool reckons `acc`; with `--per-char`
it is divided by the number of the choice's characters, as for `acc_norm`. An answer that was
written out must be a letter or the text of a choice. Every filter of the task is a run.
Model and settings are taken from the `results_TIME.json` beside the samples, if it is there.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from ..formats._lines import document, lines
from ..formats._record import Where, kind, shown
from ..predictions import Said
from ..types import Params
from ._json import inner, load
from ._quoted import NO_CHOICES, agreed, named, no_answer, quoted
from ._run import Entry, Run

_HEAD = re.compile(rb'\s*\{\s*"doc_id"\s*:\s*\d+\s*,\s*"doc"\s*:')
_NAME = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl")
_IDS = ("id", "ID", "Id", "idx", "ind", "qid", "guid", "uid", "question_id", "example_id",
        "sample_id", "Record ID")  # fmt: skip
_NOTHING = ("", "[invalid]")  # what the tool's filters leave where they find no answer


def matches(path: str, head: bytes) -> bool:
    """Whether the first line is a sample as the tool writes it."""
    return _HEAD.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def runs(path: str) -> Iterator[Run]:
    """One run for each filter of the task; of most tasks there is one."""
    return _runs(path, per_char=False)


def runs_per_char(path: str) -> Iterator[Run]:
    """The same, log-likelihoods divided by the length of the choice."""
    return _runs(path, per_char=True)


def _runs(path: str, per_char: bool) -> Iterator[Run]:
    about = _about(path)
    filters: dict[str, list[_Sample]] = {}
    cut = None
    for line, text in lines(path):
        if not text.strip():
            continue
        try:
            record = load(text, path, line)
        except BadInput:
            if text.endswith("\n"):
                raise
            cut = f"line {line} is cut off"
            break
        sample = _sample(record, about, per_char, Where(path, line))
        filters.setdefault(sample.filter, []).append(sample)
    if not filters:
        raise BadInput(path, cut or "holds no samples")
    for name, samples in filters.items():
        yield _run(name if len(filters) > 1 else "", samples, about, per_char, cut)


@dataclass(frozen=True, slots=True)
class _About:
    """What the results say about the samples beside them."""

    model: str
    task: str
    params: Params
    split: str | None = None
    device: str = ""
    delimiter: str | None = None  # what stands between a question and a choice


@dataclass(frozen=True, slots=True)
class _Sample:
    line: int
    filter: str
    metrics: tuple[str, ...]
    ids: dict[str, str]  # whatever may be the id of the item
    said: Said | None
    answer: int | None
    choices: tuple[str, ...]


def _about(path: str) -> _About:
    folder, name = os.path.split(os.path.abspath(path))
    match = _NAME.fullmatch(name)
    task, time = match.groups() if match else (os.path.splitext(name)[0], "")
    model = os.path.basename(folder) or "model"
    beside = glob.glob(os.path.join(glob.escape(folder), f"*_{glob.escape(time)}.json"))
    if not time or not beside:
        return _About(model, task, {"tool": "lm-eval", "task": task})
    results = load(document(beside[0]), beside[0])
    config, settings = inner(results, "config"), inner(results, "configs", task)
    params: Params = {
        "tool": f"lm-eval {results.get('lm_eval_version') or ''}".strip(),
        "task": task,
        "num_fewshot": _plain(inner(results, "n-shot").get(task)),
        "random_seed": _plain(config.get("random_seed")),
        "fewshot_seed": _plain(config.get("fewshot_seed")),
    }
    names = (settings.get("test_split"), settings.get("validation_split"))
    delimiter = settings.get("target_delimiter")
    return _About(
        str(results.get("model_name") or model),
        task,
        {name: value for name, value in params.items() if value is not None},
        next((split for split in names if isinstance(split, str)), None),
        str(config.get("device") or ""),
        delimiter if isinstance(delimiter, str) else None,
    )


def _plain(value: object) -> str | int | float | None:
    return value if isinstance(value, str | int | float) else None


def _sample(record: dict[str, Any], about: _About, per_char: bool, where: Where) -> _Sample:
    doc = record.get("doc")
    doc = doc if isinstance(doc, dict) else {}
    metrics = record.get("metrics")
    metrics = tuple(map(str, metrics)) if isinstance(metrics, list) else ()
    asked = _arguments(record.get("arguments"), where)
    target = record.get("target")
    said: Said | None
    if asked and all(isinstance(text, str) for text in asked):
        if "acc_mutual_info" in metrics:
            asked = asked[: len(asked) // 2]  # then every choice again, without the question
        if len(asked) < 2:
            raise where.bad("arguments", f"{NO_CHOICES} ({about.task} has one text to score)")
        choices = agreed(doc, asked)
        said = _scores(record, len(asked), where)
        if per_char:
            lengths = _lengths(asked, about.delimiter, where)
            said = tuple(score / length for score, length in zip(said, lengths, strict=True))
        answer = _gold(target, asked, choices)
    else:
        choices = next(quoted(doc), ())
        said = _written(record, choices, about.task, where)
        answer = named(target, choices) if isinstance(target, str) else None
    ids = {name: doc[name] for name in _IDS if isinstance(doc.get(name), str | int)}
    ids["doc_id"] = where.name(record.get("doc_id"), "doc_id")
    known = {name: str(id).strip() for name, id in ids.items()}
    filter = str(record.get("filter", ""))
    return _Sample(where.line, filter, metrics, known, said, answer, choices)


def _arguments(value: object, where: Where) -> list[Any]:
    """The second argument of every request: a choice to score, or settings for writing."""
    if isinstance(value, dict):  # newer versions: {"gen_args_0": {"arg_0": ..., "arg_1": ...}}
        found = [inner(value, f"gen_args_{i}").get("arg_1") for i in range(len(value))]
    elif isinstance(value, list):
        found = [one[1] if isinstance(one, list) and len(one) > 1 else None for one in value]
    else:
        raise where.bad("arguments", f"is {kind(value)}, not what the tool writes")
    return found


def _scores(record: dict[str, Any], count: int, where: Where) -> tuple[float, ...]:
    """The log-likelihood of every choice; beside each stands whether it is the likeliest text."""
    found = record.get("filtered_resps")
    if not isinstance(found, list) or len(found) < count:
        raise where.bad("filtered_resps", f"does not have a score for each of {count} choices")
    return tuple(_number(one, where) for one in found[:count])


def _innermost(value: object) -> object:
    """The first of a list of lists: a response of each request, and of each repeat."""
    while isinstance(value, list) and value:
        value = value[0]
    return value


def _number(value: object, where: Where) -> float:
    value = _innermost(value)
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise where.bad("filtered_resps", f"{shown(str(value))} is no score") from None


def _lengths(asked: Sequence[str], delimiter: str | None, where: Where) -> list[int]:
    """The characters of every choice, without what parts it from the question."""
    if len(set(asked)) == 1:
        raise where.bad(None, "has its choices in the question: no score per character")
    if delimiter is None or not all(text.startswith(delimiter) for text in asked):
        delimiter = " " if all(text.startswith(" ") for text in asked) else ""
    lengths = [len(text) - len(delimiter) for text in asked]
    if not all(lengths):
        raise where.bad("arguments", "has an empty choice: no score per character")
    return lengths


def _gold(target: object, asked: Sequence[str], choices: tuple[str, ...]) -> int | None:
    """The right choice: an index, as text too, or what is to be said."""
    text = str(target).strip()
    if re.fullmatch(r"\d{1,4}", text):
        return int(text) if int(text) < len(asked) else None
    said = [one.strip() for one in asked]
    if said.count(text) == 1:
        return said.index(text)
    return choices.index(text) if choices.count(text) == 1 else None


def _written(
    record: dict[str, Any], choices: tuple[str, ...], task: str, where: Where
) -> int | None:
    """The choice that a written answer names; None where the tool's filter found no answer."""
    if not choices:
        raise where.bad("doc", f"{NO_CHOICES} ({task})")
    found = _innermost(record.get("filtered_resps"))
    if not isinstance(found, str):
        raise where.bad("filtered_resps", f"is {kind(found)}, not an answer")
    index = named(found, choices)
    if index is None and found.strip() not in _NOTHING:
        what = f"{shown(found)!r} names none of the {len(choices)} choices by letter or text"
        raise where.bad("filtered_resps", what)
    return index


def _run(
    filter: str, samples: Sequence[_Sample], about: _About, per_char: bool, cut: str | None
) -> Run:  # fmt: skip
    id = _id(samples)
    entries = tuple(
        Entry(one.ids[id], one.said, one.line, one.answer, one.choices)
        for one in samples
        if one.said is not None
    )
    silent = len(samples) - len(entries)
    reasons = [no_answer(silent)] if silent else []
    params = {**about.params, **({"filter": filter} if filter else {})}
    if entries and not isinstance(entries[0].said, int):
        params["score"] = "per character" if per_char else "log-likelihood"
        params["acc_norm"] = "acc_norm" in samples[0].metrics
    return Run(
        entries,
        about.model,
        about.split,
        params=params,
        device=about.device,
        unfinished="; ".join([*reasons, *([cut] if cut else [])]) or None,
    )


def _id(samples: Sequence[_Sample]) -> str:
    """The name under which every sample has an id of its own: the dataset's, or the tool's."""
    for name in _IDS:
        ids = {one.ids.get(name) for one in samples}
        if len(ids) == len(samples) and None not in ids and "" not in ids:
            return name
    return "doc_id"
