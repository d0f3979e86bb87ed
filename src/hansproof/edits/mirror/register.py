"""Marks of loose writing in English that the old text does not have."""

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
_SHOUTED = re.compile(r"\b[A-Z]{4,}\b")  # shorter ones are names of things: TV, DJ, USA
_DRAWLED = re.compile(r"\b\w*([^\W\d_])\1{2,}\w*")  # sooo
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf]|[:;]-?[()DPp](?!\\w)|<3")
_END = re.compile(r"[.?!…]['\"”’)]*$")


def marks(old: str, new: str) -> list[str]:
    """What is looser in the new text than in the old one."""
    old, new = old.strip(), new.strip()
    before = _loose(old)
    found = [mark for mark in _loose(new) if mark not in before]
    if old[:1].isupper() and new[:1].islower():
        found.append("no capital at the beginning")
    if _END.search(old) and not _END.search(new):
        found.append("no full stop at the end")
    return found


def _loose(text: str) -> list[str]:
    words = [word.replace("’", "'") for word in _WORD.findall(text.lower())]
    drawled = [match[0] for match in _DRAWLED.finditer(text)]
    found = [word for word in words if word in SLANG]
    found += _SHOUTED.findall(text) + drawled + _EMOJI.findall(text)
    return list(dict.fromkeys(found + ["!"] * ("!" in text)))
