"""`python -m hansproof`."""

from .cli import main

if __name__ == "__main__":  # not in worker processes, which import this module again
    main()
