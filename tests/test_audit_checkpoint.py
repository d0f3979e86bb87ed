"""An audit that was stopped continues: with saved results, but only if they are of this audit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from hansproof import load, predict
from hansproof._infra.json_bytes import encode_json
from hansproof.audit_checkpoint import FILE_NAME, MARK, AuditCheckpoint, _describe
from hansproof.auditing import load_audit, run_audit
from hansproof.inputs.choice_vectors import ChoiceVectors
from hansproof.inputs.likelihoods import ChoiceLikelihoods
from hansproof.probes.accuracy import Accuracy
from hansproof.probes.class_balance import ClassBalance
from hansproof.probes.cues import Cues
from hansproof.probes.easy_hard import EasyHard
from hansproof.probes.surface import Surface
from hansproof.sweeps import version
from hansproof.types import Benchmark, Predictions, Result

TOY = load("toy:original")
PROBES = (ClassBalance(), Cues(), Surface())


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A probe that stops the audit, as Ctrl-C does."""

    needs: ClassVar[tuple[str, ...]] = ()

    def __call__(self, benchmark: Benchmark) -> Result:
        raise KeyboardInterrupt


def interrupt(path: Path, benchmark: Benchmark = TOY) -> None:
    probes: dict[str, Any] = {"class_balance": ClassBalance(), "stop": Interrupted()}
    with pytest.raises(KeyboardInterrupt):
        run_audit(benchmark, probes, checkpoint=AuditCheckpoint(str(path), benchmark, {}))


