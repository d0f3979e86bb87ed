"""lm-evaluation-harness: logs that the tool really wrote, and what may be wrong with others."""

from __future__ import annotations

import glob
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from hansproof.benchmarks import load
from hansproof.errors import BadInput
from hansproof.logs import lm_eval, read
from hansproof.logs._log_run import LogRun
from hansproof.logs._sniff import read_head
from hansproof.types import Benchmark

HERE = os.path.join(os.path.dirname(__file__), "real")
ITEMS = {item.id: item for item in load("toy").splits["original"][:24]}


def real(task: str) -> str:
    (path,) = glob.glob(os.path.join(HERE, "lm_eval", "*", f"samples_{task}_*.jsonl"))
    return path


def records(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def put(tmp_path: Path, *samples: dict[str, Any]) -> str:
    path = tmp_path / "samples_mine_2026-01-01T00-00-00.000000.jsonl"
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    return str(path)


def sample(**changed: Any) -> dict[str, Any]:
    return {**records(real("toy_id"))[0], **changed}


def only(path: str, per_char: bool = False) -> LogRun:
    (run,) = lm_eval.runs_per_char(path) if per_char else lm_eval.runs(path)
    return run


def right(run: LogRun) -> list[float]:
    """As the tool counts: the first of the highest scores."""
    found = []
    for entry in run.entries:
        assert isinstance(entry.model_answer, tuple)
        found.append(float(entry.model_answer.index(max(entry.model_answer)) == entry.answer))
    return found


@pytest.mark.parametrize("task", ["toy_id", "toy_plain", "toy_letters"])
@pytest.mark.parametrize(("per_char", "metric"), [(False, "acc"), (True, "acc_norm")])
def test_every_sample_is_as_right_as_the_tool_says(task: str, per_char: bool, metric: str) -> None:
    run = only(real(task), per_char)
    assert right(run) == [record[metric] for record in records(real(task))]
    assert run.params["score"] == ("per character" if per_char else "log-likelihood")


def test_both_metrics_differ_on_the_real_log() -> None:
    log = records(real("toy_id"))
    assert [record["acc"] for record in log] != [record["acc_norm"] for record in log]


@pytest.mark.parametrize("task", ["toy_id", "toy_letters", "toy_written"])
def test_ids_choices_and_answers_are_the_items(task: str) -> None:
    for entry in next(lm_eval.runs(real(task))).entries:
        item = ITEMS[entry.id]
        assert (entry.choices, entry.answer) == (item.choices, item.answer)


def test_without_ids_the_choices_tell_the_items() -> None:
    run = only(real("toy_plain"))
    assert [entry.id for entry in run.entries] == [str(i) for i in range(24)]
    assert [entry.choices for entry in run.entries] == [item.choices for item in ITEMS.values()]


def test_model_and_settings_come_from_the_results() -> None:
    run = only(real("toy_id"))
    assert (run.model, run.split, run.device, run.seed) == ("tiny-gpt2", "test", "cpu", None)
    assert run.params == {
        "tool": "lm-eval 0.4.13",
        "task": "toy_id",
        "num_fewshot": 0,
        "random_seed": 0,
        "fewshot_seed": 1234,
        "score": "log-likelihood",
        "acc_norm": True,
    }


def test_without_results_the_names_tell(tmp_path: Path) -> None:
    folder = tmp_path / "some-model"
    folder.mkdir()
    path = str(shutil.copy(real("toy_id"), folder))
    run = only(path, per_char=True)
    assert (run.model, run.split) == (os.path.basename(path).removesuffix(".jsonl"), None)
    assert run.params["task"] == "toy_id"
    assert right(run) == [record["acc_norm"] for record in records(path)]


def test_every_filter_of_written_answers_is_a_run() -> None:
    log = records(real("toy_written"))
    letter, bare, only_a = lm_eval.runs(real("toy_written"))
    for run in (letter, bare):
        said = [float(entry.model_answer == entry.answer) for entry in run.entries]
        scored = [r["exact_match"] for r in log if r["filter"] == run.params["filter"]]
        assert said == scored
        assert run.unfinished is None
    silent = [r for r in log if r["filter"] == "only_a" and r["filtered_resps"] == ["[invalid]"]]
    assert silent
    assert only_a.unfinished is None
    assert sum(entry.model_answer == "" for entry in only_a.entries) == len(silent)


def test_the_log_is_bound_to_the_benchmark() -> None:
    items = load("toy").splits["original"][:24]
    part = Benchmark("part", {"original": items})
    for task in ("toy_id", "toy_plain"):
        (run,) = read([real(task)], part)
        assert list(run.scores) == [item.id for item in items]
    *_, only_a = read([real("toy_written")], part)
    assert (len(only_a.scores), set(only_a.unanswered.values())) == (6, {"unparsed"})


def test_an_answer_that_names_no_choice_is_unparsed(tmp_path: Path) -> None:
    changed = {"arguments": [["a", {}]], "filtered_resps": ["It is hard to say."]}
    (entry,) = only(put(tmp_path, sample(**changed))).entries
    assert entry.model_answer == ""


def test_the_prompt_shows_the_view() -> None:
    part = Benchmark("part", {"original": load("toy").splits["original"][:24]})
    assert {read([real(task)], part)[0].view for task in ("toy_id", "toy_plain")} == {"full"}


def test_it_knows_its_own_files_only() -> None:
    for path in glob.glob(os.path.join(HERE, "**", "*.*"), recursive=True):
        own = os.path.basename(path).startswith("samples_")
        assert lm_eval.matches(path, read_head(path)) == own


def test_a_line_that_is_cut_off(tmp_path: Path) -> None:
    text = Path(real("toy_id")).read_text()
    path = tmp_path / "samples.jsonl"
    path.write_text(text[:-200])
    run = only(str(path))
    assert run.unfinished == "line 24 is cut off"
    assert len(run.entries) == 23
    path.write_text(text[:100])
    with pytest.raises(BadInput, match=r"samples\.jsonl: line 1 is cut off$"):
        only(str(path))


def test_older_logs_have_numbers_and_lists(tmp_path: Path) -> None:
    texts = sample()["doc"]["choices"]
    path = put(
        tmp_path,
        sample(
            target=0,
            arguments=[["Why?", f" {text}"] for text in texts],
            filtered_resps=[[-1.5, False], [-2.5, True]],
        ),
    )
    (entry,) = only(path).entries
    assert (entry.model_answer, entry.answer, entry.choices) == ((-1.5, -2.5), 0, tuple(texts))


def test_mutual_information_asks_twice(tmp_path: Path) -> None:
    asked = [["Why?", " a b"], ["Why?", " c d"], ["", " a b"], ["", " c d"]]
    resps = [["-1.0", "False"], ["-2.0", "False"], ["-9.0", "False"], ["-8.0", "False"]]
    metrics = ["acc", "acc_mutual_info"]
    path = put(tmp_path, sample(doc={}, arguments=asked, filtered_resps=resps, metrics=metrics))
    (entry,) = only(path).entries
    assert (entry.model_answer, entry.choices) == ((-1.0, -2.0), ("a b", "c d"))


def test_ids_that_are_not_unique_are_not_used(tmp_path: Path) -> None:
    doc = sample()["doc"]
    twice = [sample(doc_id=i, doc={**doc, "id": "same", "idx": 7 + i}) for i in range(2)]
    assert [entry.id for entry in only(put(tmp_path, *twice)).entries] == ["7", "8"]


@pytest.mark.parametrize(
    ("changed", "per_char", "what"),
    [
        ({"filtered_resps": [["-1.0", "False"]]}, False, "a score for each of 2 choices"),
        ({"filtered_resps": [["x", "False"]] * 2}, False, "filtered_resps: x is not a score"),
        ({"arguments": 3}, False, "arguments: is a number, which lm-eval does not write here"),
        (
            {"arguments": [["a", " b"]]},
            False,
            "no choices: only logs of multiple-choice tasks are supported",
        ),
        ({"arguments": [["a b", " d"], ["a c", " d"]]}, True, "--per-char cannot be used"),
        ({"arguments": [["a", " "], ["a", " d"]]}, True, "has an empty choice"),
        ({"doc_id": None}, False, "doc_id: is missing, not text"),
        ({"arguments": [["a", {}]], "doc": {}}, False, "doc: its samples have no choices"),
    ],
)
def test_what_cannot_be_read(
    tmp_path: Path, changed: dict[str, Any], per_char: bool, what: str
) -> None:
    path = put(tmp_path, sample(**changed))
    with pytest.raises(BadInput) as error:
        only(path, per_char)
    assert str(error.value).startswith(f"{path}:1: ")
    assert what in str(error.value)
