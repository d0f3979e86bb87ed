"""Models by name, one file each: `bow`, or with parameters `bow:ngram=1,penalty=2`.

A model is a frozen dataclass whose fields are its parameters. The first value after the colon may
omit its name: `hf:bert-base-uncased,recipe=branco`. A model has `score`, or `fit`, which returns
one that has. It gets items as a view shows them (`hansproof.views`) and returns one score per
choice.

Optional capabilities are decided in `hansproof.capabilities`: `materials()` returns fingerprints of
the files a model uses. A learner may have `selects` (it needs items to choose parameters by),
`slow` (each run is worth a process), and `fit_many` with `batch_capacity`
(`hansproof.training.training_task`). A model that scores may have `fit_info`, a
`hansproof.types.FitInfo`, `save(folder)` and `gradients`.
"""

from __future__ import annotations

from typing import Any

from .. import plugins

__all__ = ["load", "with_parameter"]


def load(spec: str) -> Any:
    """Build the model of a spec: a name or a Python file, and parameters after a colon."""
    return plugins.build_plugin("models", spec)


def with_parameter(spec: str, key: str, value: str, kind: type | None = None) -> str | None:
    """Return the spec with one more parameter, or None if the model has no such parameter.

    A parameter that is already set stays as it is.
    """
    return plugins.with_parameter("models", spec, key, value, kind)
