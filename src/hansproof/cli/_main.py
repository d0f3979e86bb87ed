"""The group of all commands."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import click

from ._command import CheckedGroup

CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=CheckedGroup, context_settings=CONTEXT_SETTINGS)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(metadata.version("hansproof"), prog_name="hansproof")
def cli(debug: bool) -> None:
    """Is your benchmark Hans-proof? Find out whether its answers can be had without its questions.

    \b
    Examples:
      hansproof audit toy:original -o audit      the embedded benchmark, with its flaws
      hansproof audit items.jsonl -o audit          your own file
      hansproof audit copa --predictions 'runs/*'   and what models said
      hansproof run cues copa:dev --ngram 1         one question, in the terminal
      hansproof list                                everything there is
    """
