"""Is the difference between two systems significant, or could it be chance?

Paired, item by item: an exact randomisation test (Noreen 1989) on per-item means over seeds, a
paired bootstrap, and McNemar's exact test where both systems have one run; Holm-corrected. With
more than two systems, neighbours in the ranking are compared. Only items that both systems answered
count. Misleads where runs were picked for their score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from .._infra.plural import plural
from .._infra.validation import check_choice, check_range
from ..errors import BadInput, UnknownName
from ..inputs.systems import SeedCounting, System, build_systems, pair_answered, systems_by_split
from ..stats import (
    bootstrap_mean,
    group_count,
    holm,
    mcnemar_test,
    mean_interval,
    paired_randomisation_test,
)
from ..types import FULL, Benchmark, Cell, Estimate, Predictions, Result, Subject, Table, Verdict
from ._answer_notes import write_identical_notes, write_missing_notes
from ._text import POOLED_NOTE
from .surface.slices import slice_items

RANKING_COLUMNS = ("split", "rank", "system", "runs", "accuracy", "low", "high", "chance", "n")
PAIR_COLUMNS = (
    "split", "slice", "a", "b", "accuracy_a", "accuracy_b", "difference", "low", "high", "p", "q",
    "method", "only_a", "only_b", "mcnemar_p", "n", "flag",
)  # fmt: skip
DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Compare:
    """Two systems, or the neighbours of a ranking, paired item by item."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)
    subject: ClassVar[Subject] = "models"

    a: str | None = None  # name of a system; with --b, compare only these two, also by slice
    b: str | None = None  # name of the other system
    seeds: SeedCounting = "mean"  # count an item once, by its mean over runs, or once for each run
    level: float = 0.05  # significance level, Holm-corrected
    randomisations: int = 100_000  # number, where the exact p is too costly
    seed: int = 0  # random seed of bootstrap and randomisations

    def __post_init__(self) -> None:
        check_choice("seeds", self.seeds, get_args(SeedCounting))
        check_range("level", self.level, 0, 1)
        check_range("randomisations", self.randomisations, 1)
        check_range("seed", self.seed, 0)
        if (self.a is None) != (self.b is None):
            raise BadInput(
                "--a" if self.a is None else "--b", "is missing: name both systems, --a and --b"
            )
        if self.a is not None and self.a == self.b:
            raise BadInput("--b", "names the same system as --a; name another one")

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Result:
        parts = systems_by_split(build_systems(benchmark, predictions))
        ranked = {
            split: sorted(systems, key=lambda system: system.accuracy, reverse=True)
            for split, systems in parts.items()
        }
        pairs = [pair for systems in ranked.values() for pair in self._compare_pairs(systems)]
        pairs = _correct_pairs(pairs, self.level)
        unsliced = [pair for pair in pairs if not pair.slice]
        return Result(
            probe="compare",
            params=asdict(self),
            verdict=_decide_verdict(unsliced),
            summary=_write_summary(pairs, any(len(systems) > 1 for systems in ranked.values())),
            key=unsliced[0].build_estimate().name if len(unsliced) == 1 else None,
            subject=self.subject,
            estimates=tuple(pair.build_estimate() for pair in unsliced),
            tables={
                "ranking": Table(RANKING_COLUMNS, tuple(
                    row for systems in ranked.values() for row in _ranking_rows(systems)
                )),
                "pairs": Table(PAIR_COLUMNS, tuple(pair.table_row() for pair in pairs)),
            },
            evidence={
                evidence_key(pair.split, pair.a, pair.b): pair.differing_ids
                for pair in unsliced
                if pair.differing_ids
            },
            notes=tuple(self._write_notes(ranked, pairs)),
        )  # fmt: skip

    def _compare_pairs(self, ranked: list[System]) -> Iterator[SystemPair]:
        if self.a is not None and self.b is not None:
            by_name = {system.name: system for system in ranked}
            chosen = [(_find_system(by_name, self.a), _find_system(by_name, self.b))]
        else:
            chosen = list(pairwise(ranked))
        for pair in chosen:
            first, second = pair_answered(*pair)
            if not first.items:
                if self.a is not None:
                    message = f"{self.a} and {self.b} have no answered item in common"
                    raise BadInput("--predictions", message)
                continue
            yield self._compare_systems(first, second, "", np.arange(len(first.items)))
            if len(chosen) > 1:
                continue
            index_of = {item.id: index for index, item in enumerate(first.items)}
            for name, items, _ in slice_items(first.items):
                if name:
                    yield self._compare_systems(
                        first, second, name, np.array([index_of[i.id] for i in items])
                    )

    def _compare_systems(
        self, first: System, second: System, name: str, indices: NDArray[np.int64]
    ) -> SystemPair:
        a, b = first.credits[:, indices], second.credits[:, indices]
        groups = [first.items[i].group for i in indices]
        x, y = a.mean(axis=0), b.mean(axis=0)
        is_different = x != y
        independent = group_count(groups) == len(groups)  # as McNemar's test takes them
        single = len(a) == len(b) == 1 and {0.0, 1.0} >= {*x, *y} and independent
        only_a, only_b, mcnemar_p = mcnemar_test(x, y) if single else (None, None, None)
        if self.seeds == "pooled":
            if len(a) != len(b):
                raise BadInput(
                    "--seeds", "pooled needs the same number of runs of both systems; use mean"
                )
            x, y, groups = a.ravel(), b.ravel(), groups * len(a)
        test = paired_randomisation_test(x, y, groups, rounds=self.randomisations, seed=self.seed)
        low, high = bootstrap_mean(x - y, groups, seed=self.seed, bounds=(-1.0, 1.0))
        return SystemPair(
            first.split, name, first.name, second.name, float(x.mean()), float(y.mean()),
            test.difference, low, high, test.p, test.method, only_a, only_b, mcnemar_p,
            indices.size, tuple(first.items[i].id for i in indices[is_different]),
        )  # fmt: skip

    def _write_notes(
        self, ranked: dict[str, list[System]], pairs: list[SystemPair]
    ) -> Iterator[str]:
        for split, systems in ranked.items():
            if len(systems) < 2:
                yield f"{split}: only one system, so there is nothing to compare."
        systems = [system for split_systems in ranked.values() for system in split_systems]
        yield from write_missing_notes(systems)
        yield from write_identical_notes(systems)
        if self.a is None:
            yield from _write_uncompared_notes(ranked, pairs)
        for pair in pairs:
            n_split = len(ranked[pair.split][0].split_items)
            if not pair.slice and pair.n < n_split:
                yield (
                    f"{pair.split}: {pair.a} and {pair.b} are compared on the {pair.n} of "
                    f"{n_split} items that both answered."
                )
        if self.seeds == "pooled":
            yield POOLED_NOTE


