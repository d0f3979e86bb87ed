"""What to do about a finding: one sentence, and one command to copy."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from ..stats import round_up
from ..text.token_check import UNSPLIT_NOTE
from ..types import FINDINGS, Audit, Result
from .audited_command import AuditedCommand, parse_command


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do next: a sentence, and a command for a shell."""

    text: str
    command: str


MIRROR = NextStep(
    "Write partners for the items: the same choices with a new question, to which another choice "
    "is right. The worksheet has a row for each partner, the most urgent first.",
    "hansproof worksheet mirror {bench}{rewrite} -o sheet.csv",
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
        "List the groups that are not balanced, mend them, and check again.",
        "hansproof run balance {bench}",
    ),
    "class_balance": NextStep(
        "Put the choices in an order in which every position is right equally often.",
        "hansproof edit permute {bench} -o permuted",
    ),
    "compare": NextStep(
        "Run the systems with more seeds or on more items, then compare them again.",
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
        "with and without it (`hansproof list models` names more than bow), or with logs of your "
        "own models (--predictions).",
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
        "Train more seeds, report the mean of all runs, and look at the spread again.",
        "hansproof run seeds {bench} {predictions}",
    ),
    "sensitivity": NextStep(
        "See which words give answers away, and how often.",
        "hansproof run cues {bench}",
    ),
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
# a benchmark in which no single cue is significant has no urgent items to begin with
WEAK_CUES = NextStep(
    "See which items contribute most to the weak cues, and how many would have to be mirrored.",
    "hansproof run priority {bench}{tokenizer}",
)
AUDIT_AGAIN = "{again}"
OTHER_TOKENIZER = NextStep(
    "Choose a tokenizer that splits this text, such as chars for text without spaces.",
    "{again_with_chars}",
)
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
    if result.verdict == "undecided":
        step = _get_more_items(result, audit)
    elif result.verdict not in FINDINGS or result.probe not in STEPS:
        return None
    elif (result.probe, result.verdict) == ("cues", "caution"):
        step = WEAK_CUES
    elif result.probe == "partial_input" and _has_models(parse_command(audit)):
        step = STEPS["easy_hard"]
    else:
        step = STEPS[result.probe]
    return NextStep(step.text, step.command.format(**_placeholders(result, audit)))


def _has_models(command: AuditedCommand) -> bool:
    """Tell whether the audit had predictions of models, or trained some."""
    return command.has_option("--predictions") or command.has_option("--model")


def _get_more_items(result: Result, audit: Audit) -> NextStep:
    """Say how many items are needed, if the probe knows."""
    if UNSPLIT_NOTE in result.notes:
        return OTHER_TOKENIZER
    if result.probe == "agreement":
        return MORE_RATINGS
    margin = result.params.get("margin")
    shortcut = f" worth {100 * margin:g} points" if isinstance(margin, float) else ""
    if result.n_needed is None or round_up(result.n_needed) <= _audited_items(audit):
        text = f"Add items and audit again: these are too few to rule out a shortcut{shortcut}."
    else:
        text = (
            f"Add items and audit again: about {round_up(result.n_needed):,} are needed to rule "
            f"out a shortcut{shortcut}."
        )
    return NextStep(text, AUDIT_AGAIN)


def _audited_items(audit: Audit) -> int:
    return max(audit.sizes.values(), default=0)


def _placeholders(result: Result, audit: Audit) -> dict[str, str]:
    command = parse_command(audit)
    fields = [*audit.items[0].fields] if audit.items else []
    tokenizer = result.params.get("tokenizer")
    return {
        "bench": command.arguments(),
        "again": command.repeat(),
        "again_with_model": command.repeat("--model", "bow"),
        "again_with_items": command.repeat("--items", f"{command.output}/items.csv"),
        "again_with_chars": command.repeat("--tokenizer", "chars"),
        # a worksheet needs to know which of several texts is to be written anew
        "rewrite": f" --rewrite {shlex.quote(fields[0])}" if len(fields) > 1 else "",
        "tokenizer": f" --tokenizer {shlex.quote(str(tokenizer))}"
        if tokenizer not in (None, "word")
        else "",
        **{
            name: command.input_arguments(f"--{name}", default.replace("{output}", command.output))
            for name, default in INPUTS.items()
        },
    }
