"""Groups with one command per plug-in: its options are the fields of the plug-in."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import click

from .. import plugins
from ._options import BENCH_HELP, VariadicCommand, bench_argument, input_options, item_options


class PluginGroup(click.Group):
    """A group with a command for every plug-in of a kind, and for Python files of users."""

    kind: str

    def make_callback(self, plugin_class: Any) -> Callable[..., Any]:
        """Make the function that a plug-in's command runs."""
        raise NotImplementedError

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of plug-ins without importing them."""
        return list(plugins.names(self.kind))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names of plug-ins with their summaries."""
        summaries = plugins.names(self.kind)
        with formatter.section(self.kind.capitalize()):
            formatter.write_dl([(name, summaries[name]) for name in self.list_commands(ctx)])

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        """Build the command of a plug-in."""
        from ._dataclass_options import field_options

        plugin_class = plugins.load_class(self.kind, name)
        command = input_options(plugins.inputs_of(plugin_class))(
            item_options(self.make_callback(plugin_class))
        )
        for option in reversed(field_options(plugin_class)):
            command = option(command)
        command = bench_argument(command)
        doc = inspect.getdoc(inspect.getmodule(plugin_class)) or ""
        return click.command(name, cls=VariadicCommand, help=doc, epilog=BENCH_HELP)(command)
