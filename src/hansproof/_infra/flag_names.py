"""Errors for Python code: messages name keyword arguments instead of command-line flags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import HansproofError

_FLAG = re.compile(r"(?<![\w/.-])--([a-z][a-z-]*[a-z]|[a-z])")
# flags whose keyword argument has another name
_KEYWORDS = {
    "bench": "benchmark", "data": "folder", "field": "fields", "no-header": "header=False",
    "probe": "extra_probes",
}  # fmt: skip


@contextmanager
def keywords_in_errors() -> Iterator[None]:
    """Rewrite the flags in the message of a HansproofError that passes through."""
    try:
        yield
    except HansproofError as error:
        error.args = (name_keywords(str(error)),)
        raise


def name_keywords(message: str) -> str:
    """Replace flags such as `--answers-from` by the names of keyword arguments.

    Commands in backticks are left alone: they are to be run in a shell.
    """
    parts = message.split("`")
    parts[::2] = [_FLAG.sub(_keyword, part) for part in parts[::2]]
    return "`".join(parts)


def _keyword(match: re.Match[str]) -> str:
    return f"`{_KEYWORDS.get(match[1], match[1].replace('-', '_'))}`"
