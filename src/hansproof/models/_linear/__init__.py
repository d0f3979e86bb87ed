"""Linear models on fixed vectors."""
