"""Formats an item and one of its choices as the text that a pretrained model reads.

Each function is one published format. Fields that a view removes are left out: without a premise
only the choice remains, without a claim only the reason and the warrant.
"""

from __future__ import annotations

from collections.abc import Callable

from ..types import Item
from ..views import ASKS_FOR

Segments = tuple[str, ...]  # one segment, or two that a tokenizer separates
Format = Callable[[Item, str], Segments]


def format_cause_first(item: Item, choice: str) -> Segments:
    """Format a COPA item (Kavumba et al. 2019): the cause, then the effect; no question."""
    premise = " ".join(item.fields.values())
    segments = (choice, premise) if item.meta.get(ASKS_FOR) == "cause" else (premise, choice)
    return segments if item.fields else (choice,)


def format_argument(item: Item, choice: str) -> Segments:
    """Format an ARCT item (Niven and Kao 2019): claim and reason as sentences, then the warrant."""
    texts = [item.fields[name] for name in ("claim", "reason") if name in item.fields]
    return (" ".join(map(_end_with_period, texts)), choice) if texts else (choice,)


def format_question(item: Item, choice: str) -> Segments:
    """Format any other item: all fields, then the choice."""
    return (" ".join(item.fields.values()), choice) if item.fields else (choice,)


def format_pair(item: Item, choice: str) -> Segments:
    """Format an item as two segments, in the order that its fields call for."""
    if ASKS_FOR in item.meta:
        return format_cause_first(item, choice)
    if item.fields.keys() & {"claim", "reason"}:
        return format_argument(item, choice)
    return format_question(item, choice)


def format_joined(item: Item, choice: str) -> Segments:
    """Format an item as one segment, joined by a space (Kavumba et al. 2020: RoBERTa, ALBERT)."""
    return (" ".join(filter(None, format_pair(item, choice))),)


def ranking_format(separator: str) -> Format:
    """Return a format that joins all parts with the tokenizer's separator (Branco et al. 2021)."""

    def format_choice(item: Item, choice: str) -> Segments:
        if item.fields.keys() & {"claim", "reason"}:
            parts = [item.fields.get("claim"), choice, item.fields.get("reason")]
        elif ASKS_FOR in item.meta:  # not in the paper: the order shows what is asked for
            parts = [*format_cause_first(item, choice)]
        else:
            parts = [*item.fields.values(), choice]
        return (separator.join(part for part in parts if part is not None),)

    return format_choice


TASKS = {"claim": "arct", "reason": "arct", "goal": "piqa", "question": "arc", "premise": "copa"}
CHOICE_NAMES = {"arct": "warrant", "piqa": "sol"}  # tasks whose choices are numbered, not lettered


def text_to_text_prompt(item: Item, task: str = "") -> tuple[str, Segments]:
    """Return a prompt with all choices, and an answer for each (T5: Branco et al. 2021).

    `task` is the first word of the prompt; by default it follows from the names of the fields.
    """
    task = task or next((TASKS[name] for name in item.fields if name in TASKS), "choose")
    uses_numbers = task in CHOICE_NAMES and len(item.choices) <= 2
    names = [
        f"{CHOICE_NAMES[task]}{index}" if uses_numbers else _choice_letter(index)
        for index in range(len(item.choices))
    ]
    asks_for = {"asks for": str(item.meta[ASKS_FOR])} if ASKS_FOR in item.meta else {}
    prompt_fields = {**item.fields, **asks_for, **dict(zip(names, item.choices, strict=True))}
    prompt = " ".join(
        [
            task if task in CHOICE_NAMES else f"{task}:",
            *(f"{name}: {text}" for name, text in prompt_fields.items()),
        ]
    )
    if uses_numbers or len(item.choices) == 1:
        return prompt, ("False", "True")
    return prompt, tuple(names)


def _choice_letter(index: int) -> str:
    return chr(ord("A") + index) if index < 26 else str(index)


def _end_with_period(text: str) -> str:
    text = text.strip()
    return text if not text or text.endswith(".") else f"{text}."
