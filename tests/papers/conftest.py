"""All four papers, compared once for all workers: it takes half a minute."""

from __future__ import annotations

import fcntl
import json
import os
import runpy
from pathlib import Path
from typing import Any

import pytest

from hansproof.papers import PAPERS, reproduce
from hansproof.papers.to_json import reproduction_to_json

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def every(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """`json` by paper, and the `page` of the docs."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    path = shared / "papers.json"
    with open(shared / "papers.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            found = {key: reproduce(key) for key in PAPERS}
            page = runpy.run_path(str(ROOT / "docs" / "papers.py"))["page"](found)
            made = {
                "json": {key: reproduction_to_json(one) for key, one in found.items()},
                "page": page,
            }
            path.write_text(json.dumps(made))
    known: dict[str, Any] = json.loads(path.read_text())
    return known


def cells(found: dict[str, Any]) -> dict[tuple[str, int, str], dict[str, Any]]:
    """Every figure of a JSON, by table, number of the row as shown, and column."""
    return {
        (table["id"], at, column): cell
        for table in found["tables"]
        for at, row in enumerate(table["rows"])
        for column, cell in row["cells"].items()
    }
