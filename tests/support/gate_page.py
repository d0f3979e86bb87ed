"""The page docs/gate.md and its fenced blocks."""

from __future__ import annotations

from pathlib import Path

from . import doc_pages

PAGE = (Path(__file__).parents[2] / "docs" / "gate.md").read_text()


def blocks(kind: str) -> list[str]:
    """The fenced blocks of one kind."""
    return [block.body for block in doc_pages.blocks(PAGE) if block.kind == kind]
