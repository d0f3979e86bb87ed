"""Fixtures for files of items."""

from __future__ import annotations

from ..support.item_files import fails, reads, write

__all__ = ["fails", "reads", "write"]
