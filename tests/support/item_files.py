"""Fixtures that write a file of items, read it, or return its error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.formats import ColumnMapping, read_items
from hansproof.types import Items

Write = Callable[[str, object], str]
Fails = Callable[..., str]
Reads = Callable[..., Items]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write text, bytes, or a list of records (as JSON lines); returns the path."""

    def write(name: str, content: object) -> str:
        path = tmp_path / name
        if isinstance(content, list):
            content = "".join(json.dumps(record) + "\n" for record in content)
        path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
        return str(path)

    return write


@pytest.fixture
def reads(write: Write) -> Reads:
    """Items of a file with this content."""

    def reads(
        content: object, name: str = "x.jsonl", mapping: ColumnMapping | None = None
    ) -> Items:
        return read_items(write(name, content), "all", mapping)

    return reads


@pytest.fixture
def fails(write: Write, tmp_path: Path) -> Fails:
    """The error of a file with this content: one line, with the file's name alone."""

    def fails(content: object, name: str = "x.jsonl", mapping: ColumnMapping | None = None) -> str:
        path = write(name, content)
        with pytest.raises(BadInput) as caught:
            read_items(path, "all", mapping)
        assert "\n" not in str(caught.value)
        return str(caught.value).replace(str(tmp_path) + "/", "")

    return fails
