"""What the shell completes: files, and names of benchmarks, probes, models and other plug-ins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from .. import plugins

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]

PATH_METAVARS = ("FILE", "DIR", "FOLDER", "MODEL", "SOURCE")  # how those of paths begin


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


class PathText(click.types.StringParamType):
    """A text that may be a path: the shell completes files and folders."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave it to the shell to list files."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


def add_path_completion(parameters: Iterable[click.Parameter]) -> None:
    """Let the shell complete files for texts that are paths; all arguments without names are."""
    for parameter in parameters:
        is_argument = isinstance(parameter, click.Argument)
        is_path = is_argument or (parameter.metavar or "").startswith(PATH_METAVARS)
        if is_path and parameter.type is click.STRING:
            parameter.type = PathText()


complete_benchmarks = complete_plugins("benchmarks", or_file=True)
