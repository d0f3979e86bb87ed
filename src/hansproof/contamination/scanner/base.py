"""The interface of both scanners, the compiled one and the one in Python."""

from __future__ import annotations

from typing import Protocol

from .hits import ScanHits


class Scanner(Protocol):
    """Takes the documents of a shard, chunk by chunk, and collects hits."""

    scan_hits: ScanHits

    def start_document(self, document: int, offset: int = 0, begin: int | None = None) -> None:
        """Start a document, or the part of it from byte `offset` on.

        Only N-grams that start at byte `begin` or later are counted.
        """
        ...

    def feed(self, data: bytes | memoryview) -> None:
        """Add text to the document."""
        ...

    def stop_before(self, offset: int) -> None:
        """Ignore N-grams that start at this byte of the document or later."""
        ...

    def end_document(self) -> None:
        """End the document."""
        ...

    def finish(self) -> ScanHits:
        """Scan what is left in the buffer, and return all hits."""
        ...

    def dump_state(self) -> bytes:
        """Return the state as JSON, for a scanner that resumes from here."""
        ...

    def restore_state(self, data: bytes) -> None:
        """Resume from a state that `dump_state` returned."""
        ...
