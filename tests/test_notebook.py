"""The notebook of the documentation runs, and its outputs are small."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs" / "notebook.ipynb"
MAX_TABLE = 40_000  # characters of HTML


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """The notebook with its outputs, and the folder it ran in; a cell that fails raises."""
    folder = tmp_path_factory.mktemp("notebook")
    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    resources = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=resources).execute()
    return notebook, folder


def outputs_of(notebook: Any, kind: str) -> list[str]:
    return [
        output["data"][kind]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if kind in output.get("data", {})
    ]


def test_it_is_stored_without_outputs() -> None:
    notebook = json.loads(NOTEBOOK.read_text())
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 10
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)


def test_it_runs_and_saves_the_report(executed: tuple[Any, Path]) -> None:
    notebook, folder = executed
    assert (folder / "audit" / "report.html").stat().st_size > 100_000
    assert outputs_of(notebook, "text/plain")[-1] == "True"  # what was saved is what is loaded


def test_values_show_themselves_as_tables_and_charts(executed: tuple[Any, Path]) -> None:
    notebook, _ = executed
    pages = outputs_of(notebook, "text/html")
    assert any("is not Hans-proof" in page for page in pages)  # the audit
    assert any("choice 0 ✓" in page for page in pages)  # an item
    assert any("dataframe" in page for page in pages)  # a table in pandas
    assert sum("vegaEmbed" in page for page in pages) == 1  # the chart


def test_outputs_are_small(executed: tuple[Any, Path]) -> None:
    notebook, _ = executed
    tables = [page for page in outputs_of(notebook, "text/html") if "vegaEmbed" not in page]
    assert max(map(len, tables)) < MAX_TABLE
    assert max(map(len, outputs_of(notebook, "text/plain"))) < 2000
