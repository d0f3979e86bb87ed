"""Which items stood in a text: an index of their N-grams, a scan of any text, what comes of it."""
