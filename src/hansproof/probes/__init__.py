"""Probes: one file per question asked of a benchmark."""
