"""What every edit must do, whoever wrote it."""

from __future__ import annotations

import dataclasses
from importlib.util import find_spec
from pathlib import Path

import pytest

from hansproof import formats, plugins
from hansproof.cli._dataclass_options import field_options
from hansproof.errors import BadInput
from hansproof.formats import jsonl
from hansproof.types import Benchmark, EditReport, EditResult, Item

from ..support import edit_factories as made

EDITS = {name: plugins.load_class("edits", name) for name in plugins.names("edits")}
every = pytest.mark.parametrize("name", EDITS)
OLD = made.benchmark()
_SEEN: dict[str, EditResult] = {}  # made once for all tests


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("edits")


def edited(name: str, folder: Path) -> EditResult:
    """What an edit makes of the made benchmark."""
    assert name in made.MAKERS, f"say in tests/support/edit_factories.py how {name} is made"
    lacking = [package for package in made.EXTRAS.get(name, ()) if find_spec(package) is None]
    if lacking:
        pytest.skip(f"needs {lacking[0]}")
    if name not in _SEEN:
        _SEEN[name] = made.MAKERS[name](folder)(OLD)
    assert isinstance(_SEEN[name], EditResult)
    return _SEEN[name]


def ids(benchmark: Benchmark) -> list[str]:
    return [item.id for items in benchmark.splits.values() for item in items]


def groups(benchmark: Benchmark) -> dict[str, set[str]]:
    """The splits that each group lies in."""
    found: dict[str, set[str]] = {}
    for split, items in benchmark.splits.items():
        for item in items:
            if item.group is not None:
                found.setdefault(item.group, set()).add(split)
    return found


def test_all_are_made_and_no_other() -> None:
    assert set(made.MAKERS) == set(EDITS)


@every
def test_it_is_a_frozen_dataclass_with_documented_flags(name: str) -> None:
    edit = EDITS[name]
    assert edit.__dataclass_params__.frozen
    assert not hasattr(edit(), "__dict__")
    assert edit.__doc__
    assert edit.__module__.startswith("hansproof.edits.")
    flags = field_options(edit)
    assert len(flags) == len(dataclasses.fields(edit))
    for flag in flags:

        def nothing() -> None: ...

        (option,) = flag(nothing).__click_params__
        assert option.help, option.name
        assert len(option.help) < 100


@every
def test_its_summary_is_a_line(name: str) -> None:
    assert 10 <= len(plugins.names("edits")[name]) <= 110


@every
def test_it_is_pure(name: str, folder: Path) -> None:
    assert edited(name, folder) == made.MAKERS[name](folder)(made.benchmark())
    assert made.benchmark() == OLD


@every
def test_it_changes_something(name: str, folder: Path) -> None:
    """Otherwise all that is said here of what it makes says nothing."""
    assert edited(name, folder).benchmark != OLD


@every
def test_ids_are_unique(name: str, folder: Path) -> None:
    found = ids(edited(name, folder).benchmark)
    assert len(set(found)) == len(found)


@every
def test_new_and_changed_items_say_where_they_come_from(name: str, folder: Path) -> None:
    old = {item.id: item for items in OLD.splits.values() for item in items}

    def asked(item: Item) -> tuple[object, ...]:
        return item.fields, item.choices, item.answer

    for items in edited(name, folder).benchmark.splits.values():
        for item in items:
            if item.id not in old:
                assert item.meta["edit"] == name
                assert set(map(str, item.meta.values())) & set(old)
            elif asked(item) != asked(old[item.id]):
                assert item.meta["edit"] == name


@every
def test_no_group_is_parted_that_was_whole(name: str, folder: Path) -> None:
    """Except by easy_hard, which is there to part a split."""
    before, after = groups(OLD), groups(edited(name, folder).benchmark)
    for group, splits in after.items():
        if len(before.get(group, {group})) == 1 and name != "easy_hard":
            assert len(splits) == 1


@every
def test_its_account_is_whole(name: str, folder: Path) -> None:
    found = edited(name, folder)
    account = found.report
    assert isinstance(account, EditReport)
    assert account.summary.endswith(".")
    for table in account.tables.values():
        assert all(len(row) == len(table.columns) for row in table.rows)
    known = {*ids(OLD), *ids(found.benchmark)}
    for some in account.evidence.values():
        assert some
        assert set(some) <= known
    for estimate in account.estimates:
        assert estimate.n
        assert estimate.chance is not None
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low <= estimate.value + 1e-12
        assert estimate.high >= estimate.value - 1e-12


@every
def test_splits_without_answers_are_not_touched(name: str, folder: Path) -> None:
    assert edited(name, folder).benchmark.splits["unseen"] == OLD.splits["unseen"]


@every
def test_its_roles_and_aliases_name_splits_that_are_there(name: str, folder: Path) -> None:
    found = edited(name, folder).benchmark
    known = {*found.splits, *found.aliases}
    assert set(found.roles.values()) <= known
    assert {split for some in found.aliases.values() for split in some} <= set(found.splits)


@every
def test_what_it_makes_survives_the_file(name: str, folder: Path, tmp_path: Path) -> None:
    for split, items in edited(name, folder).benchmark.splits.items():
        path = str(tmp_path / f"{split}.jsonl")
        jsonl.write_items(path, items)
        assert formats.read_items(path, split) == items


@every
def test_flags_out_of_range_are_refused(name: str) -> None:
    fields = {field.name for field in dataclasses.fields(EDITS[name])}
    wrong = {"seed": (-1,), "ngram": (0,), "level": (-1.0, float("nan")), "partitions": (1,),
             "train": (0.0, 1.0), "slice": (0.0,), "cutoff": (1.5,), "penalty": (0.0,),
             "randomisations": (0,)}  # fmt: skip
    for flag in fields & set(wrong):
        for value in wrong[flag]:
            with pytest.raises(BadInput, match=f"--{flag}: is "):
                EDITS[name](**{flag: value})
