"""hansproof is Apache-2.0: all that it needs to run must be under a permissive licence.

Walks the requirements of `pyproject.toml` (core, and all extras but those for development), and
the requirements of each installed package.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
DEVELOPMENT = re.compile("dev|real-.*|bench-.*")  # extras that no user installs

# as licence expressions (SPDX), as free text, and as trove classifiers
PERMISSIVE = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause",
    "BSL-1.0", "CC0-1.0", "CNRI-Python", "ISC", "MIT", "MIT-CMU", "PDDL-1.0", "PSF-2.0", "Zlib",
    "3-Clause BSD License", "Apache 2.0", "Apache 2.0 License",
    "Apache Software License", "BSD License", "ISC License (ISCL)", "MIT License",
    "Python Software Foundation License",
}  # fmt: skip
# The Mozilla licence asks only that changes to its own files are published: code that imports
# them may have any licence (section 3.3), so it does no harm to a package that ships none.
WEAK_COPYLEFT = {"MPL-2.0", "Mozilla Public License 2.0 (MPL 2.0)"}
ALLOWED = PERMISSIVE | WEAK_COPYLEFT

# packages whose metadata are wrong or silent, and where their licence is stated
EXCEPTIONS = {
    "locate": "MIT: its LICENSE file; the classifier says Other/Proprietary",
}
# the wheels of torch for CUDA require NVIDIA's libraries, which are proprietary but only loaded
# where torch itself is; wheels for the CPU do not
NVIDIA = re.compile("(nvidia|cuda)-.*")


def runtime_requirements() -> list[Requirement]:
    """Return what a user may install with hansproof, by `pyproject.toml`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [
        line
        for name, lines in project["optional-dependencies"].items()
        if not DEVELOPMENT.fullmatch(name)
        for line in lines
    ]
    return [Requirement(line) for line in (*project["dependencies"], *extras)]


def walk_distributions(requirements: list[Requirement]) -> dict[str, Distribution]:
    """Return the installed packages that are required, directly or by another, by name."""
    packages: dict[str, Distribution] = {}
    walked: set[tuple[str, str]] = set()
    waiting = [(requirement, "") for requirement in requirements]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = re.sub("[-_.]+", "-", requirement.name).lower()
        try:
            package = distribution(name)
        except PackageNotFoundError:  # an extra that is not installed here
            continue
        packages[name] = package
        for wanted_extra in ("", *requirement.extras):
            if (name, wanted_extra) not in walked:
                walked.add((name, wanted_extra))
                waiting += [(Requirement(line), wanted_extra) for line in package.requires or ()]
    return packages


def read_licences(package: Distribution) -> list[str]:
    """Return the licences that all apply, as the metadata of a package state them."""
    metadata = package.metadata.json
    if expression := metadata.get("license_expression"):
        return split_expression(str(expression))
    classifiers = [line.split(" :: ") for line in metadata.get("classifier", ())]
    if licences := [parts[-1] for parts in classifiers if parts[0] == "License"]:
        return licences
    return split_expression(str(metadata.get("license") or "no licence stated"))


def split_expression(expression: str) -> list[str]:
    """Return the parts of the first alternative that is allowed, else of the whole expression."""
    alternatives = [
        [part.strip(" ()") for part in alternative.split(" AND ")]
        for alternative in expression.split(" OR ")
    ]
    allowed = (parts for parts in alternatives if ALLOWED.issuperset(parts))
    return next(allowed, [part for parts in alternatives for part in parts])


def forbidden_licences(packages: dict[str, Distribution]) -> Iterator[str]:
    for name, package in sorted(packages.items()):
        if name in EXCEPTIONS or NVIDIA.fullmatch(name):
            continue
        if unknown := [licence for licence in read_licences(package) if licence not in ALLOWED]:
            yield f"{name}: {', '.join(unknown)[:80]}"


def test_runtime_dependencies_are_permissive() -> None:
    packages = walk_distributions(runtime_requirements())
    assert {"numpy", "rich", "markdown-it-py"} <= set(packages)  # the last by another
    assert [*forbidden_licences(packages)] == []


def test_a_package_under_gpl_would_be_named() -> None:
    packages = walk_distributions([Requirement("krippendorff")])
    assert [*forbidden_licences(packages)] == ["krippendorff: GPL-3.0-or-later"]


@pytest.mark.parametrize(
    ("expression", "licences"),
    [
        ("MIT", ["MIT"]),
        ("GPL-2.0-only OR (MIT AND Zlib)", ["MIT", "Zlib"]),
        ("MIT AND GPL-2.0-only", ["MIT", "GPL-2.0-only"]),
    ],
)
def test_of_alternatives_an_allowed_one_is_taken(expression: str, licences: list[str]) -> None:
    assert split_expression(expression) == licences
