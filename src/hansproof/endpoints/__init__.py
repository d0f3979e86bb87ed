"""Language models behind HTTP: what a server can do is found by asking, and answers are kept."""
