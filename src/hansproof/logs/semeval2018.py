"""Submissions to SemEval-2018 task 12 (ARCT): an id and 0 or 1 in every line; -1 is no answer.

    #id  correctLabelW0orW1
    18249360_112_A104V8NZIQFN2F  1

The file is named by the number of the submission. metadata-public.xml, in the same folder or its
parent, contains the name of the model; without it, the number is the name.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import ParseError

from ..errors import BadInput
from ..records.lines import iter_lines, read_bytes
from ._log_run import LogEntry, LogRun
from ._sniff import complete_lines, file_stem

_LINE = re.compile(r"\s*([^\s#,]\S*)[ \t]+([01]|-1)\s*")
_METADATA = "metadata-public.xml"
_NAMES = ("shownName", "systemName", "username", "submissionID")


def matches(path: str, head: bytes) -> bool:
    """Check whether every line except comments has this form."""
    answer_lines = [line for line in complete_lines(head) if not line.startswith("#")]
    return bool(answer_lines) and all(map(_LINE.fullmatch, answer_lines))


def runs(path: str) -> Iterator[LogRun]:
    """Yield the only run of the file."""
    entries = tuple(
        _parse_entry(text, path, line)
        for line, text in iter_lines(path)
        if text.strip() and not text.startswith("#")
    )
    number = file_stem(path)
    yield LogRun(entries, model=_read_system_names(path).get(number, number))


def _parse_entry(text: str, path: str, line: int) -> LogEntry:
    match = _LINE.fullmatch(text)
    if not match:
        raise BadInput(path, "is not an id followed by 0 or 1", line=line)
    return LogEntry(match[1], "" if match[2] == "-1" else int(match[2]), line)


def _read_system_names(path: str) -> dict[str, str]:
    """Read the names of systems by submission; a shared name gets its number appended."""
    folder = os.path.dirname(os.path.abspath(path))
    for candidate in (folder, os.path.dirname(folder)):
        metadata = os.path.join(candidate, _METADATA)
        if os.path.exists(metadata):
            break
    else:
        return {}
    names_by_number = dict(_read_participants(metadata))
    name_counts = Counter(names_by_number.values())
    return {
        number: name if name_counts[name] == 1 else f"{name} ({number})"
        for number, name in names_by_number.items()
    }


def _read_participants(metadata: str) -> Iterator[tuple[str, str]]:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(read_bytes(metadata), forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        reason = (
            "entities are not allowed" if isinstance(error, DefusedXmlException) else str(error)
        )
        raise BadInput(metadata, f"broken XML: {reason}") from None
    for participant in root.iter("participant"):
        number = participant.get("submissionID", "").strip()
        name = next(filter(None, (participant.get(key, "").strip() for key in _NAMES)), "")
        if number:
            yield number, name
