"""Copies of papers and data with something changed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

DATA = os.environ.get("HANSPROOF_DATA", "")


def paper(key: str, folder: Path, change: Callable[[dict[str, Any]], None]) -> str:
    """A copy of a paper's file."""
    found = json.loads(
        resources.files("hansproof").joinpath(f"papers/figures/{key}.json").read_text()
    )
    change(found)
    path = folder / f"{key}.json"
    path.write_text(json.dumps(found))
    return str(path)


def cell(found: dict[str, Any], table: str, row: int, column: str, value: Any) -> None:
    """Another figure in a cell; of a score, another mean."""
    (one,) = (t for t in found["tables"] if t["id"] == table)
    if isinstance(one["rows"][row][column], dict):
        one["rows"][row][column]["mean"] = value
    else:
        one["rows"][row][column] = value


def data(folder: Path, name: str, change: Callable[[bytes], bytes]) -> str:
    """The data, all as they are but for one file."""
    for top in os.listdir(DATA):
        source, target = Path(DATA, top), folder / top
        if top != name.split("/")[0]:
            target.symlink_to(source)
            continue
        for path in source.rglob("*"):
            there = target / path.relative_to(source)
            if path.is_file():
                there.parent.mkdir(parents=True, exist_ok=True)
                there.symlink_to(path)
    changed = folder / name
    before = changed.read_bytes()
    changed.unlink()
    changed.write_bytes(change(before))
    return str(folder)
