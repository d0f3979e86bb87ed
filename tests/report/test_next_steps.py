"""What to do next: every finding has a sentence, and a command that works."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import click
import pytest

from hansproof.cli import CONTEXT_SETTINGS, cli
from hansproof.models.api import Api
from hansproof.plugins import names
from hansproof.report.explain import MEANINGS, TERMS, explain_verdict
from hansproof.report.next_steps import SERVER, STEPS, next_step
from hansproof.text.token_check import UNSPLIT_NOTE
from hansproof.types import FINDINGS, Audit, Estimate, Result, Table, Verdict

from ..support.audited_benchmarks import audited
from ..support.cli_runner import run_here
from ..support.report_sample import audit, sample

TOY = replace(sample(("dev",), 60, 30, 2), command="hansproof audit toy:original -o audit")
PROBES = [*names("probes")]
UNDECIDED = (
    "agreement", "class_balance", "cues", "partial_input", "parts", "shortcuts", "surface",
)  # fmt: skip
# probes whose command needs what a test does not have: weights, scans, ratings
UNTRIED = ("agreement", "contamination", "robustness")


def command_for(probe: str, verdict: Verdict = "exposed", of: Audit = TOY) -> list[str]:
    step = next_step(Result(probe, {}, verdict, ""), of)
    assert step is not None
    assert step.text.endswith(".")
    return shlex.split(step.command)


def check_arguments(words: list[str]) -> None:
    """Parse a command as the command line does, and run nothing."""
    program, *args = words
    assert program == "hansproof"
    command: click.Command = cli
    context = click.Context(cli, **CONTEXT_SETTINGS)
    while isinstance(command, click.Group):
        _, found, args = command.resolve_command(context, args)
        assert found is not None
        command, context = found, click.Context(found, parent=context)
    command.make_context(command.name, args, parent=context.parent)


@pytest.mark.parametrize("verdict", FINDINGS)
@pytest.mark.parametrize("probe", PROBES)
def test_every_finding_of_every_probe_has_a_command_that_is_parsed(
    probe: str, verdict: Verdict
) -> None:
    words = command_for(probe, verdict)
    assert "toy:original" in words
    check_arguments(words)


@pytest.mark.parametrize("probe", UNDECIDED)
def test_where_there_are_too_few_items_it_says_so(probe: str) -> None:
    check_arguments(command_for(probe, "undecided"))


def test_a_command_with_an_unknown_option_is_not_parsed() -> None:
    with pytest.raises(click.NoSuchOption):
        check_arguments(["hansproof", "edit", "permute", "toy", "-o", "x", "--sheet", "y"])


def test_it_says_how_many_items_are_needed() -> None:
    few = Result("surface", {"margin": 0.05}, "undecided", "", n_needed=1488)
    step = next_step(few, TOY)
    assert step is not None
    assert step.text == (
        "Add items and audit again: about 1,500 are needed to rule out a shortcut worth 5 points."
    )
    unknown = next_step(replace(few, n_needed=None), TOY)
    assert unknown is not None
    assert "too few to rule out a shortcut worth 5 points" in unknown.text
    unsplit = next_step(replace(few, notes=(UNSPLIT_NOTE,)), TOY)
    assert unsplit is not None
    assert "--tokenizer chars" in unsplit.command
    check_arguments(shlex.split(unsplit.command))


@pytest.mark.parametrize("verdict", ["clear", "skipped"])
def test_without_a_finding_there_is_nothing_to_do(verdict: Verdict) -> None:
    assert all(next_step(Result(probe, {}, verdict, ""), TOY) is None for probe in PROBES)


def test_nobody_knows_what_to_do_about_a_probe_from_elsewhere() -> None:
    assert next_step(Result("./mine.py", {}, "exposed", ""), TOY) is None
    assert {*STEPS} == {*PROBES}


def test_options_of_the_audit_are_carried_over() -> None:
    command = "hansproof audit quiz.csv --answer key --predictions 'a*.jsonl' --by topic -o out"
    given = replace(TOY, command=command)
    assert command_for("class_balance", of=given) == [
        *("hansproof", "edit", "permute", "quiz.csv", "--answer", "key", "-o", "permuted")
    ]
    assert "a*.jsonl" in command_for("easy_hard", of=given)
    parts = next_step(Result("parts", {"by": "topic"}, "exposed", ""), given)
    assert parts is not None
    assert "--by topic" in parts.command


def test_an_audit_that_is_repeated_keeps_its_inputs() -> None:
    command = "hansproof audit quiz.csv --predictions 'a*.jsonl' --items x.csv --force -o 'my out'"
    given = replace(TOY, command=command)
    assert command_for("surface", of=given) == [
        *("hansproof", "audit", "quiz.csv", "--predictions", "a*.jsonl"),
        *("--items", "my out/items.csv", "-o", "my out"),
    ]


def test_what_was_done_is_not_suggested_again() -> None:
    first = command_for("partial_input")
    assert first[-4:] == ["--model", "bow", "-o", "audit"]
    trained = replace(TOY, command=shlex.join(first))
    assert command_for("partial_input", of=trained)[1] == "worksheet"
    split = Result("easy_hard", {}, "caution", "")
    compared = replace(trained, results=(*trained.results, split))
    assert command_for("partial_input", of=compared)[:3] == ["hansproof", "edit", "easy_hard"]


def test_of_a_sample_more_items_are_audited() -> None:
    few = Result("surface", {"margin": 0.05}, "undecided", "", n_needed=1488)
    sampled = replace(TOY, command="hansproof audit toy --sample 60 -o audit")
    step = next_step(few, sampled)
    assert step is not None
    assert step.text.startswith("Audit more of the items: about 1,500 are needed")
    assert step.command == "hansproof audit toy --sample 1500 -o audit"
    unknown = next_step(replace(few, n_needed=None), sampled)
    assert unknown is not None
    assert unknown.command == "hansproof audit toy -o audit"


def test_items_of_a_program_have_no_command() -> None:
    given = replace(TOY, command="", benchmark="my items")
    step = next_step(Result("cues", {}, "exposed", ""), given)
    assert step is not None
    assert step.command == ""
    named = next_step(Result("cues", {}, "exposed", ""), replace(given, benchmark="copa"))
    assert named is not None
    assert named.command.startswith("hansproof worksheet mirror copa:dev")


def test_parts_that_a_program_compared_are_compared_by_the_command() -> None:
    given = replace(TOY, command="", benchmark="copa")
    parts = next_step(Result("parts", {"by": "asks-for"}, "exposed", ""), given)
    assert parts is not None
    assert shlex.split(parts.command)[-2:] == ["--by", "asks-for"]
    check_arguments(shlex.split(parts.command))


def test_steps_fit_what_was_found() -> None:
    perfect = Result(
        "accuracy", {}, "caution", "", estimates=(Estimate("m", 1.0, 0.9, 1.0, 60, 0.5),), key="m"
    )
    step = next_step(perfect, TOY)
    assert step is not None
    assert step.text == "Check that the predictions are not the answers themselves."
    unread = next_step(Result("contamination", {}, "caution", ""), TOY)
    assert unread is not None
    assert "could not be read" in unread.text
    accuracies = replace(TOY, command="hansproof audit toy --accuracies accs.csv -o audit")
    assert command_for("seeds", of=accuracies)[-2:] == ["--accuracies", "accs.csv"]


def shortcuts_of(leading: str, *rule_rungs: str) -> Result:
    """A finding with this leading rung, and rules of these rungs."""
    rungs = Table(("rung", "flag"), (("pairs", ""), (leading, "leading" if leading else "")))
    rules = Table(("rule", "rung"), tuple(("the longest choice", rung) for rung in rule_rungs))
    return Result("shortcuts", {}, "exposed", "", tables={"rungs": rungs, "rules": rules})


@pytest.mark.parametrize(
    ("leading", "rule_rungs", "words", "sentence"),
    [
        ("typography", ["typography"], ["worksheet", "rewrite"], "a row for each choice that"),
        ("words", ["likelihood", "words"], ["worksheet", "rewrite"], "are more work"),
        ("", ["relations"], ["worksheet", "rewrite"], "says how to change it"),
        ("place", [], ["edit", "permute"], "order"),
        ("words", ["place"], ["edit", "permute"], "order"),
        ("words", ["likelihood"], ["worksheet", "mirror", "--first", "file"], "cannot use a"),
        ("likelihood", ["words"], ["worksheet", "mirror", "--first", "file"], "language model"),
        ("encoder", [], ["worksheet", "mirror", "--first", "file"], "in the order of the file"),
        ("words", [], ["audit"], "nothing to rewrite yet"),
    ],
)
def test_what_shortcuts_need_depends_on_the_rungs(
    leading: str, rule_rungs: list[str], words: list[str], sentence: str
) -> None:
    step = next_step(shortcuts_of(leading, *rule_rungs), TOY)
    assert step is not None
    assert sentence in step.text
    command = shlex.split(step.command)
    assert command[1] == words[0]
    assert {*words} <= {*command}
    check_arguments(command)


def test_without_a_rule_a_sample_is_enlarged_first() -> None:
    sampled = replace(TOY, command="hansproof audit toy --sample 20 -o audit")
    step = next_step(shortcuts_of("words"), sampled)
    assert step is not None
    assert "--sample" not in shlex.split(step.command)


def test_what_no_feature_explains_is_looked_for_with_more_of_them() -> None:
    table = Table(("model", "flag"), (("features of the choices", ""), ("strong", "explained")))
    result = Result("shortcuts", {}, "undecided", "", tables={"blind": table})
    step = next_step(result, TOY)
    assert step is not None
    assert "--lm MODEL" in step.text
    check_arguments(shlex.split(step.command))


def test_a_worksheet_says_which_text_is_to_be_written_anew() -> None:
    assert "--rewrite" not in command_for("cues")
    item = replace(TOY.items[0], fields={"my claim": "a", "reason": "b"})
    assert "my claim" in command_for("cues", of=replace(TOY, items=(item,)))


def test_words_are_split_as_the_probe_split_them() -> None:
    weak = Result("cues", {"tokenizer": "chars"}, "caution", "")
    step = next_step(weak, TOY)
    assert step is not None
    assert step.command == "hansproof run priority toy:original --tokenizer chars"


def test_it_is_there_for_what_an_audit_finds() -> None:
    findings = [r for r in audited("exposed").results if r.verdict in FINDINGS]
    assert findings
    for result in findings:
        step = next_step(result, audited("exposed"))
        assert step is not None
        check_arguments(shlex.split(step.command))


@pytest.mark.slow
def test_the_commands_run(tmp_path: Path) -> None:
    probes = sorted({*PROBES} - {*UNTRIED}, key=lambda probe: probe != "partial_input")
    commands = dict.fromkeys(tuple(command_for(probe)) for probe in probes)
    for _, *args in [*commands, tuple(command_for("cues", "caution"))]:  # predictions come first
        done = run_here(*args, cwd=tmp_path)
        assert done.returncode == 0, (args, done.stderr)
    outputs = ("sheet.csv", "permuted", "parts", "audit/items.csv", "audit/runs")
    for written in (*outputs, "audit/report.html"):
        assert (tmp_path / written).exists(), written


def test_terms_and_meanings_are_sentences_about_probes_that_exist() -> None:
    assert {*TERMS} == {*PROBES}
    assert {probe for probe, _ in MEANINGS} <= {*PROBES}
    for sentence in (*TERMS.values(), *MEANINGS.values()):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
    mine = audit((Result("mine", {}, "caution", ""),), {"dev": ()}).results[0]
    assert explain_verdict(mine) == "There is a weakness that is small or uncertain."


@pytest.mark.parametrize(
    ("leading", "rule_rungs", "word"),
    [
        ("typography", ["typography"], "rewrite"), ("typography", [], "--items"),
        ("words", ["typography"], "--items"),
    ],
)  # fmt: skip
def test_lengths_that_tell_are_evened_out_with_a_worksheet(
    leading: str, rule_rungs: list[str], word: str
) -> None:
    surface = Result("surface", {}, "exposed", "")
    results = (surface, shortcuts_of(leading, *rule_rungs))
    step = next_step(surface, replace(TOY, results=results))
    assert step is not None
    assert word in shlex.split(step.command)


def accuracy_of(*runs: tuple[str, str]) -> Result:
    """A caution about runs: their systems and devices."""
    table = Table(("split", "system", "device"), tuple(("dev", *run) for run in runs))
    return Result("accuracy", {}, "caution", "", tables={"runs": table})


@pytest.mark.parametrize(
    ("runs", "probe"),
    [
        ([("bow", "cpu"), ("bow", "cpu")], "seeds"),
        ([("api:m", SERVER), ("bow", "cpu"), ("bow", "cpu")], "seeds"),
        ([("bow", "cpu"), ("hf", "cpu")], "accuracy"),  # one run each
        ([("api:m", SERVER), ("api:m", SERVER)], "accuracy"),  # does not learn
    ],
)
def test_runs_are_suspected_of_failing_only_where_several_learnt(
    runs: list[tuple[str, str]], probe: str
) -> None:
    step = next_step(accuracy_of(*runs), TOY)
    assert step is not None
    assert shlex.split(step.command)[1:3] == ["run", probe]
    check_arguments(shlex.split(step.command))


def test_the_device_of_models_behind_servers_is_known() -> None:
    assert Api().fit_info.device == SERVER


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([("low", 0.5)], "not significantly better than a rule that needs no model."),
        ([("", 1.0)], "At least one score is perfect, which is suspicious."),
        ([("", 1.0), ("low", 0.5)], "needs no model, and at least one is perfect, which is susp"),
        ([], "needs no model, or it is perfect, which is suspicious."),
    ],
)
def test_the_report_says_whether_scores_are_low_or_perfect(
    rows: list[tuple[str, float]], sentence: str
) -> None:
    tables = {"systems": Table(("flag", "accuracy"), tuple(rows))}
    explained = explain_verdict(Result("accuracy", {}, "caution", "", tables=tables))
    assert sentence in explained
    assert ("perfect" in explained) == (sentence != "not significantly better than a rule that "
                                        "needs no model.")  # fmt: skip
