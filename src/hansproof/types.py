"""The data types that the whole package uses: items, benchmarks, predictions, results.

Frozen standard-library dataclasses; nothing here imports from the package.
`choices` are what a model picks from, `answer` is an index into them (never a letter), a `field`
is a named text of the question, a `group` marks items that a fold must not separate.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

Scalar = str | int | float | bool | None
Cell = Scalar
Params = dict[str, Scalar | tuple[Scalar, ...]]

# clear: nothing was found, and an effect of the margin would have been.  undecided: nothing was
# found, but there are too few items.  skipped: nothing to test.  caution: a small or uncertain
# weakness.  exposed: answers can be had by what this probe looks at.
Verdict = Literal["clear", "caution", "exposed", "undecided", "skipped"]
FINDINGS: tuple[Verdict, ...] = ("caution", "exposed")

# why a run has no answer to an item; items that were not asked are left out of its accuracy
NoAnswer = Literal["unparsed", "refused", "error", "cut off", "not asked"]

# given: somebody's answers.  train-test: trained on one split, run on another.  cv: every item was
# scored by a model that had not seen it, in folds of one split.
TrainingProtocol = Literal["given", "train-test", "cv"]

FULL = "full"  # the view that sees everything
UNKNOWN_VIEW = "unknown"  # the view of a run whose log does not state what the model saw
SPLIT_NAMES = ("train", "dev", "val", "valid", "validation", "test")  # by which files are known
UNNAMED_SPLIT = "all"  # the split of files whose names say nothing
POOLED = "pooled"  # the name of all labelled splits taken together
CHANGED_COPY, UNCONFIRMED_COPY = "(changed copy)", "(unconfirmed copy)"  # end a card's title


@dataclass(frozen=True, slots=True)
class Item:
    """One question: named texts, the choices, and the index of the right choice."""

    id: str
    fields: dict[str, str]
    choices: tuple[str, ...]
    answer: int | None
    group: str | None = None
    meta: dict[str, Scalar] = field(default_factory=dict)
    # where it was read: the file as seen from the folder that was loaded, and the line
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)


Items = tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """The origin, licence and citation of a benchmark."""

    title: str = ""
    home: str = ""
    licence: str = ""
    citation: str = ""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Named splits of items, and the role of each split."""

    name: str
    splits: dict[str, Items]
    roles: dict[str, str] = field(default_factory=dict)  # train, select, test -> split
    card: Card = Card()
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = field(default=(), compare=False)  # how its files were read, in words

    def take_split(self, names: str) -> Benchmark:
        """Return a benchmark with one split: a split, an alias, `a+b`, or `pooled`.

        Of several splits, those without answers are left out if others have answers. Raises
        KeyError with the first unknown name.
        """
        labelled = self.labelled_splits()
        if names == POOLED:
            split_names = list(labelled)
        else:
            split_names = [s for part in names.split("+") for s in self.aliases.get(part, (part,))]
            selected = {s: self.splits[s] for s in split_names}
            split_names = [s for s in selected if s in labelled] or list(selected)
        items = tuple(item for split in split_names for item in self.splits[split])
        roles = {role: split for role, split in self.roles.items() if split == names}
        return replace(self, splits={names: items}, roles=roles, aliases={})

    def labelled_splits(self) -> dict[str, Items]:
        """Return the splits in which all items have answers."""
        return {
            name: items
            for name, items in self.splits.items()
            if items and all(item.answer is not None for item in items)
        }

    def sha256(self) -> dict[str, str]:
        """Return the fingerprint of every split (see `fingerprint`)."""
        return {name: fingerprint(items) for name, items in self.splits.items()}


