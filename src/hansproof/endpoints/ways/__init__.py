"""Ways of asking, strongest first: likelihood, first token, forced, text. One file each.

A way builds the requests of an item and reads the answers to them. Each has dialects: servers have
different names for the same setting, and which one works is found by asking.
"""

from __future__ import annotations

from .base import ModelRequest, RequestOptions
from .first_token import FirstToken
from .forced import ForcedLabel
from .likelihood import PromptLikelihood
from .text import FreeText

# `build_requests` returns the requests of an item, `read_replies` reads the answers to them, and
# raises BadReply if one does not have what was asked for
AskingWay = PromptLikelihood | FirstToken | ForcedLabel | FreeText

__all__ = [
    "AskingWay",
    "FirstToken",
    "ForcedLabel",
    "FreeText",
    "ModelRequest",
    "PromptLikelihood",
    "RequestOptions",
]
