"""What a causal language model reads of an item, and what it is scored on after that.

Each function is one format. What a view has taken out is left out here: without a question there
is only `Answer:`. Blanks around texts are dropped; what is scored begins with one.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

from ..errors import ModelError
from ..types import Item
from ..views import ASKS_FOR

Pair = tuple[str, str]  # what is read, and what is scored after it

CONNECTIVES = {"cause": " because", "effect": " so"}
QUESTIONS = {"cause": "What was the cause of this?", "effect": "What happened as a result?"}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A choice as the continuation of its item."""

    context: str  # what the item says
    cue: str  # what asks for the choice, whatever the item says
    said: str  # the choice

    @property
    def pair(self) -> Pair:
        return (self.context + self.cue).strip(), self.said

    @property
    def neutral(self) -> Pair:
        """The same choice after the cue alone."""
        return self.cue.strip(), self.said


def continuation(item: Item, choice: str) -> Prompt:
    """The format that the item's fields ask for."""
    if item.meta.get(ASKS_FOR) in CONNECTIVES:
        return because_or_so(item, choice)
    if item.fields.keys() & {"claim", "reason"}:
        return claim_and_reason(item, choice)
    return question_and_answer(item, choice)


def because_or_so(item: Item, choice: str) -> Prompt:
    """COPA: `The item was packaged in bubble wrap because` and ` it was fragile.`"""
    premise = " ".join(_texts(item)).removesuffix(".")
    return Prompt(premise, CONNECTIVES[str(item.meta[ASKS_FOR])], _blank(_lower(choice.strip())))


def claim_and_reason(item: Item, choice: str) -> Prompt:
    """ARCT: claim and reason, a line each, then `Assumption:` and the warrant."""
    return Prompt(_claim_and_reason(item), "Assumption:", _blank(choice))


def question_and_answer(item: Item, choice: str) -> Prompt:
    """Everything else: all fields after `Question:`, then `Answer:` and the choice."""
    return Prompt(_question(" ".join(_texts(item))), "Answer:", _blank(choice))


def letters(item: Item) -> tuple[Pair, ...]:
    """All choices are read, each after a letter; scored are the letters."""
    if len(item.choices) > len(ascii_uppercase):
        raise ModelError(f"there are letters for 26 choices, but an item has {len(item.choices)}")
    lines = [
        f"{letter}. {choice.strip()}".strip() + "\n"
        for letter, choice in zip(ascii_uppercase, item.choices, strict=False)
    ]
    prompt = _asked(item) + "".join(lines) + "Answer:"
    return tuple((prompt, f" {letter}") for letter in ascii_uppercase[: len(lines)])


def yes_and_no(item: Item, choice: str) -> tuple[Pair, Pair]:
    """One choice is read, and whether it is right is asked; scored are ` yes` and ` no`."""
    proposed = f"Proposed answer: {choice.strip()}".strip()
    prompt = f"{_asked(item)}{proposed}\nIs this right?\nAnswer:"
    return (prompt, " yes"), (prompt, " no")


def _asked(item: Item) -> str:
    """The item as a question whose choices follow; empty where a view leaves no question."""
    if not any(_texts(item)):
        return ""
    asks = item.meta.get(ASKS_FOR)
    if asks in QUESTIONS:
        return _question(f"{' '.join(_texts(item))} {QUESTIONS[str(asks)]}")
    if item.fields.keys() & {"claim", "reason"}:
        return _claim_and_reason(item) + _question("Which assumption is made?")
    return _question(" ".join(_texts(item)))


def _question(text: str) -> str:
    return f"Question: {text}\n" if text else ""


def _claim_and_reason(item: Item) -> str:
    names = [name for name in ("claim", "reason") if item.fields.get(name, "").strip()]
    return "".join(f"{name.capitalize()}: {item.fields[name].strip()}\n" for name in names)


def _texts(item: Item) -> list[str]:
    return [text.strip() for text in item.fields.values() if text.strip()]


def _blank(choice: str) -> str:
    """A choice as it follows; nothing of an empty one."""
    return f" {choice.strip()}" if choice.strip() else ""


def _lower(text: str) -> str:
    """Small at its beginning, but for *I* and words all in capitals; names cannot be told."""
    first = text.partition(" ")[0].partition("'")[0].rstrip(".,")
    keeps = first == "I" or (len(first) > 1 and first.isupper())
    return text if keeps else text[:1].lower() + text[1:]
