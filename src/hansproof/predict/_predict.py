"""One run: a model is trained on what its view shows, and scores what its view shows."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from statistics import fmean
from typing import Any

from ..errors import BadInput, ModelError
from ..models import load
from ..training.held_out import folds, tenth
from ..training.threads import one_thread
from ..types import Benchmark, Items, Params, Predictions, Scalar, View, fingerprint
from ..views import Scores, fields_of, named, rejoined, see
from ._measures import accuracy
from ._plan import Run, part_of, selects
from ._version import version as code_version


def predict(benchmark: Benchmark, run: Run) -> Predictions:
    """What the model of a run says about every item of its split."""
    return carried_out(benchmark, run, load(run.model), code_version())


def carried_out(benchmark: Benchmark, run: Run, model: Any, version: str) -> Predictions:
    """The same, with a model that is loaded and a version that is known."""
    items = part_of(benchmark, run.split)
    seen = _Seen(run, named(run.view, fields_of(items)))
    with one_thread():
        said = _WAYS[run.protocol](benchmark, seen, model, items)
    one = said.models[0]
    return Predictions(
        benchmark=benchmark.name,
        split=run.split,
        sha256=fingerprint(items),
        model=model_name(run.model),
        view=run.view,
        scores={item.id: row for item, row in zip(items, said.rows, strict=True)},
        seed=run.seed,
        protocol=run.protocol,
        trained_on={"train-test": run.train, "cv": run.split}.get(run.protocol),
        train_accuracy=fmean(said.learnt) if said.learnt else None,
        params=_params(run, model, said.models),
        tokenizer=str(getattr(one, "tokenizer", "")),
        device=str(getattr(one, "device", "cpu")),
        version=version,
    )


def model_name(spec: str) -> str:
    """A model's name without its parameters; of a file, without its folder."""
    return os.path.basename(spec.partition(":")[0])


@dataclass(frozen=True, slots=True)
class _Said:
    """Scores of all items, the models that gave them, what these earn where they learnt."""

    rows: Scores
    models: Sequence[Any]
    learnt: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """The only way for items to a model: as the run's view shows them."""

    run: Run
    view: View

    def fit(self, model: Any, items: Items, select: Items) -> tuple[Any, float]:
        """A trained model, and what it earns on what it learnt from."""
        seed = self.run.seed
        fitted = model.fit(see(self.view, items, seed), see(self.view, select, seed), seed)
        return fitted, accuracy(self.score(fitted, items, self.shown(items)), items)

    def shown(self, items: Items) -> list[Items]:
        """What is there to be seen of each item, without its answer; one or more."""
        each = iter(see(self.view, items, self.run.seed, answers=False))
        sizes = (1 if self.view.contrast else len(item.choices) for item in items)
        return [tuple(islice(each, size)) for size in sizes]

    def score(self, model: Any, items: Items, shown: Sequence[Items]) -> Scores:
        """A row of scores for each item of which that is shown."""
        asked = tuple(one for some in shown for one in some)
        rows = [tuple(map(float, row)) for row in model.score(asked)]
        wrong = _wrong(rows, asked)
        if wrong:
            run = self.run
            raise ModelError(f"{run.model}: {wrong} (view {run.view}, seed {run.seed})")
        return rejoined(self.view, items, rows)


def _wrong(rows: Scores, asked: Items) -> str | None:
    """What is wrong with scores."""
    if len(rows) != len(asked):
        return f"gave {len(rows)} rows of scores for {len(asked)} items"
    for row, item in zip(rows, asked, strict=True):
        if len(row) != len(item.choices):
            return f"gave {len(row)} scores for {len(item.choices)} choices"
        odd = next((score for score in row if not math.isfinite(score)), None)
        if odd is not None:
            return f"a score is {odd}"
    return None


def _given(benchmark: Benchmark, seen: _Seen, model: Any, items: Items) -> _Said:
    return _Said(seen.score(model, items, seen.shown(items)), [model])


def _train_test(benchmark: Benchmark, seen: _Seen, model: Any, items: Items) -> _Said:
    run = seen.run
    assert run.train is not None
    learnt: Items = part_of(benchmark, run.train)
    select: Items = ()
    if run.select is not None:
        select = part_of(benchmark, run.select)
    elif selects(model):
        learnt, select = tenth(learnt, run.seed)
    fitted, earned = seen.fit(model, learnt, select)
    return _Said(seen.score(fitted, items, seen.shown(items)), [fitted], [earned])


def _cv(benchmark: Benchmark, seen: _Seen, model: Any, items: Items) -> _Said:
    run = seen.run
    found: dict[int, tuple[float, ...]] = {}
    models, earned = [], []
    shown = seen.shown(items)  # by the whole split: a fold may be too small to lend others' fields
    for learning, scored in folds(items, run.folds, run.seed):
        if not learning:
            what = "all items belong together, by group or as copies: there are no folds to cut"
            raise BadInput(benchmark.name, what, field=run.split)
        learnt = tuple(items[at] for at in learning)
        learnt, select = tenth(learnt, run.seed) if selects(model) else (learnt, ())
        fitted, earns = seen.fit(model, learnt, select)
        held = tuple(items[at] for at in scored)
        rows = seen.score(fitted, held, [shown[at] for at in scored])
        found.update(zip(scored, rows, strict=True))
        models.append(fitted)
        earned.append(earns)
    return _Said([found[at] for at in range(len(items))], models, earned)


_Way = Callable[[Benchmark, _Seen, Any, Items], _Said]
_WAYS: Mapping[str, _Way] = {"given": _given, "train-test": _train_test, "cv": _cv}


def _params(run: Run, model: Any, fitted: Sequence[Any]) -> Params:
    """All that was set, that was used, and that training settled on."""
    folded: Params = {"folds": len(fitted)} if run.protocol == "cv" else {}
    chosen = [settled for settled in map(_chosen, fitted) if settled]
    settled: Params = {}
    if chosen:
        settled = {"chosen": tuple(chosen) if folded else chosen[0]}
    return {**settings(model), **materials(model), **folded, **settled}


def settings(model: Any) -> Params:
    """A model's fields."""
    return {name: _plain(value) for name, value in asdict(model).items()}


def materials(model: Any) -> Params:
    """The fingerprints of the files a model uses, by name."""
    found = model.materials() if hasattr(model, "materials") else {}
    return {str(name): _plain(value) for name, value in found.items()}


def _chosen(fitted: Any) -> str:
    """What training settled on, in one line: `penalty=0.5, epochs=3`."""
    chosen = getattr(fitted, "chosen", None) or {}
    return ", ".join(f"{name}={value}" for name, value in chosen.items())


def _plain(value: object) -> Scalar | tuple[Scalar, ...]:
    """A value as a header can hold it."""
    if isinstance(value, list | tuple):
        return tuple(one if isinstance(one, Scalar) else str(one) for one in value)
    return value if isinstance(value, Scalar) else str(value)
