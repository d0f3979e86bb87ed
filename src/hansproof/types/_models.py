"""Models: what they may see, what they can do, and what they said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from ._items import Displayable, Items, Params

# why a run has no answer to an item; items that were not asked are left out of its accuracy
NoAnswer = Literal["unparsed", "ambiguous", "refused", "error", "cut off", "not asked"]

# given: somebody's answers.  train-test: trained on one split, run on another.  cv: every item was
# scored by a model that had not seen it, in folds of one split.
TrainingProtocol = Literal["given", "train-test", "cv"]

FULL = "full"  # the view that sees everything
UNKNOWN_VIEW = "unknown"  # the view of a run whose log does not state what the model saw


OrderKind = Literal["rotation", "permutation", "random"]


@dataclass(frozen=True, slots=True)
class ChoiceOrder:
    """An order of choices; number 0 is the published one (`hansproof.choice_orders`)."""

    kind: OrderKind
    number: int


@dataclass(frozen=True, slots=True)
class View:
    """What a model may see: fields by name and `choices`; of this item, or fields of another."""

    keep: tuple[str, ...]
    side_by_side: bool = True  # False: one choice at a time, never beside the others
    shuffled_fields: bool = False  # True: the fields are another item's, as a control
    random_words: bool = False  # True: all words are drawn at random, as a control
    order: ChoiceOrder | None = None  # None: the published order


class Model(Protocol):
    """Anything that scores the choices of items: one number per choice, the highest is its pick.

    Its parameters are the fields of a frozen dataclass. A model to be trained first is a `Learner`.
    Optional capabilities are `Saveable` and those in `hansproof.capabilities`.
    """

    def score(self, items: Items) -> list[tuple[float, ...]]: ...


@dataclass(frozen=True, slots=True)
class FitInfo:
    """What a model reports of training and scoring (`fit_info`); read after it has scored."""

    chosen: dict[str, Any] = field(default_factory=dict)  # settings that training chose
    trials: tuple[str, ...] = ()  # one line for each setting that was tried
    cut: int | None = None  # sequences longer than the limit
    sequences: int | None = None  # sequences read
    length: int | None = None  # the limit, in tokens
    tokenizer: str = ""
    device: str = "cpu"  # where it ran: `cpu`, or `cuda: ` and the name of the card
    diverged: bool = False  # its weights are not finite; it scores ties


@runtime_checkable
class Learner(Protocol):
    """A model still to be trained: `fit` returns one that scores, the same for the same seed.

    `select` are further labelled items for choosing among parameters; nothing is learnt from
    them. An item with one choice asks whether that choice is right: its answer is 0 if so, else
    None.
    """

    def fit(self, items: Items, select: Items, seed: int) -> Model: ...


@runtime_checkable
class Saveable(Protocol):
    """A fitted model that can write itself to a folder; `--keep` calls it."""

    def save(self, folder: str) -> None: ...


@dataclass(frozen=True, slots=True, repr=False)
class Predictions(Displayable):
    """What one run of a model said about every item.

    Attributes:
        benchmark: The name of the benchmark.
        split: The split that was scored.
        sha256: The fingerprint of the split, see `fingerprint`.
        model: The name of the model, with its settings.
        view: What the model saw: `full`, `choices`, parts joined by `+`, or `unknown`.
        scores: One score for each choice, by the id of the item; the highest is the model's pick.
        seed: The seed of the run; None if there is none.
        protocol: `"given"` (somebody's answers), `"train-test"` (trained on one split, run on
            another) or `"cv"` (every item was scored by a model that had not seen it, in folds of
            one split).
        trained_on: The split that the model was trained on.
        train_accuracy: The accuracy on the training items; NaN if the run diverged.
        params: The settings of the model and of the run.
        tokenizer: The tokenizer of the model.
        device: Where the model ran.
        version: The version of hansproof, where it ran the model.
        unanswered: Why an item has no scores, by the id of the item.
        folds: With `"cv"`, the fold of each item, by its id; empty if the folds are not known.
        text_answers: The index of the choice that the text of an answer names, or why it names
            none, by the id of the item, where `scores` are from probabilities of a language model.

    Examples:
        >>> import hansproof
        >>> run = hansproof.predict("toy:original", "chance")
        >>> run.model, run.view, len(run.scores)
        ('chance', 'full', 120)
    """

    benchmark: str
    split: str
    sha256: str
    model: str
    view: str
    scores: dict[str, tuple[float, ...]]
    seed: int | None = None
    protocol: TrainingProtocol = "given"
    trained_on: str | None = None
    train_accuracy: float | None = None
    params: Params = field(default_factory=dict)
    tokenizer: str = ""
    device: str = ""
    version: str = ""
    unanswered: dict[str, NoAnswer] = field(default_factory=dict)
    folds: dict[str, int] = field(default_factory=dict)
    text_answers: dict[str, int | NoAnswer] = field(default_factory=dict)
