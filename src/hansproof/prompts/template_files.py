"""Where the prompt files are that come with hansproof; importing this costs next to nothing."""

from __future__ import annotations

import os

FOLDER = os.path.join(os.path.dirname(__file__), "files")
SUFFIX = ".toml"


def list_templates() -> dict[str, str]:
    """Return the path of each prompt file that comes with hansproof, by name."""
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(SUFFIX))
    return {name.removesuffix(SUFFIX): os.path.join(FOLDER, name) for name in names}
