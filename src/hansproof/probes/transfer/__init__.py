"""Does what a model learns on one benchmark carry over to another?

Branco et al. 2021, table 7: a model trained on each benchmark is applied, unchanged, to all others,
each in its own format and with its own number of choices. Misleads where benchmarks share a surface
regularity, or items: both carry over without any understanding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal, get_args

from ...checks import check, check_one
from ...errors import BadInput
from ...models import load
from ...models.hf import Hf
from ...progress import track
from ...types import Benchmark, Result, Table
from .applied import Said, in_memory, kept
from .pairs import COLUMNS, Pair, corrected, evidence, paired, wide
from .sides import Side, sides, sources
from .wording import Heard, estimates, notes, sentence, verdict

Over = Literal["mean", "best"]
RUNS = ("trained_on", "tested_on", "seed", "accuracy", "train_accuracy")


@dataclass(frozen=True, slots=True)
class Transfer:
    """A model trained on every benchmark that has a training split, tested on all of them."""

    needs: ClassVar[tuple[str, ...]] = ("others",)

    model: str = "bow"  # a model that learns: bow, hf:FOLDER,recipe=branco
    view: str = "full"  # what it may see of an item, in training and after: full, choices
    seeds: int = 3  # how many times it is trained on each benchmark
    over: Over = "mean"  # mean of the runs, or the one that is best on its own benchmark
    keep: str | None = None  # folder: what hf trains is kept there with its scores, and used again
    level: float = 0.05  # of the tests against chance, Holm-corrected

    def __post_init__(self) -> None:
        check("seeds", self.seeds, 1)
        check_one("over", self.over, get_args(Over))
        check("level", self.level, 0, 1)
        if self.keep is not None and "," in self.keep:
            raise BadInput("--keep", f"{self.keep}: a comma would part the name of the folder")

    def __call__(self, benchmark: Benchmark, others: Sequence[Benchmark] = ()) -> Result:
        every = sides(benchmark, others)
        model, mentioned = load(self.model), list[str]()
        if not hasattr(model, "fit"):
            raise BadInput("--model", f"{self.model} learns nothing that could carry over: try bow")
        keeps = self.keep is not None and isinstance(model, Hf)  # what `kept:` can read again
        jobs = self._jobs(every, keeps, mentioned.append)
        said = [*track(jobs, len(sources(every)) * self.seeds, "transfer")]
        pairs = corrected([*self._pairs(every, said)], self.level)
        heard = Heard(self.model, self.over, self.level, every, pairs, said)
        bare = (f"{self.model} cannot be kept: it is trained anew each time.",)
        return Result(
            probe="transfer",
            params=asdict(self),
            verdict=verdict(heard),
            sentence=sentence(heard),
            estimates=estimates(heard),
            tables={
                "accuracy": wide(every, pairs),
                "matrix": Table(COLUMNS, tuple(p.row(heard.called, self.over) for p in pairs)),
                "runs": Table(RUNS, tuple(row for one in said for row in _runs(one))),
            },
            evidence=evidence(pairs, benchmark.name),
            notes=(*(bare if self.keep and not keeps else ()), *mentioned, *notes(heard)),
        )

    def _jobs(
        self, every: Sequence[Side], keeps: bool, say: Callable[[str], None]
    ) -> Iterator[Said]:
        """All that is trained, one after the other, each with what it says of every benchmark."""
        for source in sources(every):
            if keeps and self.keep is not None:
                yield from kept(source, every, self.model, self.view, self.seeds, self.keep, say)
            else:
                yield from in_memory(source, every, self.model, self.view, self.seeds)

    def _pairs(self, every: Sequence[Side], said: Sequence[Said]) -> Iterator[Pair]:
        for source in sources(every):
            own = [one for one in said if one.source == source.name]
            for target in every:
                yield paired(source, target, own, self.over == "best")


def _runs(one: Said) -> Iterator[tuple[str | int | float | None, ...]]:
    """Of one model: how it does everywhere."""
    for target, earned in one.credits.items():
        yield one.source, target, one.run.seed, float(earned.mean()), one.learnt
