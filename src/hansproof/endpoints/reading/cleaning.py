"""Removes reasoning and markup from an answer, and finds what JSON, tags and boxes contain."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

_REASONING = r"(?:think|thinking|thought|reasoning|analysis)"
# <think>, [THINK], ◁think▷, and the channels of gpt-oss
_OPEN_THINK = re.compile(rf"[<\[◁]{_REASONING}[>\]▷]|<\|channel\|>analysis", re.I)
_CLOSE_THINK = re.compile(rf"[<\[◁]/{_REASONING}[>\]▷]|<\|channel\|>final(?:<\|message\|>)?", re.I)
_THINK = re.compile(rf"(?:{_OPEN_THINK.pattern}).*?(?:{_CLOSE_THINK.pattern})", re.DOTALL | re.I)
_TAG = re.compile(r"<(answer|final_answer|final|choice)>(.*?)</\1>", re.DOTALL | re.I)
_FENCE = re.compile(r"```[a-zA-Z]*\s*(.*?)```", re.DOTALL)
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_ANSWER_KEY = re.compile(
    r"answer|choice|label|option|letter|select|predict|response|^correct$", re.I
)
_OTHER_KEY = re.compile(
    r"reject|wrong|incorrect|other|runner|question|explan|reason|text|all|student|user", re.I
)
_LATEX_COMMAND = re.compile(
    r"\\(?:text|textbf|mathbf|mathrm|mathit|textit|bf|rm|operatorname|displaystyle|left|right|quad)\b"
    r"|\\[,;:!()\[\] ]|\$"
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_MARKDOWN = re.compile(r"[*`_~]+|^\s*#+\s*|^\s*>\s?|<[^<>\n]{1,40}>", re.MULTILINE)


def strip_reasoning(text: str) -> str | None:
    """Return what follows a model's reasoning; None if the reasoning does not end."""
    text = _THINK.sub("\n", text)
    closings = [*_CLOSE_THINK.finditer(text)]  # a chat template may have written the beginning
    if closings:
        text = text[closings[-1].end() :]
    return None if _OPEN_THINK.search(text) else text


def find_wrapped_answers(text: str) -> list[str]:
    """Return the answers in JSON, or else in tags, or else in boxes; equal ones once.

    A list of several answers counts as several.
    """
    values = [value for source in _json_sources(text) for value in _read_json(source)]
    if not values:
        values = [match[2] for match in _TAG.finditer(text)][-1:]
    if not values:
        values = [match[1] for match in _BOXED.finditer(text)][-1:]
    return [*dict.fromkeys(value.strip() for value in values)]


def _json_sources(text: str) -> Iterator[str]:
    """Yield the parts of a text that may be JSON objects."""
    fenced = [match[1].strip() for match in _FENCE.finditer(text)]
    for source in fenced or [re.sub(r"</?\w+>", "", text).strip()]:
        if source.startswith("{") and source.endswith("}"):
            yield source


def _read_json(source: str) -> list[str]:
    """Return the values of the keys that have an answer, at any depth."""
    try:
        return [*_answer_values(json.loads(source))]
    except (ValueError, RecursionError):
        return []


def _answer_values(document: object) -> Iterator[str]:
    if not isinstance(document, dict):
        return
    for key, value in document.items():
        if isinstance(value, dict):
            yield from _answer_values(value)
        elif _ANSWER_KEY.search(str(key)) and not _OTHER_KEY.search(str(key)):
            values = value if isinstance(value, list) else [value]
            yield from (str(v) for v in values if type(v) in (str, int, float))


def clean_text(text: str) -> str:
    """Return a text without Markdown, LaTeX and full-width letters, its lines kept."""
    text = unicodedata.normalize("NFKC", text).replace("\\infty", "∞")
    text = _BOXED.sub(r" \1 ", text)
    text = _LATEX_COMMAND.sub(" ", _FRACTION.sub(r"\1/\2", text))
    text = re.sub(r"[{}]", "", text)
    text = _MARKDOWN.sub("", text)
    lines = (re.sub(r"[ \t\u00a0]+", " ", line).strip() for line in text.splitlines())
    return "\n".join(lines).strip()
