"""Keeps the largest part in which no cue (a word or phrase) is significant, or all within chance.

Groups are kept whole. `--until significant`: `run cues` flags no cue in any split or in all of them
pooled. `--until null`: the aggregate strength of all labelled items is within the chance band, for
n-grams of every length. `--until rules`: the search of `run shortcuts` finds no rule, such as *the
longest choice*, in all labelled items. Items are selected by their answers, so none of these is a
test of the remaining items: test them with a model without the question that was not used here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..._infra.plural import plural
from ..._infra.validation import check_range, refuse_settings
from ...cues.null_band import NullBand
from ...cues.significant_cues import SignificantCues
from ...text.detect_script import choose_tokenizer
from ...text.tokenizers import Tokenizer
from ...types import POOLED, Benchmark, Cell, EditReport, EditResult, Items, Table
from .._parts import keep_items, replace_splits, select_labelled
from . import until_null, until_significant
from .rule_report import build_rule_report
from .selection import SELECTION_NOTE, items_table, refer_to_items
from .until_no_rule import remove_rules

Criterion = Literal["significant", "null", "rules"]

SINGLE_CUES_NOTE = (
    "All cues together are within chance, but some single cues are still significant among the "
    "kept items (table significant). --until significant removes these."
)
NO_BOUND_NOTE = (
    "How many items could be kept at most is unknown: the chance band got wider as items were "
    "removed."
)
MANY_WEAK_NOTE = (
    "No single cue is significant, but all cues together still predict the answer (table "
    "strength). --until null removes that, too."
)
BAND_WIDTH_NOTE = (
    "The bound on how many items can be kept assumes that the chance band does not get wider as "
    "items are removed."
)
STRENGTH_COLUMNS = (
    "order",
    "items",
    "strength",
    "null_mean",
    "null_low",
    "null_high",
    "ratio",
    "inside",
)


@dataclass(frozen=True, slots=True)
class Subset:
    """Keeps as many items as possible."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; default: every labelled split
    until: Criterion = "significant"  # what must be gone: single cues, all cues together, or rules
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    level: float = 0.05  # level at which a cue (false-discovery rate) or a rule is significant
    randomisations: int = 999  # number of randomisations behind the aggregate cue strength
    seed: int = 0  # random seed of the randomisations, and of the search for rules

    def __post_init__(self) -> None:
        check_range("ngram", self.ngram, 1)
        check_range("level", self.level, 1e-9, 0.99)  # at 1, cues in no item would be significant
        check_range("randomisations", self.randomisations, 39)  # so that 95% of them have two ends
        check_range("seed", self.seed, 0)
        if self.until == "rules":
            refuse_settings("--until rules", self, ("ngram", "randomisations"))

    def __call__(self, benchmark: Benchmark) -> EditResult:
        parts = select_labelled(benchmark, self.split)
        items = [item for part_items in parts.values() for item in part_items]
        tokens = choose_tokenizer(self.tokenizer, items)
        if self.until == "rules":
            removal = remove_rules(tuple(items), tokens, self.level, self.seed)
            kept_parts, removed_ids = keep_items(parts, removal.is_removed.tolist())
            report = build_rule_report(removal, parts, kept_parts, removed_ids, self.level)
            return EditResult(replace_splits(benchmark, kept_parts), report)
        before = self._analyse_cues(parts, tokens)
        if self.until == "null":
            removed_groups, min_removed = (
                until_null.groups_to_remove(before.band),
                until_null.min_items_removed(before.band),
            )
        else:
            group_sizes = before.band.shares.size
            removed_groups = until_significant.groups_to_remove(before.cues, group_sizes)
            min_removed = until_significant.min_items_removed(before.cues, group_sizes)
        is_removed = np.isin(before.band.shares.group, removed_groups)
        kept_parts, removed_ids = keep_items(parts, is_removed.tolist())
        bound = min_removed if min_removed <= len(removed_ids) else None
        nonempty = {name: part_items for name, part_items in kept_parts.items() if part_items}
        after = self._analyse_cues(nonempty, tokens) if nonempty else None
        return EditResult(
            replace_splits(benchmark, kept_parts),
            self._build_report(before, after, removed_ids, bound),
        )

    def _analyse_cues(self, parts: dict[str, Items], tokens: Tokenizer) -> CueAnalysis:
        """Analyse the cues of all items together, and of the parts that `run cues` tests."""
        items = tuple(item for part_items in parts.values() for item in part_items)
        ends = np.cumsum([0, *map(len, parts.values())])
        part_indices = {
            name: np.arange(ends[index], ends[index + 1]) for index, name in enumerate(parts)
        }
        if len(part_indices) > 1:
            part_indices[POOLED] = np.arange(len(items))
        band = NullBand.from_ngrams(items, tokens, self.ngram, self.randomisations, self.seed)
        cues = SignificantCues.from_ngrams(
            items, band.shares.group, part_indices, tokens, self.ngram, self.level
        )
        return CueAnalysis(
            {name: len(part_items) for name, part_items in parts.items()}, band, cues
        )

    def _build_report(
        self,
        before: CueAnalysis,
        after: CueAnalysis | None,
        removed_ids: tuple[str, ...],
        min_removed: int | None,
    ) -> EditReport:
        significant_row, strength_rows = (
            (after.significance_row(), after.strength_rows()) if after else ((0, 0, 0), [])
        )
        sizes = after.sizes if after else {}
        notes = [SELECTION_NOTE] if removed_ids else []
        if self.until == "null" and removed_ids:
            notes.append(NO_BOUND_NOTE if min_removed is None else BAND_WIDTH_NOTE)
        if self.until == "null" and significant_row[-1]:
            notes.append(SINGLE_CUES_NOTE)
        if self.until == "significant" and any(row[-1] == "no" for row in strength_rows):
            notes.append(MANY_WEAK_NOTE)
        return EditReport(
            summary=self._summary_sentence(
                len(before.band.items), sum(sizes.values()), min_removed
            ),
            tables={
                "items": items_table(before.sizes, sizes),
                "significant": Table(
                    ("items", "tested", "significant"), (before.significance_row(), significant_row)
                ),
                "strength": Table(STRENGTH_COLUMNS, (*before.strength_rows(), *strength_rows)),
            },
            evidence={"left out": removed_ids} if removed_ids else {},
            notes=tuple(notes),
        )

    def _summary_sentence(self, n_before: int, n_after: int, min_removed: int | None) -> str:
        phrases = f"word or phrase of up to {self.ngram} words" if self.ngram > 1 else "word"
        criterion = {
            "significant": f"no {phrases} is significant",
            "null": "all words and phrases together are within chance",
        }[self.until]
        if n_after == n_before:
            return f"No item had to be removed: {criterion} in {refer_to_items(n_before)}."
        kept_sentence = f"Kept {n_after:,} of {plural(n_before, 'item')}: {criterion} among them."
        if min_removed is None or min_removed == n_before:
            return kept_sentence
        largest = n_before - min_removed
        if n_after >= largest:
            return f"{kept_sentence} This is the largest such subset."
        shortfall = 1 - n_after / largest
        return (
            f"{kept_sentence} At most {largest:,} could have been kept, so this subset is at most "
            f"{shortfall:.1%} too small."
        )


@dataclass(frozen=True, slots=True)
class CueAnalysis:
    """The strength of all cues of some items together, and the significant ones among them."""

    sizes: dict[str, int]  # items by split
    band: NullBand
    cues: SignificantCues

    def significance_row(self) -> tuple[int, int, int]:
        """Return the numbers of items, of cues tested, and of significant cues."""
        flags = self.cues.make_counter().compute_flags()
        return len(self.band.items), flags.n_tested, int(flags.is_significant.sum())

    def strength_rows(self) -> list[tuple[Cell, ...]]:
        """Return the rows of the strength table (see STRENGTH_COLUMNS)."""
        return [
            (
                order, len(self.band.items), strength.value, strength.null_mean, strength.null_low,
                strength.null_high, strength.ratio_to_null(),
                "no" if strength.is_above_band() else "yes",
            )
            for order, strength in enumerate(self.band.initial, 1)
        ]  # fmt: skip
