"""Command lines that can be shown to others, and be typed again."""

from __future__ import annotations

import shlex

import pytest

from hansproof._infra.shell_words import quote_words, redact


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("copa:dev", "copa:dev"),
        ("data/all.csv", "data/all.csv"),
        ("a?b=c", "a?b=c"),
        ("https://host/all.csv", "https://host/all.csv"),
        ("https://host/all.csv?token=s3cret&v=2#top", "https://host/all.csv?token=***&v=***#top"),
        ("https://host/all.csv?s3cret", "https://host/all.csv?***"),
        ("https://host/all.csv#key=s3cret", "https://host/all.csv#key=***"),
        ("https://host/a.csv?x=1?token=s3cret", "https://host/a.csv?x=***"),
        ("https://me:s3cret@host/all.csv", "https://***@host/all.csv"),
        ("NAME=s3://key:s3cret@bucket/a", "NAME=s3://***@bucket/a"),
        ("/home/ann/items.csv", "~/items.csv"),
        ("--labels=/home/ann/labels", "--labels=~/labels"),
        ("bov:vectors=/home/ann/v.txt", "bov:vectors=~/v.txt"),
        ("/home/ann", "~"),
        ("/home/anna/items.csv", "/home/anna/items.csv"),
        ("/data/home/ann/items.csv", "/data/home/ann/items.csv"),
        ("https://host/home/ann/all.csv", "https://host/home/ann/all.csv"),
    ],
)
def test_secrets_and_the_home_folder_are_not_written(
    word: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert redact(word) == expected


def test_without_a_home_folder_paths_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    assert redact("/data/items.csv") == "/data/items.csv"


def test_a_shell_finds_the_home_folder() -> None:
    assert (
        quote_words(["~/my items.csv", "a b", "~", "x'y"])
        == "~/'my items.csv' 'a b' '~' 'x'\"'\"'y'"
    )
    assert shlex.split(quote_words(["~/a;rm", "~/"])) == ["~/a;rm", "~/"]
