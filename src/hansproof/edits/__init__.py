"""Changes to a benchmark: one file each."""
