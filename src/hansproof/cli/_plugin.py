"""One command per plug-in: its flags are the fields of its dataclass."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import click

from .. import plugins
from ._reading import Listing, giving, reading


class Plugins(click.Group):
    """A group with a command for every plug-in of a kind, and for files of the user's own."""

    kind: str

    def errand(self, about: Any) -> Callable[..., Any]:
        """What the command of one plug-in does."""
        raise NotImplementedError

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, nothing imported."""
        return list(plugins.names(self.kind))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Names with what they are about."""
        about = plugins.names(self.kind)
        with formatter.section(self.kind.capitalize()):
            formatter.write_dl([(name, about[name]) for name in self.list_commands(ctx)])

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        """The command of one plug-in."""
        from ..flags import options

        about = plugins.class_of(self.kind, name)
        command = giving(plugins.looks_at(about))(reading(self.errand(about)))
        for option in reversed(options(about)):
            command = option(command)
        command = click.argument("bench")(command)
        doc = inspect.getdoc(inspect.getmodule(about)) or ""
        return click.command(name, cls=Listing, help=doc)(command)
