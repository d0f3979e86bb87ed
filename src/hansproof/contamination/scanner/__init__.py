"""Finds the N-grams of an index in text: a compiled scanner, and a Python one for other tokenizers."""
