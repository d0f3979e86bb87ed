"""Sends requests to a server: with a limit of time and size, repeated if that may help.

What a server sends is untrusted: redirects are not followed, answers are read up to a limit, and
the key is removed from them before anything else sees them.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from ..errors import MissingExtra
from .pacing import LONGEST_WAIT, Pacer, backoff, read_retry_after
from .settings import LOOPBACK, EndpointSettings

if TYPE_CHECKING:
    import aiohttp

MAX_BODY = 8 * 2**20  # bytes of an answer
MAX_TIMEOUTS = 2  # a request that hangs is repeated so often
UNKNOWN_PATH = "404"
BUSY = (429, 529)
TRANSIENT = (408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529)

# fatal: no other request would fare better.  rejected: the server does not accept this request.
# failed: the server did not answer, however often it was asked
FailureKind = Literal["fatal", "rejected", "failed"]


class RequestError(Exception):
    """A request got no usable answer; `code` is the server's own word for why."""

    def __init__(
        self, kind: FailureKind, message: str, code: str = "", may_cost: bool = False
    ) -> None:
        super().__init__(message)
        self.kind, self.message, self.code = kind, message, code
        self.may_cost = may_cost  # the provider may charge for the last try


# called before a request is repeated for whose last try the provider may charge
ChargeCallback = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class EndpointClient:
    """A connection to one server; use it in `async with`."""

    settings: EndpointSettings
    _pacer: Pacer = field(init=False)
    _session: aiohttp.ClientSession | None = None
    _slots: asyncio.Semaphore | None = None
    _is_known: bool = False  # whether the server has answered anything

    def __post_init__(self) -> None:
        self._pacer = Pacer(self.settings.rpm)

    async def __aenter__(self) -> EndpointClient:
        try:
            import aiohttp
        except ImportError:
            raise MissingExtra("api", "asking a model behind HTTP") from None
        settings = self.settings
        self._slots = asyncio.Semaphore(settings.concurrency)
        headers = {"Authorization": f"Bearer {settings.key}"} if settings.key else {}
        self._session = aiohttp.ClientSession(
            headers=headers,
            connector=aiohttp.TCPConnector(limit=settings.concurrency),
            timeout=aiohttp.ClientTimeout(total=settings.timeout),
            trust_env=False,  # ~/.netrc has passwords that are none of this server's business
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def post(self, path: str, body: dict[str, Any], charge: ChargeCallback) -> Any:
        """Send a request until it is answered, and return the JSON of the answer.

        Raises RequestError if it is not. A server that is busy is waited for; that is no failure.
        """
        n_failed, n_timeouts, n_waits, waited = 0, 0, 0, 0.0
        while True:
            await self._pacer.wait()
            try:
                return await self._send(path, body)
            except _TryAgain as error:
                last_error = error
            if last_error.is_busy:
                delay = max(last_error.pause or 0.0, backoff(n_waits))
                n_waits, waited = n_waits + 1, waited + delay
                if waited > LONGEST_WAIT:
                    raise RequestError("fatal", last_error.message)
                self._pacer.pause(last_error.pause or 0.0)
                await asyncio.sleep(backoff(n_waits))
                continue
            n_failed, n_timeouts = n_failed + 1, n_timeouts + last_error.is_timeout
            if n_timeouts >= MAX_TIMEOUTS or n_failed > self.settings.retries:
                kind: FailureKind = "failed" if self._is_known else "fatal"
                raise RequestError(kind, last_error.message, may_cost=last_error.may_cost)
            if last_error.may_cost:
                await charge()
            await asyncio.sleep(backoff(n_failed - 1))

    async def _send(self, path: str, body: dict[str, Any]) -> Any:
        """Send a request once; raise _TryAgain if it is worth repeating."""
        import aiohttp

        assert self._session is not None
        assert self._slots is not None
        try:
            # the limit of time must not include the wait for a free connection
            async with (
                self._slots,
                self._session.post(
                    self._address(path),
                    json=body,
                    allow_redirects=False,
                    proxy=find_proxy(self.settings.url),
                ) as response,
            ):
                content = await _read_limited(response)
                status, headers = response.status, response.headers
        except TimeoutError:
            message = f"no answer within {self.settings.timeout:g} s"
            raise _TryAgain(message, is_timeout=True, may_cost=True) from None
        except aiohttp.ClientConnectorError as error:
            reason = error.os_error.strerror or type(error.os_error).__name__
            message = f"no server can be reached ({_one_line(self.settings.redact(reason))})"
            if not self._is_known:
                raise RequestError("fatal", message) from None
            raise _TryAgain(message) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            reason = _one_line(self.settings.redact(_describe_error(error)))
            raise _TryAgain(f"the connection broke ({reason})", may_cost=True) from None
        self._is_known = True
        if content is None:
            message = f"an answer is longer than {MAX_BODY:,} bytes"
            raise RequestError("rejected", message, may_cost=True)
        text = self.settings.redact(content.decode("utf-8", "replace"))
        if status != 200:
            detail, code = _read_error(text, self.settings)
            raise _explain_status(status, detail, code, read_retry_after(headers))
        return self._parse(text)

    def _parse(self, text: str) -> Any:
        """Return the JSON of an answer; an error inside it is one of the server, not an answer."""
        try:
            # the key is removed also where JSON has escaped it
            data = redact_all(json.loads(text), self.settings)
        except (ValueError, RecursionError):
            raise _TryAgain("an answer is not JSON", may_cost=True) from None
        message = find_error(data, self.settings)
        if message is not None:
            raise _TryAgain(f"an error inside an answer ({_one_line(message)})", may_cost=True)
        return data

    def _address(self, path: str) -> str:
        """Return the address of a path: one of llama.cpp's own is not below `/v1`."""
        return (self.settings.root if path == "/completion" else self.settings.url) + path


class _TryAgain(Exception):
    """A request failed in a way that may pass."""

    def __init__(
        self,
        message: str,
        *,
        is_busy: bool = False,  # the server asks to wait
        pause: float | None = None,  # for so many seconds
        is_timeout: bool = False,
        may_cost: bool = False,  # the provider may charge for it
    ) -> None:
        super().__init__(message)
        self.message, self.is_busy, self.pause = message, is_busy, pause
        self.is_timeout, self.may_cost = is_timeout, may_cost


def redact_all(data: Any, settings: EndpointSettings) -> Any:
    """Return JSON data without the key in any of its texts."""
    if not settings.key:
        return data
    if isinstance(data, str):
        return settings.redact(data)
    if isinstance(data, list):
        return [redact_all(value, settings) for value in data]
    if isinstance(data, dict):
        return {settings.redact(k): redact_all(value, settings) for k, value in data.items()}
    return data


def find_error(data: Any, settings: EndpointSettings) -> str | None:
    """Return the error that an answer contains, as servers send it once they have begun."""
    if not isinstance(data, dict):
        return None
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    for part in (data, choice):
        if isinstance(part, dict) and part.get("error"):
            return _read_error(json.dumps(part["error"]), settings)[0] or "no reason given"
    reason = choice.get("finish_reason") if isinstance(choice, dict) else None
    return f"finish_reason {reason}" if reason in ("error", "abort") else None


def find_proxy(url: str) -> str | None:
    """Return the proxy that the environment names for an address; None if there is none."""
    parts = urlsplit(url)
    if not parts.hostname or parts.hostname in LOOPBACK or proxy_bypass(parts.netloc):
        return None
    return getproxies().get(parts.scheme)


async def _read_limited(response: aiohttp.ClientResponse) -> bytes | None:
    """Return the body of an answer; None if it is too long."""
    chunks, size = list[bytes](), 0
    async for chunk in response.content.iter_chunked(2**16):
        size += len(chunk)
        if size > MAX_BODY:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def _explain_status(status: int, detail: str, code: str, pause: float | None) -> Exception:
    """Return the error for an answer that is not 200."""
    message = f"HTTP {status}" + (f": {detail}" if detail else "")
    if code == "insufficient_quota" or (pause is not None and pause > LONGEST_WAIT):
        return RequestError("fatal", message, code)
    if status in TRANSIENT:
        return _TryAgain(message, is_busy=status in BUSY or pause is not None, pause=pause)
    is_fatal = status in (401, 402, 407) or status < 400
    code = UNKNOWN_PATH if status == 404 else code
    return RequestError("fatal" if is_fatal else "rejected", message, code)


def _describe_error(error: Exception) -> str:
    """Describe an error of the connection, without addresses: those of proxies have passwords."""
    import aiohttp

    if isinstance(error, aiohttp.ClientResponseError):
        return f"HTTP {error.status}: {error.message}"
    if isinstance(error, aiohttp.InvalidURL):
        return "the address of the proxy or of the server cannot be used"
    reason = error.strerror if isinstance(error, OSError) else None
    return reason or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()


def _read_error(text: str, settings: EndpointSettings) -> tuple[str, str]:
    """Return the message and the code of an error, in the shapes that servers use."""
    try:
        document = redact_all(json.loads(text), settings)
    except (ValueError, RecursionError):
        return _one_line(text), ""
    error = document.get("error", document) if isinstance(document, dict) else document
    if not isinstance(error, dict):
        return _one_line(str(error)), ""
    message = error.get("message") or error.get("detail") or ""
    return _one_line(str(message)), str(error.get("code") or error.get("type") or "")[:60]


def _one_line(text: str) -> str:
    """Return a text in one short line."""
    line = " ".join(text.split())[:200]
    return "".join(c if c.isprintable() else "?" for c in line)
