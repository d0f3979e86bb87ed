"""Files with the likelihoods of texts under one causal language model.

    {"hansproof": "likelihoods of choices", "schema": 1, "model": "lm:smollm2", ...}
    {"sha256": "6e34…", "log": -12.25, "tokens": 4}

The header also has the model's `fingerprint` and the `device`. Each further line has a text, as the
sha256 of its UTF-8, the natural logarithm of its likelihood, and the number of tokens. A file is
written whole or not at all, and results of several processes are merged under a lock. Files are
untrusted: a line that breaks these rules is an error. Nothing is imported here that a machine with
only torch, transformers and numpy does not have.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .._infra.atomic_io import check_writable, write_file
from .._infra.locks import Locks
from ..errors import BadInput, HansproofError
from ..records.location import truncate
from .model_names import clean_name, is_valid_unicode, short_name

if TYPE_CHECKING:
    from ..models.lm import BlindLikelihood, Lm

LogAndTokens = tuple[float, int]  # a log-likelihood, and of how many tokens

KIND = "likelihoods of choices"
SCHEMA = 1  # another number if the prompt or the meaning of a line changes
SAVE_SECONDS = 30.0  # between two writes while a model computes
LOCK_KEY, LOCK_SECONDS = "0", 20.0  # how long to wait for another process that writes
DIGEST = re.compile("[0-9a-f]{64}")
MAX_TOKENS, MIN_LOG = 10**9, -1e12


@dataclass(frozen=True, slots=True)
class LikelihoodTable:
    """The content of a file."""

    model: str  # a short name for people
    fingerprint: str
    device: str
    by_digest: Mapping[str, LogAndTokens] = field(default_factory=dict)

    def merge(self, other: LikelihoodTable) -> LikelihoodTable:
        """Add the texts of another table of the same model; results that are here stay."""
        if not other.by_digest.keys() - self.by_digest.keys():
            return self
        devices = dict.fromkeys([*self.device.split(", "), *other.device.split(", ")])
        merged = {**other.by_digest, **self.by_digest}
        return replace(self, device=", ".join(filter(None, devices)), by_digest=merged)


def text_digest(text: str) -> str:
    """Return the sha256 of a text, by which files know it."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def write_likelihoods(path: str, spec: str, texts: Iterable[str]) -> None:
    """Compute the likelihoods of texts that a file does not contain yet, and add them to it.

    `spec` names the model as `--lm` does: `lm:/models/smollm2`, a folder or a hub id. Raises
    BadInput if the file cannot be written, is of another model, or is not such a file.
    """
    from ..pretrained import checkpoint
    from .model_specs import build_lm

    model = build_lm(spec)
    fingerprint = checkpoint.fingerprint(model.source)
    check_writable(path)
    table = read_table(path) if os.path.exists(path) else None
    if table is not None and table.fingerprint != fingerprint:
        raise BadInput(path, f"has likelihoods of another model, {table.model}: give another path")
    compute_missing(path, model, fingerprint, table, texts)


def compute_missing(
    path: str,
    model: Lm,
    fingerprint: str,
    table: LikelihoodTable | None,
    texts: Iterable[str],
    *,
    is_cache: bool = False,
) -> LikelihoodTable:
    """Return a table with all texts; those that it lacks are computed, and saved now and then.

    What was computed until an interruption is saved. If the file cannot be written, raise BadInput,
    or warn if it is only a cache. Texts that lost their beginning are not cached, so that the model
    warns of them each time.
    """
    computed = {} if table is None else table.by_digest
    missing = [text for text in dict.fromkeys(texts) if text_digest(text) not in computed]
    name = f"lm:{short_name(model.source)}"
    if not missing:
        return table or LikelihoodTable(name, fingerprint, "")
    device = model.fit_info.device
    writer = LikelihoodWriter(path, LikelihoodTable(name, fingerprint, device), table, is_cache)

    def is_saved(likelihood: BlindLikelihood) -> bool:
        return not (is_cache and likelihood.cut)

    def add_batch(likelihoods: Mapping[str, BlindLikelihood]) -> None:
        writer.add({text: (x.log, x.tokens) for text, x in likelihoods.items() if is_saved(x)})

    try:
        likelihoods = model.score_choices(missing, add_batch)
        add_batch(likelihoods)
    except BaseException:
        with contextlib.suppress(HansproofError):
            writer.save()
        raise
    cut = {text_digest(t): (x.log, x.tokens) for t, x in likelihoods.items() if not is_saved(x)}
    return writer.save().merge(replace(writer.empty, by_digest=cut))


