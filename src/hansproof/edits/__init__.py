"""Edits, which make a changed benchmark from a benchmark; one file each."""
