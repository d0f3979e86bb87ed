"""A model that Ollama serves.

The same as `api`, with the usual address as the default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .api import Api


@dataclass(frozen=True, slots=True)
class Ollama(Api):
    """A model behind HTTP, asked and never trained."""

    PROVIDER: ClassVar[str] = "ollama"

    url: str = "http://localhost:11434/v1"  # the address of the server, up to /v1
