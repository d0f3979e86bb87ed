"""Probes: one module per question asked about a benchmark."""
