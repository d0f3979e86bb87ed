"""The twelve Universal tags (Petrov, Das and McDonald 2012), and conversions from other tag sets.

Brown's tags are mapped as in `en-brown.map`, which came with that paper.
"""

from __future__ import annotations

import re

TAGS = ("NOUN", "VERB", "ADJ", "ADV", "PRON", "DET", "ADP", "NUM", "CONJ", "PRT", "X", ".")

_BROWN = {
    "NOUN": "nn nns np nps nn$ nns$ np$ nps$ nr nrs nr$ pn pn$ cd$",
    "VERB": "vb vbd vbg vbn vbz md be bed bedz beg bem ben ber bez do dod doz hv hvd hvg hvn hvz",
    "ADJ": "jj jjr jjs jjt jj$ ap od",
    "ADV": "rb rbr rbt rb$ rn ql qlp wrb wql *",
    "PRON": "pps ppss ppo ppl ppls pp$$ wps wpo",
    "DET": "at dt dt$ dti dts dtx pp$ wdt wp$ abx",
    "ADP": "in cs",
    "NUM": "cd",
    "CONJ": "cc",
    "PRT": "rp to ex uh abn abl ap$",
    ".": ". , : -- ( ) `` '' '",
}
_BROWN_TO_UNIVERSAL = {
    brown: tag for tag, brown_tags in _BROWN.items() for brown in brown_tags.split()
}
_TITLE_SUFFIX = re.compile(r"-(tl|hl|nc|t|n)\b")  # in a title, in a headline, cited

# Universal Dependencies has own tags for auxiliaries and names, here verbs and nouns
_UD_TO_UNIVERSAL = {
    "PROPN": "NOUN", "AUX": "VERB", "CCONJ": "CONJ", "SCONJ": "ADP", "PART": "PRT", "PUNCT": ".",
}  # fmt: skip


def from_brown_tag(tag: str) -> str:
    """Convert a tag of the Brown corpus to a Universal tag."""
    if tag.startswith("fw-"):  # foreign
        return "X"
    tag = _TITLE_SUFFIX.sub("", tag)
    if tag in _BROWN_TO_UNIVERSAL:
        return _BROWN_TO_UNIVERSAL[tag]
    first, *more = (_BROWN_TO_UNIVERSAL.get(part.rstrip("*"), "X") for part in tag.split("+"))
    if more and first not in ("VERB", "ADJ", "ADP"):  # "it's", "that'll", "here's"
        return "PRT"
    return first


def from_ud_tag(tag: str) -> str:
    """Convert a tag of Universal Dependencies (spaCy's `pos_`) to a Universal tag."""
    return tag if tag in TAGS else _UD_TO_UNIVERSAL.get(tag, "X")
