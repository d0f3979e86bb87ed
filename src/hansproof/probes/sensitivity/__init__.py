"""Which words does the trained model's score hang on, and does balanced training change that?

Kavumba et al. 2019, table 7 and figure 2: the share of the score's gradient that falls on a cue,
by models trained on one benchmark and on another, against how often the cue is right in training.
That a score hangs on a word does not show that it is answered by the word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal, get_args

from ...checks import check, check_one
from ...drawn import drawn
from ...errors import BadInput
from ...models._shares import Finder
from ...predict import Trained
from ...progress import track
from ...text import tokenizer
from ...types import Benchmark, Items, Result, Table
from .._splits import tested
from .cues import COLUMNS, compared, counted, ordered
from .lines import LINE, lines
from .looked import RUNS, Looked, look
from .wording import Heard, estimates, notes, p_of, sentence, verdict
from .words import WORDS, shown, telling

Method = Literal["gradient", "integrated", "occlusion"]
Sequences = Literal["average", "predicted"]
FALLS = 5  # as many as the paper lists


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Shares of the cues by the models, their change, and its line over productivity."""

    needs: ClassVar[tuple[str, ...]] = ("trained",)
    uses: ClassVar[tuple[str, ...]] = ("against",)
    on_request: ClassVar[bool] = True  # of an audit: not every trained model has gradients

    split: str | None = None  # whose items are looked at; without it the one to test on
    cues_from: str | None = None  # where cues are counted; without it the split to train on
    tokenizer: str = "word"  # of cues: word, nltk or whitespace
    applicability: int = 4  # fewest items that a cue must apply to
    method: Method = "gradient"  # what a token counts; the other two need the extra gradients
    sequences: Sequences = "average"  # all choices whose text has the cue, or only the one picked
    most: int = 0  # items to look at, drawn by the seed; 0: all
    steps: int = 32  # of integrated gradients
    seed: int = 0  # of the draw

    def __post_init__(self) -> None:
        check("applicability", self.applicability, 1)
        check_one("method", self.method, get_args(Method))
        check_one("sequences", self.sequences, get_args(Sequences))
        check("most", self.most, 0)
        check("steps", self.steps, 1)
        check("seed", self.seed, 0)

    def __call__(
        self,
        benchmark: Benchmark,
        trained: Sequence[Trained] = (),
        against: Sequence[Trained] = (),
    ) -> Result:
        _check(trained, against)
        split, items = self._items(benchmark)
        source, known = self._known(benchmark, split)
        tokens = tokenizer(self.tokenizer)
        cues = counted(known, tokens, self.applicability)
        finder = Finder(tokens, frozenset(cues))
        first, second = self._looked(items, trained, against, finder)
        rows = ordered(compared(cues, first, second))
        found = lines(rows)
        falls = tuple(row for row in rows if row.difference is not None and row.difference < 0)
        marked = telling(rows)[:FALLS]
        words = shown(items, [some[0] for some in (first, second) if some], marked, finder)
        heard = Heard(rows, found, first, second, split, source, self.method, self.sequences)
        return Result(
            probe="sensitivity",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict=verdict(heard),
            sentence=sentence(heard),
            p=p_of(heard),
            estimates=estimates(heard),
            tables={
                "cues": Table(COLUMNS, tuple(row.row() for row in rows)),
                "falls": Table(COLUMNS, tuple(row.row() for row in falls[:FALLS])),
                "line": Table(LINE, tuple(line.row() for line in found)),
                "runs": Table(
                    RUNS,
                    tuple(one.row("trained") for one in first)
                    + tuple(one.row("against") for one in second),
                ),
                "words": Table(WORDS, words),
            },
            evidence=_evidence(words),
            notes=notes(heard),
        )

    def _items(self, benchmark: Benchmark) -> tuple[str, Items]:
        """The split whose items are looked at: of several the first."""
        split, items = next(iter(tested(benchmark, self.split).items()))
        return split, drawn(items, self.most, self.seed)

    def _known(self, benchmark: Benchmark, split: str) -> tuple[str, Items]:
        """The split whose choices say how productive a cue is."""
        train = benchmark.roles.get("train")
        source = self.cues_from or (train if train in benchmark.labelled() else split) or split
        return source, tested(benchmark, source)[source]

    def _looked(
        self, items: Items, trained: Sequence[Trained], against: Sequence[Trained], finder: Finder
    ) -> tuple[list[Looked], list[Looked]]:
        """Each model once; the words are kept of the first of a group."""
        every = track([*trained, *against], len(trained) + len(against), "gradients")
        picked = self.sequences == "predicted"
        found = [look(one, items, finder, self.method, self.steps, picked) for one in every]
        return found[: len(trained)], found[len(trained) :]


def _check(trained: Sequence[Trained], against: Sequence[Trained]) -> None:
    if not trained:
        raise BadInput("--trained", "this probe needs models with gradients: kept:FOLDER")
    for flag, some in (("--trained", trained), ("--against", against)):
        for one in some:
            if not hasattr(one.model, "gradients"):
                what = f"{one.name} has no gradients: give fine-tuned transformers (kept:FOLDER)"
                raise BadInput(flag, what)


def _evidence(words: tuple[tuple[object, ...], ...]) -> dict[str, tuple[str, ...]]:
    ids = tuple(dict.fromkeys(str(row[0]) for row in words))
    return {"items with the words that change most": ids} if ids else {}
