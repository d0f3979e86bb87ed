"""The data types that the whole package uses: items, benchmarks, predictions, results.

Frozen standard-library dataclasses; nothing is imported from the package until a method needs it.
`choices` are what a model picks from, `answer` is an index into them (never a letter), a `field`
is a named text of the question, a `group` marks items that a fold must not separate.
"""

from __future__ import annotations

from ._audits import Audit, Failure
from ._edits import Edit, EditReport, EditResult
from ._items import (
    CHANGED_COPY,
    POOLED,
    SPLIT_NAMES,
    UNCONFIRMED_COPY,
    UNNAMED_SPLIT,
    Benchmark,
    Card,
    Cell,
    Displayable,
    Item,
    Items,
    Params,
    ReadingNote,
    Scalar,
    fingerprint,
)
from ._models import (
    FULL,
    UNKNOWN_VIEW,
    ChoiceOrder,
    FitInfo,
    Learner,
    Model,
    NoAnswer,
    OrderKind,
    Predictions,
    Saveable,
    TrainingProtocol,
    View,
)
from ._results import (
    FINDINGS,
    Estimate,
    EstimateKind,
    Probe,
    Result,
    Subject,
    Table,
    Verdict,
)

__all__ = [
    "CHANGED_COPY",
    "FINDINGS",
    "FULL",
    "POOLED",
    "SPLIT_NAMES",
    "UNCONFIRMED_COPY",
    "UNKNOWN_VIEW",
    "UNNAMED_SPLIT",
    "Audit",
    "Benchmark",
    "Card",
    "Cell",
    "ChoiceOrder",
    "Displayable",
    "Edit",
    "EditReport",
    "EditResult",
    "Estimate",
    "EstimateKind",
    "Failure",
    "FitInfo",
    "Item",
    "Items",
    "Learner",
    "Model",
    "NoAnswer",
    "OrderKind",
    "Params",
    "Predictions",
    "Probe",
    "ReadingNote",
    "Result",
    "Saveable",
    "Scalar",
    "Subject",
    "Table",
    "TrainingProtocol",
    "Verdict",
    "View",
    "fingerprint",
]
