"""Finds the files of a benchmark: in folders of folders, by wildcards, or several by name."""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from .._infra.json_bytes import escape_surrogates
from ..download import cache_dir, is_url
from ..download.fetch_file import download_file
from ..errors import BadInput
from ..records.by_content import is_item_file
from ..records.location import file_extension
from ..types import SPLIT_NAMES

MAX_FILES = 10_000
MAX_DEPTH = 8  # folders in folders


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of items, its name as seen from the folder that is read, and its split if it has one.

    Without a split, it is one of many files of the same split.
    """

    path: str
    name: str
    split: str | None
    is_in_folder: bool = False  # the user named its folder, not the file


def find_source_files(sources: Sequence[str]) -> tuple[list[SourceFile], list[str]]:
    """Find the files of items, and those that are of another kind and are left out."""
    paths = [path for source in sources for path in _expand_source(source)]
    if len(paths) > MAX_FILES:
        raise BadInput(sources[0], f"more than {MAX_FILES:,} files")
    paths = list({os.path.realpath(path): path for path in paths}.values())  # each file once
    is_file = len(paths) == 1 and not os.path.isdir(sources[0])
    used = paths if is_file else [path for path in paths if is_item_file(path)]
    if not used:
        kinds = ", ".join(sorted({file_extension(path) or "no extension" for path in paths}))
        suffix = f" (files there: {kinds})" if paths else ""
        raise BadInput(sources[0], f"contains no file of items{suffix}")
    _check_stems(used)
    base = _common_folder(sources, used)
    files = [_describe_file(path, base, len(used) > 1) for path in used]
    if os.path.isdir(sources[0]):
        files = [replace(file, is_in_folder=True) for file in files]
    n_named = sum(file.split is not None for file in files)
    if 2 * n_named < len(files):  # a chapter on testing is not a test split
        files = [replace(file, split=None) for file in files]
    left_out = [os.path.relpath(path, base) for path in paths if path not in set(used)]
    return files, [*left_out, *(name for source in sources for name in _skipped_folders(source))]


def _check_stems(paths: Sequence[str]) -> None:
    """Refuse `train.csv` beside `train.jsonl`, which probably contain the same items."""
    by_stem: dict[str, str] = {}
    for path in paths:
        stem = os.path.splitext(path)[0]
        if stem in by_stem:
            names = f"{os.path.basename(by_stem[stem])} and {os.path.basename(path)}"
            message = f"{names} may contain the same items: name the file to read"
            raise BadInput(os.path.dirname(path) or ".", message)
        by_stem[stem] = path


def split_from_name(path: str, is_one_of_many: bool = False) -> str | None:
    """Return the split in a file's name; of many files, only at its beginning or end.

    `01-dev-environment.json` is a chapter of a course, not its development split.
    """
    stem = os.path.splitext(os.path.basename(path))[0].lower()
    words = [word.rstrip("0123456789") for word in re.findall(r"[a-z0-9]+", stem)]
    candidates = [*words[:1], *words[-1:]] if is_one_of_many else words
    return next((word for word in candidates if word in SPLIT_NAMES), None)


def name_benchmark(sources: Sequence[str]) -> str:
    """Name a benchmark after its file or folder; a file called `test` after its folder.

    Files such as `quiz_train.csv` and `quiz_test.csv` are the benchmark `quiz`.
    """
    stems = {_strip_split(os.path.splitext(os.path.basename(source))[0]) for source in sources}
    if len(sources) > 1 and len(stems) == 1 and "" not in stems:
        return escape_surrogates(*stems)
    source = urlsplit(sources[0]).path if is_url(sources[0]) else sources[0]
    path = os.path.abspath(source if len(sources) == 1 else os.path.dirname(source))
    if glob.has_magic(path) and not os.path.exists(path):
        path = path[: re.search(r"[*?[]", path).start()]  # type: ignore[union-attr]
        path = os.path.dirname(path)
    stem = os.path.basename(path)
    if not os.path.isdir(path):
        stem = os.path.splitext(stem)[0]
        if stem.lower() in SPLIT_NAMES:
            stem = os.path.basename(os.path.dirname(path)) or stem
    return escape_surrogates(stem)


def _strip_split(stem: str) -> str:
    """Return the name of a file without a split at its end; empty where there is none."""
    match = re.fullmatch(r"(.*[^\W_])[\W_]+([A-Za-z]+)", stem)
    return match[1] if match and match[2].lower() in SPLIT_NAMES else ""


def _expand_source(source: str) -> list[str]:
    """Return the paths of a file, a folder or a wildcard, in alphabetical order."""
    if is_url(source):
        return [_download(source)]
    if os.path.isdir(source):
        return _walk_folder(source)
    if os.path.exists(source) or not glob.has_magic(source):
        return [source]
    paths = [path for path in glob.glob(source, recursive=True) if not os.path.isdir(path)]
    if not paths:
        raise BadInput(source, "no file matches this pattern")
    return sorted(paths)


def _download(url: str) -> str:
    """Download a file to the cache, again every time, and return its path."""
    name = os.path.basename(unquote(urlsplit(url).path)) or "items"
    if name in (".", "..") or not name.isprintable():
        raise BadInput(url, "does not end in a file name")
    folder = hashlib.sha256(url.encode()).hexdigest()[:16]
    path = os.path.join(cache_dir(), "files", folder, name)
    download_file(url, path, None)
    return path


def _walk_folder(folder: str, depth: int = MAX_DEPTH) -> list[str]:
    """Return the files of a folder or, if none of them contains items, those of its folders.

    Folders beside files of items are left alone: they often contain what programs wrote.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise BadInput(folder, f"cannot be read: {error.strerror}") from None
    visible = [entry for entry in entries if entry.name[0] != "."]
    paths = [entry.path for entry in visible if entry.is_file()]
    if depth > 0 and not any(map(is_item_file, paths)):
        for entry in visible:
            if entry.is_dir(follow_symlinks=False):
                paths += _walk_folder(entry.path, depth - 1)
    if len(paths) > MAX_FILES:
        raise BadInput(folder, f"more than {MAX_FILES:,} files")
    return paths


def _skipped_folders(source: str) -> list[str]:
    """Return folders with files that were not read, since there are items beside the folders."""
    if not os.path.isdir(source):
        return []
    entries = sorted(os.scandir(source), key=lambda entry: entry.name)
    if not any(entry.is_file() and is_item_file(entry.path) for entry in entries):
        return []
    return [
        f"{entry.name}{os.sep}"
        for entry in entries
        if entry.name[0] != "." and entry.is_dir(follow_symlinks=False)
        if any(map(is_item_file, _walk_folder(entry.path)))
    ]


def _common_folder(sources: Sequence[str], paths: Sequence[str]) -> str:
    """Return the folder from which files are named."""
    if len(sources) == 1 and os.path.isdir(sources[0]):
        return sources[0]
    return os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in paths])


def _describe_file(path: str, base: str, is_one_of_many: bool) -> SourceFile:
    """Describe a file; its split is in its name or in that of its folder."""
    name = escape_surrogates(os.path.relpath(path, base))
    folders = name.split(os.sep)[:-1] if is_one_of_many else []
    in_folder = next((folder for folder in folders if folder.lower() in SPLIT_NAMES), None)
    split = in_folder.lower() if in_folder else split_from_name(path, is_one_of_many)
    return SourceFile(path, name, split)
