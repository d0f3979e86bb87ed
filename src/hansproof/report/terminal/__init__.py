"""Audits, results, benchmarks and differences for the terminal."""
