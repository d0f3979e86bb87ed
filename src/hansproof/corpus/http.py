"""Files behind http: read from any place where a server gives parts of a file, else in one go."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from ..errors import MissingExtra

SCHEMES = ("http://", "https://")
_READ_TIMEOUT = 60  # seconds after which a server that says nothing more is given up


def connection_options(address: str) -> dict[str, Any]:
    """How a connection is made: aiohttp ends one after five minutes if it is not told otherwise."""
    if not address.startswith(SCHEMES):
        return {}
    try:
        from aiohttp import ClientTimeout
    except ImportError:
        raise MissingExtra("remote", f"reading {address}") from None
    return {"client_kwargs": {"timeout": ClientTimeout(total=None, sock_read=_READ_TIMEOUT)}}


def address_path(address: str) -> str:
    """An address without what is asked behind a `?`."""
    return urlsplit(address).path if address.startswith(SCHEMES) else address


def supports_ranges(fs: Any, address: str) -> bool:
    """Whether parts of a file can be had: some servers give all of it, or nothing."""
    try:
        with fs.open(address, "rb", cache_type="none") as file:
            file.seek(1)
            file.read(1)
    except ValueError:
        return False
    return True
