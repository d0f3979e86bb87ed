"""The published lists of synonyms and antonyms for counter-fitting, and SimLex-999 to evaluate it.

From nmrksic/counter-fitting (Apache-2.0): synonyms of PPDB 2.0, antonyms of PPDB 2.0 and WordNet.
"""

from __future__ import annotations

from dataclasses import replace

from ..download import DataFile, find_file, github_file

_REPOSITORY = "nmrksic/counter-fitting"
_COMMIT = "8cf3cf4db1074f2f80ecf728e6af68347c3b3d02"
_FOLDER = "linguistic_constraints"


def _list_source(name: str, sha256: str | None) -> DataFile:
    source = github_file(f"synonyms/{name}", _REPOSITORY, f"{_FOLDER}/{name}", _COMMIT, "")
    return replace(source, sha256=sha256)


_SYNONYMS = (
    _list_source(
        "ppdb_synonyms.txt", "a294657ae78b443d2d3676bdbbe3c1c9f3f43f21a8ef2548bfbd00e20462b288"
    ),
)
_ANTONYMS = (
    _list_source(
        "ppdb_antonyms.txt", "da985c7cd92237a9a906cde1dc8f13e928d159c62d0b8059dfa04e2b45e6485a"
    ),
    _list_source("wordnet_antonyms.txt", None),  # no sha256 is published: the commit pins it
)
_SIMLEX = _list_source("SimLex-999.txt", None)


def synonym_files() -> tuple[str, ...]:
    """Return the files of synonyms; download them if needed."""
    return tuple(find_file(source) for source in _SYNONYMS)


def antonym_files() -> tuple[str, ...]:
    """Return the files of antonyms; download them if needed."""
    return tuple(find_file(source) for source in _ANTONYMS)


def simlex_file() -> str:
    """Return the file of SimLex-999; download it if needed."""
    return find_file(_SIMLEX)
