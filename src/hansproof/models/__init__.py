"""Models by name, one file each: `bow`, or with parameters `bow:ngram=1,penalty=2`.

A model is a frozen dataclass, its fields are its parameters. What follows the colon without a name
is the value of the first: `hf:bert-base-uncased,recipe=branco`. It has `score`, or first `fit`; it
gets items as a view shows them (`hansproof.views`) and gives one score per choice, of as many
choices as an item has.

A model may tell `materials()`, fingerprints of the files it uses. One that learns may have
`selects` (it wants items to choose by), `slow` (worth a process for every core), `fit_many`
(`hansproof.training.task`) and `room()`, how many runs it wants to be handed at once.

What is trained may tell, once it has scored: `tokenizer`, `device`, `chosen` (what `fit` settled
on), `trials` (each setting that was tried, in a line), `cut`, `sequences` and `length` (how many
texts were too long, of how many, for how many tokens), `diverged` (its weights are no numbers; it
scores ties); and have `save(folder)`.
"""

from __future__ import annotations

from typing import Any

from .. import plugins

__all__ = ["load", "with_parameter"]


def load(spec: str) -> Any:
    """The model of a name or a Python file, with the parameters that follow a colon."""
    return plugins.build_plugin("models", spec)


def with_parameter(spec: str, key: str, value: str, kind: type | None = None) -> str | None:
    """The same with one more parameter, unless it has that; None where a model has none such."""
    return plugins.with_parameter("models", spec, key, value, kind)
