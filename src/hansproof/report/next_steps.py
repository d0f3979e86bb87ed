"""What to do about a finding: one sentence, and one command to copy."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from ..stats import round_up
from ..text.token_check import UNSPLIT_NOTE
from ..types import FINDINGS, Audit, Result
from .audited_command import parse_command


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do next: a sentence, and a command for a shell."""

    text: str
    command: str


MIRROR = NextStep(
    "Write a partner for every item, with the same choices and another right answer; the worksheet "
    "lists the most urgent items first.",
    "hansproof worksheet mirror {bench}{rewrite} -o sheet.csv",
)
LIST_ITEMS = "hansproof audit {bench}{by} --items flags.csv -o {output}"

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
        "Find out which scores survive: run models with and without the question, then audit again "
        "with their predictions.",
        "hansproof predict {bench} --model bow --views full,choices --seeds 5 --store runs",
    ),
    "parts": NextStep(
        "Write a table of all items with what was found in each, and mend the worst parts first.",
        LIST_ITEMS,
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
        "Write a table of all items with what was found in each, and rewrite choices that stand "
        "out.",
        LIST_ITEMS,
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
AUDIT_AGAIN = "hansproof audit {bench} -o {output}"
OTHER_TOKENIZER = NextStep(
    "Choose a tokenizer that splits this text, such as chars for text without spaces.",
    "hansproof audit {bench} --tokenizer chars -o {output}",
)
MORE_RATINGS = NextStep(
    "Have more items answered by two people or more, then check again.",
    "hansproof run agreement {bench} {ratings}",
)
INPUTS = {
    "predictions": "runs/*.jsonl", "ratings": "ratings.csv", "scans": "found.json", "trained": "bow"
}  # fmt: skip


def next_step(result: Result, audit: Audit) -> NextStep | None:
    """Return what to do about a result; None if nothing was found, or by an external probe."""
    if result.verdict == "undecided":
        step = _get_more_items(result, audit)
    elif result.verdict not in FINDINGS or result.probe not in STEPS:
        return None
    elif (result.probe, result.verdict) == ("cues", "caution"):
        step = WEAK_CUES
    else:
        step = STEPS[result.probe]
    return NextStep(step.text, step.command.format(**_placeholders(result, audit)))


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
    tokenizer, by = result.params.get("tokenizer"), result.params.get("by")
    return {
        "bench": command.arguments(),
        "output": shlex.quote(command.output),
        # a worksheet needs to know which of several texts is to be written anew
        "rewrite": f" --rewrite {shlex.quote(fields[0])}" if len(fields) > 1 else "",
        "tokenizer": f" --tokenizer {shlex.quote(str(tokenizer))}"
        if tokenizer not in (None, "word")
        else "",
        "by": f" --by {shlex.quote(str(by))}" if by else "",
        **{name: command.input_arguments(f"--{name}", default) for name, default in INPUTS.items()},
    }
