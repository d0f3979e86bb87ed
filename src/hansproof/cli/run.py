"""`hansproof run`: run one probe on a benchmark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from .. import plugins
from ._main import cli
from ._options import load_inputs
from ._outputs import check_generated, force_option
from ._plugin_group import PluginGroup
from ._printing import print_output


class _ProbeGroup(PluginGroup):
    """A command for every probe."""

    kind = "probes"

    def make_callback(self, plugin_class: Any) -> Callable[..., Any]:
        """Make the function that runs a probe and prints its result."""

        def run_probe_command(bench: str, all_rows_path: str | None = None, **values: Any) -> None:
            from .. import auditing
            from ..report.terminal.result import result_view
            from ._cached_inputs import find_cached_inputs
            from ._dataclass_options import build_from_values

            probe = build_from_values(plugin_class, values)
            if all_rows_path:
                check_generated(all_rows_path)
            benchmark, inputs = load_inputs(bench, plugins.inputs_of(plugin_class), values)
            inputs |= find_cached_inputs(benchmark, [probe], inputs)
            result = auditing.run_probe(probe, benchmark, inputs)
            if all_rows_path:
                from ..formats.parquet import write_columns

                write_columns(all_rows_path, probe.all_rows(benchmark))
            print_output(result, lambda: result_view(result))

        command: Callable[..., Any] = run_probe_command
        if hasattr(plugin_class, "all_rows"):
            help_text = "Also write all rows, rare ones included, to this Parquet file."
            command = click.option(
                "--all", "all_rows_path", metavar="FILE.parquet", help=help_text
            )(force_option(command))
        return command


@cli.command(cls=_ProbeGroup, subcommand_metavar="PROBE BENCH [OPTIONS]")
def run() -> None:
    """Run one probe on a benchmark.

    PROBE is a name, or your own Python file (./mine.py).

    \b
    Examples:
      hansproof run cues copa:dev --ngram 1 --json
      hansproof run cues piqa --split pooled --tokenizer nltk --all cues.parquet
      hansproof run easy_hard copa --predictions 'runs/*.jsonl' --easy easy.json
      hansproof run transfer arct --others arc_challenge piqa csqa
      hansproof run surface --help
    """
