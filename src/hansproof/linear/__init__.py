"""Linear rankers over sparse features of choices, compiled."""
