"""HELM: `scenario_state.json` of a multiple-choice scenario, also as `.json.gz`.

HELM shows all choices with a letter each (method `multiple_choice_joint`) and reads the letter that
the model answers. Also read here are `(B)`, `B. its text`, the text alone, and `the answer is B`.
Every split and every training trial is a run; the number of a trial is the seed with which HELM
drew the examples in the prompt. The log contains the items too: `hansproof convert --items` writes
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..errors import BadInput
from ..records.location import is_number, truncate
from ..types import Item, Items, NoAnswer, Params
from ._json_objects import load_object
from ._json_value import JsonValue
from ._log_run import LogEntry, LogRun
from ._matching.quoted_choices import find_named_choice
from ._sniff import HEAD_SIZE
from ._unpack import read_start, read_unpacked

_GZIP = b"\x1f\x8b"
_HEAD = re.compile(rb'\s*\{\s*"adapter_spec"\s*:\s*\{')
_METHODS = ("multiple_choice_joint", "multiple_choice_joint_chain_of_thought")
_SETTINGS = ("model_deployment", "max_train_instances", "max_tokens", "temperature")

_ONE_CHARACTER = re.compile(r"\W*(\w)\W*")
_LABEL_AND_TEXT = re.compile(r"\W*(\w)[.:)]\W*\s(.+)", re.DOTALL)
# `the answer is (B).` but not `the answer is B or C`
_STATED = re.compile(r"\banswer(?:\s+is)?\W{1,5}(\w)(?=\W*$|[.,;:)\]*\n])", re.IGNORECASE)

_LENGTH_REASONS = ("length", "max_tokens")
_REFUSAL = re.compile(r"content.?(filter|polic|block)|block(ed|list)|safety|prohibited", re.I)


def matches(path: str, head: bytes) -> bool:
    """Check whether the file, unpacked if it is a .gz, begins with an adapter specification."""
    if head.startswith(_GZIP):
        try:
            head = read_start(path, HEAD_SIZE)
        except BadInput:
            return False
    return _HEAD.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def runs(path: str) -> Iterator[LogRun]:
    """Yield one run per split and training trial."""
    document = _read_document(path)
    spec = document.member("adapter_spec")
    params = {"tool": "HELM", "method": _read_method(spec), **_read_settings(spec)}
    model = spec.member("model").name()
    states_by_run: dict[tuple[str, int], list[JsonValue]] = {}
    for state in document.member("request_states").elements():
        key = state.member("instance", "split").name(), _read_trial(state)
        states_by_run.setdefault(key, []).append(state)
    n_trials = len({trial for _, trial in states_by_run})
    for (split, trial), states in states_by_run.items():
        entries = tuple(_parse_entry(state) for state in states)
        seed = trial if n_trials > 1 else None
        yield LogRun(entries, model, split, seed=seed, params=params)


def items(path: str) -> Items:
    """Return the items that the log contains; an item occurs once for each trial."""
    document = _read_document(path)
    _read_method(document.member("adapter_spec"))
    return tuple(_parse_item(state) for state in document.member("request_states").elements())


def _read_document(path: str) -> JsonValue:
    document = JsonValue(load_object(read_unpacked(path), path), path)
    if not document.member("request_states").elements():
        raise BadInput(path, "contains no requests", field="request_states")
    return document


def _read_method(spec: JsonValue) -> str:
    method = spec.member("method")
    if method.value not in _METHODS:
        message = (
            f"{truncate(str(method.value))} is not supported: use logs of {' or '.join(_METHODS)}"
        )
        raise method.error(message)
    return method.text()


def _read_settings(spec: JsonValue) -> Params:
    """Return the settings that are plain values; absurd numbers are left out."""
    settings: Params = {}
    for name in _SETTINGS:
        setting = spec.member(name)
        if isinstance(setting.value, str):
            settings[name] = setting.text()
        elif is_number(setting.value) and abs(setting.value) < 2**53:
            settings[name] = setting.value
    return settings


def _read_trial(state: JsonValue) -> int:
    """Return the number of the training trial."""
    trial = state.member("train_trial_index")
    if type(trial.value) is not int or not 0 <= trial.value < 2**31:
        raise trial.error("is not a whole number")
    return trial.value


def _parse_item(state: JsonValue) -> Item:
    """Parse the item of a request: its references are the choices."""
    instance = state.member("instance")
    if instance.member("perturbation").value is not None:
        raise instance.member("perturbation").error(
            "HELM's data augmentation changed the text: use a log without it"
        )
    id = instance.member("id").name()
    references = instance.member("references").elements()
    if len(references) < 2:
        raise instance.member("references").error(f"{truncate(id)} has fewer than two choices")
    choices = tuple(reference.member("output", "text").text() for reference in references)
    right_choices = [
        i
        for i, reference in enumerate(references)
        if "correct" in [tag.value for tag in reference.member("tags").elements()]
    ]
    if len(right_choices) > 1:
        message = f"{truncate(id)} has {len(right_choices)} right answers; exactly one is needed"
        raise instance.member("references").error(message)
    question = instance.member("input", "text").text()
    return Item(id, {"question": question}, choices, right_choices[0] if right_choices else None)


def _parse_entry(state: JsonValue) -> LogEntry:
    item = _parse_item(state)
    outcome = _read_outcome(state, _read_labels(state, item), item.choices)
    prompt = state.member("request", "prompt").text()
    choice, no_answer = (outcome, None) if isinstance(outcome, int) else ("", outcome)
    return LogEntry(
        item.id, choice, None, item.answer, item.choices, no_answer=no_answer, prompt=prompt
    )


def _read_labels(state: JsonValue, item: Item) -> tuple[str, ...]:
    """Return the letter of every choice in the prompt."""
    mapping = state.member("output_mapping").members()
    if tuple(text.value for text in mapping.values()) != item.choices:
        raise state.member("output_mapping").error(
            f"does not list the choices of {truncate(item.id)} in their order"
        )
    return tuple(mapping)


def _read_outcome(
    state: JsonValue, labels: Sequence[str], choices: tuple[str, ...]
) -> int | NoAnswer:
    """Return the index of the choice that the model named, or why there is no answer."""
    result = state.member("result")
    if result.value is None:
        return "not asked"
    error = result.member("error").value
    if result.member("success").value is False or error is not None:
        return "refused" if _REFUSAL.search(str(error)) else "error"
    completions = result.member("completions").elements()
    if not completions:
        return "unparsed"
    text = completions[0].member("text").text()
    index = _read_choice(text, labels, choices)
    return _explain_no_answer(completions[0]) if index is None else index


def _read_choice(text: str, labels: Sequence[str], choices: tuple[str, ...]) -> int | None:
    """Return the choice that a completion names by its label or its text."""
    character = _ONE_CHARACTER.fullmatch(text)
    if character and character[1] in labels:
        return labels.index(character[1])
    labelled = _LABEL_AND_TEXT.fullmatch(text)
    if labelled and labelled[1] in labels:
        index = labels.index(labelled[1])
        return index if find_named_choice(labelled[2], choices) == index else None
    stated_labels = {label for label in _STATED.findall(text) if label in labels}
    if stated_labels:
        return labels.index(stated_labels.pop()) if len(stated_labels) == 1 else None
    return find_named_choice(text, choices)


def _explain_no_answer(completion: JsonValue) -> NoAnswer:
    finish_reason = completion.member("finish_reason")
    reason = None if finish_reason.value is None else finish_reason.member("reason").value
    if _REFUSAL.search(str(reason)):
        return "refused"
    return "cut off" if str(reason).lower() in _LENGTH_REASONS else "unparsed"
