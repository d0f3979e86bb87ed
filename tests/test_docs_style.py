"""Pages are wrapped, spelt correctly and written in plain English.

codespell checks the spelling of pages and of the source, proselint the style of pages. The list of
phrases below has what neither knows: wording that readers of earlier versions stumbled over.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .support.prose import GENERATED, PAGES, ROOT, extract_prose, name_page, text_lines

WIDTH = 100
# tables, headings, pictures, HTML, code by indentation, and a link that is alone on its line
LONG_LINES = re.compile(r"\||#|!\[|<| {4}|\s*(?:- )?\[[^\]]*\]\([^)]*\)\S*(?:\{.*\})?$")
# a command, and parts of words and names of columns in the source
PROSELINT = {
    "typography": False,  # ASCII quotes, dots and signs are what people type
    "dates_times": False,  # it takes ranges of numbers for dates
    "weasel_words": False,  # "these very items"
    "cliches": False,  # "in a word" is about words here
}
PHRASES = (
    r"(?<!there )\b(?:is|are|was|were) no (?!longer\b)",  # "is no folder": "is not a folder"
    r"\b(?:stands?|stood)\b(?! (?:in|for|out)\b)",  # texts contain words, words occur
    r"\bparted\b",
    r"\bblanks\b",
    r"\b(?:for|to|by|of|than|as) who\b",
    r"\bwhoever\b",
    r"\bbe had\b",
    r"\bgoes? on where\b",
    r"\bblinkers\b",
    r"\b(?:has|have|in) company\b",
    r"\bis said\b|\bwhat is told\b",
    r"\bmade anew\b|\bdealt\b",
    r"\botherwise than\b",
    r"\bheld against\b|\bholds? \w+ against\b",
    r"\bnot asked for\b",
)


@pytest.mark.parametrize("page", PAGES, ids=name_page)
def test_prose_is_wrapped(page: Path) -> None:
    long = [
        f"{number}: {line}"
        for number, line in text_lines(page.read_text())
        if len(line) > WIDTH
        and not LONG_LINES.match(line)
        and " " in line.strip("- ")  # not an address
    ]
    assert not long, "\n".join(long)


def test_nothing_is_misspelt() -> None:
    """Pages and the source, its strings and comments included."""
    files = [*PAGES, *(ROOT / "src").rglob("*.py"), *(ROOT / "docs").glob("*.py")]
    # pyproject.toml lists the words that it does not know
    command = [sys.executable, "-m", "codespell_lib", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout + done.stderr == ""


def test_proselint_finds_nothing(tmp_path: Path) -> None:
    texts, config = tmp_path / "prose", tmp_path / "config.json"
    texts.mkdir()
    for page in PAGES:
        if page not in GENERATED:
            name = name_page(page).replace("/", "-")
            (texts / name).write_text(extract_prose(page.read_text()))
    (texts / "control.md").write_text("This is a true fact fact.\n")
    config.write_text(json.dumps({"checks": PROSELINT}))
    command = [sys.executable, "-m", "proselint", "check", "--config", str(config)]
    command += ["--output-format", "compact", str(texts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [line for line in done.stdout.splitlines() if "control.md" not in line]
    assert "control.md" in done.stdout  # it was run
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in GENERATED], ids=name_page)
def test_sentences_are_plain(page: Path) -> None:
    prose = " ".join(extract_prose(page.read_text()).split())
    for phrase in PHRASES:
        for match in re.finditer(phrase, prose, re.I):
            context = prose[max(0, match.start() - 60) : match.end() + 30]
            pytest.fail(f"{match[0]!r} in: …{context}…")


def test_the_phrases_are_those_that_house_style_forbids() -> None:
    """The check itself finds what it should, and leaves idiomatic English alone."""
    wrong = ("is no folder", "it stands in line 3 and stood there", "for who reads", "can be had")
    fine = ("there is no p-value", "is no longer read", "a model can stand in for it")
    for sentence in wrong:
        assert any(re.search(phrase, sentence, re.I) for phrase in PHRASES), sentence
    for sentence in fine:
        assert not any(re.search(phrase, sentence, re.I) for phrase in PHRASES), sentence
