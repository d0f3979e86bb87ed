"""Errors for Python code: messages name keyword arguments instead of command-line flags."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import HansproofError

_FLAG = re.compile(r"(?<![\w/.-])--([a-z][a-z-]*[a-z]|[a-z])")
# flags whose keyword argument has another name
_KEYWORDS = {
    "bench": "benchmark", "data": "folder", "field": "fields", "no-header": "header=False",
    "probe": "extra_probes",
}  # fmt: skip
# settings of a ColumnMapping that messages give together with their values
_SETTING = re.compile(r"--(list-separator|answers-from) ('[^']*'|\w+)")
_ADVICE = "try: "
_COMMAND = f"{_ADVICE}hansproof validate "


@contextmanager
def keywords_in_errors() -> Iterator[None]:
    """Rewrite the flags in the message and notes of a HansproofError that passes through."""
    try:
        yield
    except HansproofError as error:
        error.args = (name_keywords(str(error)),)
        notes = getattr(error, "__notes__", [])
        notes[:] = map(_rewrite_advice, notes)
        raise


def name_keywords(message: str) -> str:
    """Replace flags such as `--answers-from` by the names of keyword arguments.

    Commands in backticks are left alone: they are to be run in a shell.
    """
    parts = message.split("`")
    parts[::2] = [
        _FLAG.sub(_keyword, _SETTING.sub(lambda match: format_mapping(match[0]), part))
        for part in parts[::2]
    ]
    return "`".join(parts)


def format_load(source: str, flags: str) -> str:
    """Return the call in Python that loads a source with the flags that name its columns."""
    return f"hansproof.load({source}, hansproof.{format_mapping(flags)})"


def format_mapping(flags: str) -> str:
    """Return the ColumnMapping that says the same as flags: `--answer key --no-header`."""
    columns: dict[str, list[str]] = {"fields": [], "choices": []}
    settings: dict[str, str] = {}
    words = iter(shlex.split(flags))
    for word in words:
        keyword = _KEYWORDS.get(word[2:], word[2:].replace("-", "_"))
        if keyword in columns:
            columns[keyword].append(_quote(next(words)))
        elif keyword == "header=False":
            settings["header"] = "False"
        else:
            settings[keyword] = _quote(next(words))
    tuples = {
        keyword: f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"
        for keyword, names in columns.items()
        if names
    }
    arguments = (f"{keyword}={value}" for keyword, value in (tuples | settings).items())
    return f"ColumnMapping({', '.join(arguments)})"


def _rewrite_advice(note: str) -> str:
    """Replace a command of the shell that a note advises by the same call in Python."""
    if not note.startswith(_COMMAND):
        return note
    path, _, flags = note.removeprefix(_COMMAND).partition(" --")
    return f"{_ADVICE}{format_load(_quote(shlex.split(path)[0]), f'--{flags}')}"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _keyword(match: re.Match[str]) -> str:
    return f"`{_KEYWORDS.get(match[1], match[1].replace('-', '_'))}`"
