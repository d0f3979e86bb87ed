"""Finds marks of informal English that a new text has and the old one does not."""

from __future__ import annotations

import re

_WORDS = """
gonna wanna gotta kinda sorta dunno lemme gimme outta lotta coulda shoulda woulda hafta cuz coz
ain't y'all yeah yep yup nope nah hey wow whoa oops ugh duh huh haha lol omg lmao wtf btw imo
idk tbh thx pls plz u ur r ya ok dude bro guys kiddo awesome crap crappy damn hell freaking
sucks sucked screwed pissed ass bucks booze cop cops
"""
SLANG = frozenset(_WORDS.split())

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_UPPERCASE = re.compile(r"\b[A-Z]{4,}\b")  # shorter ones are names of things: TV, DJ, USA
_REPEATED_LETTERS = re.compile(r"\b\w*([^\W\d_])\1{2,}\w*")  # sooo
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf]|[:;]-?[()DPp](?!\\w)|<3")
_END = re.compile(r"[.?!…]['\"”’)]*$")


def informal_marks(old: str, new: str) -> list[str]:
    """Return the marks of informal writing that only the new text has."""
    old, new = old.strip(), new.strip()
    old_marks = _find_marks(old)
    new_marks = [mark for mark in _find_marks(new) if mark not in old_marks]
    if old[:1].isupper() and new[:1].islower():
        new_marks.append("no capital at the beginning")
    if _END.search(old) and not _END.search(new):
        new_marks.append("no full stop at the end")
    return new_marks


def _find_marks(text: str) -> list[str]:
    words = [word.replace("’", "'") for word in _WORD.findall(text.lower())]
    drawled = [match[0] for match in _REPEATED_LETTERS.finditer(text)]
    found_marks = [word for word in words if word in SLANG]
    found_marks += _UPPERCASE.findall(text) + drawled + _EMOJI.findall(text)
    return list(dict.fromkeys(found_marks + ["!"] * ("!" in text)))
