"""A model of OpenAI, or of another provider at `url`.

The same as `api`, with the usual address as the default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .api import Api, transport


@dataclass(frozen=True, slots=True)
class Openai(Api):
    """A model behind HTTP, asked and never trained."""

    PROVIDER: ClassVar[str] = "openai"

    url: str = "https://api.openai.com/v1"  # the address of the server, up to /v1
    key_from: str = transport("OPENAI_API_KEY")  # environment variable with the key
