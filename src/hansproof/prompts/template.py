"""Prompt files: TOML files that say how an item is put to a language model.

`letters`, `steps` and `bare` come with hansproof (`prompts/files`); any other name is the path of a
file. Only the placeholders of the files are replaced, once: a text of an item is never a template.
"""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from string import ascii_uppercase

from ..errors import BadInput, ModelError, UnknownName
from ..types import Item, Items
from .formats import question_lines
from .template_files import SUFFIX, list_templates

MAX_SIZE = 100_000  # bytes of a file
YES, NO = "yes", "no"

_PLACEHOLDER = re.compile(r"\{(question|choices|letters|letter|text)\}")
# what each text of a file must and may contain
_ALLOWED = {
    "system": ((), ()),
    "full": (("question", "choices"), ("question", "choices", "letters")),
    "choices": (("choices",), ("choices", "letters")),
    "question": (("question",), ("question",)),
    "one_choice": (("question", "text"), ("question", "text")),
    "choice": (("letter", "text"), ("letter", "text")),
    "answer": (("letter",), ("letter", "text")),
    "cue": ((), ()),
}


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """What a model is sent: turns of a chat, or one text."""

    messages: tuple[tuple[str, str], ...]  # role and text
    cue: str

    @property
    def plain(self) -> str:
        """The turns as one text, which ends with the cue for the answer."""
        blocks: list[str] = []
        for role, text in self.messages:
            if role == "assistant":
                answer = f"{self.cue} {text}".strip()
                blocks[-1] = f"{blocks[-1]}\n{answer}".strip()
            else:
                blocks.append(text)
        blocks[-1] = f"{blocks[-1]}\n{self.cue}".strip()
        return "\n\n".join(blocks)


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A prompt file; the comments in `prompts/files/letters.toml` explain the texts."""

    name: str
    sha256: str
    full: str
    choices: str
    question: str
    one_choice: str
    choice: str
    answer: str
    cue: str = ""
    system: str = ""
    max_tokens: int = 64
    reasons_first: bool = False

    def render(self, item: Item, examples: Items = ()) -> RenderedPrompt:
        """Put an item, as a view shows it, to a model; examples come first, with their answers.

        The choices of examples are hidden where those of the item are; the answer is then a text.
        """
        messages = [("system", self.system)] if self.system else []
        is_free = _hides_choices(item)
        for example in examples:
            hidden = replace(example, choices=("",) * len(example.choices))
            messages.append(("user", self._render_item(hidden if is_free else example)))
            messages.append(("assistant", self._render_answer(example, is_free)))
        return RenderedPrompt((*messages, ("user", self._render_item(item))), self.cue)

    def _render_item(self, item: Item) -> str:
        question = question_lines(item).strip()
        if len(item.choices) == 1:
            text = item.choices[0].strip()
            return _fill(self.one_choice, question=question, text=text)
        if _hides_choices(item):
            return _fill(self.question, question=question)
        labels = letters_of(item)
        lines = [
            _fill(self.choice, letter=letter, text=choice.strip())
            for letter, choice in zip(labels, item.choices, strict=True)
        ]
        return _fill(
            self.full if question else self.choices,
            question=question,
            choices="\n".join(lines),
            letters=f"{', '.join(labels[:-1])} or {labels[-1]}",
        )

    def _render_answer(self, item: Item, is_free: bool) -> str:
        if len(item.choices) == 1:
            return YES if item.answer == 0 else NO
        assert item.answer is not None
        text = item.choices[item.answer].strip()
        if is_free:
            return text
        return _fill(self.answer, letter=letters_of(item)[item.answer], text=text)


def _hides_choices(item: Item) -> bool:
    return len(item.choices) > 1 and not any(item.choices)


def letters_of(item: Item) -> Sequence[str]:
    """Return the letter of each choice."""
    if len(item.choices) > len(ascii_uppercase):
        raise ModelError(
            f"an item has {len(item.choices)} choices, but there are letters for only 26"
        )
    return ascii_uppercase[: len(item.choices)]


def load_template(name: str) -> PromptTemplate:
    """Load a prompt file by its name or path."""
    path = list_templates().get(name, name)
    if not name.endswith(SUFFIX) and path == name:
        raise UnknownName("prompt", name, [*list_templates(), f"./mine{SUFFIX}"])
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_SIZE + 1)
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise BadInput(path, str(reason)) from None
    return _parse_template(os.path.basename(path).removesuffix(SUFFIX), path, data)


@lru_cache(maxsize=64)
def _parse_template(name: str, path: str, data: bytes) -> PromptTemplate:
    if len(data) > MAX_SIZE:
        raise BadInput(path, f"is larger than {MAX_SIZE:,} bytes: is it a prompt file?")
    try:
        values = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # also of numbers with too many digits
        raise BadInput(path, f"is not a TOML file: {error}") from None
    for key in values:
        if key not in (*_ALLOWED, "max_tokens", "reasons_first"):
            raise UnknownName(f"key in {path}", key, (*_ALLOWED, "max_tokens", "reasons_first"))
    for key, (required, allowed) in _ALLOWED.items():
        if key in values or required:
            values[key] = _check_text(path, key, values.get(key), required, allowed)
    _check_settings(path, values)
    return PromptTemplate(name=name, sha256=hashlib.sha256(data).hexdigest(), **values)


def _check_text(
    path: str, key: str, value: object, required: Sequence[str], allowed: Sequence[str]
) -> str:
    """Return a text of a file without blank lines around it, if its placeholders are right."""
    if not isinstance(value, str):
        raise BadInput(path, "must be a text" if value is not None else "is missing", field=key)
    names = _PLACEHOLDER.findall(value)
    for name in required:
        if name not in names:
            raise BadInput(path, f"does not contain {{{name}}}", field=key)
    for name in names:
        if name not in allowed:
            raise BadInput(path, f"{{{name}}} is not known here", field=key)
    return value.strip()


def _check_settings(path: str, values: dict[str, object]) -> None:
    max_tokens = values.get("max_tokens", 1)
    if type(max_tokens) is not int or max_tokens < 1:
        raise BadInput(path, "must be a whole number, at least 1", field="max_tokens")
    if type(values.get("reasons_first", False)) is not bool:
        raise BadInput(path, "must be true or false", field="reasons_first")


def _fill(template: str, **texts: str) -> str:
    """Replace placeholders; a line that has nothing but an empty text disappears."""
    lines = []
    for line in template.split("\n"):
        filled = _PLACEHOLDER.sub(lambda match: texts.get(match[1], ""), line)
        if filled.strip() or not line.strip():
            lines.append(filled)
    return "\n".join(lines).strip()
