"""The version of the code that made a score: the package's, and its sources as they are."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
# what can change a score; the other parts read, write and show
SOURCES = (
    "bags", "credit", "digest", "encode", "models", "predict", "ranking", "specs", "stats", "text",
    "training", "types", "vectors", "views",
)  # fmt: skip


@cache
def code_version(*extra_packages: str) -> str:
    """`0.1.0+` and twelve digits of a sha256 over all sources that can change a score.

    `more` are further parts of the package that matter to the asker.
    """
    digest = hashlib.sha256()
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT)
        if name.parts[0].removesuffix(".py") in (*SOURCES, *extra_packages):
            digest.update(f"{name.as_posix()}\n".encode() + path.read_bytes())
    return f"{metadata.version('hansproof')}+{digest.hexdigest()[:12]}"
