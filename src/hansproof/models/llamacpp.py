"""A model that llama.cpp's server serves.

The same as `api`, with the usual address as the default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .api import Api


@dataclass(frozen=True, slots=True)
class Llamacpp(Api):
    """A model behind HTTP, asked and never trained."""

    PROVIDER: ClassVar[str] = "llamacpp"

    url: str = "http://localhost:8080/v1"  # the address of the server, up to /v1
