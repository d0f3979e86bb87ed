"""The class of all commands, which refuses empty values."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from ..errors import BadInput
from ._completion import add_path_completion
from ._printing import printing_options

ARGUMENTS_KEY = "hansproof.arguments"


def command_line() -> str:
    """Return the command line of the current command, as one would type it, without secrets."""
    from .._infra.shell_words import quote_words, redact

    context = click.get_current_context()
    words = [*context.command_path.split(), *context.meta[ARGUMENTS_KEY]]
    return quote_words(map(redact, words))


class HeadedOption(click.Option):
    """An option that --help lists under a heading of its own."""

    def __init__(self, *args: Any, heading: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.heading = heading


class CheckedCommand(click.Command):
    """A command with --json and --quiet, which refuses `-o ""`.

    An empty value is a shell variable that is not set. The help lists options by heading.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += printing_options()
        add_path_completion(self.params)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options: those without a heading first, then a section for each heading."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            # arguments have a record, too, since click 8.3, but are explained in the text
            if record is not None and isinstance(parameter, click.Option):
                heading = parameter.heading if isinstance(parameter, HeadedOption) else "Options"
                sections.setdefault(heading, []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)

    def make_context(
        self, info_name: str | None, args: list[str], *parents: Any, **extra: Any
    ) -> Any:
        """Make the context of a call, which remembers its arguments."""
        arguments = [*args]
        context = super().make_context(info_name, args, *parents, **extra)
        context.meta[ARGUMENTS_KEY] = arguments
        return context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; raise BadInput if a value is empty."""
        extra_args = super().parse_args(ctx, args)
        for parameter in self.params:
            name = parameter.name or ""
            if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE:
                _check_value(parameter, ctx.params.get(name))
        return extra_args


class CheckedGroup(click.Group):
    """A group whose commands refuse empty values."""

    command_class = CheckedCommand
    group_class: type[click.Group] | type[type] | None = type


def _check_value(parameter: click.Parameter, value: Any) -> None:
    if "" in (value if isinstance(value, tuple) else (value,)):
        is_option = isinstance(parameter, click.Option)
        label = parameter.opts[-1] if is_option else parameter.human_readable_name
        raise BadInput(
            label, "is empty: give a value, or set the shell variable that it comes from"
        )
