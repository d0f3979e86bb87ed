"""Submissions to SemEval-2018 task 12 (ARCT): an id and 0 or 1 in every line.

    #id  correctLabelW0orW1
    18249360_112_A104V8NZIQFN2F  1

The model's name stands in metadata-public.xml, beside the file or one folder above, under the
submission's number, which is the file's name; without it, this number is the name.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import ParseError

from ..errors import BadInput
from ..formats._lines import lines, whole
from ._head import whole_lines
from ._run import Entry, Run

_LINE = re.compile(r"\s*([^\s#,]\S*)[ \t]+([01])\s*")
_METADATA = "metadata-public.xml"
_NAMES = ("shownName", "systemName", "username", "submissionID")


def matches(path: str, head: bytes) -> bool:
    """Whether every line that is no comment is of this form."""
    found = [line for line in whole_lines(head) if not line.startswith("#")]
    return bool(found) and all(map(_LINE.fullmatch, found))


def runs(path: str) -> Iterator[Run]:
    """One run."""
    entries = tuple(
        _entry(text, path, line)
        for line, text in lines(path)
        if text.strip() and not text.startswith("#")
    )
    number = os.path.splitext(os.path.basename(path))[0]
    yield Run(entries, model=_names(path).get(number, number))


def _entry(text: str, path: str, line: int) -> Entry:
    match = _LINE.fullmatch(text)
    if not match:
        raise BadInput(path, "is not an id with 0 or 1", line=line)
    return Entry(match[1], int(match[2]), line)


def _names(path: str) -> dict[str, str]:
    """The names of the systems by submission; one that two share has the number with it."""
    folder = os.path.dirname(os.path.abspath(path))
    for place in (folder, os.path.dirname(folder)):
        metadata = os.path.join(place, _METADATA)
        if os.path.exists(metadata):
            break
    else:
        return {}
    found = dict(_participants(metadata))
    often = Counter(found.values())
    return {
        number: name if often[name] == 1 else f"{name} ({number})" for number, name in found.items()
    }


def _participants(metadata: str) -> Iterator[tuple[str, str]]:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(whole(metadata), forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        what = "entities are refused" if isinstance(error, DefusedXmlException) else str(error)
        raise BadInput(metadata, f"broken XML: {what}") from None
    for one in root.iter("participant"):
        number = one.get("submissionID", "").strip()
        name = next(filter(None, (one.get(key, "").strip() for key in _NAMES)), "")
        if number:
            yield number, name
