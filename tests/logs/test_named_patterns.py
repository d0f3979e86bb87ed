"""`NAME=FILES` and `NAME@VIEW=FILES`: the user states the model and the view."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.logs import read

from ..support.log_factories import BENCH, write_file

TABLE = "id,choice\na,A\nb,B\nc,A\n"
OTHER = "id,choice\na,B\nb,B\nc,A\n"


def names(*patterns: str) -> list[tuple[str, str]]:
    return [(run.model, run.view) for run in read(patterns, BENCH)]


def test_a_name_and_a_view(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", TABLE)
    assert names(path) == [("x", "unknown")]
    assert names(f"GPT 4={path}") == [("GPT 4", "unknown")]
    assert names(f"m@choices={path}") == [("m", "choices")]
    assert names(f"m@question+choices={path}") == [("m", "question+choices")]
    assert names(f"text-unicorn@001@full={path}") == [("text-unicorn@001", "full")]
    assert names(f"text-unicorn@001@unknown={path}") == [("text-unicorn@001", "unknown")]


def test_a_name_takes_wildcards_and_folders(tmp_path: Path) -> None:
    write_file(tmp_path, "m/x.csv", TABLE)
    write_file(tmp_path, "m/y.csv", OTHER)
    assert names(f"m={tmp_path}/m/*.csv") == [("m", "unknown")] * 2
    assert names(f"m@full={tmp_path}/m") == [("m", "full")] * 2


def test_a_file_has_one_name(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", TABLE)
    write_file(tmp_path, "y.csv", OTHER)
    assert names(f"m={path}", f"{tmp_path}/*.csv") == [("m", "unknown"), ("y", "unknown")]
    for first in (path, f"m={path}", f"n@full={path}"):
        with pytest.raises(BadInput, match=r"x\.csv: is given twice, the second time as n"):
            names(first, f"n={path}")


def test_what_a_file_states_gives_way_to_the_user(tmp_path: Path) -> None:
    rows = "a,A,in,full\nb,B,in,full\nc,A,in,full\n"
    path = write_file(tmp_path, "x.csv", "id,choice,model,view\n" + rows)
    assert names(path) == [("in", "full")]
    assert names(f"mine@choices={path}") == [("mine", "choices")]


def test_a_path_that_exists_is_a_path(tmp_path: Path) -> None:
    write_file(tmp_path, "rate=1/x=2.csv", TABLE)
    assert names(f"{tmp_path}/rate=1/x=2.csv") == [("x=2", "unknown")]
    assert names(f"{tmp_path}/rate=1/*.csv") == [("x=2", "unknown")]
    assert names(f"{tmp_path}/rate=1") == [("x=2", "unknown")]
    assert names(f"m={tmp_path}/rate=1/x=2.csv") == [("m", "unknown")]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("m@chioces=x.csv", "m@chioces=x.csv: unknown view 'chioces'; did you mean choices?"),
        ("text-unicorn@001=x.csv", "if the name contains @, write NAME@unknown=FILES"),
        ("=x.csv", "with a name, write NAME=FILES or NAME@VIEW=FILES"),
        ("m=", "with a name, write NAME=FILES or NAME@VIEW=FILES"),
        ("m=none.csv", "none.csv: no such file"),
    ],
)
def test_what_cannot_be_read(argument: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        read([argument], BENCH)
    assert message in str(caught.value)
