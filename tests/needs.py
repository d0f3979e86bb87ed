"""What some tests need and a plain clone may lack."""

from __future__ import annotations

import os
import shutil

import pytest

needs_data = pytest.mark.skipif(not os.environ.get("HANSPROOF_DATA"), reason="needs HANSPROOF_DATA")
needs_nltk = pytest.mark.skipif(not os.environ.get("NLTK_DATA"), reason="needs NLTK_DATA")
needs_chromium = pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium")