def compare_runs(
    benchmark: Benchmark,
    runs: tuple[Sequence[Predictions], Sequence[Predictions]],
    labels: tuple[str, str],
    seeds: SeedCounting = "mean",
) -> Result:
    """Compare two lots of runs, each taken as one system, on the splits they share."""
    systems_by_side = [build_systems(benchmark, side_runs) for side_runs in runs]
    for systems, name in zip(systems_by_side, labels, strict=True):
        if any(len(split_systems) > 1 for split_systems in systems_by_split(systems).values()):
            names = ", ".join(dict.fromkeys(system.name for system in systems))
            raise BadInput(
                name, f"contains runs of several systems ({names}): give the runs of only one"
            )
    shared = {s.split for s in systems_by_side[0]} & {s.split for s in systems_by_side[1]}
    if not shared:
        raise BadInput(labels[1], f"has no split in common with {labels[0]}")
    first_name, second_name = (systems[0].name for systems in systems_by_side)
    if first_name == second_name:
        first_name, second_name = labels
    renamed = [
        replace(run, model=name, view=FULL, trained_on=None, protocol="given", params={})
        for side_runs, name in zip(runs, (first_name, second_name), strict=True)
        for run in side_runs
        if run.split in shared
    ]
    return Compare(a=first_name, b=second_name, seeds=seeds)(benchmark, renamed)


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems on the same items."""

    split: str
    slice: str
    a: str
    b: str
    accuracy_a: float
    accuracy_b: float
    difference: float
    low: float
    high: float
    p: float
    method: str
    only_a: int | None  # items that only a gets right, where both have one run
    only_b: int | None
    mcnemar_p: float | None
    n: int
    differing_ids: tuple[str, ...]  # items they differ on
    q: float = 1.0  # p, corrected
    differs: bool = False  # beyond chance, after correction

    def table_row(self) -> tuple[Cell, ...]:
        """Return the row of the table (see PAIR_COLUMNS)."""
        return (
            self.split, self.slice, self.a, self.b, self.accuracy_a, self.accuracy_b,
            self.difference, self.low, self.high, self.p, self.q, self.method, self.only_a,
            self.only_b, self.mcnemar_p, self.n, DIFFERS if self.differs else "",
        )  # fmt: skip

    def build_estimate(self) -> Estimate:
        """Return the difference as an estimate."""
        return Estimate(
            f"{self.split}: {self.a} minus {self.b}", self.difference, self.low, self.high, self.n,
            0.0, kind="difference", split=self.split,
        )  # fmt: skip


def evidence_key(split: str, a: str, b: str) -> str:
    """Name the items of a split on which two systems differ."""
    return f"{split}: {a} and {b} differ"


def _correct_pairs(pairs: list[SystemPair], level: float) -> list[SystemPair]:
    """Add Holm's q over unsliced comparisons; slices are a family of their own."""
    q = np.ones(len(pairs))
    for sliced in (False, True):
        indices = [i for i, pair in enumerate(pairs) if bool(pair.slice) == sliced]
        q[indices] = holm([pairs[i].p for i in indices])
    return [
        replace(pair, q=value, differs=value <= level)
        for pair, value in zip(pairs, q.tolist(), strict=True)
    ]


