"""Linear rankers of choices: over sparse features, compiled, and over dense rows."""
