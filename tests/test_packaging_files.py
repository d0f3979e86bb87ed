"""The files around the package agree: workflows, pins, dependency groups, citation, hooks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
GROUPS = PROJECT["dependency-groups"]
MAKEFILE = (ROOT / "Makefile").read_text()
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pairs = (line.split("==") for line in lines if not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in WORKFLOWS:
        for name, job in read_yaml(path)["jobs"].items():
            yield f"{path.stem}/{name}", job


def group_requirements(name: str) -> Iterator[str]:
    for entry in GROUPS[name]:
        if isinstance(entry, dict):
            yield from group_requirements(entry["include-group"])
        else:
            yield entry


def extras_of_make() -> list[str]:
    match = re.search(r"^EXTRAS := (.*)$", MAKEFILE, re.M)
    assert match
    return match[1].split(",")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_may_only_read_unless_a_job_says_more(path: Path) -> None:
    assert read_yaml(path)["permissions"] == {"contents": "read"}


def test_only_publishing_jobs_get_a_token() -> None:
    allowed = {name for name, job in jobs() if "permissions" in job}
    assert allowed == {"docs/deploy", "release/publish"}
    for name, job in jobs():
        if name in allowed:
            assert not any("run" in step for step in job["steps"]), name


def test_actions_are_pinned_by_tag() -> None:
    uses = [step["uses"] for _, job in jobs() for step in job["steps"] if "uses" in step]
    assert uses
    assert [name for name in uses if not re.fullmatch(r"[\w./-]+@v\d+(\.\d+)*", name)] == []


def test_commands_of_workflows_are_targets_of_the_makefile() -> None:
    commands = [step["run"] for _, job in jobs() for step in job["steps"] if "run" in step]
    targets = [command.split()[1] for command in commands if command.startswith("make ")]
    assert {*targets} == {"test", "audit", "site", "wheel"}
    for target in targets:
        assert re.search(rf"^{target}:", MAKEFILE, re.M), target


def test_targets_are_phony_and_described_where_people_call_them() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.M)
    targets = re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.M)
    assert phony
    assert sorted(phony[1].split()) == sorted(targets)


def test_everything_that_make_installs_is_pinned() -> None:
    pinned = pins()
    extras = PROJECT["project"]["optional-dependencies"]
    open_requirements = [
        *PROJECT["project"]["dependencies"],
        *group_requirements("dev"),
        *(text for extra in extras_of_make() for text in extras[extra]),
    ]
    seen: set[tuple[str, frozenset[str]]] = set()
    while open_requirements:
        requirement = Requirement(open_requirements.pop())
        name, wanted = canonicalize_name(requirement.name), frozenset(requirement.extras)
        environments = [{"extra": extra} for extra in (*wanted, "")]
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        assert name in pinned, f"constraints.txt does not pin {name}"
        assert requirement.specifier.contains(pinned[name]), requirement
        for text in metadata.requires(name) or ():
            marker = Requirement(text).marker
            if marker is None or any(marker.evaluate(env) for env in environments):
                open_requirements.append(text)
    assert len(seen) > 100


def test_extras_are_for_users() -> None:
    """Tools for development are dependency groups, which the wheel does not offer."""
    extras = PROJECT["project"]["optional-dependencies"]
    assert not {name for name in extras if name.startswith(("dev", "test", "bench", "real"))}
    assert {*extras_of_make()} <= {*extras}
    for group in re.findall(r"--group ([\w-]+)", MAKEFILE):
        assert list(group_requirements(group))


def test_every_extra_that_an_error_names_exists_and_is_explained() -> None:
    extras = {*PROJECT["project"]["optional-dependencies"]}
    sources = "\n".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    named = {*re.findall(r'MissingExtra\(\s*"(\w+)"', sources)}
    assert len(named) > 10
    assert named <= extras
    page = (ROOT / "docs" / "howto" / "install.md").read_text()
    rows = "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert {*re.findall(r"`(\w+)`", rows)} == extras


def test_hooks_use_the_pinned_versions() -> None:
    pinned = pins()
    hooks = read_yaml(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    assert {hook["id"] for hook in hooks} == {
        "ruff-check", "ruff-format", "codespell", "end-of-file"
    }  # fmt: skip
    for hook in hooks:
        name, version = hook["additional_dependencies"][0].split("==")
        assert pinned.get(canonicalize_name(name), version) == version


def test_the_citation_is_of_this_version() -> None:
    citation, project = read_yaml(ROOT / "CITATION.cff"), PROJECT["project"]
    assert citation["cff-version"] == "1.2.0"
    assert citation["title"] == project["name"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    assert citation["message"]
    assert citation["authors"]


def test_updates_are_looked_for_in_pins_and_workflows() -> None:
    updates = read_yaml(ROOT / ".github" / "dependabot.yml")["updates"]
    assert {update["package-ecosystem"] for update in updates} == {"pip", "github-actions"}


@pytest.mark.parametrize("name", ["bug", "idea"])
def test_issue_forms_are_complete(name: str) -> None:
    form = read_yaml(ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml")
    assert form["name"]
    assert form["description"]
    ids = [part["id"] for part in form["body"]]
    assert len(ids) == len({*ids})
    assert all(part["attributes"]["label"] for part in form["body"])
