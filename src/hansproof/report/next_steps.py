"""What to do about a finding: one sentence, and one command to copy."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..plugins import names
from ..probes.shortcuts.tables import EXPLAINED, LEADING
from ..results import key_estimate
from ..rules.typography import RUNG as TYPOGRAPHY
from ..stats import round_up
from ..text.token_check import UNSPLIT_NOTE
from ..types import FINDINGS, Audit, Cell, Result
from .audited_command import AuditedCommand, parse_command


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do next: a sentence, and a command for a shell if there is one."""

    text: str
    command: str


MIRROR = NextStep(
    "Write partners for the items: the same choices with a new question, to which another choice "
    "is right. The worksheet has a row for each partner, the most urgent first.",
    "hansproof worksheet mirror {bench}{rewrite} -o sheet.csv",
)

# the worksheet is written without --lm and --encoder, so it cannot know these rules
MIRROR_IN_FILE_ORDER = NextStep(
    "Write partners for the items: the same choices with a new question, to which another choice "
    "is right. The worksheet has a row for each partner, in the order of the file, as it cannot "
    "use a language model or an encoder to find the most urgent ones.",
    "hansproof worksheet mirror {bench}{rewrite} --first file -o sheet.csv",
)
REWRITE_CHOICES = NextStep(
    "Rewrite choices so that these rules no longer hold. The worksheet has a row for each choice "
    "that is to be changed, and says how to change it. Mirrored items (`hansproof worksheet "
    "mirror`) are more work, but also remove what no rule describes.",
    "hansproof worksheet rewrite {bench} -o choices.csv",
)
UNEXPLAINED = NextStep(
    "A model answers items without the question, and no feature shows how: audit again with "
    "--lm MODEL or --encoder MODEL, which add features.",
    "{again}",
)
NO_RULE = (
    "No single rule was confirmed, so there is nothing to rewrite yet: audit again with more "
    "items, or with a language model (--lm MODEL)."
)

# probe -> what to do where it found something
STEPS: Mapping[str, NextStep] = {
    "accuracy": NextStep(
        "See whether some of the runs failed to learn.",
        "hansproof run seeds {bench} {predictions}",
    ),
    "agreement": NextStep(
        "List the disputed items, and check their answers.",
        "hansproof run agreement {bench} {ratings}",
    ),
    "balance": NextStep(
        "List the groups that are incomplete, split or not balanced, mend them, and check again.",
        "hansproof run balance {bench}",
    ),
    "class_balance": NextStep(
        "Put the choices in an order in which every position is right equally often.",
        "hansproof edit permute {bench} -o permuted",
    ),
    "compare": NextStep(
        "See all comparisons, and run the systems with more seeds or on more items if you can.",
        "hansproof run compare {bench} {predictions}",
    ),
    "contamination": NextStep(
        "Take out the items that were found in the text, and score the models on the others.",
        "hansproof edit clean {bench} {scans} -o clean",
    ),
    "cues": MIRROR,
    "easy_hard": NextStep(
        "Split the benchmark into Easy and Hard items, and report scores on both.",
        "hansproof edit easy_hard {bench} {predictions} -o parts",
    ),
    "integrity": NextStep(
        "List the items, and correct or remove them.",
        "hansproof run integrity {bench}",
    ),
    "partial_input": NextStep(
        "Find out whether a model needs the question: audit again with a model that is trained "
        "with and without it (here bow; `hansproof list models` names others), or with logs of "
        "your own models (--predictions).",
        "{again_with_model}",
    ),
    "parts": NextStep(
        "Write a table of all items with the findings about each, and mend the worst parts first.",
        "{again_with_items}",
    ),
    "priority": MIRROR,
    "robustness": NextStep(
        "Write the changed items to a file, and check that their answers are still right.",
        "hansproof edit textfooler {bench} {trained} -o attacked",
    ),
    "seeds": NextStep(
        "See the scores of all runs, report their mean and spread, and train more seeds if you "
        "can.",
        "hansproof run seeds {bench} {runs}",
    ),
    "sensitivity": NextStep(
        "See which words give answers away, and how often.",
        "hansproof run cues {bench}",
    ),
    "shortcuts": REWRITE_CHOICES,
    "surface": NextStep(
        "Write a table of all items with the findings about each, and rewrite the choices that "
        "stand out.",
        "{again_with_items}",
    ),
    "transfer": NextStep(
        "See whether models learn words of this benchmark that mean nothing elsewhere.",
        "hansproof run cues {bench}",
    ),
}  # fmt: skip
# a rung of shortcuts -> what to do about it, if not to rewrite choices
BY_RUNG: Mapping[str, NextStep] = {
    "place": STEPS["class_balance"],
    "likelihood": MIRROR_IN_FILE_ORDER,
    "encoder": MIRROR_IN_FILE_ORDER,
}
# a benchmark in which no single cue is significant has no urgent items to begin with
WEAK_CUES = NextStep(
    "See which items contribute most to the weak cues, and how many would have to be mirrored.",
    "hansproof run priority {bench}{tokenizer}",
)
AUDIT_AGAIN = "{again}"
SERVER = "server"  # the device of language models behind servers, which do not learn
OTHER_TOKENIZER = NextStep(
    "Choose a tokenizer that splits this text, such as chars for text without spaces.",
    "{again_with_chars}",
)
PERFECT = NextStep(
    "Check that the predictions are not the answers themselves.",
    "hansproof run accuracy {bench} {predictions}",
)
BASELINES = NextStep(
    "See every score beside those of rules that need no model, and what is said of its answers.",
    "hansproof run accuracy {bench} {predictions}",
)
UNREAD_TEXT = NextStep("Scan the text that could not be read, then audit again.", "{again}")
MORE_RATINGS = NextStep(
    "Have more items answered by two people or more, then check again.",
    "hansproof run agreement {bench} {ratings}",
)
# inputs of commands, where the audit had none
INPUTS = {
    "predictions": "{output}/runs/*.jsonl",  # where `audit --model` keeps them
    "ratings": "ratings.csv",
    "scans": "found.json",
    "trained": "bow",
}


