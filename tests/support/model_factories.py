"""A small working spec of every model, and items for them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from hansproof import models, plugins, views
from hansproof.models.pmi import counting, table
from hansproof.types import Item, Items, Learner
from tests.support import torch_models
from tests.support.model_server import ModelServer, serve
from tests.support.torch_models import CUE, WORDS

PLAIN = WORDS[1:41]
EXTRAS = {
    "bilstm": ("torch",),
    "bov": ("torch",),
    "encoder_linear": ("torch", "transformers"),
    "frozen_svm": ("torch", "transformers", "sklearn"),
    "hf": ("torch", "transformers"),
    "saved": ("torch", "transformers"),
    "lm": ("torch", "transformers"),
    "nsp": ("torch", "transformers"),
    "wordfreq": ("wordfreq",),
}


def missing(name: str) -> list[str]:
    """The packages that a model needs and a plain install may lack."""
    return [package for package in EXTRAS.get(name, ()) if find_spec(package) is None]


ENDPOINTS = ("api", "llamacpp", "ollama", "openai", "vllm")


def specs(folder: Path) -> dict[str, str]:
    """By name, what `models.load` takes; of all models that can be run here."""
    own = {made.__name__: made for made in (pmi, *torch_models.SPECS)}
    names = [name for name in plugins.names("models") if not missing(name)]
    spec_by_name = {name: own[name](folder / name) if name in own else name for name in names}
    return spec_by_name | {
        name: f"{name}:m,url={server_url()},key_from=,ask=likelihood" for name in ENDPOINTS
    }


_SERVER = serve(ModelServer())  # runs until the tests end


@cache
def server_url() -> str:
    """The address of a server in this process."""
    return _SERVER.__enter__().url


def pmi(folder: Path) -> str:
    """Counts of words in random order."""
    text = " ".join(np.random.default_rng(2).choice(WORDS, 4000))
    path = folder / "counts.npz"
    table.write_table(
        str(path), counting.count_corpus(lambda: [text], counting.CountOptions(window=2))
    )
    return f"pmi:counts={path}"


def items(n: int, seed: int, counts: tuple[int, ...] = (2, 3, 4, 5)) -> Items:
    """Items of two fields whose answer has the cue word, with all that a view must drop."""
    draw = np.random.default_rng(seed)
    made = []
    for at in range(n):
        count = counts[at % len(counts)]
        answer = int(draw.integers(count))
        choices = tuple(_text(draw, (CUE,) if i == answer else ()) for i in range(count))
        fields = {"claim": _text(draw), "reason": _text(draw)}
        meta = {"asks_for": ("cause", "effect")[int(draw.integers(2))], "source": f"s{at}"}
        made.append(Item(f"{seed}-{at}", fields, choices, answer, f"g{at // 2}", {**meta}))
    return tuple(made)


def _text(draw: np.random.Generator, first: tuple[str, ...] = ()) -> str:
    words = [*first, *draw.choice(PLAIN, int(draw.integers(3, 6)) - len(first))]
    return " ".join(draw.permutation(words))


def trained(spec: str, items: Items, select: Items, seed: int = 0) -> Any:
    """A model ready to score, fitted if it learns."""
    model = models.load(spec)
    return model.fit(items, select, seed) if isinstance(model, Learner) else model


def fit(spec: str, name: str, train: Items, select: Items) -> Any:
    """A model ready to score items under the view of a name."""
    view = views.parse_view(name, ("claim", "reason"))
    return trained(spec, views.apply_view(view, train), views.apply_view(view, select))


def score(model: Any, name: str, test: Items) -> views.Scores:
    """What a model that was fitted under the view says of items without their answers."""
    view = views.parse_view(name, ("claim", "reason"))
    return views.regroup_scores(
        view, test, model.score(views.apply_view(view, test, answers=False))
    )


def run(spec: str, name: str, train: Items, select: Items, test: Items) -> views.Scores:
    """Train and score under the view of a name, as `hansproof predict` does."""
    return score(fit(spec, name, train, select), name, test)


def change_hidden(view: str, items: Items) -> Items:
    """Items with all that is changed which the view does not show."""
    seen = views.parse_view(view, ("claim", "reason"))

    def changed(item: Item) -> Item:
        fields = {
            field: text if field in seen.keep else f"mark {text[::-1]} word1"
            for field, text in item.fields.items()
        }
        choices = item.choices
        if "choices" not in seen.keep:
            choices = tuple(f"mark {choice} word2" for choice in choices)
        asked = any(field in seen.keep for field in fields)
        asks = item.meta["asks_for"] if asked else "neither"
        group = (
            item.group if seen.shuffled_fields else "all of one"
        )  # of whom the fields are, groups say
        meta = {"asks_for": asks, "source": "elsewhere", "new": 1}
        return Item(f"x{item.id}", fields, choices, item.answer, group, {**meta})

    return tuple(map(changed, items))


def drop_answers(items: Items) -> Items:
    """Items without their answers."""
    return tuple(replace(item, answer=None) for item in items)
