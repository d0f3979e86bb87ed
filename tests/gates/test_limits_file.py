"""Files of limits: what they may say, where they are looked for, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.errors import HansproofError
from hansproof.gates import Limit, find_limits, read_limits
from hansproof.gates.limits_file import COUNT_LIMITS, DEFAULTS


def written(folder: Path, text: str, name: str = "hansproof.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def test_named_limits_and_estimates(tmp_path: Path) -> None:
    path = written(tmp_path, """
        [limits]
        cue_lift = 0.2
        duplicates = 3
        [limits.estimates]
        "cues/*: rules over words" = 0.6
        "accuracy/test: mine" = { at_least = 0.7, at_most = 0.9 }
    """)  # fmt: skip
    found = read_limits(path)
    assert found.source == str(path)
    assert found.limits == (
        Limit("cue_lift", 0.2),
        Limit("duplicates", 3.0),
        Limit("cues/*: rules over words", 0.6),
        Limit("accuracy/test: mine", 0.7, at_most=False),
        Limit("accuracy/test: mine", 0.9),
    )


def test_the_shared_file(tmp_path: Path) -> None:
    path = written(tmp_path, "[tool.hansproof.limits]\ncue_lift = 0.2", "pyproject.toml")
    assert read_limits(path).limits == find_limits(tmp_path).limits == (Limit("cue_lift", 0.2),)


def test_a_file_changes_only_the_defaults_that_it_names(tmp_path: Path) -> None:
    assert DEFAULTS.number_limits() == COUNT_LIMITS
    limits = read_limits(written(tmp_path, "[limits]\ncue_lift = 0.2\nduplicates = 3"))
    assert limits.worst_verdict == DEFAULTS.worst_verdict == "caution"
    assert limits.number_limits() == (
        Limit("cue_lift", 0.2), Limit("duplicates", 3), Limit("contradictions", 0),
    )  # fmt: skip


def test_the_worst_verdict(tmp_path: Path) -> None:
    strict = read_limits(written(tmp_path, '[limits]\nverdicts = "clear"'))
    assert (strict.worst_verdict, strict.number_limits()) == ("clear", COUNT_LIMITS)
    loose = read_limits(written(tmp_path, '[limits]\nverdicts = "any"\ncue_lift = 0.2'))
    assert (loose.worst_verdict, loose.number_limits()) == (None, (Limit("cue_lift", 0.2),))


def test_the_nearest_file_upwards_counts(tmp_path: Path) -> None:
    written(tmp_path, "[limits]\ncue_lift = 0.1")
    written(tmp_path / "a", "[limits]\ncue_lift = 0.2")
    written(tmp_path / "a/b", "[tool.other]\nx = 1", "pyproject.toml")  # says nothing of limits
    (tmp_path / "a/b/c").mkdir()
    assert find_limits(tmp_path / "a/b/c").limits == (Limit("cue_lift", 0.2),)
    written(tmp_path / "a/b", "[tool.hansproof.limits]\ncue_lift = 0.3", "pyproject.toml")
    assert find_limits(tmp_path / "a/b/c").limits == (Limit("cue_lift", 0.3),)
    written(tmp_path / "a/b", "[limits]\ncue_lift = 0.4")  # its own file comes before the shared
    assert find_limits(tmp_path / "a/b/c").limits == (Limit("cue_lift", 0.4),)


def test_what_lies_outside_the_repository_does_not_count(tmp_path: Path) -> None:
    written(tmp_path, "[limits]\ncue_lift = 0.1")
    (tmp_path / "repository/.git").mkdir(parents=True)
    assert find_limits(tmp_path / "repository") == DEFAULTS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[limits]\ncue_lfit = 0.1", "did you mean cue_lift?"),
        ("[limts]\ncue_lift = 0.1", "did you mean limits?"),
        ("limits = 3", "limits: must be a table"),
        ("[limits]", "limits: contains no limits"),
        ("", "limits: contains no limits"),
        ('[limits]\nverdicts = "any"', "limits: sets no limit"),
        ('[limits]\nverdicts = "exposed"', "is 'exposed', must be clear, caution or any"),
        ("[limits]\nverdicts = 1", "verdicts: is 1, must be clear, caution or any"),
        ("[limits]\nverdict = 1", "did you mean verdicts?"),
        ("[limits]\ncue_lift = nan", "cue_lift: is nan, must be a number"),
        ("[limits]\ncue_lift = inf", "cue_lift: is inf, must be a number"),
        ("[limits]\ncue_lift = true", "cue_lift: is True, must be a number"),
        ('[limits]\ncue_lift = "0.1"', "cue_lift: is '0.1', must be a number"),
        ("[limits]\ncue_lift = 10", "cue_lift: is 10, must be between 0 and 1"),
        ("[limits]\nduplicates = -1", "duplicates: is -1, must be at least 0"),
        ("[limits]\nestimates = 1", "limits.estimates: must be a table"),
        ("[limits.estimates]\nceiling = 1", 'ceiling: must be written "probe/name'),
        ('[limits.estimates]\n"a/b" = {}', "a/b: needs at_most or at_least"),
        ('[limits.estimates]\n"a/b" = { most = 1 }', "did you mean at_most?"),
        ('[limits.estimates]\n"a/b" = { at_most = nan }', "a/b: is nan, must be a number"),
        ("[limits]\nduplicates = " + "9" * 400, "duplicates: is too large a number"),
        ("[limits]\nduplicates = " + "9" * 5000, "is not valid TOML"),
        ("[limits]\nduplicates = 1e308", "is 1e+308, more than any number of an audit"),
        ('[limits.estimates]\n"a/b" = { at_least = -1e308 }', "a/b: is -1e+308, more than any"),
        ("[limits", "is not valid TOML"),
        ("a = " + "[" * 5000, "is not valid TOML"),
    ],
)
def test_what_is_refused_is_refused_in_a_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(HansproofError) as error:
        read_limits(written(tmp_path, text))
    assert said in str(error.value)
    assert "hansproof.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(HansproofError, match=r"none\.toml: No such file"):
        read_limits(tmp_path / "none.toml")
