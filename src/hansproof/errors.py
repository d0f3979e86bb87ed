"""What can go wrong that the user can put right.

    HansproofError          one line for the terminal, exit code 2, no traceback
    ├── UnknownName         no such benchmark, probe, split or tokenizer: did you mean ...?
    ├── BadInput            file:line: field: what is wrong
    ├── MissingExtra        an optional package is needed: the pip line that brings it
    └── ModelError          a model could not be loaded or used

Anything else that is raised is a bug and is not caught.
"""

from __future__ import annotations

from collections.abc import Iterable


class HansproofError(Exception):
    """An error the user can put right; its text is one line that a terminal can show."""

    def __init__(self, text: str) -> None:
        # file names and other people's messages may hold anything: write out what is not visible
        super().__init__("".join(c if c.isprintable() else repr(c)[1:-1] for c in text))


class UnknownName(HansproofError):
    """A name that is not known, with the nearest ones that are."""

    def __init__(self, kind: str, name: str, known_names: Iterable[str]) -> None:
        import difflib

        known_names = sorted(known_names)
        matches = difflib.get_close_matches(name, known_names, n=2, cutoff=0.5)
        hint = (
            f"did you mean {' or '.join(matches)}?"
            if matches
            else f"known: {', '.join(known_names)}"
        )
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class BadInput(HansproofError):
    """Input that cannot be read: `file:line: field: what is wrong`."""

    def __init__(
        self, file: object, message: str, *, line: int | None = None, field: str | None = None
    ) -> None:
        location = f"{file}:{line}" if line is not None else str(file)
        super().__init__(": ".join(part for part in (location, field, message) if part))


class MissingExtra(HansproofError):
    """An optional dependency is not installed."""

    def __init__(self, extra: str, feature: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'hansproof[{extra}]'")


class ModelError(HansproofError):
    """A model that could not be loaded or used."""


def first_line(error: Exception) -> str:
    """What somebody else's error says, in one line; of one that says nothing, what it is."""
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__
