"""Short names of models for people: `smollm2` for `/models/smollm2`."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Sequence

MAX_NAME = 60  # characters
GENERIC_NAMES = ("model", "checkpoint", "weights", "final", "best", "main")


def short_name(source: str) -> str:
    """Return the last part of a folder or hub id, or the last two if the last says nothing."""
    path = os.path.abspath(source) if os.path.isdir(source) else source
    parts = [part for part in path.replace(os.sep, "/").split("/") if part]
    n_parts = 2 if parts and parts[-1].lower() in GENERIC_NAMES else 1
    return clean_name("/".join(parts[-n_parts:]))


def clean_name(name: str) -> str:
    """Return a name without characters that cannot be printed, and not too long."""
    return "".join(c if c.isprintable() else "?" for c in name)[:MAX_NAME]


def is_valid_unicode(text: str) -> bool:
    """Tell whether a text can be encoded as UTF-8: JSON may contain one half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def distinct_names(names: Sequence[str], fingerprints: Sequence[str]) -> list[str]:
    """Add a part of a digest of the fingerprint to names that several models share."""
    counts = Counter(names)
    return [
        name if counts[name] == 1 else f"{name} {hashlib.sha256(mark.encode()).hexdigest()[:6]}"
        for name, mark in zip(names, fingerprints, strict=True)
    ]
