"""The twelve Universal tags (Petrov, Das and McDonald 2012), and how others' tags become them.

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
_OF_BROWN = {brown: tag for tag, some in _BROWN.items() for brown in some.split()}
_PLACE = re.compile(r"-(tl|hl|nc|t|n)\b")  # in a title, in a headline, cited

# of Universal Dependencies, whose auxiliaries and names were verbs and nouns in the twelve
_OF_UD = {
    "PROPN": "NOUN", "AUX": "VERB", "CCONJ": "CONJ", "SCONJ": "ADP", "PART": "PRT", "PUNCT": ".",
}  # fmt: skip


def of_brown(tag: str) -> str:
    """The Universal tag of one of Brown's."""
    if tag.startswith("fw-"):  # foreign
        return "X"
    tag = _PLACE.sub("", tag)
    if tag in _OF_BROWN:
        return _OF_BROWN[tag]
    first, *more = (_OF_BROWN.get(one.rstrip("*"), "X") for one in tag.split("+"))
    if more and first not in ("VERB", "ADJ", "ADP"):  # "it's", "that'll", "here's"
        return "PRT"
    return first


def of_dependencies(tag: str) -> str:
    """The Universal tag of one of Universal Dependencies' (spaCy's `pos_`)."""
    return tag if tag in TAGS else _OF_UD.get(tag, "X")
