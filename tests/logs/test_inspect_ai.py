"""Inspect: logs that the tool really wrote, and what may be wrong with others."""

from __future__ import annotations

import glob
import json
import os
import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hansproof.benchmarks import load
from hansproof.errors import BadInput
from hansproof.logs import _eval_archive, inspect_ai, read, read_partial
from hansproof.logs._eval_archive import open_archive
from hansproof.logs._log_run import LogEntry, LogRun
from hansproof.logs._sniff import read_head
from hansproof.predictions import IncompleteRun
from hansproof.types import Benchmark

HERE = os.path.join(os.path.dirname(__file__), "real")
ITEMS = {item.id: item for item in load("toy").splits["original"][:12]}
PART = Benchmark("part", {"original": tuple(ITEMS.values())})


# of the log `unclear.eval`
REASONS = {"toy-002": "unparsed", "toy-007": "unparsed", "toy-009": "error"}


def real(name: str) -> str:
    return os.path.join(HERE, "inspect_ai", name)


def only(path: str) -> LogRun:
    (run,) = inspect_ai.runs(path)
    return run


def longer(entry: LogEntry) -> int:
    """What the model of these logs answers."""
    return max(range(len(entry.choices)), key=lambda i: len(entry.choices[i]))


def unpacked(name: str) -> dict[str, bytes]:
    with open_archive(real(name)) as members:
        return {member: members.read_member(member) for member in members.infos}


def put(tmp_path: Path, content: Mapping[str, bytes]) -> str:
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return str(path)


def changed(tmp_path: Path, **changes: Any) -> str:
    """A log of which every sample is changed."""
    with open(real("json.json"), encoding="utf-8") as file:
        log = json.load(file)
    log["samples"] = [{**sample, **changes} for sample in log["samples"]]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(log))
    return str(path)


def test_the_real_logs_are_packed_as_python_cannot_unpack() -> None:
    with zipfile.ZipFile(real("plain.eval")) as archive:
        assert {info.compress_type for info in archive.infolist()} == {93}


@pytest.mark.parametrize("name", ["plain.eval", "json.json", "shuffled.eval", "unclear.eval"])
def test_items_and_answers_are_the_benchmarks(name: str) -> None:
    run = only(real(name))
    assert run.model == "mockllm/model"
    assert run.params["tool"] == "inspect_ai 0.3.285"
    for entry in run.entries:
        item = ITEMS[entry.id]
        assert (entry.choices, entry.answer) == (item.choices, item.answer)
        assert entry.model_answer == ("" if entry.no_answer else longer(entry))


@pytest.mark.parametrize("name", ["plain.eval", "epochs.eval", "shuffled.eval", "reordered.eval"])
def test_every_sample_is_as_right_as_the_tool_says(name: str) -> None:
    content = unpacked(name)
    runs = {run.params["epoch"]: run for run in inspect_ai.runs(real(name))}
    for summary in json.loads(content["summaries.json"]):
        (entry,) = (e for e in runs[summary["epoch"]].entries if e.id == summary["id"])
        assert (entry.model_answer == entry.answer) == (summary["scores"]["choice"]["value"] == "C")


def test_a_solver_that_shuffles_is_put_right() -> None:
    """The model saw another order, as the log tells, and the answer is read in the dataset's."""
    content = unpacked("shuffled.eval")
    samples = [json.loads(data) for name, data in content.items() if name.startswith("samples/")]
    turned = {s["id"] for s in samples if "shuffled" in s["scores"]["choice"]["explanation"]}
    assert 0 < len(turned) < len(samples)
    for entry in only(real("shuffled.eval")).entries:
        assert entry.model_answer == longer(entry)


def test_choices_shuffled_with_the_dataset_are_found_by_their_texts() -> None:
    log = only(real("reordered.eval"))
    assert any(entry.choices != ITEMS[entry.id].choices for entry in log.entries)
    (run,) = read([real("reordered.eval")], PART)
    (same,) = read([real("plain.eval")], PART)
    assert run.scores == same.scores


def test_every_epoch_is_a_run() -> None:
    first, second = inspect_ai.runs(real("epochs.eval"))
    assert (first.params["epoch"], second.params["epoch"]) == (1, 2)
    assert (first.seed, second.seed) == (None, None)
    assert [entry.model_answer for entry in second.entries] == [0] * 6
    assert [entry.model_answer for entry in first.entries] == [
        longer(entry) for entry in first.entries
    ]


def test_what_was_not_answered_has_a_reason() -> None:
    """Two answers without a letter, and a sample that failed."""
    assert only(real("unclear.eval")).unfinished is None
    (run,) = read([real("unclear.eval")], PART)
    assert run.unanswered == REASONS
    assert len(run.scores) == 9


def test_a_run_that_failed_says_so() -> None:
    why = "its status is error; 6 of 12 samples are missing"
    run = only(real("failed.eval"))
    assert (run.unfinished, len(run.entries)) == (why, 6)
    (partial,) = read_partial([real("failed.eval")], PART)
    assert isinstance(partial, IncompleteRun)
    assert len(partial.run.scores) == 4
    (usable,) = read([real("failed.eval")], PART)
    assert Counter(usable.unanswered.values()) == {"not asked": 6, "error": 2}


@pytest.mark.parametrize(
    ("stop_reason", "reason"),
    [("max_tokens", "cut off"), ("content_filter", "refused"), ("stop", "unparsed")],
)
def test_the_reason_is_that_of_the_model(tmp_path: Path, stop_reason: str, reason: str) -> None:
    output = {"choices": [{"stop_reason": stop_reason}]}
    path = changed(tmp_path, scores={"choice": {"answer": ""}}, output=output)
    assert {entry.no_answer for entry in only(path).entries} == {reason}


