"""HELM's scenario states: ten models on four subjects of MMLU, and what may be wrong in others."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hansproof.errors import BadInput
from hansproof.logs import _unpack, helm, read, read_items
from hansproof.logs._log_run import LogRun
from hansproof.logs._sniff import read_head
from hansproof.probes.accuracy import Accuracy
from hansproof.types import Benchmark, Predictions

from ..support.helm_logs import CHOICES, change, make_state, write_log
from ..support.log_factories import accuracy, data_path
from ..support.markers import needs_data

SUBJECTS = ("virology", "college_chemistry", "econometrics", "global_facts")
# percentages of right answers, no answer counted wrong: figures of issue 23, in order of SUBJECTS
PUBLISHED = {
    "openai/gpt-4o-2024-05-13": (59.6, 61.0, 69.3, 64.0),
    "meta/llama-3-70b": (59.0, 56.0, 69.3, 49.0),
}
UNREAD = {"openai/gpt-4-1106-preview": (2, 36, 4, 2), "openai/gpt-4-0613": (0, 0, 0, 1)}
TWINS = ("google/text-unicorn@001", "writer/palmyra-x-v3")


@cache
def read_subject(subject: str) -> tuple[Benchmark, dict[str, Predictions]]:
    """The items of a subject as a benchmark, and the run of every model on it."""
    pattern = data_path("helm", "*", f"{subject}.json.gz")
    benchmark = Benchmark(subject, {"all": read_items([pattern])})
    return benchmark, {run.model: run for run in read([pattern], benchmark)}


@needs_data
@pytest.mark.parametrize("subject", SUBJECTS)
def test_accuracies_are_the_published_ones(subject: str) -> None:
    benchmark, runs = read_subject(subject)
    for model, percentages in PUBLISHED.items():
        percentage = 100 * accuracy(runs[model], benchmark)
        assert round(percentage, 1) == percentages[SUBJECTS.index(subject)]


@needs_data
@pytest.mark.parametrize("subject", SUBJECTS)
def test_answers_that_cannot_be_read_are_counted(subject: str) -> None:
    benchmark, runs = read_subject(subject)
    assert len(runs) == 10
    assert {run.view for run in runs.values()} == {"full"}
    for model, run in runs.items():
        assert len(run.unanswered) == UNREAD.get(model, (0,) * 4)[SUBJECTS.index(subject)]
        assert set(run.unanswered.values()) <= {"cut off"}  # after one token
        assert len(run.scores) + len(run.unanswered) == len(benchmark.splits["all"])
    assert sum(sum(counts) for counts in UNREAD.values()) == 45


@needs_data
@pytest.mark.parametrize("subject", SUBJECTS)
def test_two_models_with_identical_answers_are_named(subject: str) -> None:
    benchmark, runs = read_subject(subject)
    pairs = {(a, b) for a in runs for b in runs if a < b and runs[a].scores == runs[b].scores}
    assert pairs == {TWINS}
    result = Accuracy()(benchmark, tuple(runs.values()))
    (note,) = (note for note in result.notes if "identical" in note)
    assert all(model in note for model in TWINS)


@needs_data
def test_a_run_says_what_the_log_says() -> None:
    path = data_path("helm", "meta_llama-3-70b", "virology.json.gz")
    assert helm.matches(path, read_head(path))
    (run,) = helm.runs(path)
    assert (run.model, run.split, run.seed) == ("meta/llama-3-70b", "test", None)
    assert run.params == {
        "tool": "HELM", "method": "multiple_choice_joint",
        "model_deployment": "together/llama-3-70b", "max_train_instances": 5, "max_tokens": 1,
        "temperature": 0.0,
    }  # fmt: skip
    assert len(run.entries) == 166


@needs_data
def test_items_of_the_log() -> None:
    benchmark, _ = read_subject("virology")
    item = benchmark.splits["all"][0]
    assert (item.id, item.answer) == ("id23", 0)
    assert item.fields == {"question": "How many human polyomaviruses are known at present?"}
    assert item.choices == ("100", "1", "10", "unknown")


def with_result(text: str = "", finish_reason: str | None = None, **result: Any) -> dict[str, Any]:
    completion = {"text": text, "finish_reason": finish_reason and {"reason": finish_reason}}
    return make_state(result={"success": True, "completions": [completion], **result})


def read_run(folder: Path, *states: object, **spec: Any) -> LogRun:
    (run,) = helm.runs(write_log(folder, *states, **spec))
    return run


@pytest.mark.parametrize(
    ("text", "choice"),
    [("B", 1), (" B", 1), ("B.", 1), ("(B)", 1), ("**B**\n", 1), ("b", 1),
     ("The answer is B", 1), ("The correct answer is (B).", 1), ("So, the answer is: C, since", 2),
     ("Answer: A", 0), ("B. two viruses", 1), ("(B) Two viruses.", 1), ("two viruses", 1),
     ("D", None), ("", None), ("The", None), ("To", None), ("B or C", None),
     ("The answer is B or C", None), ("The answer is a virus", None), ("B. no virus", None),
     ("The answer is A. No, the answer is B.", None), ("I cannot answer that", None)],
)  # fmt: skip
def test_forms_of_an_answer(text: str, choice: int | None, tmp_path: Path) -> None:
    (entry,) = read_run(tmp_path, make_state(text=text)).entries
    assert entry.model_answer == ("" if choice is None else choice)
    assert entry.no_answer == ("unparsed" if choice is None else None)
    assert (entry.answer, entry.choices) == (1, CHOICES)


def test_settings_that_make_no_sense_are_left_out(tmp_path: Path) -> None:
    run = read_run(
        tmp_path, make_state(), temperature=10**400, max_tokens=[1], model_deployment="d"
    )
    assert run.params == {
        "tool": "HELM",
        "method": "multiple_choice_joint",
        "model_deployment": "d",
    }


def test_labels_need_not_be_letters(tmp_path: Path) -> None:
    mapping = dict(zip("123", CHOICES, strict=True))
    run = read_run(tmp_path, make_state(text=" 2", output_mapping=mapping))
    assert run.entries[0].model_answer == 1


def test_a_label_goes_before_the_text_of_a_choice(tmp_path: Path) -> None:
    state = make_state(text="A", output_mapping={"A": "B", "B": "A"})
    state["instance"]["references"] = [
        {"output": {"text": text}, "tags": []} for text in ("B", "A")
    ]
    (entry,) = read_run(tmp_path, state).entries
    assert (entry.model_answer, entry.answer) == (0, None)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (with_result(""), "unparsed"),
        (with_result("", "length"), "cut off"),
        (with_result("", "stop"), "unparsed"),
        (with_result("The", "length"), "cut off"),
        (with_result("", "content_filter"), "refused"),
        (with_result("", "The prompt violates OpenAI's content policy. See ..."), "refused"),
        (with_result(success=False, completions=[], error="Content blocked: 3"), "refused"),
        (with_result(success=False, completions=[], error="time out"), "error"),
        (with_result(success=False, completions=[]), "error"),
        (with_result(completions=[]), "unparsed"),
        (make_state(result=None), "not asked"),
    ],
)
def test_why_there_is_no_answer(state: object, reason: str, tmp_path: Path) -> None:
    (entry,) = read_run(tmp_path, state).entries
    assert (entry.model_answer, entry.no_answer) == ("", reason)


LISTED = "A. one virus\nB. two viruses\nC. no virus\n"


@pytest.mark.parametrize(
    ("prompt", "view"),
    [
        (f"Question: How many of id1?\n{LISTED}Answer:", "full"),
        (f"Which is right?\n{LISTED}Answer:", "unknown"),
        ("How many of id1?", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_view_is_what_the_prompt_contains(prompt: str, view: str, tmp_path: Path) -> None:
    path = write_log(tmp_path, make_state(request={"prompt": prompt}))
    (run,) = read([path], Benchmark("made", {"all": read_items([path])}))
    assert run.view == view


def test_trials_and_splits_are_runs(tmp_path: Path) -> None:
    first, second = make_state(), make_state(text="C", train_trial_index=1)
    runs = list(helm.runs(write_log(tmp_path, first, second)))
    assert [(run.seed, run.entries[0].model_answer) for run in runs] == [(0, 1), (1, 2)]
    second = make_state("id2")
    second["instance"]["split"] = "valid"
    runs = list(helm.runs(write_log(tmp_path, first, second)))
    assert [(run.split, run.seed) for run in runs] == [("test", None), ("valid", None)]


RESULT = ("result", "completions", 0)
REFERENCES = ("instance", "references")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("instance",), [], "request_states[0].instance: is a list, not an object"),
        (("instance", "id"), 3, "instance.id: is a number, not text"),
        (("instance", "id"), " ", "instance.id: is empty"),
        (("instance", "id"), "a\0", "instance.id: contains a NUL character"),
        (("instance", "split"), None, "instance.split: is missing, not text"),
        (("instance", "input"), {}, "instance.input.text: is missing, not text"),
        (("instance", "input", "text"), "\ud800", "input.text: contains half of a surrogate pair"),
        (
            ("instance", "perturbation"),
            {"name": "typos"},
            "augmentation changed the text: use a log without",
        ),
        (REFERENCES, {}, "instance.references: is an object, not a list"),
        (REFERENCES, [], "instance.references: id1 has fewer than two choices"),
        ((*REFERENCES, 0, "tags"), ["correct"], "id1 has 2 right answers; exactly one is needed"),
        ((*REFERENCES, 0, "tags"), "correct", "references[0].tags: is text, not a list"),
        ((*REFERENCES, 0, "output"), "x", "references[0].output: is text, not an object"),
        (("output_mapping",), {"A": "x"}, "output_mapping: does not list the choices of id1"),
        (("output_mapping",), None, "output_mapping: is missing, not an object"),
        (("train_trial_index",), True, "train_trial_index: is not a whole number"),
        (("train_trial_index",), 1e300, "train_trial_index: is not a whole number"),
        (("request",), {}, "request.prompt: is missing, not text"),
        (("result",), [], "result: is a list, not an object"),
        (("result", "completions"), "B", "result.completions: is text, not a list"),
        ((*RESULT, "text"), ["B"], "completions[0].text: is a list, not text"),
        ((*RESULT, "text"), None, "completions[0].text: is missing, not text"),
        ((*RESULT,), {"text": "", "finish_reason": "x"}, "finish_reason: is text, not an object"),
    ],
)
def test_values_that_make_no_sense(
    path: tuple[str | int, ...], value: object, message: str, tmp_path: Path
) -> None:
    log = write_log(tmp_path, change(make_state(), *path, value=value))
    with pytest.raises(BadInput) as caught:
        list(helm.runs(log))
    assert str(caught.value).startswith(f"{log}: request_states[0].")
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ([], "is a list, not an object"),
        ({"adapter_spec": {}}, "request_states: is missing, not a list"),
        ({"adapter_spec": {}, "request_states": []}, "request_states: contains no requests"),
        ({"adapter_spec": {}, "request_states": [1]}, "adapter_spec.method: None is not supported"),
        (
            {"adapter_spec": {"method": "generation"}, "request_states": [1]},
            "adapter_spec.method: generation is not supported: use logs of multiple_choice_joint",
        ),
        (
            {"adapter_spec": {"method": "multiple_choice_joint"}, "request_states": [1]},
            "adapter_spec.model: is missing, not text",
        ),
    ],
)
def test_documents_that_make_no_sense(log: object, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(log))
    with pytest.raises(BadInput, match=r"a\.json: ") as caught:
        list(helm.runs(str(path)))
    assert message in str(caught.value)


def test_a_bomb_and_a_broken_archive_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_unpack, "LIMIT", 2**20)
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b'{"adapter_spec": {' + b" " * 2**21))
    assert helm.matches(str(path), read_head(str(path)))
    with pytest.raises(BadInput, match="is larger than 1 MiB when unpacked"):
        list(helm.runs(str(path)))
    packed = gzip.compress(Path(write_log(tmp_path, make_state())).read_bytes())
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(BadInput, match="cannot be unpacked"):
        list(helm.runs(str(path)))
