"""Finds the N-grams of an index in text: a compiled scanner, and one in Python."""