def _find_system(by_name: dict[str, System], name: str) -> System:
    if name not in by_name:
        raise UnknownName("system", name, by_name)
    return by_name[name]


def _ranking_rows(ranked: list[System]) -> list[tuple[Cell, ...]]:
    means = [system.accuracy for system in ranked]
    return [
        (
            system.split, 1 + sum(mean > system_mean for mean in means), system.name,
            len(system.runs), system_mean, *mean_interval(system.scores, system.groups),
            system.chance, len(system.items),
        )
        for system, system_mean in zip(ranked, means, strict=True)
    ]  # fmt: skip


def _write_uncompared_notes(
    ranked: dict[str, list[System]], pairs: list[SystemPair]
) -> Iterator[str]:
    """Name the neighbours in the ranking that have no answered item in common."""
    compared = {(pair.split, pair.a, pair.b) for pair in pairs}
    for split, systems in ranked.items():
        for first, second in pairwise(systems):
            if (split, first.name, second.name) not in compared:
                yield (
                    f"{split}: {first.name} and {second.name} cannot be compared: they have no "
                    "answered item in common."
                )


def _decide_verdict(unsliced: list[SystemPair]) -> Verdict:
    if not unsliced:
        return "skipped"
    return "clear" if all(pair.differs for pair in unsliced) else "caution"


def _write_summary(pairs: list[SystemPair], has_several: bool) -> str:
    unsliced = [pair for pair in pairs if not pair.slice]
    if not unsliced and has_several:
        return "Skipped: no two neighbours in the ranking have an answered item in common."
    if not unsliced:
        return "Skipped: there is only one system; give the predictions of another."
    if len(unsliced) > 1:
        n_differing = sum(pair.differs for pair in unsliced)
        return (
            f"{n_differing} of {len(unsliced)} pairs of neighbours in the ranking "
            f"{'differs' if n_differing == 1 else 'differ'} significantly."
        )
    pair, slices = unsliced[0], [pair for pair in pairs if pair.slice]
    n_slices_differing = sum(sliced.differs for sliced in slices)
    slice_clause = (
        f"; {n_slices_differing} of {plural(len(slices), 'slice')} differ too"
        if pair.differs and n_slices_differing
        else ""
    )
    text = (
        f"{pair.a} ({pair.accuracy_a:.1%}) and {pair.b} ({pair.accuracy_b:.1%}) "
        f"{'differ significantly' if pair.differs else 'do not differ significantly'} on "
        f"{plural(pair.n, 'item')} of {pair.split}"
    )
    return f"{text}{slice_clause}."
