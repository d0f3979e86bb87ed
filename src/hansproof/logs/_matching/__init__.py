"""Matches the entries of logs with the items of a benchmark."""
