"""What models behind endpoints would take, without asking them: `--dry-run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from ._printing import print_output

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..sweeps import RunSpec
    from ..sweeps.estimate import RunEstimate
    from ..types import Benchmark


def print_estimate(benchmark: Benchmark, runs: Sequence[RunSpec], folder: str) -> None:
    """Print how many requests, tokens and dollars runs would take at most, and the first prompt."""
    from ..sweeps.estimate import estimate_runs, first_prompt

    estimates = estimate_runs(benchmark, runs, folder)
    prompt = first_prompt(benchmark, runs)
    print_output(
        {"benchmark": benchmark.name, "rows": [*map(asdict, estimates)], "first_prompt": prompt},
        lambda: _estimate_table(benchmark.name, estimates, prompt),
    )


def _estimate_table(
    title: str, estimates: Sequence[RunEstimate], prompt: str | None
) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    from ..report.escape import reveal_hidden
    from ..report.terminal.table import TerminalTable

    columns = ["model", "view", "asked by", "runs", "requests", "prompt tokens", "answer tokens",
               "cost"]  # fmt: skip
    cells = [[*map(reveal_hidden, _cells(estimate))] for estimate in estimates]
    lines = [
        "note: prompt tokens are an estimate (four bytes each); answer tokens and cost are upper "
        "limits, without the self-test of about 20 requests and without kept answers",
        "nothing was asked or trained",
    ]
    first = [Text("the first prompt:", "bold"), Text(reveal_hidden(prompt))] if prompt else []
    table = TerminalTable(reveal_hidden(title), columns, cells)
    return Group(table, *(Text(line, "dim") for line in lines), *first)


def _cells(estimate: RunEstimate) -> list[str]:
    from ..sweeps.asking_notes import shorten_spec

    cost = "–"
    if estimate.cost is not None:
        cost = f"${estimate.cost:,.{2 if estimate.cost >= 1 else 4}f}"
    counts = (estimate.runs, estimate.requests, estimate.prompt_tokens, estimate.answer_tokens)
    names = [shorten_spec(estimate.model), estimate.view, estimate.way]
    return [*names, *map("{:,}".format, counts), cost]
