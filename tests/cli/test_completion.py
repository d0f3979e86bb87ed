"""What shells complete: names of benchmarks, probes and models."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def complete(*words: str) -> list[str]:
    """What bash is told for a command line whose last word is incomplete."""
    environment = {
        **os.environ,
        "COMP_WORDS": " ".join(("hansproof", *words)),
        "COMP_CWORD": str(len(words)),
        "_HANSPROOF_COMPLETE": "bash_complete",
    }
    command = [sys.executable, "-m", "hansproof"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("audit", "to"), ["plain,toy", "file,to"]),
        (("gate", "cop"), ["plain,copa", "file,cop"]),
        (("run", "cu"), ["plain,cues"]),
        (("audit", "toy", "--probe", "prio"), ["plain,priority", "file,prio"]),
        (("predict", "toy", "--model", "cha"), ["plain,chance", "file,cha"]),
        (("edit", "perm"), ["plain,permute"]),
    ],
)
def test_names_are_completed(words: tuple[str, ...], expected: list[str]) -> None:
    assert complete(*words) == expected
