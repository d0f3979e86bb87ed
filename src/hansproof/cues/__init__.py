"""Cues: words and phrases that only one choice of an item has; their counts, tests and rules."""
