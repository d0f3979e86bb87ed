"""Errors that a user can fix, shown without a traceback.

    HansproofError          one line for the terminal, exit code 2, no traceback
    ├── UnknownName         no such benchmark, probe, split or tokenizer: did you mean ...?
    ├── BadInput            file:line: field: what is wrong
    ├── MissingExtra        an optional package is needed: the pip line that brings it
    └── ModelError          a model could not be loaded or used

Anything else that is raised is a bug and is not caught.
"""

from __future__ import annotations

import copyreg
from collections.abc import Iterable
from typing import Any


class HansproofError(Exception):
    """An error that the user can fix; its text is one printable line.

    Examples:
        >>> import hansproof
        >>> try:
        ...     hansproof.load("toi")
        ... except hansproof.HansproofError as error:
        ...     print(error)
        unknown benchmark 'toi'; did you mean toy?
    """

    def __init__(self, text: str) -> None:
        # file names and messages of other libraries may contain control characters: escape them
        super().__init__("".join(c if c.isprintable() else repr(c)[1:-1] for c in text))

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild the error from its text: subclasses take other arguments than `args`."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class UnknownName(HansproofError):
    """An unknown name; the message suggests similar known names.

    Examples:
        >>> import hansproof
        >>> hansproof.run("cue", "toy")
        Traceback (most recent call last):
        hansproof.errors.UnknownName: unknown probe 'cue'; did you mean cues?
    """

    def __init__(self, kind: str, name: str, known_names: Iterable[str]) -> None:
        import difflib

        known_names = sorted({*known_names})
        matches = difflib.get_close_matches(name, known_names, n=2, cutoff=0.5)
        hint = (
            f"did you mean {' or '.join(matches)}?"
            if matches
            else f"known: {', '.join(known_names)}"
        )
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class BadInput(HansproofError):
    """Invalid input: `file:line: field: what is wrong`.

    Examples:
        >>> import hansproof
        >>> hansproof.load("items.csv")
        Traceback (most recent call last):
        hansproof.errors.BadInput: items.csv: no such file
    """

    def __init__(
        self, file: object, message: str, *, line: int | None = None, field: str | None = None
    ) -> None:
        location = f"{file}:{line}" if line is not None else str(file)
        super().__init__(": ".join(part for part in (location, field, message) if part))


class MissingExtra(HansproofError):
    """An optional dependency is not installed.

    Examples:
        >>> import hansproof
        >>> raise hansproof.MissingExtra("xlsx", "quiz.xlsx")
        Traceback (most recent call last):
        hansproof.errors.MissingExtra: quiz.xlsx needs an extra: pip install 'hansproof[xlsx]'
    """

    def __init__(self, extra: str, feature: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'hansproof[{extra}]'")


class ModelError(HansproofError):
    """A model cannot be loaded or used.

    Examples:
        >>> import hansproof
        >>> issubclass(hansproof.ModelError, hansproof.HansproofError)
        True
    """


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or its type if it has no message."""
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__
