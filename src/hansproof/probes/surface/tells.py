"""Tells: rules that pick choices by length, order, overlap or typography."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from ...text.tokenizers import Tokenizer
from ...types import Item, Items, Result

if TYPE_CHECKING:
    from ...inputs.likelihoods import ChoiceLikelihoods

NEGATION = re.compile(
    r"\b(not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|\w+n[’']t)\b", re.I
)
FULL_STOPS = (".", "。", "．", "｡", "।", "۔", "។", "။", "།", "።")
# the choice that a tell picks, in words; other tells are about overlap with a field
PICKED_CHOICES = {
    "longest choice": "the longest choice",
    "shortest choice": "the shortest choice",
    "first choice": "the first choice",
    "last choice": "the last choice",
    "odd capitalisation": "the choice that is capitalised differently",
    "digit": "the choice with a digit",
    "punctuation inside": "the choice with punctuation inside",
    "negation": "the choice with a negation",
}

# tells of language models; where there are several, a name in brackets follows
LIKELIHOOD_TELLS = {"most likely choice": "most", "least likely choice": "least"}

# the choices a tell singles out; all of them: it says nothing
PickChoices = Callable[[Item], list[int]]


def build_tells(
    items: Items, tokens: Tokenizer, likelihoods: Sequence[ChoiceLikelihoods] = ()
) -> dict[str, PickChoices]:
    """Return every tell by name; overlap once for each field, likelihood once for each model."""
    split_words = cache(tokens.split)  # for most overlap and for least
    picks_by_tell: dict[str, PickChoices] = {
        "longest choice": lambda item: _largest_indices([len(c.strip()) for c in item.choices]),
        "shortest choice": lambda item: _largest_indices([-len(c.strip()) for c in item.choices]),
        "odd capitalisation": lambda item: _odd_choice(
            [c.strip()[:1].isupper() for c in item.choices]
        ),
        "digit": lambda item: _choices_having(any(map(str.isdigit, c)) for c in item.choices),
        "punctuation inside": lambda item: _choices_having(
            _has_punctuation(c) for c in item.choices
        ),
        "negation": lambda item: _choices_having(bool(NEGATION.search(c)) for c in item.choices),
    }
    if len({len(item.choices) for item in items}) > 1:  # else class_balance tests all positions
        picks_by_tell["first choice"] = lambda item: [0]
        picks_by_tell["last choice"] = lambda item: [len(item.choices) - 1]
    for field in dict.fromkeys(name for item in items for name in item.fields):
        picks_by_tell[f"most overlap with {field}"] = lambda item, f=field: _largest_indices(
            _word_overlap(item, f, split_words)
        )  # type: ignore[misc]
        picks_by_tell[f"least overlap with {field}"] = lambda item, f=field: _largest_indices(  # type: ignore[misc]
            [-n for n in _word_overlap(item, f, split_words)]
        )
    return picks_by_tell | _build_likelihood_tells(likelihoods)


def _build_likelihood_tells(
    likelihoods: Sequence[ChoiceLikelihoods],
) -> dict[str, PickChoices]:
    """Return the tells of language models, by name: what is most and least likely per token."""
    picks_by_tell: dict[str, PickChoices] = {}
    for model in likelihoods:
        suffix = f" ({model.model})" if len(likelihoods) > 1 else ""
        for tell, sign in zip(LIKELIHOOD_TELLS, (1, -1), strict=True):
            picks_by_tell[tell + suffix] = lambda item, m=model, s=sign: _largest_indices(  # type: ignore[misc]
                (s * m.means((item,))).tolist()
            )
    return picks_by_tell


def describe_likelihood_tell(tell: str, models: Sequence[object] = ()) -> str | None:
    """Return the choice that a tell of a language model picks, in words; None for other tells.

    `models` are the names of all models; they are needed if there is one, as the tell is then
    without its name.
    """
    name, _, suffix = tell.partition(" (")
    if name not in LIKELIHOOD_TELLS:
        return None
    model = suffix.removesuffix(")") or next(iter(models), "a language model")
    return f"the choice that is {LIKELIHOOD_TELLS[name]} likely per token under {model}"


def list_models(result: Result) -> tuple[object, ...]:
    """Return the names of the language models of a result."""
    names = result.params.get("lm")
    return names if isinstance(names, tuple) else ()


def _largest_indices(values: Sequence[float]) -> list[int]:
    best = max(values)
    return [i for i, value in enumerate(values) if value == best]


def _odd_choice(has_feature: list[bool]) -> list[int]:
    """Return the only choice that differs from all others; of two, the one with the feature."""
    for value in (True, False):
        if has_feature.count(value) == 1:
            return [has_feature.index(value)]
    return list(range(len(has_feature)))


def _choices_having(features: Iterator[bool]) -> list[int]:
    has_feature = list(features)
    return [i for i, has in enumerate(has_feature) if has] or list(range(len(has_feature)))


def _has_punctuation(choice: str) -> bool:
    """Whether a choice has punctuation other than a full stop at its end."""
    text = choice.strip()
    return any(map(_is_punctuation, text[:-1] if text.endswith(FULL_STOPS) else text))


def _is_punctuation(char: str) -> bool:
    """Whether a character is punctuation of ASCII, or of a script other than Latin.

    Typographic quotes and dashes do not count: they differ by editor, not by sentence.
    """
    if char.isascii():
        return char in string.punctuation
    is_general = char < "\u0300" or "\u2000" <= char <= "\u206f"
    return not is_general and unicodedata.category(char).startswith("P")


def _word_overlap(item: Item, field: str, split_words: Callable[[str], list[str]]) -> list[int]:
    words = set(split_words(item.fields.get(field, "")))
    return [len(words & set(split_words(c))) for c in item.choices]
