"""Writes command lines for a shell, without secrets and without the name of the home folder."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable

HIDDEN_VALUE = "***"
_ADDRESS = re.compile(r"(?P<scheme>[A-Za-z][\w+.-]*://)(?P<user>[^/?#\s]*@)?(?P<rest>\S*)")
_QUERY_VALUE = re.compile(r"(?<==)[^&;#]+")
_HOME_PREFIX = "~/"


def quote_words(words: Iterable[str]) -> str:
    """Quote words for a shell like `shlex.join`, except that `~/` keeps its meaning."""
    return " ".join(
        _HOME_PREFIX + shlex.quote(word.removeprefix(_HOME_PREFIX))
        if word.startswith(_HOME_PREFIX) and word != _HOME_PREFIX
        else shlex.quote(word)
        for word in words
    )


def redact(word: str) -> str:
    """Hide user names, passwords and query values of addresses; write the home folder as `~`."""
    return _shorten_home(_ADDRESS.sub(_redact_address, word))


def _redact_address(match: re.Match[str]) -> str:
    user = f"{HIDDEN_VALUE}@" if match["user"] else ""
    path, mark, query = re.fullmatch(r"([^?#]*)([?#]?)(.*)", match["rest"]).groups()  # type: ignore[union-attr]
    query = _QUERY_VALUE.sub(HIDDEN_VALUE, query) if "=" in query else query and HIDDEN_VALUE
    return f"{match['scheme']}{user}{path}{mark}{query}"


def _shorten_home(word: str) -> str:
    home = os.path.expanduser("~").rstrip(os.sep)
    if not os.path.isabs(home):  # unknown, or the root folder
        return word
    return re.sub(rf"(?<![\w.-]){re.escape(home)}(?=[/\\]|$)", "~", word)