def test_a_stopped_audit_continues_with_the_same_results(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    interrupt(path)
    probes: dict[str, Any] = {"class_balance": ClassBalance(), "cues": Cues()}
    checkpoint = AuditCheckpoint(str(path), TOY, {})
    assert run_audit(TOY, probes, checkpoint=checkpoint) == run_audit(TOY, probes)
    assert checkpoint.resumed == ["class_balance"]
    checkpoint.remove()
    assert not path.exists()


def test_results_of_other_items_or_settings_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    interrupt(path)
    first, *rest = TOY.splits["original"]
    regrouped = replace(TOY, splits={"original": (replace(first, group="other"), *rest)})
    assert AuditCheckpoint(str(path), TOY, {}).find_result(ClassBalance()) is not None
    assert AuditCheckpoint(str(path), regrouped, {}).find_result(ClassBalance()) is None
    other_settings = ClassBalance(split="original")
    assert AuditCheckpoint(str(path), TOY, {}).find_result(other_settings) is None


def test_a_line_that_was_cut_off_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    interrupt(path)
    path.write_bytes(path.read_bytes()[:-20])
    assert AuditCheckpoint(str(path), TOY, {}).find_result(ClassBalance()) is None


def test_only_the_line_that_was_cut_off_is_lost(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    result = ClassBalance()(TOY)
    checkpoint = AuditCheckpoint(str(path), TOY, {})
    checkpoint.add_result(ClassBalance(), result)
    checkpoint.add_result(Cues(), replace(result, probe="cues"))
    path.write_bytes(path.read_bytes()[:-20])
    AuditCheckpoint(str(path), TOY, {}).add_result(Surface(), replace(result, probe="surface"))
    checkpoint = AuditCheckpoint(str(path), TOY, {})
    assert [checkpoint.find_result(probe) is not None for probe in PROBES] == [True, False, True]


@pytest.mark.parametrize("head", [b"", MARK[:9]])
def test_a_mark_that_was_cut_off_is_written_again(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(head)
    interrupt(path)
    assert AuditCheckpoint(str(path), TOY, {}).find_result(ClassBalance()) is not None


def test_a_file_of_the_user_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_text("mine\n")
    with pytest.warns(UserWarning, match="hansproof did not write it"):
        interrupt(path)
    AuditCheckpoint(str(path), TOY, {}).remove()
    assert path.read_text() == "mine\n"


def test_a_folder_of_that_name_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.mkdir()
    with pytest.warns(UserWarning, match="hansproof did not write it"):
        interrupt(path)
    AuditCheckpoint(str(path), TOY, {}).remove()
    assert path.is_dir()


def test_a_disk_that_is_full_gives_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    probes: dict[str, Any] = {"class_balance": ClassBalance(), "other": ClassBalance("original")}
    checkpoint = AuditCheckpoint(str(tmp_path / FILE_NAME), TOY, {})
    with pytest.warns(UserWarning, match="No space left on device") as warnings:
        audit = run_audit(TOY, probes, checkpoint=checkpoint)
    assert len(warnings) == 1
    assert len(audit.results) == 2


def make_predictions(model: str = "chance") -> list[Predictions]:
    return [predict("toy:original", model)]


def save_accuracy(path: Path) -> None:
    inputs = {"predictions": make_predictions()}
    AuditCheckpoint(str(path), TOY, inputs).add_result(Accuracy(), ClassBalance()(TOY))


def test_results_about_other_predictions_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    save_accuracy(path)
    same, other = make_predictions(), make_predictions("longest")
    assert AuditCheckpoint(str(path), TOY, {"predictions": same}).find_result(Accuracy())
    changed = [replace(same[0], scores=other[0].scores)]
    assert AuditCheckpoint(str(path), TOY, {"predictions": changed}).find_result(Accuracy()) is None


def test_results_with_other_likelihoods_are_not_used(tmp_path: Path) -> None:
    path = str(tmp_path / FILE_NAME)
    texts = {choice for item in TOY.splits["original"] for choice in item.choices}
    model = ChoiceLikelihoods("lm:x", "abc", "cpu", dict.fromkeys(texts, (-2.0, 1)))
    AuditCheckpoint(path, TOY, {"lm": [model]}).add_result(Surface(), ClassBalance()(TOY))
    assert AuditCheckpoint(path, TOY, {"lm": [replace(model)]}).find_result(Surface())
    other = replace(model, by_text={**model.by_text, texts.pop(): (-3.0, 1)})
    for inputs in (
        {"lm": [other]},
        {"lm": [model, other]},
        {"lm": [replace(model, model="y")]},
        {},
    ):
        assert AuditCheckpoint(path, TOY, inputs).find_result(Surface()) is None


def test_vectors_are_described_by_their_digest() -> None:
    vectors = ChoiceVectors("minilm", "abc", "cpu", {"a": 0, "b": 1}, np.eye(2, dtype=np.float32))
    description = _describe([vectors])
    assert encode_json(description) == encode_json(_describe([replace(vectors)]))
    assert description != _describe([replace(vectors, matrix=2 * vectors.matrix)])
    assert description != _describe([replace(vectors, by_text={"a": 1, "b": 0})])


def test_results_by_other_versions_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / FILE_NAME)
    versions = {"nltk": "3.8"}
    AuditCheckpoint(path, TOY, {}, versions).add_result(Cues(), ClassBalance()(TOY))
    assert AuditCheckpoint(path, TOY, {}, versions).find_result(Cues())
    assert AuditCheckpoint(path, TOY, {}, {"nltk": "3.9"}).find_result(Cues()) is None
    monkeypatch.setattr(version, "code_version", lambda *sources: "0.1.0+other")
    assert AuditCheckpoint(path, TOY, {}, versions).find_result(Cues()) is None


@pytest.mark.parametrize("setting", ["{file}", "{folder}", "bov:vectors={file}", "mlp:in={folder}"])
def test_results_with_another_file_in_the_settings_are_not_used(
    tmp_path: Path, setting: str
) -> None:
    path, folder = str(tmp_path / FILE_NAME), tmp_path / "model"
    folder.mkdir()
    file = folder / "e.json"
    file.write_text("[1]")
    probe = EasyHard(easy=setting.format(file=file, folder=folder))
    AuditCheckpoint(path, TOY, {}).add_result(probe, ClassBalance()(TOY))
    assert AuditCheckpoint(path, TOY, {}).find_result(probe)
    file.write_text("[1, 2]")
    assert AuditCheckpoint(path, TOY, {}).find_result(probe) is None


def test_results_with_a_file_that_changes_while_the_probe_runs_are_not_used(tmp_path: Path) -> None:
    path, file = str(tmp_path / FILE_NAME), tmp_path / "e.json"
    file.write_text("[1]")
    probe = EasyHard(easy=str(file))
    checkpoint = AuditCheckpoint(path, TOY, {})
    checkpoint.find_result(probe)
    file.write_text("[2]")
    checkpoint.add_result(probe, ClassBalance()(TOY))
    assert AuditCheckpoint(path, TOY, {}).find_result(probe) is None


WITH_TRAINED_MODEL = """
import sys
from hansproof import load, predict
from hansproof.audit_checkpoint import AuditCheckpoint
from hansproof.probes.accuracy import Accuracy
from hansproof.probes.class_balance import ClassBalance
from hansproof.probes.robustness import Robustness
from hansproof.sweeps import TrainedModel
TOY = load("toy:original")
ids = frozenset(item.id for item in TOY.splits["original"])
model = TrainedModel("m", object(), sys.argv[2], ids)
checkpoint = AuditCheckpoint(sys.argv[1], TOY, {"trained": [model]})
print(checkpoint.find_result(Robustness()) is not None)
checkpoint.add_result(Robustness(), ClassBalance()(TOY))
"""


def test_results_about_trained_models_are_used_by_other_processes(tmp_path: Path) -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", WITH_TRAINED_MODEL, str(tmp_path / FILE_NAME), key],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout.strip()
        for key, seed in (("a", "1"), ("a", "2"), ("b", "3"))
    ]  # fmt: skip
    assert found == ["False", "True", "False"]


def test_probes_of_users_are_run_again(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    checkpoint = AuditCheckpoint(str(path), TOY, {})
    checkpoint.add_result(Interrupted(), ClassBalance()(TOY))
    assert not path.exists()


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """An input that is not data."""

    weights: object = field(default_factory=object)


def test_inputs_that_are_not_data_leave_no_result(tmp_path: Path) -> None:
    from hansproof.probes.robustness import Robustness

    checkpoint = AuditCheckpoint(str(tmp_path / FILE_NAME), TOY, {"trained": [TrainedModel()]})
    checkpoint.add_result(Robustness(), ClassBalance()(TOY))
    assert not (tmp_path / FILE_NAME).exists()


STOPPED = """
import os, signal, sys
from hansproof.probes import surface
surface.Surface.__call__ = lambda self, benchmark: {stop}
from hansproof.cli import main
sys.argv[1:] = ["audit", {bench!r}, "-o", {folder!r}, "-q"]
main()
"""


def test_an_audit_that_is_killed_continues_on_the_command_line(tmp_path: Path) -> None:
    kill = "os.kill(os.getpid(), signal.SIGKILL)"
    code = STOPPED.format(stop=kill, bench="toy:original", folder="out")
    killed = subprocess.run([sys.executable, "-c", code], cwd=tmp_path)
    assert killed.returncode == -signal.SIGKILL
    assert os.listdir(tmp_path / "out") == [FILE_NAME]
    command = [sys.executable, "-m", "hansproof", "audit", "toy:original", "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0
    assert (
        "continued an interrupted audit; already run: balance, class_balance, cues" in done.stderr
    )
    assert sorted(os.listdir(tmp_path / "out")) == ["audit.json", "report.html"]


def test_an_interrupted_audit_of_a_folder_into_itself_reads_the_same_items(tmp_path: Path) -> None:
    line = '{"question": "why?", "choices": ["a", "b"], "answer": "B"}\n'
    (tmp_path / "test.jsonl").write_text(line)
    (tmp_path / "unfinished.jsonl").write_text(line)
    code = STOPPED.format(stop="signal.raise_signal(signal.SIGINT)", bench=".", folder=".")
    stopped = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    message = "hansproof: interrupted; run the same command again to continue\n"
    assert (stopped.returncode, stopped.stderr) == (130, message)
    assert (tmp_path / FILE_NAME).read_bytes().startswith(MARK)
    command = [sys.executable, "-m", "hansproof", "audit", ".", "-o", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "continued an interrupted audit" in done.stderr
    assert load_audit(tmp_path).sizes == {"test": 1, "unfinished": 1}
    names = ["audit.json", "report.html", "test.jsonl", "unfinished.jsonl"]
    assert sorted(os.listdir(tmp_path)) == names
