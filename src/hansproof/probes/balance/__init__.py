"""Is every cue exactly balanced over the groups, and is every group whole?

Kavumba et al. 2019, Niven and Kao 2019: in a mirrored benchmark every choice is right as often as
any other of its group, so that no word of the choices says anything. Looks at groups whose items
share their choices; where there are none, nothing is mirrored and nothing is asked.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar

from ..._infra.validation import check_range
from ...text.tokenizers import Tokenizer, get_tokenizer
from ...types import POOLED, Benchmark, Items, Result
from .._splits import labelled_splits
from .._text import as_clauses
from .cue_balance import find_unbalanced
from .findings import BalanceFindings
from .groups import MirrorGroup, find_broken, find_mirrored
from .partitions import benchmark_partitions, tool_partitions
from .verdict import decide_verdict, write_summary


@dataclass(frozen=True, slots=True)
class Balance:
    """What mirroring promises, checked: every cue at chance, every group whole, no cut through it.

    Splits are looked at together, since partners may lie in different ones.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it all labelled splits together
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "word"  # word, nltk or whitespace
    folds: int = 10  # of the cross-validations that must not part a group
    seed: int = 0  # of these folds

    def __post_init__(self) -> None:
        check_range("ngram", self.ngram, 1)
        check_range("folds", self.folds, 2)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Result:
        tokens = get_tokenizer(self.tokenizer)
        parts, notes = labelled_splits(benchmark, self.split)
        groups, group_notes = find_mirrored(parts)
        findings = self._check_groups(benchmark, parts, groups, tokens)
        summary = write_summary(findings)
        return Result(
            probe="balance",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict=decide_verdict(findings),
            summary=summary,
            clauses=as_clauses([summary]),
            tables=findings.build_tables(),
            evidence=findings.broken_ids(),
            notes=(*notes, *group_notes),
        )

    def _check_groups(
        self,
        benchmark: Benchmark,
        parts: dict[str, Items],
        groups: list[MirrorGroup],
        tokens: Tokenizer,
    ) -> BalanceFindings:
        if not groups:
            return BalanceFindings()
        items = tuple(item for group in groups for _, item in group.members)
        name = next(iter(parts)) if len(parts) == 1 else POOLED
        partitions = [
            *benchmark_partitions(groups, benchmark),
            *tool_partitions(items, self.folds, self.seed),
        ]
        cues = find_unbalanced(name, items, tokens, self.ngram)
        return BalanceFindings(tuple(groups), tuple(find_broken(groups)), cues, tuple(partitions))
