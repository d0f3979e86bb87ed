"""Helpers for the sentences that probes write."""

from __future__ import annotations

POOLED_NOTE = (
    "Runs are pooled: each item counts once per run, so p-values and intervals are too small."
)
