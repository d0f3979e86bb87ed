"""Which parts of the benchmark give their answers away?

Every probe of the benchmark is run on each part alone: on the items of a subject, a file, a folder,
or any other column. Verdicts are corrected for the number of parts, probe by probe (Benjamini and
Hochberg 1995). Misleads where parts are small: most of them are then undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ..._infra.progress import track
from ..._infra.validation import check_range
from ...errors import HansproofError
from ...plugins import inputs_of, load_class, names
from ...results import SIGNIFICANCE_LEVEL, downgrade, is_at_floor, with_more_randomisations
from ...stats import benjamini_hochberg
from ...types import FINDINGS, Benchmark, Probe, Result
from .._splits import labelled_splits
from .._tokens import resolve_tokenizer
from .grouping import divide_benchmark
from .verdict import PartTest, build_result

if TYPE_CHECKING:
    from ...inputs.choice_vectors import ChoiceVectors
    from ...inputs.likelihoods import ChoiceLikelihoods

ProbeInputs = Mapping[str, Sequence[Any]]  # of all parts, by name

NAME = "parts"


@dataclass(frozen=True, slots=True)
class Parts:
    """The verdict of every probe on every part."""

    needs: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[tuple[str, ...]] = ("lm", "encoder")
    on_request: ClassVar[bool] = True

    by: str = "split"  # a column, file, folder (folder1, folder2: one level), or split
    min_items: int = 20  # smaller parts are left out
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp

    def __post_init__(self) -> None:
        check_range("min_items", self.min_items, 2)

    def __call__(
        self,
        benchmark: Benchmark,
        lm: Sequence[ChoiceLikelihoods] = (),
        encoder: Sequence[ChoiceVectors] = (),
    ) -> Result:
        inputs: ProbeInputs = {"lm": lm, "encoder": encoder}
        parts, unlabelled_notes = self.divide(benchmark)
        large = {name: part for name, part in parts.items() if _count(part) >= self.min_items}
        if len(parts) == 1:  # it would be the benchmark itself
            large = {}
        tokenizer = resolve_tokenizer(self.tokenizer, benchmark).name
        probes = _build_probes(tokenizer)
        tests: list[PartTest] = []
        for name in track(list(large), len(large), f"{NAME} by {self.by}"):
            for probe_name, probe in probes.items():
                result = _run_probe(probe, large[name], inputs)
                if result is not None:
                    tests.append(PartTest(name, probe_name, _count(large[name]), result))
        tests = _repeat_at_floor(tests, probes, large, inputs)
        notes = (*unlabelled_notes, *_describe_small(parts, large, self.min_items))
        result = build_result(_correct_tests(tests), self.by, notes)
        params = {**asdict(self), "tokenizer": tokenizer, **_name_models(inputs)}
        return replace(result, params=params)

    def divide(self, benchmark: Benchmark) -> tuple[dict[str, Benchmark], tuple[str, ...]]:
        """Return the parts, and notes on splits without answers."""
        labelled, notes = labelled_splits(benchmark, None)
        return divide_benchmark(replace(benchmark, splits=labelled), self.by), notes


def _build_probes(tokenizer: str) -> dict[str, Probe]:
    """Build the probes that need nothing but the benchmark, all with the same tokenizer."""
    classes = {name: load_class("probes", name) for name in names("probes") if name != NAME}
    return {
        name: probe(tokenizer=tokenizer) if hasattr(probe, "tokenizer") else probe()
        for name, probe in classes.items()
        if not probe.needs and not getattr(probe, "on_request", False)
    }


def _name_models(inputs: ProbeInputs) -> dict[str, tuple[str, ...]]:
    """Name the models of each input, for the settings of the result."""
    return {name: tuple(m.model for m in models) for name, models in inputs.items() if models}


def _run_probe(probe: Probe, part: Benchmark, inputs: ProbeInputs) -> Result | None:
    """Run a probe on a part, with the inputs that it takes; None if it cannot be run there."""
    try:
        return probe(part, **{name: inputs[name] for name in inputs_of(probe) if name in inputs})
    except HansproofError:
        return None


def _correct_tests(tests: Sequence[PartTest]) -> list[PartTest]:
    """Correct the verdicts of each probe for the number of parts."""
    corrected: dict[int, PartTest] = {}
    for probe in dict.fromkeys(test.probe for test in tests):
        indices = [
            i for i, test in enumerate(tests) if test.probe == probe and test.result.p is not None
        ]
        if not indices:
            continue
        adjusted = benjamini_hochberg([tests[i].result.p or 0.0 for i in indices]).tolist()
        for i, q in zip(indices, adjusted, strict=True):
            corrected[i] = replace(tests[i], result=downgrade(tests[i].result, q, ""))
    return [corrected.get(i, test) for i, test in enumerate(tests)]


def _repeat_at_floor(
    tests: Sequence[PartTest],
    probes: dict[str, Probe],
    parts: dict[str, Benchmark],
    inputs: ProbeInputs,
) -> list[PartTest]:
    """Repeat tests with more randomisations whose number decides that they are overruled.

    They are few: where many parts have the smallest p that can come out, none is overruled.
    """
    corrected = _correct_tests(tests)
    repeated = []
    for test, after in zip(tests, corrected, strict=True):
        is_overruled = (
            test.result.verdict in FINDINGS and (after.result.q or 0) > SIGNIFICANCE_LEVEL
        )
        stronger = None
        if is_overruled and is_at_floor(test.result) and test.result.p is not None:
            n_tests = sum(other.probe == test.probe for other in tests)
            stronger = with_more_randomisations(probes[test.probe], test.result.p, n_tests)
        result = _run_probe(stronger, parts[test.part], inputs) if stronger else None
        repeated.append(replace(test, result=result) if result else test)
    return repeated


def _count(part: Benchmark) -> int:
    return sum(map(len, part.splits.values()))


def _describe_small(
    parts: dict[str, Benchmark], large: dict[str, Benchmark], min_items: int
) -> tuple[str, ...]:
    n_small = len(parts) - len(large)
    if not n_small or len(parts) == 1:
        return ()
    subject, verb = ("part has", "was") if n_small == 1 else ("parts have", "were")
    return (f"{n_small} {subject} fewer than {min_items} items and {verb} left out (--min-items).",)
