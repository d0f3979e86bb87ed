"""`python -m hansproof`."""

from .cli import main

main()
