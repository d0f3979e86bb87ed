"""Are mirrored groups complete, and is every cue (a word or phrase) exactly balanced over them?

Kavumba et al. 2019, Niven and Kao 2019: in a mirrored benchmark every choice of a group is right
equally often, so no word of the choices predicts the answer. Checks groups whose items share their
choices. Items without a group are grouped if they have the same choices and each choice is right
once. Without such groups the probe is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import ClassVar

from ..._infra.plural import plural
from ..._infra.validation import check_range
from ...text.tokenizers import Tokenizer
from ...types import POOLED, Benchmark, Items, Result
from .._splits import labelled_splits
from .._tokens import resolve_tokenizer
from .cue_balance import find_unbalanced
from .findings import BalanceFindings
from .groups import MirrorGroup, find_broken, find_marked
from .partitions import benchmark_partitions, tool_partitions
from .unmarked_groups import find_unmarked
from .verdict import decide_verdict, write_summary


@dataclass(frozen=True, slots=True)
class Balance:
    """Checks mirrored groups: every cue at chance, every group complete, none split by a partition.

    All splits are checked together, since mirrored items may be in different ones.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; default: all labelled splits together
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    folds: int = 10  # number of cross-validation folds, which must not split a group
    seed: int = 0  # random seed of these folds

    def __post_init__(self) -> None:
        check_range("ngram", self.ngram, 1)
        check_range("folds", self.folds, 2)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Result:
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        parts, notes = labelled_splits(benchmark, self.split)
        marked, marked_notes = find_marked(parts)
        unmarked, unmarked_notes = find_unmarked(parts)
        findings = self._check_groups(benchmark, parts, [*marked, *unmarked], tokens)
        summary = write_summary(findings, unmarked_notes)
        return Result(
            probe="balance",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict=decide_verdict(findings),
            summary=summary,
            tables=findings.build_tables(),
            evidence=findings.broken_ids(),
            notes=(
                *notes,
                *marked_notes,
                *(
                    (*unmarked_notes, *_passed_over_notes(parts, unmarked))
                    if findings.groups
                    else ()
                ),
            ),
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
            *tool_partitions(groups, self.folds, self.seed),
        ]
        cues = find_unbalanced(name, items, tokens, self.ngram)
        return BalanceFindings(tuple(groups), tuple(find_broken(groups)), cues, tuple(partitions))


def _passed_over_notes(parts: dict[str, Items], unmarked: list[MirrorGroup]) -> Iterator[str]:
    """Yield a note for each split with items that are in no group, marked or found."""
    mirrored = {(split, item.id) for group in unmarked for split, item in group.members}
    for split, items in parts.items():
        n = sum(item.group is None and (split, item.id) not in mirrored for item in items)
        if n:
            yield f"{split}: left out {plural(n, 'item')} without a group."
