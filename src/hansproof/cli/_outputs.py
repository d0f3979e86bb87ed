"""Checks of output files: no command overwrites its input, or what people may have written.

There are two kinds of output. Generated files (audits, pages, indexes) carry a mark of hansproof,
by which they are recognised and replaced. Files that people edit (items, worksheets, tables) are
replaced only if hansproof wrote them and nobody has changed them since. --force replaces other
files too, but never an input.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

from .. import plugins
from ..errors import BadInput

OUTPUT_PARAMETERS = ("output", "items", "junit", "all_rows_path")
FORCE_KEY = "hansproof.force"  # in the `meta` of a click context

HEAD_SIZE, TAIL_SIZE = 4096, 65536  # bytes in which marks are looked for
HEAD_MARKS = rb"""(?xs)
      \{"schema":\d+,"version":"[^"]*","benchmark":"                    # audit.json
    | \{"format":\d+,"version":"[^"]*","index_header":                  # result of a scan
    | <!doctype\ html>.*<meta\ name="generator"\ content="hansproof\ .  # page
    | <\?xml\ .*<testsuite\ name="hansproof\ gate"                      # JUnit XML
    | PK\x03\x04.{26}head\.npy.*\{"format":\d+,"version":               # index
    | PK\x03\x04.{26}schema\.npy.*words\.npy                            # counts of words
    | PK\x03\x04.{26}generator\.npy                                     # vectors, .npz
    | .{8}\{"__metadata__":\{"generator":"hansproof"                    # vectors, .safetensors
    """
TAIL_MARK = b"generator\x18\x09hansproof"  # metadata of a Parquet file


def force_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --force, which the functions below look up by themselves."""
    return click.option(
        "--force", is_flag=True, expose_value=False, callback=_store_force,
        help="Replace existing files that hansproof did not write or that may have been edited.",
    )(command)  # fmt: skip


def is_forced() -> bool:
    """Tell whether the current command was given --force."""
    return bool(click.get_current_context().meta.get(FORCE_KEY))


def check_generated(*paths: str) -> None:
    """Raise BadInput if a generated file must not be written; call it before long work starts."""
    for path in paths:
        _check_writable(path)
        if not os.path.lexists(path):
            continue
        has_mark = _has_mark(path)
        if _is_input_file(path) or (not has_mark and _is_in_input_folder(path)):
            raise _input_error(path)
        if not has_mark and not _is_replaceable(path):
            raise BadInput(
                path,
                "exists and was not written by hansproof: choose another name, or replace it with "
                "--force",
            )


def check_editable(*paths: str) -> None:
    """Raise BadInput if a file that people edit must not be replaced; call it before long work."""
    for path in paths:
        _check_writable(path)
        if not os.path.lexists(path):
            continue
        if _is_input_file(path) or _is_in_input_folder(path):
            raise _input_error(path)
        if not (_is_replaceable(path) or _is_own_output(path)):
            raise BadInput(
                path,
                "exists and may have been edited: choose another name, or replace it with --force",
            )


def _check_writable(path: str) -> None:
    from .._infra import atomic_io  # not needed for --help

    atomic_io.check_writable(path)


def _is_own_output(path: str) -> bool:
    """Tell whether an earlier command wrote a file, and nobody has changed it since."""
    from ._written_files import is_unchanged

    return is_unchanged(path)


def write_editable(contents: Mapping[str, bytes]) -> None:
    """Write files that people edit; if one must not be replaced, raise and write none."""
    changed = [path for path, content in contents.items() if not _has_content(path, content)]
    from ._written_files import write_recorded

    check_editable(*changed)
    for path in changed:
        write_recorded(path, contents[path])


def check_output_folder(folder: str) -> None:
    """Raise BadInput if an output folder is the input folder, or cannot be written."""
    _check_writable(os.path.join(folder, "any"))
    if os.path.isdir(folder) and any(os.path.samefile(path, folder) for path in _input_paths()):
        raise _input_error(folder)


def check_results_folder(folder: str) -> None:
    """Raise BadInput if there is a file where a folder of results is to be."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise BadInput(folder, "is a file, not a folder")


def create_folder(folder: str) -> None:
    """Create an output folder, and check that files can be written there."""
    import tempfile

    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder, prefix=".hansproof-"):
            pass
    except OSError as error:
        raise BadInput(folder, f"cannot be written: {error.strerror}") from None


def _store_force(context: click.Context, _: click.Parameter, force: bool) -> None:
    context.meta[FORCE_KEY] = force


def _is_replaceable(path: str) -> bool:
    """Tell whether --force is given, or a file is empty, as `mktemp` makes it."""
    is_empty = os.path.isfile(path) and not os.path.getsize(path)
    return is_empty or is_forced()


def _input_error(path: str) -> BadInput:
    return BadInput(path, "is an input of this command: choose another output")


def _has_content(path: str, content: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(content) + 1) == content
    except OSError:
        return False


def _has_mark(path: str) -> bool:
    """Tell whether hansproof generated a file."""
    try:
        with open(path, "rb") as file:
            if re.match(HEAD_MARKS, file.read(HEAD_SIZE)):
                return True
            file.seek(max(0, os.path.getsize(path) - TAIL_SIZE))
            return TAIL_MARK in file.read()
    except OSError:
        return False


def _is_input_file(path: str) -> bool:
    return os.path.exists(path) and any(
        os.path.isfile(input_path) and os.path.samefile(input_path, path)
        for input_path in _input_paths()
    )


def _is_in_input_folder(path: str) -> bool:
    real_path = os.path.realpath(path)
    return any(
        os.path.isdir(input_path)
        and real_path.startswith(os.path.join(os.path.realpath(input_path), ""))
        for input_path in _input_paths()
    )


def _input_paths() -> Iterator[str]:
    """Yield the files and folders that the values of the current command's parameters name."""
    known_benchmarks = plugins.names("benchmarks")  # a name means these, not a file of that name
    for name, value in click.get_current_context().params.items():
        for text in value if isinstance(value, tuple) else (value,):
            if name in OUTPUT_PARAMETERS or not isinstance(text, str):
                continue
            if text.partition(":")[0] not in known_benchmarks:
                yield from _named_paths(text)


def _named_paths(text: str) -> Iterator[str]:
    """Yield existing paths in a value: `a.jsonl:dev`, `NAME=runs/*.jsonl`, `bov:vectors=a.npz`."""
    for candidate in {text, text.rpartition(":")[0], *re.split("[:=,]", text)}:
        if os.path.exists(candidate):
            yield candidate
        elif glob.has_magic(candidate):
            yield from glob.iglob(candidate, recursive=True)
