"""Tokenizers, n-grams, and texts encoded as token ids."""
