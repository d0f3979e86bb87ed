"""What probes and edits return, and the audit that collects the results."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from ._items import Benchmark, Card, Cell, Displayable, Items, Params

if TYPE_CHECKING:
    import altair
    import pandas
    import polars

# clear: nothing was found, and an effect of the margin would have been.  undecided: nothing was
# found, but there are too few items.  skipped: nothing to test.  caution: a small or uncertain
# weakness.  exposed: answers can be had by what this probe looks at.
Verdict = Literal["clear", "caution", "exposed", "undecided", "skipped"]
FINDINGS: tuple[Verdict, ...] = ("caution", "exposed")

# how an estimate is written: 57.2%, +11.9 points, 1.34 or 12
EstimateKind = Literal["share", "difference", "ratio", "count"]

# what a result says something about: the benchmark itself, or models and their answers to it
Subject = Literal["benchmark", "models"]


@dataclass(frozen=True, slots=True, repr=False)
class Estimate(Displayable):
    """One number with its interval, the number of items behind it and its chance level.

    Examples:
        >>> import hansproof
        >>> hansproof.Estimate("test: longest choice", 0.62, low=0.57, high=0.67, n=400, chance=0.5)
        Estimate(name='test: longest choice', value=0.62, low=0.57, high=0.67, n=400, chance=0.5)
    """

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    chance: float | None = None
    kind: EstimateKind = "share"
    split: str = ""  # the split it is about, or `train → test`; empty where there is none
    metric: str = ""  # a constant of the probe that readers look for; empty where none does


@dataclass(frozen=True, slots=True, repr=False)
class Table(Displayable):
    """Named columns and rows of plain values.

    Examples:
        >>> import hansproof
        >>> table = hansproof.Table(("word", "items"), (("not", 12), ("never", 3)))
        >>> table.columns
        ('word', 'items')
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a pandas DataFrame.

        Raises MissingExtra if pandas is not installed.

        Examples:
            >>> import hansproof
            >>> hansproof.Table(("word", "items"), (("not", 12), ("never", 3))).to_pandas()
                word  items
            0    not     12
            1  never      3
        """
        from ..display.frames import make_pandas_frame

        return make_pandas_frame(self)

    def to_polars(self) -> polars.DataFrame:
        """Return the table as a polars DataFrame.

        Raises MissingExtra if polars is not installed.

        Examples:
            >>> import hansproof
            >>> hansproof.Table(("word", "items"), (("not", 12), ("never", 3))).to_polars().height
            2
        """
        from ..display.frames import make_polars_frame

        return make_polars_frame(self)


@dataclass(frozen=True, slots=True, repr=False)
class Result(Displayable):
    """All that a probe may return: numbers, tables, and the ids of the items behind them.

    Examples:
        >>> import hansproof
        >>> result = hansproof.run("cues", "toy:original")
        >>> result.verdict
        'exposed'
        >>> list(result.tables)
        ['cues', 'strength', 'summary']
        >>> list(result.evidence)
        ['original: new', 'original: had', 'original: too']
    """

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

    def estimate(self, name: str) -> Estimate:
        """Return the estimate of this name; raise UnknownName if there is none.

        Examples:
            >>> import hansproof
            >>> result = hansproof.run("cues", "toy:original")
            >>> result.estimate("original: best word or phrase").chance
            0.5
        """
        from ..errors import UnknownName

        for estimate in self.estimates:
            if estimate.name == name:
                return estimate
        raise UnknownName(f"estimate of {self.probe}", name, (e.name for e in self.estimates))

    def chart(self, split: str | None = None) -> altair.TopLevelMixin:
        """Return the first chart of the probe's section in the report, as an Altair chart.

        `split` is the split to draw, for charts that draw one at a time; by default the one that
        the report opens with. Raises BadInput if there is nothing to draw.

        Examples:
            >>> import hansproof
            >>> chart = hansproof.run("cues", "toy:original").chart()
            >>> chart.to_dict()["height"]
            430
        """
        from ..display.charts import build_chart

        return build_chart(self, split)


@dataclass(frozen=True, slots=True, repr=False)
class EditReport(Displayable):
    """What an edit did: numbers, tables, and the ids of the items concerned."""

    summary: str  # in words a person understands
    estimates: tuple[Estimate, ...] = ()
    tables: dict[str, Table] = field(default_factory=dict)
    evidence: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what was seen -> item ids
    notes: tuple[str, ...] = ()  # what was left alone or deserves care


@dataclass(frozen=True, slots=True, repr=False)
class EditResult(Displayable):
    """What an edit gives: the changed benchmark, and an account of how it was changed."""

    benchmark: Benchmark
    report: EditReport


class Edit(Protocol):
    """A change to a benchmark; `meta` of a changed item states its origin. Fields are flags."""

    needs: ClassVar[tuple[str, ...]]  # as a probe's

    def __call__(self, benchmark: Benchmark, *args: Any, **inputs: Any) -> EditResult: ...


class Probe(Protocol):
    """One question asked of a benchmark. A frozen dataclass: its fields are its settings.

    A probe names in `needs` what it looks at besides the benchmark, and gets it by that name; if
    it names several, one of them is enough. `uses` may name inputs that it can do without. A probe
    that is `on_request` runs in an audit only if it is named.

    Examples:
        >>> from dataclasses import dataclass
        >>> from typing import ClassVar
        >>> import hansproof
        >>> @dataclass(frozen=True)
        ... class ShortItems:
        ...     needs: ClassVar[tuple[str, ...]] = ()
        ...     limit: int = 20
        ...     def __call__(self, benchmark):
        ...         items = [i for items in benchmark.splits.values() for i in items]
        ...         n = sum(len("".join(item.fields.values())) < self.limit for item in items)
        ...         return hansproof.Result("short_items", {}, "clear", f"{n} short items.")
        >>> hansproof.run(ShortItems(limit=30), "toy:original").summary
        '5 short items.'
    """

    needs: ClassVar[tuple[str, ...]]  # () or e.g. ("predictions",)

    def __call__(self, benchmark: Benchmark, *args: Any, **inputs: Any) -> Result: ...


@dataclass(frozen=True, slots=True, repr=False)
class Failure(Displayable):
    """A probe that could not be run, and why.

    Examples:
        >>> import hansproof
        >>> hansproof.Failure("cues", "the tokenizer nltk is not installed").probe
        'cues'
    """

    probe: str
    error: str
    subject: Subject = "benchmark"


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Displayable):
    """A saved run of probes over one benchmark, enough to redo it and to draw the report.

    Examples:
        >>> import hansproof
        >>> audit = hansproof.audit("toy:original", probes=["class_balance", "cues"])
        >>> audit["cues"].verdict
        'exposed'
        >>> "surface" in audit
        False
    """

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
    created: str = ""  # date and time, UTC, as 2026-11-18T16:40:00Z
    command: str = ""  # the command line that ran it

    __iter__ = None  # `audit["cues"]` is a look-up by name; `audit.results` are to be iterated over

    def __getitem__(self, probe: str) -> Result:
        """Return the result of a probe.

        Raises UnknownName if the audit did not run it, and BadInput if it could not be run.
        """
        from ..errors import BadInput, UnknownName

        for result in self.results:
            if result.probe == probe:
                return result
        for failure in self.failures:
            if failure.probe == probe:
                raise BadInput(probe, f"could not be run: {failure.error}")
        raise UnknownName("probe of this audit", probe, (result.probe for result in self.results))

    def __contains__(self, probe: object) -> bool:
        """Tell whether the audit has a result of this probe."""
        return any(result.probe == probe for result in self.results)

    def find_items(self, ids: Iterable[str]) -> Items:
        """Return the items with these ids that the audit quotes, in the order of the ids.

        An audit quotes the first 50 items of each piece of evidence.

        Examples:
            >>> import hansproof
            >>> audit = hansproof.audit("toy:original", probes=["cues"])
            >>> items = audit.find_items(audit["cues"].evidence["original: had"])
            >>> all("had" in " ".join(item.choices).split() for item in items)
            True
        """
        items_by_id = {item.id: item for item in self.items}
        return tuple(items_by_id[id] for id in ids if id in items_by_id)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write `audit.json` and `report.html` to a folder, which is created if it is missing.

        Files of these names are replaced.

        Examples:
            >>> import hansproof, os, tempfile
            >>> audit = hansproof.audit("toy:original", probes=["class_balance"])
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     audit.save(folder)
            ...     sorted(os.listdir(folder)), hansproof.Audit.load(folder) == audit
            (['audit.json', 'report.html'], True)
        """
        from ..report.files import save_report

        save_report(self, folder)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Audit:
        """Load a saved audit: an `audit.json`, or the folder that contains it.

        Raises BadInput if the file is not an audit, or if another version wrote it differently.
        """
        from ..auditing import load_audit

        return load_audit(path)
