"""What probes return: estimates, tables and results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from ._items import Benchmark, Cell, Displayable, Params

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

    Attributes:
        name: What was measured, with the split before it.
        value: The number: a share between 0 and 1, a difference, a ratio or a count.
        low: The lower end of its 95% interval; None if there is none.
        high: The upper end of the interval.
        n: The number of items behind it.
        chance: What guessing would give; None if that means nothing here.
        kind: How the number is written: `"share"` (57.2%), `"difference"` (+11.9 points),
            `"ratio"` (1.34) or `"count"` (12).
        split: The split it is about, or `train → test`; empty if there is none.
        metric: A constant of the probe that readers look for; empty if none does.

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
    split: str = ""
    metric: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Table(Displayable):
    """Named columns and rows of plain values.

    Attributes:
        columns: The names of the columns.
        rows: The rows, each with one value for each column.

    Examples:
        >>> import hansproof
        >>> table = hansproof.Table(("word", "items"), (("not", 12), ("never", 3)))
        >>> table.columns
        ('word', 'items')
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def to_dicts(self) -> list[dict[str, Cell]]:
        """Return the rows as dicts from column to value.

        Examples:
            >>> import hansproof
            >>> hansproof.Table(("word", "items"), (("not", 12), ("never", 3))).to_dicts()
            [{'word': 'not', 'items': 12}, {'word': 'never', 'items': 3}]
        """
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

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

    Attributes:
        probe: The name of the probe.
        params: The settings of the probe that ran.
        verdict: `"clear"` (nothing was found, and an effect of the margin would have been),
            `"undecided"` (nothing was found, but there are too few items), `"skipped"` (nothing
            to test), `"caution"` (a small or uncertain weakness) or `"exposed"` (answers can be
            had by what this probe looks at).
        summary: The finding in words.
        estimates: The numbers, each with its interval and chance level.
        tables: The tables, by name.
        evidence: The ids of the items behind each finding, by finding.
        notes: What was skipped, or deserves care.
        p: The p-value, corrected within this probe; None if the verdict is not a test.
        q: The p-value corrected over the probes of the audit too; set by `audit`, not by `run`.
        p_floor: The smallest p-value that the randomisations of the probe can show.
        key: The name of the estimate that the summary is about.
        subject: What the result is about: `"benchmark"`, or `"models"` and their answers to it.
        power: The probability of seeing an effect of the margin with these items.
        n_needed: The number of items with which that probability would be 80%.
        headline: The strongest finding in one short sentence; empty if there is none.
        gain: The accuracy over chance that the finding is worth.

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
    summary: str
    estimates: tuple[Estimate, ...] = ()
    tables: dict[str, Table] = field(default_factory=dict)
    evidence: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    p: float | None = None
    q: float | None = None
    p_floor: float | None = None
    key: str | None = None
    subject: Subject = "benchmark"
    power: float | None = None
    n_needed: int | None = None
    headline: str = ""
    gain: float | None = None

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
