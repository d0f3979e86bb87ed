"""The command line of an audit: which benchmark it read, how, and what it was given besides.

The command comes from a file and is untrusted. It is split into words and quoted again, so that
nothing in it can become a second command.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from .._infra.shell_words import quote_words
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
    "--reference", "--others", "--lm", "--encoder", "--blind",
)  # fmt: skip
OUTPUT_OPTIONS = ("-o", "--output")
# options without a value; all others of the command have one
OTHER_FLAGS = (
    "--deterministic", "--force", "--json", "--quiet", "-q", "--verbose", "-v", "--open", "--debug",
    "--help", "-h", "--dry-run",
)  # fmt: skip
# options that are not given again when a command is repeated: they are about a single call
SINGLE_CALL = ("--force", "--json", "--quiet", "-q", "--verbose", "-v", "--open", "--items")


@dataclass(frozen=True, slots=True)
class AuditedCommand:
    """The parts of a command line that other commands on the same benchmark need."""

    bench: tuple[str, ...]
    reading: tuple[str, ...] = ()  # options that say how to read the files
    inputs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # option -> its values
    output: str = "audit"
    repeatable: tuple[tuple[str, ...], ...] = ()  # options with their values, but not the output

    def arguments(self) -> str:
        """Return the benchmark and how to read it, quoted for a shell."""
        return quote_words([*self.bench, *self.reading])

    def input_arguments(self, option: str, default: str) -> str:
        """Return an option with the values it had, or with a default, quoted for a shell."""
        return quote_words([option, *self.inputs.get(option, (default,))])

    def has_option(self, name: str) -> bool:
        """Tell whether the command has an option."""
        return any(_option_name(group) == name for group in self.repeatable)

    def repeat(self, *option: str, without: str = "") -> str:
        """Return the audit again, quoted for a shell.

        An option is added, or has another value, or is left out.
        """
        replaced = {without, *option[:1]}
        repeated = [group for group in self.repeatable if _option_name(group) not in replaced]
        words = [*self.bench, *(word for group in repeated for word in group), *option]
        return quote_words(["hansproof", "audit", *words, "-o", self.output])


def quote_command(audit: Audit) -> str:
    """Return the command of an audit as a single command; empty if it cannot be one."""
    try:
        words = shlex.split(audit.command)
    except ValueError:  # a quote that is not closed
        return ""
    return quote_words(words) if "\n" not in audit.command else ""


def parse_command(audit: Audit) -> AuditedCommand:
    """Parse the command of an audit; without one, the benchmark is known by its name."""
    try:
        words = shlex.split(audit.command)
    except ValueError:  # a quote that is not closed
        words = []
    parsed = _parse_words(words[words.index("audit") + 1 :]) if "audit" in words else None
    return parsed if parsed and parsed.bench else AuditedCommand((name_benchmark(audit),))


def _parse_words(words: list[str]) -> AuditedCommand:
    groups = _group_words(words)
    bench = tuple(group[0] for group in groups if not group[0].startswith("-"))
    options = [group for group in groups if group[0].startswith("-")]
    inputs: dict[str, tuple[str, ...]] = {}
    output = "audit"
    for group in options:
        name = _option_name(group)
        if name in INPUT_OPTIONS:
            inputs[name] = (*inputs.get(name, ()), *_option_values(group))
        elif name in OUTPUT_OPTIONS:
            output = next(iter(_option_values(group)), output)
    return AuditedCommand(
        bench,
        tuple(
            word
            for group in options
            if _option_name(group) in (*READING_OPTIONS, *READING_FLAGS)
            for word in group
        ),
        inputs,
        output,
        tuple(g for g in options if _option_name(g) not in (*OUTPUT_OPTIONS, *SINGLE_CALL)),
    )


def _group_words(words: list[str]) -> list[tuple[str, ...]]:
    """Put each option and its values into a group; any other word is a group of its own."""
    groups: list[tuple[str, ...]] = []
    option = ""  # the option that the next word belongs to
    for i, word in enumerate(words):
        if option and option not in INPUT_OPTIONS:  # its value, whatever it begins with
            groups[-1], option = (*groups[-1], word), ""
        elif word == "--":  # only benchmarks follow
            return [*groups, *((_as_path(bench),) for bench in words[i + 1 :])]
        elif word.startswith("-"):
            name = "-" + word[1:].lstrip("vqh") if word[:2] in ("-v", "-q", "-h") else word
            if name == "-":  # nothing but short flags, such as -qv
                continue
            groups.append((name,))
            is_complete = _option_name((name,)) != name  # --name=x, -ofolder
            option = "" if is_complete or name in (*READING_FLAGS, *OTHER_FLAGS) else name
        elif option:
            groups[-1] = (*groups[-1], word)
        else:
            groups.append((word,))
    return groups


def _as_path(bench: str) -> str:
    """Return a benchmark so that it is not taken for an option."""
    return f"./{bench}" if bench.startswith("-") else bench


def _option_name(group: tuple[str, ...]) -> str:
    """Return the name of an option, also of `--name=x` and `-ofolder`."""
    word = group[0]
    return word.partition("=")[0] if word.startswith("--") else word[:2]


def _option_values(group: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values of an option, also of `--name=x` and `-ofolder`."""
    attached = group[0].removeprefix(_option_name(group)).removeprefix("=")
    return (attached, *group[1:]) if attached else group[1:]
