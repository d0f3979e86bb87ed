"""A command replaces its own output of an earlier call, but nothing that somebody changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof.cli._written_files import RECORD_NAME, is_unchanged, write_recorded

from ..support.cli_runner import expect_one_line_error, run_here


def test_a_file_is_known_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_recorded(str(path), b"one\n")
    assert is_unchanged(str(path))
    path.write_bytes(b"two\n")
    assert not is_unchanged(str(path))
    path.write_bytes(b"one\n")
    assert is_unchanged(str(path))
    path.unlink()
    assert not is_unchanged(str(path))


def test_a_copy_and_other_files_are_unknown(tmp_path: Path) -> None:
    write_recorded(str(tmp_path / "a.csv"), b"one\n")
    (tmp_path / "b.csv").write_bytes(b"one\n")
    assert not is_unchanged(str(tmp_path / "b.csv"))


def test_files_of_a_folder_share_a_record_that_forgets_those_that_are_gone(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        write_recorded(str(tmp_path / name), name.encode())
    assert is_unchanged(str(tmp_path / "a.csv"))
    (tmp_path / "b.csv").unlink()
    write_recorded(str(tmp_path / "c.csv"), b"")
    assert sorted(json.loads((tmp_path / RECORD_NAME).read_text())) == ["a.csv", "c.csv"]


@pytest.mark.parametrize("content", ["", "[]", "{", '{"a.csv": 1}', '{"a.csv": {"size": 4}}'])
def test_a_broken_record_protects_the_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.csv").write_text("one\n")
    (tmp_path / RECORD_NAME).write_text(content)
    assert not is_unchanged(str(tmp_path / "a.csv"))


def test_without_a_record_the_file_is_still_written(tmp_path: Path) -> None:
    (tmp_path / RECORD_NAME).mkdir()
    write_recorded(str(tmp_path / "a.csv"), b"one\n")
    assert (tmp_path / "a.csv").read_bytes() == b"one\n"
    assert not is_unchanged(str(tmp_path / "a.csv"))


@pytest.mark.usefixtures("quick_audit")
def test_the_table_of_items_is_replaced_when_the_audit_is_repeated(tmp_path: Path) -> None:
    command = ("audit", "toy:original", "-o", "out", "--items", "flags.csv")
    assert run_here(*command, cwd=tmp_path).returncode == 0
    first = (tmp_path / "flags.csv").read_text()
    done = run_here(*command, "--probe", "cues", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    edited = (tmp_path / "flags.csv").read_text()
    assert edited != first
    (tmp_path / "flags.csv").write_text(edited + "note\n")
    assert "may have been edited" in expect_one_line_error(run_here(*command, cwd=tmp_path))


def test_an_edit_replaces_its_own_items(tmp_path: Path) -> None:
    command = ("edit", "permute", "toy:original", "-o", "new")
    assert run_here(*command, "--seed", "1", cwd=tmp_path).returncode == 0
    done = run_here(*command, "--seed", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    path = tmp_path / "new/original.jsonl"
    path.write_text(path.read_text().replace("a", "A", 1))
    done = run_here(*command, "--seed", "3", cwd=tmp_path)
    assert "may have been edited" in expect_one_line_error(done)
