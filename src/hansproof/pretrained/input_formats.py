"""How an item and one of its choices become the text that a pretrained model reads.

Each function is one published format. What a view has taken out is left out here: without a
premise there is only the choice, without a claim only the reason and the warrant.
"""

from __future__ import annotations

from collections.abc import Callable

from ..types import Item
from ..views import ASKS_FOR

Segments = tuple[str, ...]  # one, or two that a tokenizer keeps apart
Format = Callable[[Item, str], Segments]


def format_cause_first(item: Item, choice: str) -> Segments:
    """COPA (Kavumba et al. 2019): the cause, then the effect; the question itself is not read."""
    premise = " ".join(item.fields.values())
    segments = (choice, premise) if item.meta.get(ASKS_FOR) == "cause" else (premise, choice)
    return segments if item.fields else (choice,)


def format_argument(item: Item, choice: str) -> Segments:
    """ARCT (Niven and Kao 2019): claim and reason as sentences, against the warrant."""
    texts = [item.fields[name] for name in ("claim", "reason") if name in item.fields]
    return (" ".join(map(_end_with_period, texts)), choice) if texts else (choice,)


def format_question(item: Item, choice: str) -> Segments:
    """Everything else: all fields, against the choice."""
    return (" ".join(item.fields.values()), choice) if item.fields else (choice,)


def format_pair(item: Item, choice: str) -> Segments:
    """Two segments, in the order that the item's fields ask for."""
    if ASKS_FOR in item.meta:
        return format_cause_first(item, choice)
    if item.fields.keys() & {"claim", "reason"}:
        return format_argument(item, choice)
    return format_question(item, choice)


def format_joined(item: Item, choice: str) -> Segments:
    """The same as one segment, with a blank between (RoBERTa, ALBERT: Kavumba et al. 2020)."""
    return (" ".join(filter(None, format_pair(item, choice))),)


def ranking_format(separator: str) -> Format:
    """One string with the tokenizer's separator and no blanks (Branco et al. 2021)."""

    def format_choice(item: Item, choice: str) -> Segments:
        if item.fields.keys() & {"claim", "reason"}:
            parts = [item.fields.get("claim"), choice, item.fields.get("reason")]
        elif ASKS_FOR in item.meta:  # not in that paper: what is asked shows in the order
            parts = [*format_cause_first(item, choice)]
        else:
            parts = [*item.fields.values(), choice]
        return (separator.join(part for part in parts if part is not None),)

    return format_choice


TASKS = {"claim": "arct", "reason": "arct", "goal": "piqa", "question": "arc", "premise": "copa"}
CHOICE_NAMES = {"arct": "warrant", "piqa": "sol"}  # whose choices are numbered, not lettered


def text_to_text_prompt(item: Item, task: str = "") -> tuple[str, Segments]:
    """One prompt with all choices, and what each would be answered with (T5: Branco et al. 2021).

    `task` is the word it begins with; by default the fields tell, where a view shows any.
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