@dataclass(slots=True)
class LikelihoodWriter:
    """Collects new likelihoods, and saves them now and then."""

    path: str
    empty: LikelihoodTable  # of the model, without texts
    saved: LikelihoodTable | None
    is_cache: bool  # so that an error while saving is only a warning
    _new: dict[str, LogAndTokens] = field(default_factory=dict)
    _saved_at: float = field(default_factory=time.monotonic)
    _has_warned: bool = False

    def add(self, likelihoods: Mapping[str, LogAndTokens]) -> None:
        """Add the likelihoods of texts; save them if the last time is long ago."""
        self._new.update((text_digest(text), pair) for text, pair in likelihoods.items())
        if time.monotonic() - self._saved_at >= SAVE_SECONDS:
            self.save()

    def save(self) -> LikelihoodTable:
        """Write what is new together with what the file has now, and return all of it."""
        if not self._new:
            return self.saved or self.empty
        new = replace(self.empty, by_digest={**self._new})
        with _wait_for_lock(f"{self.path}.lock"):
            current = read_valid(self.path, new.fingerprint) or self.saved
            merged = new if current is None else current.merge(new)
            try:
                write_table(self.path, merged)
            except BadInput as error:
                if not self.is_cache:
                    raise
                if not self._has_warned:
                    warnings.warn(
                        f"{error}: likelihoods are computed again next time", stacklevel=2
                    )
                self._has_warned = True
        self.saved, self._saved_at = merged, time.monotonic()
        return merged


@contextlib.contextmanager
def _wait_for_lock(path: str) -> Iterator[None]:
    """Keep other processes from writing; go on without a lock where there is none to be had."""
    try:
        locks = Locks(path)
    except BadInput:  # the folder is read-only: writing the file itself says so
        yield
        return
    try:
        with contextlib.suppress(BadInput):  # the file system has no locks
            deadline = time.monotonic() + LOCK_SECONDS
            while not locks.acquire(LOCK_KEY) and time.monotonic() < deadline:
                time.sleep(0.05)
        yield
    finally:
        locks.close()


def write_table(path: str, table: LikelihoodTable) -> None:
    """Write a file atomically."""
    header = {
        "hansproof": KIND, "schema": SCHEMA, "model": table.model,
        "fingerprint": table.fingerprint, "device": table.device,
    }  # fmt: skip
    rows = (
        {"sha256": digest, "log": log, "tokens": tokens}
        for digest, (log, tokens) in sorted(table.by_digest.items())
    )
    lines = [json.dumps(header), *map(json.dumps, rows)]
    write_file(path, ("\n".join(lines) + "\n").encode())


def read_valid(path: str, fingerprint: str) -> LikelihoodTable | None:
    """Return the table of a file; None if there is none, or it is damaged or of another model."""
    try:
        table = read_table(path)
    except BadInput:
        return None
    return table if table.fingerprint == fingerprint else None


def read_table(path: str) -> LikelihoodTable:
    """Read a file; raise BadInput if it is not one, or if a line is damaged."""
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise BadInput(path, str(reason)) from None
    header = _parse_object(path, 1, lines[0] if lines else b"")
    if header.get("hansproof") != KIND:
        message = f"is not a file of likelihoods, as {__name__}.write_likelihoods writes them"
        raise BadInput(path, message, line=1)
    if header.get("schema") != SCHEMA:
        schema = truncate(repr(header.get("schema")))
        message = f"is {schema}, but this hansproof reads {SCHEMA}: compute it anew"
        raise BadInput(path, message, line=1, field="schema")
    texts = {name: _require_text(path, header, name) for name in ("model", "fingerprint", "device")}
    by_digest = dict(_parse_row(path, i, line) for i, line in enumerate(lines[1:], 2))
    return LikelihoodTable(**texts, by_digest=by_digest)


def _parse_object(path: str, number: int, line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BadInput(path, "is not a JSON object", line=number)
    return value


def _require_text(path: str, header: Mapping[str, Any], name: str) -> str:
    value = header.get(name)
    if not isinstance(value, str) or not value or not is_valid_unicode(value):
        raise BadInput(path, "must be a text", line=1, field=name)
    return value if name == "fingerprint" else clean_name(value)


def _parse_row(path: str, number: int, line: bytes) -> tuple[str, LogAndTokens]:
    row = _parse_object(path, number, line)
    digest, log, tokens = row.get("sha256"), row.get("log"), row.get("tokens")
    if not isinstance(digest, str) or not DIGEST.fullmatch(digest):
        raise BadInput(
            path, "must be 64 hexadecimal digits, in lower case", line=number, field="sha256"
        )
    if isinstance(tokens, bool) or not isinstance(tokens, int) or not 0 <= tokens <= MAX_TOKENS:
        message = f"must be a whole number, from 0 to {MAX_TOKENS:,}"
        raise BadInput(path, message, line=number, field="tokens")
    if isinstance(log, bool) or not isinstance(log, int | float) or not MIN_LOG <= log <= 0:
        raise BadInput(path, "must be a number, at most 0", line=number, field="log")
    return digest, (float(log), tokens)
