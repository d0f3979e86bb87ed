"""Do single words or phrases in the choices give the answer away?

Niven and Kao 2019; Kavumba et al. 2019; Branco et al. 2021, appendix C.2. A cue is a word or phrase
in the choices. It applies to an item when exactly one choice contains it (applicability);
productivity is how often that choice is right, coverage the share of items it applies to. Misleads
on small splits, where even a cue that is always right must be frequent to be significant: look at
the least applicability, and at the aggregate strength.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import ClassVar

from ..._infra.validation import check_range
from ...cues.counts import build_layout, count_cues
from ...cues.decision_list import (
    DEFAULT_RANDOMISATIONS,
    MIN_SUPPORT,
    CueCeiling,
    cross_validate_rules,
)
from ...cues.incidence import build_incidence
from ...cues.significance import (
    COLUMNS,
    ELIMINATING,
    TELLING,
    CueTests,
    correct_tests,
    min_perfect_items,
    min_testable_items,
)
from ...cues.strength import CueStrength, aggregate_strengths
from ...stats import coverage_power, items_needed
from ...text.tokenizers import Tokenizer
from ...training.leakage_groups import find_leakage_groups, groups_for_tests
from ...types import FINDINGS, Benchmark, Cell, Items, Result, Table, View
from ...views import CHOICES
from .._power import SplitPower, widen_interval
from .._splits import grouped_items_note, scored_part, tested_parts
from .._tokens import check_tokens, resolve_tokenizer
from ..partial_input.bounds import score_bound
from .verdict import (
    beats_chance,
    decide_verdict,
    find_gain,
    find_worst,
    verdict_p,
    write_headline,
    write_sentences,
)

MAX_NGRAM = 5  # longer phrases hardly recur, and counting them takes memory for nothing
SUMMARY_COLUMNS = (
    "split", "n", "cues", "testable", "least_applicability", "perfect_applicability", "telling",
    "eliminating", "ceiling_p", "ceiling_p_floor",
)  # fmt: skip
BLIND_SPOT = (
    "This probe counts single words and phrases in the choices. A model may still find the "
    "answers in the choices in other ways: in COPA no single word or phrase is significant, yet a "
    "model that was trained on the choices alone answered 59.6% (Kavumba et al. 2019)."
)
STRENGTH_COLUMNS = (
    "split",
    "order",
    "strength",
    "null_mean",
    "null_low",
    "null_high",
    "ratio",
    "p",
    "p_floor",
)


@dataclass(frozen=True, slots=True)
class Cues:
    """The cue statistics of every labelled split, and of all of them pooled."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; default: every labelled split and pooled
    ngram: int = 2  # longest n-gram, in tokens, 1 to 5
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    level: float = 0.05  # false-discovery rate at which a cue is flagged
    margin: float = 0.05  # accuracy that rules over cues must gain over chance to be exposed
    folds: int = 10  # cross-validation folds behind best_single_cue and cue_ceiling
    randomisations: int = 999  # number of randomisations behind the aggregate cue strength
    seed: int = 0  # random seed of folds and randomisations

    def __post_init__(self) -> None:
        check_range("ngram", self.ngram, 1, MAX_NGRAM)
        check_range("level", self.level, 1e-9, 1)
        check_range("margin", self.margin, 1e-3, 1)
        check_range("folds", self.folds, 2)
        check_range("randomisations", self.randomisations, 1)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Result:
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        parts, notes = tested_parts(benchmark, self.split)
        cue_tests = self._test_cues(parts, tokens)
        n_tests = sum(int(tests.testable.sum()) for tests in cue_tests.values())
        split_cues = [
            self._analyse_split(name, parts[name], cue_tests[name], len(parts), n_tests)
            for name in parts
        ]
        worst = find_worst(split_cues, self.level)
        part = scored_part(benchmark, parts)
        scored = next(s for s in split_cues if s.name == part)
        power = self._compute_power(scored, parts[part])
        verdict = decide_verdict(split_cues, power, self.level, self.margin)
        has_finding = verdict in FINDINGS
        sentences = write_sentences(worst, split_cues, power, self.level, self.margin)
        result = Result(
            probe="cues",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict=verdict,
            summary=" ".join(sentences),
            headline=write_headline(worst, split_cues, self.level) if has_finding else "",
            gain=find_gain(worst, split_cues, self.level) if has_finding else None,
            key=worst.ceiling.decision_list.name,
            p=verdict_p(split_cues),
            p_floor=self._smallest_p(),
            power=power.power,
            n_needed=power.n_needed,
            estimates=tuple(
                widen_interval(e, beats_chance(s, split_cues, self.level))
                for s in split_cues
                for e in (s.ceiling.single, s.ceiling.decision_list)
            ),
            tables=_build_tables(split_cues),
            evidence={key: ids for s in split_cues for key, ids in s.evidence.items()},
            notes=(*notes, *grouped_items_note(parts), BLIND_SPOT),
        )
        return check_tokens(result, tokens, parts[part])

    def all_rows(self, benchmark: Benchmark) -> dict[str, list[Cell]]:
        """Return every cue, however rare, as columns to write to a file."""
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        parts, _ = tested_parts(benchmark, self.split)
        rows: list[tuple[Cell, ...]] = []
        for name, cue_tests in self._test_cues(parts, tokens).items():
            rows.extend(
                cue_tests.table_rows(name, cue_tests.widest_cues(cue_tests.applicability.size))
            )
        return {column: [row[index] for row in rows] for index, column in enumerate(COLUMNS)}

    def _test_cues(self, parts: dict[str, Items], tokens: Tokenizer) -> dict[str, CueTests]:
        """Test the cues of every part, corrected over all parts."""
        tests = []
        for items in parts.values():
            item_layout = build_layout(items)
            tests.append(
                CueTests.from_counts(
                    count_cues(items, tokens, self.ngram, item_layout), item_layout, self.level
                )
            )
        return dict(zip(parts, correct_tests(tests, self.level), strict=True))

    def _compute_power(self, split: SplitCues, items: Items) -> SplitPower:
        """Compute how likely a cue that is always right, and worth the margin, would be seen."""
        view, groups = View((CHOICES,)), find_leakage_groups(items)
        if score_bound(view, items, groups).even:  # balanced by construction
            return SplitPower(split.name, split.n, 1.0)
        coverage = min(1.0, self.margin / (1 - split.chance))
        power = float(coverage_power(split.n, coverage, split.perfect_applicability))
        needed = items_needed(lambda n: coverage_power(n, coverage, split.perfect_applicability))
        return SplitPower(split.name, split.n, power, needed)

    def _smallest_p(self) -> float:
        """Return the smallest p that the randomisations of the joint strength can show."""
        return min(1.0, 2 * self.ngram / (self.randomisations + 1))

    def _analyse_split(
        self, name: str, items: Items, cue_tests: CueTests, n_parts: int, n_tests: int
    ) -> SplitCues:
        item_layout, counts = cue_tests.layout, cue_tests.counts
        # enough randomisations for a p that can pass the correction for the number of parts
        nulls = min(
            self.randomisations, max(DEFAULT_RANDOMISATIONS, math.ceil(n_parts / self.level))
        )
        rules, tied = build_incidence(counts, item_layout, MIN_SUPPORT), find_leakage_groups(items)
        return SplitCues(
            name=name,
            n=len(items),
            chance=float(item_layout.chance.mean()),
            cues=int((cue_tests.applicability > 0).sum()),
            testable=int(cue_tests.testable.sum()),
            least_applicability=min_testable_items(item_layout, self.level),
            # the level is halved, since the verdict also tests all cues together
            perfect_applicability=min_perfect_items(item_layout, self.level / 2 / max(n_tests, 1)),
            strength=tuple(
                aggregate_strengths(
                    items, tied, counts, item_layout, self.randomisations, self.seed
                )
            ),
            ceiling=cross_validate_rules(
                name, items, tied, rules, item_layout, self.folds, nulls, self.seed
            ),
            rows=cue_tests.table_rows(name, cue_tests.reported_cues()),
            evidence=cue_tests.collect_evidence(name, items),
            least_q=float(min(cue_tests.q[cue_tests.testable], default=1.0)),
            many_copies=None not in groups_for_tests(items) and len(set(tied)) < len(items),
        )


