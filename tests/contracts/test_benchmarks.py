"""What every benchmark must keep, ours and those to come."""

from __future__ import annotations

import inspect
import os
import warnings
from dataclasses import replace

import pytest

from hansproof import plugins
from hansproof.types import CHANGED_COPY, UNCONFIRMED_COPY, Benchmark

from ..support import public_benchmark_files

NAMES = sorted(plugins.names("benchmarks"))
# embedded, or read from small files in the shape of the published ones
WITHOUT_DATA = {"toy", *public_benchmark_files.NAMES}
needs_data = pytest.mark.skipif(not os.environ.get("HANSPROOF_DATA"), reason="needs HANSPROOF_DATA")


@pytest.fixture(
    scope="module",
    params=[
        name if name in WITHOUT_DATA else pytest.param(name, marks=needs_data) for name in NAMES
    ],
)
def benchmark(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Benchmark:
    module = plugins.load_module("benchmarks", request.param)
    if request.param in public_benchmark_files.NAMES:
        folder = tmp_path_factory.mktemp(request.param)
        public_benchmark_files.write_public_files(request.param, folder)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are not the published files
            loaded = module.load(str(folder))
    else:
        loaded = module.load()
    assert isinstance(loaded, Benchmark)
    return loaded


@pytest.mark.parametrize("name", NAMES)
def test_module(name: str) -> None:
    module = plugins.load_module("benchmarks", name)
    summary = plugins.read_summary(str(module.__file__))
    assert summary.endswith((".", "?", ")"))
    assert len(summary) <= 100
    assert all((module.CARD.title, module.CARD.licence, module.CARD.citation))
    assert module.CARD.home.startswith("https://") or name == "toy"
    signature = inspect.signature(module.load)
    assert str(signature) == "(folder: 'str | None' = None) -> 'Benchmark'"


def test_benchmark(benchmark: Benchmark) -> None:
    assert benchmark.name in NAMES
    card = plugins.load_module("benchmarks", benchmark.name).CARD
    assert benchmark.card.title.startswith(card.title)
    assert benchmark.card.title.removeprefix(card.title).strip() in (
        (CHANGED_COPY, UNCONFIRMED_COPY)
        if benchmark.name in public_benchmark_files.NAMES
        else ("",)
    )
    assert replace(benchmark.card, title=card.title) == card
    assert set(benchmark.roles) <= {"train", "select", "test"}
    assert set(benchmark.roles.values()) <= set(benchmark.splits)
    assert benchmark.labelled_splits() == benchmark.splits


def test_items(benchmark: Benchmark) -> None:
    items = [item for split in benchmark.splits.values() for item in split]
    assert len({item.id for item in items}) == len(items)
    assert len({tuple(item.fields) for item in items}) == 1
    for item in items:
        assert len(item.choices) >= 2
        assert item.answer is not None
        assert 0 <= item.answer < len(item.choices)
        assert all(isinstance(text, str) for text in (*item.fields.values(), *item.choices))


def test_groups_are_whole(benchmark: Benchmark) -> None:
    """Pairs with the same choices in some order, each right once, in one split or mirrored."""
    groups: dict[str, list[tuple[str, ...]]] = {}
    for split in benchmark.splits.values():
        for item in split:
            if item.group is not None:
                assert item.answer is not None
                texts = [choice.strip() for choice in item.choices]
                groups.setdefault(item.group, []).append((texts[item.answer], *sorted(texts)))
    for first, second in groups.values():
        assert first[1:] == second[1:]
        assert first[0] != second[0]
