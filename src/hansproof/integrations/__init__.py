"""Ways to other people's tools: one file each."""
