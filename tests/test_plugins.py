from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hansproof import plugins
from hansproof.errors import BadInput, UnknownName

from .support.sample_plugins import MINE


@pytest.mark.parametrize("kind", plugins.KINDS)
def test_every_plugin_has_a_name_and_a_summary(kind: str) -> None:
    found = plugins.names(kind)
    assert found
    for name, summary in found.items():
        assert name.isidentifier()
        assert 10 < len(summary) <= 110, name


def test_dashes_and_underscores_are_the_same() -> None:
    assert plugins.load_class("probes", "class-balance") is plugins.load_class(
        "probes", "class_balance"
    )


def test_a_typo_is_met_with_the_nearest_names() -> None:
    with pytest.raises(UnknownName, match="unknown probe 'ceus'; did you mean cues"):
        plugins.load_module("probes", "ceus")


def test_a_probe_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    assert plugins.load_class("probes", str(path))().colour == "blue"


def test_a_file_without_its_class_and_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.py"
    path.write_text("")
    with pytest.raises(BadInput, match="does not define a class Empty"):
        plugins.load_class("probes", str(path))
    with pytest.raises(BadInput, match="no such file"):
        plugins.load_class("probes", str(tmp_path / "none.py"))


def test_an_entry_point_of_another_package_is_listed_unimported_and_loaded(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(MINE.replace("Mine", "Theirs"))
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[hansproof.probes]\ntheirs = theirs\n")
    code = (
        "import sys; from hansproof import plugins;"
        "print(plugins.names('probes')['theirs'], 'theirs' in sys.modules);"
        "print(plugins.load_class('probes', 'theirs').__name__)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert out.splitlines() == ["Is the sky blue? False", "Theirs"]


def test_a_file_does_not_take_the_place_of_a_real_module(tmp_path: Path) -> None:
    import random

    (tmp_path / "random.py").write_text(MINE.replace("Mine", "Random"))
    assert plugins.load_class("probes", str(tmp_path / "random.py")).__name__ == "Random"
    assert sys.modules["random"] is random
