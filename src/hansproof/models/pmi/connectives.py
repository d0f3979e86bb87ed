"""Connectives that mark one thing as the cause of another, and the side of the cause.

After Luo et al. 2016, without those that mostly have another meaning (`so`, `since`, `as`).
"""

from __future__ import annotations

# the text before is the cause: it rained, therefore the street is wet
CAUSE_FIRST = (
    "therefore", "hence", "consequently", "accordingly", "so that", "as a result",
    "as a consequence", "for this reason", "that is why", "which is why",
    "cause", "causes", "caused", "causing", "lead to", "leads to", "led to", "leading to",
    "result in", "results in", "resulted in", "resulting in", "bring about", "brings about",
    "brought about", "bringing about", "give rise to", "gives rise to", "gave rise to",
    "induce", "induces", "induced", "trigger", "triggers", "triggered",
)  # fmt: skip

# the text before is the effect: the street is wet because it rained
EFFECT_FIRST = (
    "because", "because of", "due to", "owing to", "thanks to", "on account of", "as a result of",
    "as a consequence of", "by reason of", "caused by", "result of", "result from", "results from",
    "resulted from", "resulting from", "brought about by", "induced by", "triggered by",
)  # fmt: skip
