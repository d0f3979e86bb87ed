"""A journal of answers: what a model has answered once is never asked again.

A line per answer, with its request, is appended to a file in the store before the answer counts;
the key of a line is a sha256 over the server, the request, and the number of the sample. A torn
last line of a killed process is left out. In memory is only where each answer stands in the file.
When a run has ended, and the server has passed its tests once more, a line confirms all answers
before it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from io import FileIO
from typing import Any, BinaryIO

from ..errors import BadInput
from .replies import BadReply, ServerReply, check_saved

FOLDER = "answers"
UNUSABLE = ServerReply("", finish="unusable")  # takes the place of an answer that is discarded
CONFIRMED = b'{"confirmed": true}\n'
KEY_BYTES = 16  # of the digest; the chance that two of a billion agree is negligible


def request_key(server: str, path: str, body: Mapping[str, Any], sample: int) -> bytes:
    """Return the key of a request; `sample` counts requests that are equal on purpose."""
    text = json.dumps([server, path, body, sample], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).digest()[:KEY_BYTES]


def journal_path(folder: str, server: str, model: str) -> str:
    """Return the path of the journal of a model at a server."""
    name = re.sub(r"[^A-Za-z0-9_+.-]+", "-", model).strip("-.")[:60]
    digest = hashlib.sha256(f"{server} {model}".encode()).hexdigest()[:8]
    return os.path.join(folder, FOLDER, f"{name}-{digest}.answers")


@dataclass(slots=True)
class AnswerJournal:
    """Answers by key, in a file or, without a path, in memory."""

    path: str | None = None
    unconfirmed: set[bytes] = field(default_factory=set)  # keys of answers, see `confirm`
    _appended: FileIO | None = None
    _file: BinaryIO | None = None
    _offsets: dict[bytes, int] = field(default_factory=dict)
    _answers: dict[bytes, ServerReply] = field(default_factory=dict)  # without a file

    def __post_init__(self) -> None:
        if self.path is None:
            return
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            self._appended = open(self.path, "ab", buffering=0)  # noqa: SIM115  closed by `close`
            self._file = open(self.path, "rb")  # noqa: SIM115
        except OSError as error:
            raise BadInput(self.path, f"cannot be written: {error.strerror}") from None
        self._read_offsets()

    def _read_offsets(self) -> None:
        assert self._file is not None
        offset = 0
        for line in self._file:
            key = _parse_key(line)
            if key is not None:
                self._offsets[key] = offset
                self.unconfirmed.add(key)
            elif line == CONFIRMED:
                self.unconfirmed.clear()
            offset += len(line)

    def __contains__(self, key: bytes) -> bool:
        return key in self._offsets or key in self._answers

    def __len__(self) -> int:
        return len(self._offsets) + len(self._answers)

    def find(self, key: bytes) -> ServerReply | None:
        """Return the answer to a request; None if it was not asked, or its line is damaged."""
        if self._file is None:
            return self._answers.get(key)
        if key not in self._offsets:
            return None
        self._file.seek(self._offsets[key])
        try:
            record = json.loads(self._file.readline())
            reply = check_saved(record["reply"])
            return None if reply == UNUSABLE else reply
        except (ValueError, KeyError, TypeError, BadReply, RecursionError):
            del self._offsets[key]
            return None

    def add(self, key: bytes, reply: ServerReply, body: Mapping[str, Any]) -> None:
        """Keep an answer with its request; it survives a killed process when this returns."""
        self.unconfirmed.add(key)
        if self._appended is None:
            self._answers[key] = reply
            return
        record = {"key": key.hex(), "request": body, "reply": asdict(reply)}
        self._offsets[key] = self._append(json.dumps(record).encode() + b"\n")

    def confirm(self) -> None:
        """Note that the server has passed its tests after all answers so far."""
        self.unconfirmed.clear()
        if self._appended is not None:
            self._append(CONFIRMED)

    def _append(self, line: bytes) -> int:
        """Append a line, and return where it begins."""
        assert self._appended is not None
        # begins anew, in case another process was killed in the middle of a line
        written = b"\n" + line
        try:
            # one write without a buffer, at the end: other processes may write to the file, too
            if self._appended.write(written) != len(written):
                raise BadInput(self.path, "cannot be written: the disk is full")
        except OSError as error:
            raise BadInput(self.path, f"cannot be written: {error.strerror}") from None
        return self._appended.tell() - len(line)

    def discard(self, key: bytes) -> None:
        """Forget an answer that cannot be used, so that it is asked for again."""
        if key in self:
            self.add(key, UNUSABLE, {})
            self.unconfirmed.discard(key)
            self._offsets.pop(key, None)
            self._answers.pop(key, None)

    def close(self) -> None:
        """Close the file."""
        for file in (self._appended, self._file):
            if file is not None:
                file.close()


def _parse_key(line: bytes) -> bytes | None:
    """Return the key of a line without parsing its answer; None if the line is not whole."""
    match = re.match(rb'\{"key": "([0-9a-f]{32})", ', line)
    return bytes.fromhex(match[1].decode()) if match and line.endswith(b"}}\n") else None
