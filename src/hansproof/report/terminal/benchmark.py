"""A benchmark for the terminal: its card, its splits and its first items."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...types import Benchmark
from ..escape import reveal_hidden
from .table import limited_table


def benchmark_view(benchmark: Benchmark, items_per_split: int) -> RenderableType:
    """Render card, splits, and the first items of each split."""
    card = benchmark.card
    parts: list[RenderableType] = [
        Text.assemble((reveal_hidden(card.title or benchmark.name), "bold")),
        *(
            Text(f"{label}: {reveal_hidden(value)}")
            for label, value in (
                ("home", card.home), ("licence", card.licence), ("citation", card.citation)
            )
            if value
        ),
    ]  # fmt: skip
    roles = {split: role for role, split in benchmark.roles.items()}
    hashes = benchmark.sha256()
    rows = [
        (
            s,
            len(items),
            roles.get(s, ""),
            "yes" if s in benchmark.labelled_splits() else "no",
            hashes[s][:12],
        )
        for s, items in benchmark.splits.items()
    ]
    columns = ("split", "items", "role", "labelled", "sha256")
    parts.append(limited_table("splits", columns, rows, "`hansproof validate` names them all"))
    for alias, splits in benchmark.aliases.items():
        parts.append(Text(reveal_hidden(f"{alias} = {' + '.join(splits)}")))
    for split, items in benchmark.splits.items():
        for item in items[:items_per_split]:
            parts.append(Text(reveal_hidden(f"\n{split} {item.id}"), "bold"))
            parts.extend(Text(reveal_hidden(f"  {n}: {text}")) for n, text in item.fields.items())
            parts.extend(
                Text(f"  {'→' if i - 1 == item.answer else ' '} {i}. {reveal_hidden(choice)}")
                for i, choice in enumerate(item.choices, 1)
            )
    return Group(*parts)
