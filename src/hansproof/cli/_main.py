"""The group of all commands, and the entry point."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from importlib import metadata
from typing import Any

import click

from ..errors import HansproofError

CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def main() -> None:
    """Run the command line; print errors that users can fix in one line, unless --debug."""
    debug = "--debug" in sys.argv
    warnings.showwarning = _echo_own_warnings(warnings.showwarning)
    try:
        cli.main(prog_name="hansproof", standalone_mode=True)
    except HansproofError as error:
        if debug:
            raise
        click.echo(f"hansproof: {error}", err=True)
        sys.exit(2)


def _echo_own_warnings(default_handler: Callable[..., None]) -> Callable[..., None]:
    """Make a handler that prints this package's warnings in one line and passes others on."""

    def show_warning(
        message: Warning | str, category: type[Warning], file: str, *extra: Any
    ) -> None:
        if os.path.dirname(os.path.dirname(__file__)) in file:
            click.echo(f"hansproof: {message}", err=True)
        else:
            default_handler(message, category, file, *extra)

    return show_warning


@click.group(context_settings=CONTEXT_SETTINGS)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(metadata.version("hansproof"), prog_name="hansproof")
def cli(debug: bool) -> None:
    """Is your benchmark Hans-proof? Find out whether its answers can be had without its questions.

    \b
    Examples:
      hansproof audit stable:original -o audit      the embedded benchmark, with its flaws
      hansproof audit items.jsonl -o audit          your own file
      hansproof audit copa --predictions 'runs/*'   and what models said
      hansproof run cues copa:dev --ngram 1         one question, in the terminal
      hansproof list                                everything there is
    """
