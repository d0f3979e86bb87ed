"""Cues: words and phrases that only one choice of an item has, counted, tested, learnt from."""