def fingerprint(items: Iterable[Item]) -> str:
    """Return a sha256 over ids, fields, choices and answers, not over order, meta or groups.

    A copy from a hub and a local file of the same items have the same fingerprint.
    """
    digest = hashlib.sha256()
    for item in sorted(items, key=lambda item: item.id):
        fields = {name: text.strip() for name, text in item.fields.items()}
        row = [item.id, fields, [choice.strip() for choice in item.choices], item.answer]
        digest.update(json.dumps(row, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class View:
    """What a model may see: fields by name and `choices`; of this item, or fields of another."""

    keep: tuple[str, ...]
    side_by_side: bool = True  # False: one choice at a time, never beside the others
    shuffled_fields: bool = False  # True: the fields are another item's, as a control


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


@dataclass(frozen=True, slots=True)
class Predictions:
    """What one run of a model said about every item."""

    benchmark: str
    split: str
    sha256: str
    model: str
    view: str
    scores: dict[str, tuple[float, ...]]  # by item id, one score per choice
    seed: int | None = None
    protocol: TrainingProtocol = "given"
    trained_on: str | None = None
    train_accuracy: float | None = None
    params: Params = field(default_factory=dict)
    tokenizer: str = ""
    device: str = ""
    version: str = ""  # of hansproof, where it ran the model
    unanswered: dict[str, NoAnswer] = field(default_factory=dict)  # items without scores, and why


# how an estimate is written: 57.2%, +11.9 points, 1.34 or 12
EstimateKind = Literal["share", "difference", "ratio", "count"]

# what a result says something about: the benchmark itself, or models and their answers to it
Subject = Literal["benchmark", "models"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """One number with its interval, the number of items behind it and its chance level."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    chance: float | None = None
    kind: EstimateKind = "share"
    split: str = ""  # the split it is about, or `train → test`; empty where there is none
    metric: str = ""  # a constant of the probe that readers look for; empty where none does


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns and rows of plain values."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Result:
    """All that a probe may return: numbers, tables, and the ids of the items behind them."""

    probe: str
    params: Params
    verdict: Verdict
    summary: str  # the finding in words a person understands
    estimates: tuple[Estimate, ...] = ()
    tables: dict[str, Table] = field(default_factory=dict)
    evidence: dict[str, tuple[str, ...]] = field(default_factory=dict)  # flag -> item ids
    notes: tuple[str, ...] = ()  # what was skipped or deserves care
    # p corrected for all that the probe tested; q for the audit too; None: not a test's verdict
    p: float | None = None
    q: float | None = None
    p_floor: float | None = None  # the smallest p that its randomisations can show
    key: str | None = None  # the name of the estimate that the summary is about
    subject: Subject = "benchmark"
    power: float | None = None  # probability of seeing an effect of the margin
    n_needed: int | None = None  # items with which that would be 80%
    headline: str = ""  # the strongest finding in one short sentence for anybody
    gain: float | None = None  # accuracy over chance that the finding is worth


@dataclass(frozen=True, slots=True)
class EditReport:
    """What an edit did: numbers, tables, and the ids of the items concerned."""

    summary: str  # in words a person understands
    estimates: tuple[Estimate, ...] = ()
    tables: dict[str, Table] = field(default_factory=dict)
    evidence: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what was seen -> item ids
    notes: tuple[str, ...] = ()  # what was left alone or deserves care


@dataclass(frozen=True, slots=True)
class EditResult:
    """What an edit gives: the changed benchmark, and an account of how it was changed."""

    benchmark: Benchmark
    report: EditReport


class Edit(Protocol):
    """A change to a benchmark; `meta` of a changed item states its origin. Fields are flags."""

    needs: ClassVar[tuple[str, ...]]  # as a probe's

    def __call__(self, benchmark: Benchmark, *args: Any, **inputs: Any) -> EditResult: ...


class Probe(Protocol):
    """One question asked of a benchmark. A frozen dataclass: its fields are the flags.

    What it looks at beyond the benchmark it names in `needs`, and gets by that name; where it
    names several, one of them will do. What it can do without it may name in `uses`. One that is
    `on_request` is no part of an audit unless it is named.
    """

    needs: ClassVar[tuple[str, ...]]  # () or e.g. ("predictions",)

    def __call__(self, benchmark: Benchmark, *args: Any, **inputs: Any) -> Result: ...


@dataclass(frozen=True, slots=True)
class Failure:
    """A probe that could not be run, and why."""

    probe: str
    error: str
    subject: Subject = "benchmark"


@dataclass(frozen=True, slots=True)
class Audit:
    """A saved run of probes over one benchmark, enough to redo it and to draw the report."""

    SCHEMA: ClassVar[int] = 3

    schema: int
    version: str
    benchmark: str
    sha256: dict[str, str]
    sizes: dict[str, int]
    card: Card
    results: tuple[Result, ...]
    failures: tuple[Failure, ...]
    environment: dict[str, str]
    items: Items = ()  # those shown as evidence, each once
    created: str = ""  # date and time in UTC, ISO 8601; empty in older files
    command: str = ""  # the command line that made it; empty if none did
