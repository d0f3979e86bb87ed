"""Downloads one file atomically and checks its bytes."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from typing import IO, BinaryIO
from urllib.parse import urlsplit

from .._infra.atomic_io import atomic_write
from .._infra.progress import MIB_BITS, bar
from ..errors import HansproofError

LIMIT = 2 * 2**30  # bytes; three times the largest public archive
TIMEOUT = 30.0  # seconds without a byte
CHUNK_SIZE = 2**16
HINT = "try again, or put the file into the folder named by HANSPROOF_DATA"


def download_file(url: str, path: str, sha256: str | None) -> None:
    """Download a URL to a file; the file appears only when it is complete and correct."""
    _check_url(url)
    with atomic_write(path) as file:
        try:
            digest = _copy_response(url, file)
        except urllib.error.HTTPError as error:
            status = str(error.reason).partition("\n")[0]
            raise HansproofError(f"{url}: {error.code} {status}; {HINT}") from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise HansproofError(f"{url}: cannot be downloaded ({reason}); {HINT}") from None
        if sha256 is not None and digest != sha256:
            status = f"wrong sha256 {digest[:12]}..., expected {sha256[:12]}..."
            raise HansproofError(f"{url}: {status}; {HINT}")


def _copy_response(url: str, file: BinaryIO) -> str:
    """Copy the response of a server to a file and return its sha256."""
    # The scheme was checked, and the opener supports no other.
    request = urllib.request.Request(url, headers={"User-Agent": "hansproof"})  # noqa: S310
    digest, size = hashlib.sha256(), 0
    with _build_opener().open(request, timeout=TIMEOUT) as response:
        length = response.headers.get("Content-Length", "")
        total = int(length) if length.isdigit() else None
        name = os.path.basename(urlsplit(url).path)
        with bar((total or 0) >> MIB_BITS, name) as progress_bar:
            while chunk := response.read(CHUNK_SIZE):
                size += len(chunk)
                if size > LIMIT:
                    size_limit = f"{LIMIT >> MIB_BITS} MiB"
                    raise HansproofError(f"{url}: larger than {size_limit}, download stopped")
                digest.update(chunk)
                file.write(chunk)
                progress_bar.update(size >> MIB_BITS, f"{name}, MiB")
    if total is not None and size != total:
        raise HansproofError(f"{url}: connection lost after {size} of {total} bytes; {HINT}")
    return digest.hexdigest()


def _check_url(url: str) -> None:
    url_parts = urlsplit(url)
    if url_parts.scheme == "https":
        return
    if url_parts.scheme == "http" and url_parts.hostname in ("127.0.0.1", "::1", "localhost"):
        return
    raise HansproofError(f"{url}: only https addresses can be downloaded")


class _SafeRedirectHandler(urllib.request.HTTPRedirectHandler):
    """Follows redirects only to URLs that may be downloaded."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        _check_url(newurl)
        if req.type == "https" and urlsplit(newurl).scheme != "https":
            raise HansproofError(f"{newurl}: redirects from https to another protocol are refused")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _build_opener() -> urllib.request.OpenerDirector:
    """Build an opener for http(s) only: no file, ftp or data URLs."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _SafeRedirectHandler(),
    ):
        opener.add_handler(handler)
    return opener
