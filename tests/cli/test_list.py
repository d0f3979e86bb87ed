"""`hansproof list`."""

from __future__ import annotations

import json

from hansproof import plugins

from ..support.cli_runner import run_here, run_on_terminal


def test_a_terminal_gets_folded_entries_with_a_hanging_indent() -> None:
    code, text = run_on_terminal("list", "probes")
    lines = text.splitlines()
    assert code == 0
    assert max(map(len, lines)) <= 80
    names = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert names == [*plugins.names("probes")]
    folded = [line for line in lines if line.startswith(" ")]
    assert folded
    assert all(line[:18].isspace() and line[18] != " " for line in folded)
    _, everything = run_on_terminal("list")
    assert max(map(len, everything.splitlines())) <= 80


def test_a_pipe_gets_one_line_for_each_name() -> None:
    lines = run_here("list", "probes").stdout.splitlines()
    summaries = plugins.names("probes")
    assert lines == [f"{name:<18}{summary}" for name, summary in summaries.items()]
    assert json.loads(run_here("list", "probes", "--json").stdout) == summaries
