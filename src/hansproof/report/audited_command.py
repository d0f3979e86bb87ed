"""The command line of an audit: which benchmark it read, how, and what it was given besides.

The command comes from a file and is untrusted. It is split into words and quoted again, so that
nothing in it can become a second command.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..types import Audit
from .headline import name_benchmark

# options that say how to read a file; all commands that take a benchmark have them
READING_OPTIONS = (
    "--choices", "--answer", "--answers-from", "--field", "--id", "--group", "--labels", "--data",
    "--list-separator", "--split-by", "--name",
)  # fmt: skip
READING_FLAGS = ("--drop-unlabelled", "--header", "--no-header")
# options with one or more values each: what probes look at besides the benchmark
INPUT_OPTIONS = (
    "--predictions", "--accuracies", "--ratings", "--trained", "--against", "--scans",
    "--reference", "--others",
)  # fmt: skip
# options without a value; all others of the command have one
OUTPUT_OPTIONS = ("-o", "--output")
OTHER_FLAGS = (
    "--deterministic", "--force", "--json", "--quiet", "-q", "--verbose", "-v", "--open", "--debug",
    "--help", "-h",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AuditedCommand:
    """The parts of a command line that other commands on the same benchmark need."""

    bench: tuple[str, ...]
    reading: tuple[str, ...] = ()  # options that say how to read the files
    inputs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # option -> its values
    output: str = "audit"

    def arguments(self) -> str:
        """Return the benchmark and how to read it, quoted for a shell."""
        return shlex.join([*self.bench, *self.reading])

    def input_arguments(self, option: str, default: str) -> str:
        """Return an option with the values it had, or with a default, quoted for a shell."""
        return shlex.join([option, *self.inputs.get(option, (default,))])


def parse_command(audit: Audit) -> AuditedCommand:
    """Parse the command of an audit; without one, the benchmark is known by its name."""
    try:
        words = shlex.split(audit.command)
    except ValueError:  # a quote that is not closed
        words = []
    parsed = _parse_words(words[words.index("audit") + 1 :]) if "audit" in words else None
    return parsed if parsed and parsed.bench else AuditedCommand((name_benchmark(audit),))


def _parse_words(words: list[str]) -> AuditedCommand:
    bench: list[str] = []
    reading: list[str] = []
    inputs: dict[str, tuple[str, ...]] = {}
    output = "audit"
    option = ""  # the option that the next word belongs to
    for word in words:
        if word.startswith("-"):
            name, equals, _ = word.partition("=")
            is_complete = equals or (len(word) > 2 and word[1] != "-")  # --name=x, -ofolder
            takes_value = name not in (*READING_FLAGS, *OTHER_FLAGS) and not is_complete
            reading += [word] if name in (*READING_OPTIONS, *READING_FLAGS) else []
            option = name if takes_value else ""
        elif option in INPUT_OPTIONS:
            inputs[option] = (*inputs.get(option, ()), word)
        elif option in OUTPUT_OPTIONS:
            output, option = word, ""
        elif option:
            reading += [word] if option in READING_OPTIONS else []
            option = ""
        else:
            bench.append(word)
    return AuditedCommand(tuple(bench), tuple(reading), inputs, output)