def next_step(result: Result, audit: Audit) -> NextStep | None:
    """Return what to do about a result; None if nothing was found, or by an external probe."""
    command = parse_command(audit)
    if result.verdict == "undecided":
        step = _get_more_items(result, audit, command)
    elif result.verdict not in FINDINGS or result.probe not in STEPS:
        return None
    else:
        step = _choose_step(result, audit, command)
    if not _is_repeatable(audit):
        return NextStep(step.text, "")
    return NextStep(step.text, step.command.format(**_placeholders(result, audit, command)))


def _is_repeatable(audit: Audit) -> bool:
    """Tell whether a command can name the benchmark: data of a program have only a title."""
    return bool(audit.command) or audit.benchmark in names("benchmarks")


def _choose_step(result: Result, audit: Audit, command: AuditedCommand) -> NextStep:
    """Choose the step for a finding: one that was not taken yet and fits what was found."""
    estimate = key_estimate(result)
    if (result.probe, result.verdict) == ("cues", "caution"):
        return WEAK_CUES
    if result.probe == "partial_input" and _was_split(audit):
        return STEPS["easy_hard"]
    if result.probe == "partial_input" and command.has_option("--model"):
        return MIRROR
    if result.probe == "shortcuts":
        return _choose_for_shortcuts(result, command)
    if result.probe == "surface" and any(map(_blames_length, audit.results)):
        return REWRITE_CHOICES
    if result.probe == "accuracy" and estimate is not None and estimate.value == 1:
        return PERFECT
    if result.probe == "accuracy" and not _may_have_failed_runs(result):
        return BASELINES
    if result.probe == "contamination" and not any(result.evidence.values()):
        return UNREAD_TEXT
    return STEPS[result.probe]


def _may_have_failed_runs(result: Result) -> bool:
    """Tell whether a system that learns has several runs; a saved audit may lack the table."""
    runs = _list_records(result, "runs")
    counts = Counter(
        (row.get("split"), row.get("system")) for row in runs if row.get("device") != SERVER
    )
    return not runs or any(count > 1 for count in counts.values())


def _choose_for_shortcuts(result: Result, command: AuditedCommand) -> NextStep:
    """Choose what fits the leading rung and the rungs of the rules."""
    leading = _find_leading_rung(result)
    rungs = [str(row["rung"]) for row in _list_records(result, "rules") if "rung" in row]
    if leading in BY_RUNG:
        return BY_RUNG[leading]
    if not rungs:
        is_sample = command.has_option("--sample")
        return NextStep(NO_RULE, "{again_without_sample}" if is_sample else AUDIT_AGAIN)
    return STEPS["shortcuts"] if {*rungs} - BY_RUNG.keys() else BY_RUNG[rungs[0]]


