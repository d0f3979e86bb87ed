from __future__ import annotations

import os
from pathlib import Path

import pytest

from hansproof._infra.atomic_io import atomic_write, check_writable, write_file
from hansproof.errors import BadInput


def test_a_file_is_written_with_its_folder(tmp_path: Path) -> None:
    write_file(str(tmp_path / "a" / "b" / "f"), b"new")
    assert (tmp_path / "a" / "b" / "f").read_bytes() == b"new"


def test_a_file_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_file("f", b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_what_fails_half_way_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    write_file(str(tmp_path / "f"), b"old")

    def fail() -> None:
        with atomic_write(str(tmp_path / "f")) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert (tmp_path / "f").read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        write_file(str(tmp_path), b"x")
    assert list(tmp_path.parent.glob("*.part")) == []
    with pytest.raises(BadInput, match="cannot be written"):
        check_writable(str(tmp_path))


def test_a_path_below_a_file_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    for act in (check_writable, lambda path: write_file(path, b"")):
        with pytest.raises(BadInput, match="cannot be written"):
            act(str(tmp_path / "f" / "g" / "h"))
    check_writable(str(tmp_path / "new" / "folder" / "file"))
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_devices_and_pipes_are_not_replaced_by_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/null", "/dev/stdout", str(tmp_path / "pipe")):
        for act in (check_writable, lambda path: write_file(path, b"")):
            with pytest.raises(BadInput, match="it is not a regular file"):
                act(path)
    assert (tmp_path / "pipe").is_fifo()
