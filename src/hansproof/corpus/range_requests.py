"""Files on web servers: read from any offset if the server supports ranges, else sequentially."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from ..errors import MissingExtra

SCHEMES = ("http://", "https://")
_READ_TIMEOUT = 60  # seconds without data after which reading fails


def connection_options(address: str) -> dict[str, Any]:
    """Return options for fsspec: without them, aiohttp ends a connection after five minutes."""
    if not address.startswith(SCHEMES):
        return {}
    try:
        from aiohttp import ClientTimeout
    except ImportError:
        raise MissingExtra("remote", f"reading {address}") from None
    return {"client_kwargs": {"timeout": ClientTimeout(total=None, sock_read=_READ_TIMEOUT)}}


def address_path(address: str) -> str:
    """Return an address without its query."""
    return urlsplit(address).path if address.startswith(SCHEMES) else address


def supports_ranges(fs: Any, address: str) -> bool:
    """Whether the server supports range requests."""
    try:
        with fs.open(address, "rb", cache_type="none") as file:
            file.seek(1)
            file.read(1)
    except ValueError:
        return False
    return True
