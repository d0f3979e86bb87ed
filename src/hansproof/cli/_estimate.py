"""What models behind servers would take, without asking them: `--dry-run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from ._printing import print_output

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..sweeps import RunSpec
    from ..sweeps.estimate import FirstPrompt, RunEstimate
    from ..types import Benchmark


def print_estimate(benchmark: Benchmark, runs: Sequence[RunSpec], folder: str) -> None:
    """Print how many requests, tokens and dollars runs would take, and the first prompts."""
    from ..sweeps.estimate import estimate_runs, first_prompts

    estimates = estimate_runs(benchmark, runs, folder)
    prompts = first_prompts(benchmark, runs)
    print_output(
        {
            "benchmark": benchmark.name,
            "rows": [*map(asdict, estimates)],
            "prompts": [*map(asdict, prompts)],
        },
        lambda: _estimate_table(benchmark.name, estimates, prompts, len(runs)),
    )


def _estimate_table(
    title: str, estimates: Sequence[RunEstimate], prompts: Sequence[FirstPrompt], n_runs: int
) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    from .._infra.plural import plural
    from ..report.escape import reveal_hidden
    from ..report.terminal.table import TerminalTable
    from ..sweeps.asking_notes import shorten_spec

    if not estimates:
        return Text(f"the store has all of {plural(n_runs, 'run')}: nothing would be asked")
    columns = ["model", "view", "asked by", "runs", "requests", "prompt tokens", "answer tokens",
               "cost"]  # fmt: skip
    cells = [[*map(reveal_hidden, _cells(estimate))] for estimate in estimates]
    lines = [
        "note: prompt tokens and cost are estimates (four bytes a token, and 32 tokens for the "
        "chat template); answer tokens are upper limits; about 20 requests that test the server "
        "are not included, nor are answers that are kept",
        "nothing was asked or trained",
    ]
    shown_prompts = [
        text
        for first in prompts
        for text in (
            Text(f"first prompt of {shorten_spec(first.model)}, {first.view}:", "bold"),
            Text(reveal_hidden(first.prompt) + "\n"),
        )
    ]
    table = TerminalTable(reveal_hidden(title), columns, cells)
    return Group(table, *(Text(line, "dim") for line in lines), *shown_prompts)


def _cells(estimate: RunEstimate) -> list[str]:
    from ..sweeps.asking_notes import shorten_spec

    cost = "–"
    if estimate.cost is not None:
        # more digits than of an amount: costs of views are compared
        cost = f"${estimate.cost:,.{2 if estimate.cost >= 1 else 4}f}"
    counts = (estimate.runs, estimate.requests, estimate.prompt_tokens, estimate.answer_tokens)
    names = [shorten_spec(estimate.model), estimate.view, estimate.way]
    return [*names, *map("{:,}".format, counts), cost]
