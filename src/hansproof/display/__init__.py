"""How the data types show themselves at a prompt and in a notebook, and as data frames."""
