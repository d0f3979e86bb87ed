"""Outcomes as annotations of GitHub Actions: workflow commands, a line each.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from collections.abc import Iterator

from .outcomes import Judged
from .wording import finding, numbers, plain, title


def commands(judged: Judged, strict: bool = False) -> Iterator[str]:
    """An error for what fails, a warning for what is undecided."""
    for outcome in judged.outcomes:
        if outcome.status == "pass":
            continue
        kind = "error" if outcome.fails(strict) else "warning"
        said = f"{title(judged)}: {outcome.status}: {numbers(outcome)}  {finding(outcome)}"
        name = f"hansproof {plain(outcome.limit.name)}"
        yield f"::{kind} title={_property(name)}::{_data(said)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
