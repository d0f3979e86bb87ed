"""Choices that refer to other choices or to their places: `all of the above`, `both A and C`.

Their meaning depends on the order of the choices, or on what else there is to choose from. What
refers to statements of the question (`I and II only`, `1 and 3 only`) does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MIN_PLAIN_CHOICES = 2  # with fewer, letters are those of statements in the question

_ALL = r"(?:all|none|any|both|n?either|nither|each)"
_SOME = rf"(?:{_ALL}|some|most|more|one|two|three|several|combinations?|only|same)"
_PLACE = r"(?:above|below|foregoing|preceding|aforementioned)"
_OF_PLACE = rf"{_SOME}\s+(?:(?:of|as)\s+(?:the\s+)?|the\s+){_PLACE}"
_CHOICES = r"(?:options?|choices?|answers?|alternatives?|responses?)"
_JUDGED = (
    r"(?:(?:is|are|was|were)\s+(?:not\s+)?(?:both\s+|all\s+|equally\s+)?"
    r"(?:correct|true|right|valid|possible|acceptable|false|wrong|incorrect|appropriate)|"
    r"appl(?:y|ies))"
)
_END = r"(?:\W*$|\s*[,;:(])"
_PATTERNS = (
    # all of the above, none of above because ..., due to any one of the above causes, both above
    rf"^\W*{_OF_PLACE}\b",
    rf"^(?:\S+\s+){{0,8}}{_OF_PLACE}(?:\s+\w+)?\W*$",
    rf"^\W*{_ALL}\s+{_PLACE}{_END}",
    rf"^(?:\S+\s+){{0,8}}(?:listed|mentioned|given|stated|named)\s+{_PLACE}\W*$",
    # all of these, none of these factors, both of these are correct, none of these for ...
    rf"^\W*(?:{_ALL}|some|two|three)\s+of\s+(?:these|those)(?:\s+\w+)?(?:\s+{_JUDGED}|{_END})",
    rf"^\W*{_ALL}\s+of\s+(?:these|those)\s+(?:for|because|since|as)\b",
    r"^\W*(?:both|neither)\W*$",
    # all of the options given are correct, none of the other answers, no correct choice
    rf"^\W*(?:no|{_ALL}|some)\s+(?:of\s+)?(?:(?:the|these|those)\s+)?"
    rf"(?:(?:other|given|listed|remaining|answer|correct|right)\s+)*{_CHOICES}"
    rf"(?:\s+(?:given|listed|provided|above|here))?(?:\s+{_JUDGED}|{_END})",
    rf"^\W*{_ALL}\s+of\s+the\s+statements\s+{_JUDGED}{_END}",
    # option B, answers 1 and 3; letters in lower case only in brackets
    rf"\b{_CHOICES}\s+(?:\(?(?-i:[A-J])\)?|\([a-j]\)|[1-9])(?:\W*$|\W*\s(?:and|or|is|are)\b)",
    # the above are all wrong
    r"^\W*(?:the\s+)?above\s+(?:are|is|were|was)\b",
    # the first two, the last two choices are correct, the first and the third
    rf"^\W*(?:(?:both|only)\s+)?the\s+(?:first|last)\s+(?:two|three|four)"
    rf"(?:\s+{_CHOICES})?(?:\s+only|\s+{_JUDGED})?\W*$",
    rf"^\W*(?:both\s+)?the\s+first\s+(?:and|or)\s+(?:the\s+)?(?:second|third|fourth|last)"
    rf"(?:\s+{_CHOICES})?\W*$",
)
# the same in other languages, as the whole of a choice
_FOREIGN = (
    r"(?:alle|keine[rs]?|beide)\s+(?:der\s+)?(?:oben\s+|zuvor\s+)?(?:genannten?|obigen|aufgeführten)"
    r"(?:\s+\w+)?",
    r"(?:keine|alle)\s+(?:dieser|der)\s+(?:antworten|aussagen|möglichkeiten|optionen)",
    r"(?:tod[oa]s|ningun[oa]|ambas)\s+(?:de\s+)?(?:l[oa]s\s+)?(?:anteriores|opciones|respuestas)"
    r"(?:\s+\w+)*",
    r"(?:toutes|aucune)\s+(?:de\s+)?(?:les|ces|des)\s+(?:réponses|propositions|options)(?:\s+\S+)*",
    r"(?:tutte|nessuna)\s+(?:le|delle)\s+(?:precedenti|risposte|opzioni)(?:\s+\w+)*",
    r"(?:todas|nenhuma)\s+(?:as|das)\s+(?:anteriores|alternativas|opções|respostas)(?:\s+\w+)*",
    r"(?:всё|все|ничего|ни одно)\s+(?:из\s+)?(?:вышеперечисленно|перечисленно|вышеуказанно)\w+",
    r"(?:wszystkie|żadn[ae])\s+(?:z\s+)?powyższych?",
    r"(?:yukarıdakilerin\s+)?(?:hepsi|hiçbiri)",
    r"(?:tất cả|không có)\s+(?:các\s+|ý nào\s+)?(?:đáp án|ý|câu)?\s*(?:trên|ở trên|nào)",
    r"(?:以上|上述|前述)(?:都|皆|均|全|选项|選項|三|两|兩|各)\w*",
    r"上記の(?:すべて|全て|いずれ)\w*|いずれでもない|すべて正しい",
    r"위의?\s*(?:모두|모든|보기)\s*\w*|모두\s*(?:정답|맞다|옳다)",
    r"(?:كل|جميع|لا شيء م)\s*ما\s+(?:سبق|ذكر)",
    r"(?:उपर्युक्त|उपरोक्त|इनमें)\s*(?:सभी|में से|से)(?:\s+\S+)*",
)
_REFERENCE = re.compile(
    "|".join(
        (
            *(f"(?:{pattern})" for pattern in _PATTERNS),
            *(rf"(?:^\W*(?:{pattern})\W*$)" for pattern in _FOREIGN),
        )
    ),
    re.IGNORECASE,
)

# both A and C, neither (a) nor (b), A, B and D only, a. and b. above, A but not B, both 2 and 3
_LETTER = r"\(?[a-j]\b\)?\.?"
_NOT_I = r"\(?[a-hj]\b\)?\.?"  # `I only` is about statement I
_NUMBER = r"\(?[1-9]\b\)?"
_LABELS = re.compile(
    rf"^\W*(?:((?-i:[A-J](?:\s*[,/&+]\s*[A-J])+))|(?:only|same\s+as)\s+({_NOT_I}(?:\W+only)?)|"
    rf"({_NOT_I}\s+only)|(?:(?:both|n?either|only|all\s+of)\s+)?"
    rf"({_LETTER}(?:[\s,]+{_LETTER})*[\s,]+(?:and|or|nor|but\s+not|&)\s+{_LETTER})|"
    rf"(?:both|n?either)\s+({_NUMBER}\s+(?:and|or|nor)\s+{_NUMBER}))"
    rf"(?:{_END}|\s+(?:only|above|both|together|but|with|{_JUDGED})\b)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\b[a-j1-9]\b")
_LONE_LABEL = re.compile(r"^\W*(?:only\s+)?[a-j1-9](?:\W+only)?\W*$", re.IGNORECASE)


def find_choice_references(choices: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of the choices that refer to other choices of the item, or to places.

    Letters and numbers (`both A and B`) do so only beside choices of another kind: where almost
    all choices are made of them, they are those of statements in the question.
    """
    labels = [_named_positions(choice) for choice in choices]
    n_plain = sum(
        not positions and not _LONE_LABEL.match(choice)
        for choice, positions in zip(choices, labels, strict=True)
    )
    return tuple(
        i
        for i, (choice, positions) in enumerate(zip(choices, labels, strict=True))
        if _REFERENCE.search(choice)
        or (positions and max(positions) < len(choices) and n_plain >= MIN_PLAIN_CHOICES)
    )


def _named_positions(choice: str) -> set[int]:
    """Return the positions that a choice names: `both A and C` names 0 and 2, as does `1 and 3`."""
    match = _LABELS.match(choice)
    if match is None:
        return set()
    labels = _LABEL.findall(next(group for group in match.groups() if group).lower())
    return {int(label) - 1 if label.isdigit() else ord(label) - ord("a") for label in labels}
