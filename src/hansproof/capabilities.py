"""What a model can do besides scoring: the one place where optional capabilities are decided.

A model declares a capability by having the attribute or method of its protocol: `fit` (`Learner`),
`fit_many` and `batch_capacity` (`BatchLearner`), `save` (`Saveable`), `gradients` (`Attributable`),
and those below. The functions answer for models that have none of them, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from .spending import Price, Spending
from .training.training_task import BatchLearner
from .types import FitInfo, Item, Items, Learner, NoAnswer, Params, Saveable

__all__ = [
    "AskingContext",
    "Attributable",
    "AttributionMethod",
    "Attributions",
    "BatchLearner",
    "EndpointModel",
    "ItemReply",
    "Learner",
    "Question",
    "Replies",
    "Respondent",
    "Saveable",
    "batch_capacity",
    "fit_info_of",
    "gpu_request",
    "is_slow",
    "material_digests",
    "needs_selection",
    "uses_accelerator",
]

# how `Attributable.gradients` measures what a token contributes
AttributionMethod = Literal["gradient", "integrated", "occlusion"]


@dataclass(frozen=True, slots=True)
class Attributions:
    """How much the score of a sequence depends on each token: shares that sum to 1, or NaN."""

    texts: tuple[str, ...]  # the segments as they were read, cut where there was no room
    tokens: tuple[tuple[int, int, int], ...]  # segment, start, end in characters; -1: special
    shares: tuple[float, ...]  # one for each token


@runtime_checkable
class Attributable(Protocol):
    """A model that tells how much the score of each choice depends on each token it reads."""

    def gradients(
        self, items: Items, method: AttributionMethod = "gradient", steps: int = 32
    ) -> list[tuple[Attributions, ...]]: ...


@runtime_checkable
class ReportingModel(Protocol):
    """A model that reports on its training and scoring."""

    @property
    def fit_info(self) -> FitInfo: ...


@runtime_checkable
class SelectingLearner(Protocol):
    """A learner that says whether it needs labelled items to choose parameters by."""

    @property
    def selects(self) -> bool: ...


@runtime_checkable
class SlowLearner(Protocol):
    """A learner that says whether each of its runs is worth a process of its own."""

    @property
    def slow(self) -> bool: ...


@runtime_checkable
class FileUser(Protocol):
    """A model whose scores depend on files, and that can fingerprint them."""

    def materials(self) -> Mapping[str, object]: ...


@runtime_checkable
class GpuUser(Protocol):
    """A model that says which share of a GPU a group of its runs needs."""

    @property
    def gpu(self) -> float: ...


@runtime_checkable
class DeviceUser(Protocol):
    """A model with a parameter for the device it runs on."""

    @property
    def device(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Question:
    """An item as a view shows it, and the texts by which a free answer to it is read."""

    item: Item
    choices: tuple[str, ...]  # in the order shown; the view may hide them


@dataclass(frozen=True, slots=True)
class ItemReply:
    """What a model replied to an item: a score for each choice, or why there is none."""

    scores: tuple[float, ...] = ()
    no_answer: NoAnswer | None = None
    text_answer: int | NoAnswer | None = None  # what its text says, where scores are from elsewhere


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies to all items of a run, and what it reports about itself."""

    items: tuple[ItemReply, ...]
    params: Params = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AskingContext:
    """What a run of a respondent shares with others."""

    folder: str | None = None  # of the store: answers are kept there
    spending: Spending | None = None  # of all runs of a command
    seed: int = 0
    examples: Items = ()  # labelled items, as the view shows them, but always with their choices


@runtime_checkable
class Respondent(Protocol):
    """A model that may decline to answer: it is asked, and its replies have reasons."""

    @property
    def examples(self) -> int: ...  # how many labelled items it is shown first

    @property
    def temperature(self) -> float: ...  # 0: it replies the same to the same question

    def respond(self, questions: Sequence[Question], context: AskingContext) -> Replies: ...


@runtime_checkable
class EndpointModel(Respondent, Protocol):
    """A respondent behind a server, which may need a key and cost money."""

    @property
    def token_price(self) -> Price | None: ...

    def check_key(self) -> None: ...


def fit_info_of(model: object) -> FitInfo:
    """Return what a model reports about its training and scoring; call it after it has scored."""
    return model.fit_info if isinstance(model, ReportingModel) else FitInfo()


def needs_selection(model: object) -> bool:
    """Return whether a learner needs labelled items to choose parameters by."""
    return isinstance(model, SelectingLearner) and bool(model.selects)


def is_slow(model: object) -> bool:
    """Return whether each run of a model is worth a process of its own."""
    return isinstance(model, SlowLearner) and bool(model.slow)


def batch_capacity(model: object) -> int:
    """Return how many runs a model should be given at once."""
    return max(1, int(model.batch_capacity())) if isinstance(model, BatchLearner) else 1


def material_digests(model: object) -> Mapping[str, object]:
    """Return the fingerprints of the files that a model uses, by name."""
    return model.materials() if isinstance(model, FileUser) else {}


def gpu_request(model: object) -> float | None:
    """Return the share of a GPU that a model asks for; None if it does not say."""
    return float(model.gpu) if isinstance(model, GpuUser) else None


def uses_accelerator(model: object) -> bool:
    """Return whether a model's device may be other than the CPU."""
    return isinstance(model, DeviceUser) and str(model.device) != "cpu"
