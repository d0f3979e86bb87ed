"""Prompts for causal language models, and the continuations to score after them.

Each function is one format. Fields that a view removes are left out: without a question, only
`Answer:` remains. Spaces around texts are stripped; a continuation begins with one.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

from ..errors import ModelError
from ..types import Item
from ..views import ASKS_FOR

Pair = tuple[str, str]  # prompt and continuation

CONNECTIVES = {"cause": " because", "effect": " so"}
QUESTIONS = {"cause": "What was the cause of this?", "effect": "What happened as a result?"}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A choice as the continuation of its item."""

    context: str  # the text of the item
    cue: str  # the fixed text that asks for the choice
    choice: str

    @property
    def pair(self) -> Pair:
        """The prompt, and the choice."""
        return (self.context + self.cue).strip(), self.choice

    @property
    def neutral(self) -> Pair:
        """The cue alone, and the choice."""
        return self.cue.strip(), self.choice


def continuation_prompt(item: Item, choice: str) -> Prompt:
    """Return a prompt in the format that the item's fields call for."""
    if item.meta.get(ASKS_FOR) in CONNECTIVES:
        return causal_prompt(item, choice)
    if item.fields.keys() & {"claim", "reason"}:
        return argument_prompt(item, choice)
    return question_prompt(item, choice)


def causal_prompt(item: Item, choice: str) -> Prompt:
    """Format a COPA item: `The item was packaged in bubble wrap because`, ` it was fragile.`"""
    premise = " ".join(_field_texts(item)).removesuffix(".")
    return Prompt(
        premise, CONNECTIVES[str(item.meta[ASKS_FOR])], _prepend_space(_lower_first(choice.strip()))
    )


def argument_prompt(item: Item, choice: str) -> Prompt:
    """Format an ARCT item: claim and reason, one line each, then `Assumption:` and the warrant."""
    return Prompt(_argument_lines(item), "Assumption:", _prepend_space(choice))


def question_prompt(item: Item, choice: str) -> Prompt:
    """Format any other item: all fields after `Question:`, then `Answer:` and the choice."""
    return Prompt(_question_line(" ".join(_field_texts(item))), "Answer:", _prepend_space(choice))


def letter_pairs(item: Item) -> tuple[Pair, ...]:
    """Return one prompt that lists all choices by letter, paired with each letter."""
    if len(item.choices) > len(ascii_uppercase):
        raise ModelError(
            f"an item has {len(item.choices)} choices, but there are letters for only 26"
        )
    lines = [
        f"{letter}. {choice.strip()}".strip() + "\n"
        for letter, choice in zip(ascii_uppercase, item.choices, strict=False)
    ]
    prompt = question_lines(item) + "".join(lines) + "Answer:"
    return tuple((prompt, f" {letter}") for letter in ascii_uppercase[: len(lines)])


def yes_no_pairs(item: Item, choice: str) -> tuple[Pair, Pair]:
    """Return a prompt that asks whether a choice is right, paired with ` yes` and with ` no`."""
    proposal = f"Proposed answer: {choice.strip()}".strip()
    prompt = f"{question_lines(item)}{proposal}\nIs this right?\nAnswer:"
    return (prompt, " yes"), (prompt, " no")


def question_lines(item: Item) -> str:
    """Return the question, each line with its end; empty if a view hides it."""
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
    """Return a choice as a continuation; an empty choice stays empty."""
    return f" {choice.strip()}" if choice.strip() else ""


def _lower_first(text: str) -> str:
    """Lower-case the first letter, except of *I* and words in capitals; names are not detected."""
    first_word = text.partition(" ")[0].partition("'")[0].rstrip(".,")
    keeps_case = first_word == "I" or (len(first_word) > 1 and first_word.isupper())
    return text if keeps_case else text[:1].lower() + text[1:]
