"""Stop words, which an attack does not replace: TextFooler's list, or a user's.

The list is that of github.com/jind11/TextFooler (Jin, Jin, Zhou and Szolovits 2020; MIT licence).
"""

from __future__ import annotations

from ..errors import BadInput

MAX_BYTES = 2**20  # bytes of a list
MAX_CHARACTERS = 100  # characters of a word

_WORDS = """
a about above across after afterwards again against ain all almost alone along already also
although am among amongst an and another any anyhow anyone anything anyway anywhere are aren
aren't around as at back been before beforehand behind being below beside besides between beyond
both but by can cannot could couldn couldn't d didn didn't doesn doesn't don don't down due during
either else elsewhere empty enough even ever everyone everything everywhere except first for
former formerly from hadn hadn't hasn hasn't haven haven't he hence her here hereafter hereby
herein hereupon hers herself him himself his how however hundred i if in indeed into is isn isn't
it it's its itself just latter latterly least ll may me meanwhile mightn mightn't mine more
moreover most mostly must mustn mustn't my myself namely needn needn't neither never nevertheless
next no nobody none noone nor not nothing now nowhere o of off on once one only onto or other
others otherwise our ours ourselves out over per please s same shan shan't she she's should've
shouldn shouldn't somehow something sometime somewhere such t than that that'll the their theirs
them themselves then thence there thereafter thereby therefore therein thereupon these they this
those through throughout thru thus to too toward towards under unless until up upon used ve was
wasn wasn't we were weren weren't what whatever when whence whenever where whereafter whereas
whereby wherein whereupon wherever whether which while whither who whoever whole whom whose why
with within without won won't would wouldn wouldn't y yet you you'd you'll you're you've your
yours yourself yourselves
"""
STOP_WORDS = frozenset(_WORDS.split())


def read_stop_words(path: str) -> frozenset[str]:
    """Read a list of stop words, one per line, and return them in lower case."""
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise BadInput(path, "is not UTF-8 text") from None
    except OSError as error:
        raise BadInput(path, error.strerror or "cannot be read") from None
    if len(content) > MAX_BYTES:
        raise BadInput(
            path, f"is larger than {MAX_BYTES >> 20} MiB: give a list with one word per line"
        )
    for number, line in enumerate(lines, start=1):
        if len(line.split()) > 1 or len(line) > MAX_CHARACTERS:
            raise BadInput(path, "is not one word", line=number)
    words = frozenset(line.strip().lower() for line in lines) - {""}
    if not words:
        raise BadInput(path, "has no words")
    return words
