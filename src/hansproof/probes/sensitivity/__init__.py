"""Which words does a trained model's score depend on, and does balanced training change that?

Kavumba et al. 2019, table 7 and figure 2: the share of the score's gradient that falls on a cue (a
word), in models trained on one benchmark and on another, compared with how often the cue is right
in training (its productivity). That a score depends on a word does not show that the model answers
by that word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal, get_args

from ..._infra.progress import track
from ..._infra.validation import check_choice, check_range
from ...capabilities import Attributable
from ...errors import BadInput
from ...sampling import sample_items
from ...sweeps import TrainedModel
from ...types import Benchmark, Items, Result, Subject, Table
from .._splits import evaluation_splits
from .._tokens import check_tokens, resolve_tokenizer
from .attribution import RUN_COLUMNS, ModelAttributions, attribute_model
from .cue_attributions import CueFinder
from .cue_shares import COLUMNS, compare_cues, count_word_cues, sort_cues
from .regression import LINE_COLUMNS, fit_trends
from .verdict import (
    SLOPE_NAME,
    SensitivityFindings,
    build_estimates,
    decide_verdict,
    slope_p,
    write_notes,
    write_summary,
)
from .word_shares import WORD_COLUMNS, falling_cues, word_rows

Method = Literal["gradient", "integrated", "occlusion"]
Sequences = Literal["average", "predicted"]
MAX_FALLS = 5  # as many as the paper lists


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The share of every cue in the models' scores, and how it changes with productivity."""

    needs: ClassVar[tuple[str, ...]] = ("trained",)
    uses: ClassVar[tuple[str, ...]] = ("against",)
    subject: ClassVar[Subject] = "models"
    on_request: ClassVar[bool] = (
        True  # an audit runs it only on request: not every model has gradients
    )

    split: str | None = None  # split whose items are attributed; default: the test split
    cues_from: str | None = None  # split to count cues in; default: the training split
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    applicability: int = 4  # smallest number of items that a cue must apply to
    method: Method = "gradient"  # attribution method; the other two need the extra gradients
    sequences: Sequences = "average"  # all choices with the cue, or only the picked one
    most: int = 0  # number of items to sample; 0: all
    steps: int = 32  # number of steps of integrated gradients
    seed: int = 0  # random seed of the sample

    def __post_init__(self) -> None:
        check_range("applicability", self.applicability, 1)
        check_choice("method", self.method, get_args(Method))
        check_choice("sequences", self.sequences, get_args(Sequences))
        check_range("most", self.most, 0)
        check_range("steps", self.steps, 1)
        check_range("seed", self.seed, 0)

    def __call__(
        self,
        benchmark: Benchmark,
        trained: Sequence[TrainedModel] = (),
        against: Sequence[TrainedModel] = (),
    ) -> Result:
        _check_models(trained, against)
        split, items = self._select_items(benchmark)
        source, cue_items = self._cue_source(benchmark, split)
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        cues = count_word_cues(cue_items, tokens, self.applicability)
        finder = CueFinder(tokens, frozenset(cues))
        first, second = self._attribute_models(items, trained, against, finder)
        rows = sort_cues(compare_cues(cues, first, second))
        trends = fit_trends(rows)
        marked_cues = falling_cues(rows)[:MAX_FALLS]
        words = word_rows(
            items, [group[0] for group in (first, second) if group], marked_cues, finder
        )
        findings = SensitivityFindings(
            rows, trends, first, second, split, source, self.method, self.sequences
        )
        result = Result(
            probe="sensitivity",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict=decide_verdict(findings),
            summary=write_summary(findings),
            p=slope_p(findings),
            key=SLOPE_NAME if findings.judged_trend else None,
            subject=self.subject,
            estimates=build_estimates(findings),
            tables={**_build_tables(findings), "words": Table(WORD_COLUMNS, words)},
            evidence=_evidence_items(words),
            notes=write_notes(findings),
        )
        return check_tokens(result, tokens, items)

    def _select_items(self, benchmark: Benchmark) -> tuple[str, Items]:
        """Return the split to evaluate, the first of several, and a sample of its items."""
        split, items = next(iter(evaluation_splits(benchmark, self.split).items()))
        return split, sample_items(items, self.most, self.seed)

    def _cue_source(self, benchmark: Benchmark, split: str) -> tuple[str, Items]:
        """Return the split, and its items, from which the productivity of cues is counted."""
        train = benchmark.roles.get("train")
        source = (
            self.cues_from or (train if train in benchmark.labelled_splits() else split) or split
        )
        return source, evaluation_splits(benchmark, source)[source]

    def _attribute_models(
        self,
        items: Items,
        trained: Sequence[TrainedModel],
        against: Sequence[TrainedModel],
        finder: CueFinder,
    ) -> tuple[list[ModelAttributions], list[ModelAttributions]]:
        """Attribute the scores of all models, and return both groups."""
        all_models = track([*trained, *against], len(trained) + len(against), "gradients")
        picked = self.sequences == "predicted"
        attributions = [
            attribute_model(trained_model, items, finder, self.method, self.steps, picked)
            for trained_model in all_models
        ]
        return attributions[: len(trained)], attributions[len(trained) :]


def _build_tables(findings: SensitivityFindings) -> dict[str, Table]:
    cues, trends = findings.rows, findings.trends
    falls = [cue for cue in cues if cue.difference is not None and cue.difference < 0]
    runs = (
        *(model.table_row("trained") for model in findings.first),
        *(model.table_row("against") for model in findings.second),
    )
    return {
        "cues": Table(COLUMNS, tuple(cue.table_row() for cue in cues)),
        "falls": Table(COLUMNS, tuple(cue.table_row() for cue in falls[:MAX_FALLS])),
        "line": Table(LINE_COLUMNS, tuple(trend.table_row() for trend in trends)),
        "runs": Table(RUN_COLUMNS, runs),
    }


def _check_models(trained: Sequence[TrainedModel], against: Sequence[TrainedModel]) -> None:
    if not trained:
        raise BadInput("--trained", "this probe needs models with gradients: give saved:FOLDER")
    for flag, models in (("--trained", trained), ("--against", against)):
        for trained_model in models:
            if not isinstance(trained_model.model, Attributable):
                message = "has no gradients; give fine-tuned transformers (saved:FOLDER)"
                raise BadInput(flag, f"{trained_model.name} {message}")


def _evidence_items(words: tuple[tuple[object, ...], ...]) -> dict[str, tuple[str, ...]]:
    ids = tuple(dict.fromkeys(str(row[0]) for row in words))
    return {"items with the words that change most": ids} if ids else {}
