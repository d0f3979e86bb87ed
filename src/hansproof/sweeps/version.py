"""The version of the code behind a score: the package's version and a digest of its sources."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata
from pathlib import Path, PurePath

ROOT = Path(__file__).parents[1]
# packages and modules that can change a score; the others only read, write and display
SOURCES = (
    "_infra/compilation", "_infra/hashing", "_infra/join_names", "_infra/threads", "capabilities",
    "choice_orders", "endpoints", "linear", "models", "plugins", "pretrained", "prompts", "scoring",
    "spending", "stats", "sweeps", "text", "training", "types", "vectors", "views",
)  # fmt: skip


@cache
def code_version(*extra_sources: str) -> str:
    """Return `0.1.0+` and twelve digits of a sha256 over all sources that can change a score.

    `extra_sources` names further packages or modules that matter to the caller.
    """
    sources = {*SOURCES, *extra_sources}
    digest = hashlib.sha256()
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT)
        if _is_part_of(name, sources):
            digest.update(f"{name.as_posix()}\n".encode() + path.read_bytes())
    return f"{metadata.version('hansproof')}+{digest.hexdigest()[:12]}"


def _is_part_of(path: PurePath, sources: set[str]) -> bool:
    """Whether a source file is one of these modules or lies in one of these packages."""
    module = path.with_suffix("")
    return any(part.as_posix() in sources for part in (module, *module.parents))
