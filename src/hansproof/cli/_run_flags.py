"""Flags of commands that run models; `_run_options` reads their values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from ._command import HeadedOption
from ._options import RUN_HEADING

AUTO = "auto"

run_option = functools.partial(click.option, cls=HeadedOption, heading=RUN_HEADING)


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `RunOptions`."""
    options = [
        run_option("--recipe", metavar="NAME",
                     help="Training recipe of all models that have one: default, kavumba-bert, "
                     "kavumba-roberta, kavumba-albert, niven-bert, branco, branco-gpt2 or "
                     "branco-t5. A recipe that is given with a model takes precedence."),
        run_option("--deterministic", is_flag=True,
                     help="Make every run give the same scores, even if that is slower."),
        run_option("--jobs", default=AUTO, show_default=True, metavar="N",
                     help="Number of parallel runs. `auto` uses all cores for slow models and one "
                     "otherwise."),
        run_option("--engine", type=click.Choice(("local", "ray")), default="local",
                     show_default=True, help="Run in processes on this machine, or as Ray tasks "
                     "(on the cluster at $RAY_ADDRESS, if it is set)."),
        run_option("--prompts", metavar="NAME,...",
                     help="Prompt files of models behind servers: letters, steps, bare, or files "
                     "of yours (./mine.toml). Several are run one after the other, and the spread "
                     "of their accuracies is shown."),
        run_option("--budget", type=float, metavar="DOLLARS",
                     help="Stop before models behind servers have cost more than this; needs "
                     "price= in their settings. Answers are kept."),
        run_option("--dry-run", is_flag=True,
                     help="Ask and train nothing: print the first prompt, and how many requests, "
                     "tokens and dollars models behind servers would take."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command
