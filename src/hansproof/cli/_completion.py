"""Names that the shell completes: benchmarks, probes, models and other plug-ins."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from .. import plugins

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def complete_plugins(kind: str, or_file: bool = False) -> Completer:
    """Make a function that completes the names of a kind of plug-in, and also files."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=summary)
            for name, summary in plugins.names(kind).items()
            if name.startswith(incomplete)
        ]
        return [*names, CompletionItem(incomplete, type="file")] if or_file else names

    return complete


complete_benchmarks = complete_plugins("benchmarks", or_file=True)
