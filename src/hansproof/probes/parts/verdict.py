"""The result of all tests on all parts: the worst parts first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..._infra.join_names import join_names
from ...results import key_estimate
from ...types import FINDINGS, Cell, Estimate, Result, Table, Verdict

PARTS, TESTS = "parts", "tests"  # tables
PART_COLUMNS = ("part", "n", "verdict", "probe", "value", "chance", "gain", "q", "finding")
TEST_COLUMNS = (
    *("part", "probe", "verdict", "measure", "value", "low", "high", "chance", "n", "p", "q"),
    "flag",
)
MAX_NAMED = 3  # parts that a sentence names
MAX_ESTIMATES = 10
SEVERITY: tuple[Verdict, ...] = ("exposed", "caution", "undecided", "clear", "skipped")


@dataclass(frozen=True, slots=True)
class PartTest:
    """The result of a probe on a part."""

    part: str
    probe: str
    n: int
    result: Result

    @property
    def gain(self) -> float:
        """What the finding is worth over chance; 0 without a finding."""
        return (self.result.gain or 0.0) if self.result.verdict in FINDINGS else 0.0

    @property
    def severity(self) -> int:
        """The rank of the verdict, the worst first."""
        return SEVERITY.index(self.result.verdict)

    @property
    def estimate(self) -> Estimate | None:
        """The number that is shown: the same of a probe on all parts, wherever it has it."""
        keyed = [e for e in self.result.estimates if e.name == self.result.key]
        return keyed[0] if keyed else key_estimate(self.result)


def build_result(tests: Sequence[PartTest], by: str, notes: tuple[str, ...]) -> Result:
    """Summarise the corrected tests of all parts; probes that test nothing do not rank them."""
    worst_tests = _worst_of_parts([test for test in tests if test.result.q is not None])
    flagged = [test for test in worst_tests if test.result.verdict in FINDINGS]
    q_values = [test.result.q for test in tests if test.result.q is not None]
    n_probes = len({test.probe for test in tests if test.result.q is not None})
    estimates = tuple(filter(None, map(_build_estimate, flagged[:MAX_ESTIMATES])))
    return Result(
        probe="parts",
        params={},
        verdict=_decide_verdict(worst_tests),
        summary=_write_summary(worst_tests, flagged, by),
        headline=_write_headline(flagged[0]) if flagged else "",
        gain=flagged[0].gain if flagged else None,
        key=estimates[0].name if estimates else None,
        # one probe that finds something in a part is enough, so p is corrected for the probes too
        p=min(1.0, n_probes * min(q_values)) if q_values else None,
        estimates=estimates,
        tables={
            PARTS: Table(PART_COLUMNS, tuple(map(_part_row, worst_tests))),
            TESTS: Table(TEST_COLUMNS, tuple(_test_row(test) for test in tests)),
        },
        notes=(
            *notes,
            "q is the p-value after correcting for the number of parts, probe by probe "
            "(Benjamini-Hochberg): of the parts that a probe flags, at most 5% are expected to "
            "be false alarms.",
        ),
    )


def _worst_of_parts(tests: Sequence[PartTest]) -> list[PartTest]:
    """Return the worst test of every part, and of equally bad ones the surest.

    The part with the worst verdict and the largest gain comes first.
    """
    worst: dict[str, PartTest] = {}
    for test in sorted(tests, key=lambda test: (test.severity, test.result.q or 0.0)):
        worst.setdefault(test.part, test)
    return sorted(worst.values(), key=lambda test: (test.severity, -test.gain))


def _decide_verdict(worst_tests: Sequence[PartTest]) -> Verdict:
    return worst_tests[0].result.verdict if worst_tests else "skipped"


def _write_summary(worst: Sequence[PartTest], flagged: Sequence[PartTest], by: str) -> str:
    if not worst:
        return "Skipped: there is only one part, or every part has too few items."
    if not flagged:
        n_undecided = sum(test.result.verdict == "undecided" for test in worst)
        too_few = (
            f"; {n_undecided} of them {'has' if n_undecided == 1 else 'have'} too few items for a "
            "verdict"
            if n_undecided
            else ""
        )
        return f"No shortcut was found in any of the {len(worst)} parts by {by}{too_few}."
    n_exposed = sum(test.result.verdict == "exposed" for test in flagged)
    n_cautions = len(flagged) - n_exposed
    counts = [f"{n_exposed} exposed"] if n_exposed else []
    counts += [f"{n_cautions} with caution"] if n_cautions else []
    descriptions = [_describe_part(test) for test in flagged[:MAX_NAMED]]
    verb = "is" if len(flagged) == 1 else "are"
    opening = f"{len(flagged)} of {len(worst)} parts by {by} {verb} flagged: {join_names(counts)}"
    return f"{opening}. Worst: {join_names(descriptions)}."


def _describe_part(test: PartTest) -> str:
    estimate = test.estimate
    numbers = ""
    if estimate is not None and estimate.chance is not None:
        numbers = f" {estimate.value:.1%}, chance {estimate.chance:.1%}"
    return f"{test.part} ({test.probe.replace('_', ' ')}{numbers})"


def _write_headline(test: PartTest) -> str:
    """Return the headline of the worst part, which names the part if it is a single split."""
    sentence = test.result.headline or test.result.summary
    if test.part in sentence:
        return sentence
    return f"In {test.part}, {sentence[:1].lower()}{sentence[1:]}"


def _build_estimate(test: PartTest) -> Estimate | None:
    """Return the key estimate of a part, named after the part."""
    estimate = test.estimate
    if estimate is None or estimate.chance is None:
        return None
    name = f"{test.part}: {_measure(estimate)}"
    return replace(estimate, name=name, metric="", split="")


def _measure(estimate: Estimate) -> str:
    """Return the name of an estimate without its split."""
    return estimate.name.removeprefix(f"{estimate.split}: ")


def _part_row(test: PartTest) -> tuple[Cell, ...]:
    estimate, result = test.estimate, test.result
    value, chance = (estimate.value, estimate.chance) if estimate else (None, None)
    is_finding = result.verdict in FINDINGS
    finding = (result.headline or result.summary) if is_finding else ""
    gain = test.gain if is_finding else None
    numbers = value, chance, gain, result.q
    return test.part, test.n, result.verdict, test.probe, *numbers, finding


def _test_row(test: PartTest) -> tuple[Cell, ...]:
    estimate, result = test.estimate, test.result
    numbers: tuple[Cell, ...] = (None,) * 4
    if estimate is not None:
        numbers = estimate.value, estimate.low, estimate.high, estimate.chance
    flag = result.verdict if result.verdict in FINDINGS else ""
    measure = _measure(estimate) if estimate else ""
    return (
        *(test.part, test.probe, result.verdict, measure, *numbers),
        *(test.n, result.p, result.q, flag),
    )