def test_the_prompt_shows_the_view(tmp_path: Path) -> None:
    assert read([real("plain.eval")], PART)[0].view == "full"
    (blind,) = read([changed(tmp_path, input="Pick one.")], PART)
    assert blind.view == "unknown"  # a blind view is never inferred
    first_words = next(iter(ITEMS.values())).fields["premise"][:30]
    (unclear,) = read([changed(tmp_path, input=first_words)], PART)
    assert unclear.view == "unknown"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (
            "free-text.eval",
            "its samples have no choices: only logs of multiple-choice tasks are supported",
        ),
        ("no-samples.eval", "has no samples: run the evaluation again with log_samples"),
    ],
)
def test_logs_without_what_is_needed(name: str, what: str) -> None:
    with pytest.raises(BadInput) as error:
        list(inspect_ai.runs(real(name)))
    assert str(error.value) == f"{real(name)}: {what}"


def test_summaries_say_what_the_samples_say(tmp_path: Path) -> None:
    for name in ("plain.eval", "unclear.eval", "epochs.eval"):
        content = unpacked(name)
        del content["summaries.json"]
        again = list(inspect_ai.runs(put(tmp_path, content)))
        assert [run.unfinished for run in again] == [
            run.unfinished for run in inspect_ai.runs(real(name))
        ]
        for one, other in zip(again, inspect_ai.runs(real(name)), strict=True):
            assert sorted(one.entries, key=str) == sorted(other.entries, key=str)


def test_a_run_that_was_killed(tmp_path: Path) -> None:
    content = unpacked("plain.eval")
    for name in ("header.json", "summaries.json", "samples/toy-003_epoch_1.json"):
        del content[name]
    run = only(put(tmp_path, content))
    assert run.unfinished == "its status is started; 1 of 12 samples are missing"
    assert (run.model, len(run.entries)) == ("mockllm/model", 11)


def test_it_knows_its_own_files_only(tmp_path: Path) -> None:
    for path in glob.glob(os.path.join(HERE, "**", "*.*"), recursive=True):
        assert inspect_ai.matches(path, read_head(path)) == (os.sep + "inspect_ai" + os.sep in path)
    other = put(tmp_path, {"a.csv": b"x"})
    assert not inspect_ai.matches(other, read_head(other))


def test_other_scorers_will_do_where_they_took_a_letter(tmp_path: Path) -> None:
    def said(**scores: Any) -> LogRun:
        return only(changed(tmp_path, scores={k: {"answer": v} for k, v in scores.items()}))

    assert {entry.model_answer for entry in said(match="ANSWER: B", other="A").entries} == {1}
    assert {entry.model_answer for entry in said(match="no idea", answer="(A)").entries} == {0}
    assert {entry.no_answer for entry in said(answer="A", choice="").entries} == {"unparsed"}
    assert {entry.no_answer for entry in said(choice="A, B").entries} == {"unparsed"}


def test_more_choices_than_letters(tmp_path: Path) -> None:
    texts = [f"the number {i}" for i in range(30)]
    path = changed(tmp_path, choices=texts, target="2", scores={"choice": {"answer": "4"}})
    assert {(entry.model_answer, entry.answer) for entry in only(path).entries} == {(29, 27)}


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"id": None}, "id: is missing, not text"),
        ({"epoch": "one"}, "epoch: is text, not a number"),
        ({"choices": ["a", 1]}, "choices: toy-001: is not a list of texts"),
        ({"target": ["A", "B"]}, "target: toy-001 has 2 right answers"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, changes: dict[str, Any], what: str) -> None:
    path = changed(tmp_path, **changes)
    with pytest.raises(BadInput) as error:
        list(inspect_ai.runs(path))
    assert str(error.value).startswith(f"{path}: {what}")


def test_files_that_are_not_there_or_broken(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        list(inspect_ai.runs(str(tmp_path / "none.eval")))
    with pytest.raises(BadInput, match="it contains no header"):
        list(inspect_ai.runs(put(tmp_path, {"samples/a.json": b"{}"})))
    with pytest.raises(BadInput, match=r"header\.json: broken JSON: "):
        list(inspect_ai.runs(put(tmp_path, {"header.json": b"{"})))
    with pytest.raises(
        BadInput, match=r"'\.\./a' would be unpacked outside the target folder: refused"
    ):
        list(inspect_ai.runs(put(tmp_path, {"../a": b"", "header.json": b"{}"})))
    cut = tmp_path / "cut.eval"
    cut.write_bytes(Path(real("plain.eval")).read_bytes()[:9000])
    with pytest.raises(BadInput, match="broken archive: "):
        list(inspect_ai.runs(str(cut)))


def test_damaged_members_are_noticed(tmp_path: Path) -> None:
    whole = Path(real("plain.eval")).read_bytes()
    with zipfile.ZipFile(real("plain.eval")) as archive:
        place = archive.getinfo("summaries.json").header_offset + 400
    path = tmp_path / "a.eval"
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    with pytest.raises(BadInput, match="broken archive: "):
        list(inspect_ai.runs(str(path)))


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_eval_archive, "COUNT", 3)
    with pytest.raises(BadInput, match="has more than 3 members"):
        only(real("plain.eval"))
    monkeypatch.setattr(_eval_archive, "COUNT", 99)
    monkeypatch.setattr(_eval_archive, "MEMBER", 100)
    with pytest.raises(BadInput, match=r"header\.json is larger than 0 MiB when unpacked"):
        only(real("plain.eval"))
