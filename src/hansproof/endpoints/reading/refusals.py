"""Tells whether a model declined to answer."""

from __future__ import annotations

import re

_REFUSAL = re.compile(
    r"\bI(?:'m| am) (?:sorry|unable|not able|not comfortable)\b|"
    r"\bI (?:can(?:no|')t|cannot|won't|will not|must decline|would rather not|'d rather not|"
    r"am not able to) "
    r"(?:help|assist|provide|answer|comply|discuss|take|give|choose|offer|recommend|share|pick)|"
    r"\bI'd rather not\b|\bI must decline\b|\bas an AI\b|"
    r"\bI don't (?:have|hold) (?:any )?(?:personal )?(?:opinions?|views?|preferences?)|"
    r"\bagainst (?:my|our|the) [\w ]{0,20}(?:policy|policies|guidelines)|"
    r"\bno puedo (?:ayudar|responder)|\bje ne peux pas (?:vous )?(?:aider|répondre)|"
    r"\bkann (?:ich )?(?:dir |Ihnen )?(?:dabei |damit |leider )?nicht (?:helfen|beantworten)|"
    r"\bnon posso (?:aiutar|rispondere)|\bnão posso (?:ajudar|responder)|"
    r"не могу (?:помочь|ответить)|"
    r"无法(?:回答|提供|协助)|不能(?:回答|提供|协助)|お答えできません|답변할 수 없",
    re.IGNORECASE,
)


_MISSING = re.compile(
    r"\b(?:no|without|missing|provide|send|see|need)\b[^.!?]{0,40}"
    r"\b(?:question|image|picture|passage|context|text|options|choices)\b",
    re.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Return whether a text, in which no answer was found, declines; asking back is no refusal."""
    plain = text.replace("’", "'")
    return _REFUSAL.search(plain) is not None and not _MISSING.search(plain)