def _blames_length(result: Result) -> bool:
    """Tell whether length and typography give most away, by a rule that rewriting can weaken."""
    is_leading = _find_leading_rung(result) == TYPOGRAPHY
    return is_leading and any(
        row.get("rung") == TYPOGRAPHY for row in _list_records(result, "rules")
    )


def _list_records(result: Result, name: str) -> list[dict[str, Cell]]:
    """Return the rows of a table by column; a saved audit may lack the table."""
    table = result.tables.get(name)
    if table is None:
        return []
    return [dict(zip(table.columns, row, strict=False)) for row in table.rows]


def _find_leading_rung(result: Result) -> str:
    """Return the rung that gives most away; empty if the tables do not say so."""
    records = _list_records(result, "rungs")
    return next((str(row.get("rung")) for row in records if row.get("flag") == LEADING), "")


def _was_split(audit: Audit) -> bool:
    """Tell whether runs without the question separated Easy from Hard items."""
    return any(r.probe == "easy_hard" and r.verdict != "skipped" for r in audit.results)


def _get_more_items(result: Result, audit: Audit, command: AuditedCommand) -> NextStep:
    """Say how many items are needed, if the probe knows."""
    if UNSPLIT_NOTE in result.notes:
        return OTHER_TOKENIZER
    if result.probe == "agreement":
        return MORE_RATINGS
    if any(row.get("flag") == EXPLAINED for row in _list_records(result, "blind")):
        return UNEXPLAINED
    margin = result.params.get("margin")
    shortcut = f" worth {100 * margin:g} points" if isinstance(margin, float) else ""
    is_known = result.n_needed is not None and round_up(result.n_needed) > _audited_items(audit)
    if command.has_option("--sample"):
        needed = f"about {round_up(result.n_needed or 0):,}" if is_known else "all"
        return NextStep(
            f"Audit more of the items: {needed} are needed to rule out a shortcut{shortcut}.",
            "{again_with_larger_sample}" if is_known else "{again_without_sample}",
        )
    if not is_known:
        text = f"Add items and audit again: these are too few to rule out a shortcut{shortcut}."
    else:
        text = (
            f"Add items and audit again: about {round_up(result.n_needed or 0):,} are needed to "
            f"rule out a shortcut{shortcut}."
        )
    return NextStep(text, AUDIT_AGAIN)


def _audited_items(audit: Audit) -> int:
    return max(audit.sizes.values(), default=0)


def _placeholders(result: Result, audit: Audit, command: AuditedCommand) -> dict[str, str]:
    fields = [*audit.items[0].fields] if audit.items else []
    tokenizer, by = result.params.get("tokenizer"), result.params.get("by")
    # an audit by a program compares parts without the option
    parts = f" --by {shlex.quote(str(by))}" if by and not command.has_option("--by") else ""
    return {
        "bench": command.arguments(),
        "again": command.repeat(),
        "again_with_model": command.repeat("--model", "bow"),
        "again_with_items": command.repeat("--items", f"{command.output}/items.csv") + parts,
        "again_with_larger_sample": command.repeat("--sample", str(round_up(result.n_needed or 1))),
        "again_without_sample": command.repeat(without="--sample"),
        "again_with_chars": command.repeat("--tokenizer", "chars"),
        # a worksheet needs to know which of several texts is to be written anew
        "rewrite": f" --rewrite {shlex.quote(fields[0])}" if len(fields) > 1 else "",
        "tokenizer": f" --tokenizer {shlex.quote(str(tokenizer))}"
        if tokenizer not in (None, "word")
        else "",
        "runs": _name_runs(command),
        **{name: _input_arguments(command, name) for name in INPUTS},
    }


def _input_arguments(command: AuditedCommand, name: str) -> str:
    """Return the option of an input as the audit had it, or with a default."""
    return command.input_arguments(f"--{name}", INPUTS[name].replace("{output}", command.output))


def _name_runs(command: AuditedCommand) -> str:
    """Return the option with the runs of the audit, which may be a table of accuracies."""
    if "--accuracies" in command.inputs and "--predictions" not in command.inputs:
        return command.input_arguments("--accuracies", "")
    return _input_arguments(command, "predictions")
