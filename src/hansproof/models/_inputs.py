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


def cause_first(item: Item, choice: str) -> Segments:
    """COPA (Kavumba et al. 2019): the cause, then the effect; the question itself is not read."""
    premise = " ".join(item.fields.values())
    both = (choice, premise) if item.meta.get(ASKS_FOR) == "cause" else (premise, choice)
    return both if item.fields else (choice,)


def claim_and_reason(item: Item, choice: str) -> Segments:
    """ARCT (Niven and Kao 2019): claim and reason as sentences, against the warrant."""
    said = [item.fields[name] for name in ("claim", "reason") if name in item.fields]
    return (" ".join(map(_sentence, said)), choice) if said else (choice,)


def question_and_choice(item: Item, choice: str) -> Segments:
    """Everything else: all fields, against the choice."""
    return (" ".join(item.fields.values()), choice) if item.fields else (choice,)


def pair(item: Item, choice: str) -> Segments:
    """Two segments, in the order that the item's fields ask for."""
    if ASKS_FOR in item.meta:
        return cause_first(item, choice)
    if item.fields.keys() & {"claim", "reason"}:
        return claim_and_reason(item, choice)
    return question_and_choice(item, choice)


def joined(item: Item, choice: str) -> Segments:
    """The same as one segment, with a blank between (RoBERTa, ALBERT: Kavumba et al. 2020)."""
    return (" ".join(filter(None, pair(item, choice))),)


def ranking(separator: str) -> Format:
    """One string with the tokenizer's separator and no blanks (Branco et al. 2021)."""

    def format(item: Item, choice: str) -> Segments:
        if item.fields.keys() & {"claim", "reason"}:
            parts = [item.fields.get("claim"), choice, item.fields.get("reason")]
        elif ASKS_FOR in item.meta:  # not in that paper: what is asked shows in the order
            parts = [*cause_first(item, choice)]
        else:
            parts = [*item.fields.values(), choice]
        return (separator.join(part for part in parts if part is not None),)

    return format


TASKS = {"claim": "arct", "reason": "arct", "goal": "piqa", "question": "arc", "premise": "copa"}
NAMED = {"arct": "warrant", "piqa": "sol"}  # whose choices are numbered, not lettered


def text_to_text(item: Item, task: str = "") -> tuple[str, Segments]:
    """One prompt with all choices, and what each would be answered with (T5: Branco et al. 2021).

    `task` is the word it begins with; by default the fields tell, where a view shows any.
    """
    task = task or next((TASKS[name] for name in item.fields if name in TASKS), "choose")
    numbered = task in NAMED and len(item.choices) <= 2
    names = [f"{NAMED[task]}{at}" if numbered else _letter(at) for at in range(len(item.choices))]
    asks = {"asks for": str(item.meta[ASKS_FOR])} if ASKS_FOR in item.meta else {}
    shown = {**item.fields, **asks, **dict(zip(names, item.choices, strict=True))}
    prompt = " ".join(
        [
            task if task in NAMED else f"{task}:",
            *(f"{name}: {text}" for name, text in shown.items()),
        ]
    )
    if numbered or len(item.choices) == 1:
        return prompt, ("False", "True")
    return prompt, tuple(names)


def _letter(at: int) -> str:
    return chr(ord("A") + at) if at < 26 else str(at)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text.endswith(".") else f"{text}."
