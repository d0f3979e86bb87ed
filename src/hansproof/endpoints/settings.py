"""Where a server is, how it may be asked, and the key that opens it.

Keys come from the environment alone. They are sent in one header, and removed from everything that
a server returns.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from ..errors import BadInput

Via = Literal["chat", "completions", "native"]  # the paths by which prompts are sent
LOOPBACK = ("localhost", "127.0.0.1", "::1")
REDACTED = "[key]"
MIN_KEY = 8  # characters


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """How requests are sent; none of this may change an answer."""

    url: str  # up to and including /v1
    model: str
    key_from: str = ""  # the environment variable that has the key
    concurrency: int = 8
    timeout: float = 60.0  # seconds
    retries: int = 5
    rpm: int = 0  # requests per minute; 0: no limit

    @property
    def key(self) -> str:
        """The key, or an empty text."""
        return os.environ.get(self.key_from, "").strip() if self.key_from else ""

    @property
    def root(self) -> str:
        """The address without `/v1`, where llama.cpp has paths of its own."""
        return self.url.rstrip("/").removesuffix("/v1")

    def redact(self, text: str) -> str:
        """Return a text without the key; a dummy of a few letters is no secret."""
        key = self.key
        return text.replace(key, REDACTED) if len(key) >= MIN_KEY else text


def check_url(url: str, field: str) -> str:
    """Return an address without a slash at its end; raise BadInput if it cannot be used."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        raise BadInput(
            field, f"is {_shorten(url)!r}: give an address such as http://localhost:8000/v1"
        )
    if parts.username or parts.password:
        raise BadInput(field, "contains a password: put the key into an environment variable")
    if parts.query or parts.fragment:
        raise BadInput(field, "ends with ? or #: give the address up to /v1")
    return url.rstrip("/")


def sends_key_openly(settings: EndpointSettings) -> bool:
    """Whether the key would travel unencrypted to another machine."""
    parts = urlsplit(settings.url)
    return bool(settings.key) and parts.scheme == "http" and parts.hostname not in LOOPBACK


def _shorten(url: str) -> str:
    return url.rpartition("@")[2][:80]
