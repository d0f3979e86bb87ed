"""What a causal language model reads of an item, and what it is scored on after that.

Each function is one format. What a view has taken out is left out here: without a question there
is only `Answer:`. Blanks around texts are dropped; what is scored begins with one.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

from ...errors import ModelError
from ...types import Item
from ...views import ASKS_FOR

Pair = tuple[str, str]  # what is read, and what is scored after it

CONNECTIVES = {"cause": " because", "effect": " so"}
QUESTIONS = {"cause": "What was the cause of this?", "effect": "What happened as a result?"}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A choice as the continuation of its item."""

    context: str  # what the item says
    cue: str  # what asks for the choice, whatever the item says
    choice: str  # the choice

    @property
    def pair(self) -> Pair:
        return (self.context + self.cue).strip(), self.choice

    @property
    def neutral(self) -> Pair:
        """The same choice after the cue alone."""
        return self.cue.strip(), self.choice


def continuation_prompt(item: Item, choice: str) -> Prompt:
    """The format that the item's fields ask for."""
    if item.meta.get(ASKS_FOR) in CONNECTIVES:
        return causal_prompt(item, choice)
    if item.fields.keys() & {"claim", "reason"}:
        return argument_prompt(item, choice)
    return question_prompt(item, choice)


def causal_prompt(item: Item, choice: str) -> Prompt:
    """COPA: `The item was packaged in bubble wrap because` and ` it was fragile.`"""
    premise = " ".join(_field_texts(item)).removesuffix(".")
    return Prompt(
        premise, CONNECTIVES[str(item.meta[ASKS_FOR])], _prepend_space(_lower_first(choice.strip()))
    )


def argument_prompt(item: Item, choice: str) -> Prompt:
    """ARCT: claim and reason, a line each, then `Assumption:` and the warrant."""
    return Prompt(_argument_lines(item), "Assumption:", _prepend_space(choice))


def question_prompt(item: Item, choice: str) -> Prompt:
    """Everything else: all fields after `Question:`, then `Answer:` and the choice."""
    return Prompt(_question_line(" ".join(_field_texts(item))), "Answer:", _prepend_space(choice))


def letter_pairs(item: Item) -> tuple[Pair, ...]:
    """All choices are read, each after a letter; scored are the letters."""
    if len(item.choices) > len(ascii_uppercase):
        raise ModelError(f"there are letters for 26 choices, but an item has {len(item.choices)}")
    lines = [
        f"{letter}. {choice.strip()}".strip() + "\n"
        for letter, choice in zip(ascii_uppercase, item.choices, strict=False)
    ]
    prompt = _question_with_choices(item) + "".join(lines) + "Answer:"
    return tuple((prompt, f" {letter}") for letter in ascii_uppercase[: len(lines)])


def yes_no_pairs(item: Item, choice: str) -> tuple[Pair, Pair]:
    """One choice is read, and whether it is right is asked; scored are ` yes` and ` no`."""
    proposal = f"Proposed answer: {choice.strip()}".strip()
    prompt = f"{_question_with_choices(item)}{proposal}\nIs this right?\nAnswer:"
    return (prompt, " yes"), (prompt, " no")


def _question_with_choices(item: Item) -> str:
    """The item as a question whose choices follow; empty where a view leaves no question."""
    if not any(_field_texts(item)):
        return ""
    asks = item.meta.get(ASKS_FOR)
    if asks in QUESTIONS:
        return _question_line(f"{' '.join(_field_texts(item))} {QUESTIONS[str(asks)]}")
    if item.fields.keys() & {"claim", "reason"}:
        return _argument_lines(item) + _question_line("Which assumption is made?")
    return _question_line(" ".join(_field_texts(item)))


def _question_line(text: str) -> str:
    return f"Question: {text}\n" if text else ""


def _argument_lines(item: Item) -> str:
    names = [name for name in ("claim", "reason") if item.fields.get(name, "").strip()]
    return "".join(f"{name.capitalize()}: {item.fields[name].strip()}\n" for name in names)


def _field_texts(item: Item) -> list[str]:
    return [text.strip() for text in item.fields.values() if text.strip()]


def _prepend_space(choice: str) -> str:
    """A choice as it follows; nothing of an empty one."""
    return f" {choice.strip()}" if choice.strip() else ""


def _lower_first(text: str) -> str:
    """Small at its beginning, but for *I* and words all in capitals; names cannot be told."""
    first_word = text.partition(" ")[0].partition("'")[0].rstrip(".,")
    keeps_case = first_word == "I" or (len(first_word) > 1 and first_word.isupper())
    return text if keeps_case else text[:1].lower() + text[1:]
