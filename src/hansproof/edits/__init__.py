"""Edits: one module per way to change a benchmark."""
