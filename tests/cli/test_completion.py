"""What shells complete: files, and names of benchmarks, probes and models."""

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
        (("audit", "toy", "--trained", "cha"), ["plain,chance", "file,cha"]),
    ],
)
def test_names_are_completed(words: tuple[str, ...], expected: list[str]) -> None:
    assert complete(*words) == expected


@pytest.mark.parametrize(
    "words",
    [
        ("report", "au"),
        ("card", "au"),
        ("card", "audit", "-o", "au"),
        ("diff", "before", "au"),
        ("scan", "au"),
        ("scan", "a.npz", "au"),
        ("convert", "au"),
        ("compare", "a.jsonl", "au"),
        ("count", "au"),
        ("audit", "toy", "-o", "au"),
        ("audit", "toy", "--predictions", "au"),
        ("audit", "toy", "--labels", "au"),
        ("audit", "toy", "--easy", "au"),
        ("audit", "toy", "--lm", "au"),
        ("audit", "toy", "--encoder", "au"),
        ("gate", "toy", "--limits", "au"),
        ("run", "easy_hard", "toy", "--easy", "au"),
        ("edit", "mirror", "toy", "--sheet", "au"),
        ("vectors", "pick", "au"),
        ("predict", "toy", "--store", "au"),
    ],
    ids=" ".join,
)
def test_files_are_completed(words: tuple[str, ...]) -> None:
    assert complete(*words) == ["file,au"]


def test_columns_are_not_files() -> None:
    assert complete("audit", "toy", "--answer", "au") == [""]