def _build_tables(split_cues: list[SplitCues]) -> dict[str, Table]:
    strength_rows = tuple(row for s in split_cues for row in s.strength_rows())
    return {
        "cues": Table(COLUMNS, tuple(row for s in split_cues for row in s.rows)),
        "strength": Table(STRENGTH_COLUMNS, strength_rows),
        "summary": Table(SUMMARY_COLUMNS, tuple(s.summary_row() for s in split_cues)),
    }


@dataclass(frozen=True, slots=True)
class SplitCues:
    """The cue statistics of one split."""

    name: str
    n: int
    chance: float
    cues: int
    testable: int
    least_applicability: int
    perfect_applicability: int  # items that a cue which is always right must apply to
    strength: tuple[CueStrength, ...]  # by order
    ceiling: CueCeiling
    rows: tuple[tuple[Cell, ...], ...]
    evidence: dict[str, tuple[str, ...]]
    least_q: float  # of single cues
    many_copies: bool  # so many that exact tests, which count items one by one, are too sure

    def flagged_cues(self, *flags: str) -> list[dict[str, Cell]]:
        """Return the cues with one of these flags (TELLING, ELIMINATING), by column."""
        records = (dict(zip(COLUMNS, row, strict=True)) for row in self.rows)
        return [record for record in records if record["flag"] in flags]

    def strength_rows(self) -> list[tuple[Cell, ...]]:
        """Return the rows of the strength table (see STRENGTH_COLUMNS)."""
        return [
            (self.name, order, s.value, s.null_mean, s.null_low, s.null_high, s.ratio_to_null(),
             s.p, s.p_floor)
            for order, s in enumerate(self.strength, 1)
        ]  # fmt: skip

    def summary_row(self) -> tuple[Cell, ...]:
        """Return the row of the summary table (see SUMMARY_COLUMNS)."""
        return (
            self.name, self.n, self.cues, self.testable, self.least_applicability,
            self.perfect_applicability, len(self.flagged_cues(TELLING)),
            len(self.flagged_cues(ELIMINATING)), self.ceiling.p, self.ceiling.p_floor,
        )  # fmt: skip
