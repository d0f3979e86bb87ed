"""Finds items of benchmarks in text: an index of N-grams, scans, and levels of contamination."""
