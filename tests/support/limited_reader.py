"""Loads each of the files that it is given in a process with little memory, and says how it went.

    python -m tests.support.limited_reader FILE...

A line for each file: `items`, `refused`, the type of another exception, or the signal that ended
the process, and its seconds of computing.
"""

from __future__ import annotations

import os
import resource
import sys

import hansproof
from hansproof.errors import BadInput

MEMORY = 4 << 30


def outcome(path: str) -> str:
    try:
        hansproof.load(path)
    except BadInput as error:
        return "refused" if str(error).isprintable() else "a message with odd characters"
    except BaseException as error:
        return type(error).__name__
    return "items"


def load_apart(path: str) -> None:
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        print(outcome(path), flush=True, end="")
        os._exit(0)
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    print(f"{f'signal {-code}' if code else ''} {seconds:.1f}", flush=True)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        load_apart(path)
