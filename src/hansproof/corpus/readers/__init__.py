"""Readers of corpus files, one file per format."""
