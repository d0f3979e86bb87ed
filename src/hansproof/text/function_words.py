"""English function words.

They include the parts of contractions that the `word` tokenizer makes (`don`, `t`, `ll`).
"""

from __future__ import annotations

_WORDS = """
a an the this that these those
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
one ones who whom whose which what someone something anyone anything everyone everything
nobody nothing somebody anybody everybody none
am is are was were be been being have has had having do does did doing done
can could shall should will would may might must ought need
and but or nor if then else because since as until while although though whether unless than
so therefore thus hence
of at by for with about against between into through during before after above below to from
up down in out on off over under onto upon within without along across toward towards among
again further once here there when where why how
all any both each few more most much many other another some such no not only own same too
very just even also ever never always yet still already almost rather quite now
s t d m ll ve re don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn
shouldn mustn needn shan mightn ain
"""
FUNCTION_WORDS = frozenset(_WORDS.split())


def content_words(words: list[str]) -> list[str]:
    """Return the words that are not function words."""
    return [word for word in words if word not in FUNCTION_WORDS]
