from __future__ import annotations

import subprocess
import sys

import hansproof


def test_every_public_name_is_there_and_documented() -> None:
    for name in hansproof.__all__:
        assert getattr(hansproof, name).__doc__, name
    homes = [name for names in hansproof._HOMES.values() for name in names]
    assert sorted(hansproof.__all__) == sorted(["logs", *hansproof._ALIASES, *homes])


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, hansproof; print([m for m in sys.modules if m.startswith('hansproof.')])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
