"""Phrases by which people and models state, deny and revise an answer, in several languages."""

from __future__ import annotations

import re

_QUALIFIER = r"(?:final|correct|right|best|true|most likely|likely|my|overall|chosen)"
# words for the answer itself
_ANSWER = (
    rf"\b(?:{_QUALIFIER}\s+)*(?:answers?|response|conclusion|verdict|decision)|"
    rf"\b(?:{_QUALIFIER}\s+)+(?:option|choice|solution|pick|statement|letter|one)|"
    r"(?:(?<=\n)|^)\W*(?:correct|right|final)(?=\s*:)|"
    r"\b(?:alternativa|opção|opción|opzione|option)\s+(?:correta|correcta|corretta|correcte)|"
    r"सही\s+विकल्प|"
    r"\b(?:richtige\s+)?antwort|\brichtig\b|(?:bonne\s+)?réponse|\brespuesta|\bopción correcta|"
    r"\brisposta|\bresposta|\bodpowied[źz]|\bodpověď|\bantwoord|\bsvar(?:et)?\b|\bvastaus|"
    r"\bcevap|\byanıt|đáp án|câu trả lời|\bответ|\bвідповідь|答案|正确选项|正確選項|正解|答え|回答|"
    r"정답|답|"
    r"الإجابة|الجواب|उत्तर|जवाब"
)
# what may stand between it and its letter
_FILLER = (
    r"is|are|was|be|would|should|must|will|has|to|the|this|that|question|here|then|thus|therefore|"
    r"hence|so|clearly|definitely|most|likely|probably|simply|indeed|actually|correct|right|best|"
    r"of|course|obviously|certainly|surely|still|now|"
    r"final|option|choice|letter|answer|label|number|indicated|by|given|as|follows|it|"
    r"sont|son|sono|ist|sind|lautet|also|somit|daher|hier|antwort|buchstabe|die|der|das|richtige|"
    r"korrekte|est|la|le|lettre|donc|bonne|correcte|es|correcta|opción|letra|por|lo|tanto|è|"
    r"corretta|giusta|esatta|lettera|é|correta|alternativa|[ao](?=\s+(?:letra|alternativa|opção))|jest|"
    r"prawidłowa|poprawna|je|správná|är|er|rätt|juiste|goede|это|является|буква|правильный|вариант|هي|الصحيحة|الخيار|है|सही|विकल्प|"
    r"đúng|là|doğru|şık|corresponds|equals"
)
_CJK_FILLER = "是|为|為|应该|應該|应|應|选项|選項|选|選|项|項|は|が|では|은|는|이|가"
_GAP = r"[ \t:：=\-–—>→(\[\"'“「【.,]{0,20}"
_LEAD = (
    rf"(?:{_ANSWER})"
    rf"(?:{_GAP}(?<![^\W_])(?:{_FILLER})(?![^\W_])|{_GAP}(?:{_CJK_FILLER}))*{_GAP}\n{{0,3}}{_GAP}"
)
_I_SAY = (
    r"\bi(?:\s+would|\s+will|'d|'ll)?\s+(?:choose|pick|select|go\s+with|say|answer|opt\s+for|"
    r"recommend|submit|lean(?:\s+towards?)?)\s+(?:(?:the\s+)?(?:option|choice|answer|letter)\s+)?|"
    r"\bme\s+inclino\s+por\s+|\b(?:elijo|escojo|scelgo|escolho|wybieram|выбираю|chọn)\s+|"
    r"\bje\s+(?:choisis|prends)\s+|\bich\s+(?:wähle|nehme)\s+"
)
_LIKELY_CAUSE = (
    r"\b(?:likely|probable|plausible|logical)\s+(?:cause|effect|reason|result|explanation|outcome|"
    r"consequence|answer)\s+(?:is|was|would\s+be)(?:\s+(?:that|because))?\s+"
)
# a statement, up to where the answer itself begins
STATES_ANSWER = re.compile(
    rf"{_LEAD}|{_I_SAY}{_GAP}|{_LIKELY_CAUSE}{_GAP}|"
    r"(?:故|因此|所以)?(?:选择|選擇|选|選)(?:项|項)?[ :：]{0,9}",
    re.IGNORECASE,
)
# the same, but so common that only a letter by itself may follow
STATES_LETTER = re.compile(
    r"(?:\bit(?:'s|\s+is)|\bthat(?:'s|\s+is)|\b(?:must|should|would|has\s+to|could only)\s+be|"
    r"\b(?:that|which|this)\s+leaves(?:\s+us\s+with)?|\bleaving(?:\s+us\s+with)?|\b(?:go|going|stay|stick|staying|sticking)\s+with|"
    r"\bhad\s+to\s+(?:guess|choose|pick)\s*,?|\bnot\s+(?:\w+\s+)?(?:sure|certain),?\s+but|"
    r"\b(?:probably|perhaps|maybe|likely|definitely|certainly)|"
    r"(?:(?<=[\n.!?;:,]\s)|(?<=\n)|^)(?:so|therefore|thus|hence|donc|also|quindi|portanto|entonces|"
    r"deshalb|daher|поэтому|por lo tanto)\b|\bmuss\s+also|应该是|應該是|应为)\s*,?\s*"
    rf"(?:(?:the\s+)?(?:option|choice|answer|letter|pair in)\s+)?{_GAP}",
    re.IGNORECASE,
)
# `most people would answer A` is not an answer, nor is `if the answer is A` or `不能选A`
OTHERS_ANSWER = re.compile(
    r"\b(?:would|might|may|could|people|they|students?|you|many|some|who|to|your|key)\s+$|"
    r"\b(?:if|whether|suppose|supposing|assume|assuming|imagine|unless|wenn|falls|si|se|если)"
    r"(?:\s+(?:the|that|that the|we|die|der|das|la|el|il|a|o)){0,2}\s+$|"
    r"(?:不|不能|不会|不應|不应|不应该|不可|别|勿|会|會)$",
    re.IGNORECASE,
)
# after `would be B`: it is not
CONDITION = re.compile(r"^[^.!?\n]*\b(?:if|were|wenn|falls|si|se)\b", re.IGNORECASE)
CONDITIONAL = re.compile(r"\bwould\b|\bwäre\b|\bserait\b|\bsería\b|\bsarebbe\b", re.IGNORECASE)
# near before a choice, or right after it: it is denied
DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|never|neither|nor|no|cannot|than|nicht|weder|noch|kein\w*|pas|non|ni|né|não|nem|"
    r"nie|ani|не|ни|instead of|rule out|unlike)\b|n't\b|不是|并非|ではな|아니)[^.!?\n]{0,25}$",
    re.IGNORECASE,
)
DENIED_AFTER = re.compile(
    r"^[^.!?\n]{0,12}(?:\b(?:not|never|wrong|incorrect|false|unlikely|impossible)\b|n't\b|不|ではな)",
    re.IGNORECASE,
)
_WRONG = (
    r"not\b|never\b|in-?correct\b|wrong\b|false\b|unlikely\b|impossible\b|out\b|tempting\b|"
    r"nicht\b|falsch\b|fausse?\b|incorrect\w*|fals[oa]\b|sbagliat[oa]\b|errad[oa]\b|errat[oa]\b|"
    r"неверн\w*|неправильн\w*|错|錯|不|誤|गलत|नहीं|sai\b|không|yanlış"
)
# right after a letter: it is denied, although `the answer` stands before it
LABEL_DENIED_AFTER = re.compile(
    r"^[\s\"')\]]*(?:\?|(?:(?:is|was|are|seems|looks|ist|war|est|es|è|é|jest|là|是)\s*(?:\w+\s+)?)?"
    rf"(?:{_WRONG})|isn't\b|doesn't\b|n'est\b|では?な|じゃな|[은는]?\s*틀|[이가]\s*아니|değil\b)",
    re.IGNORECASE,
)
# after the letter with which an answer begins: it is being judged, and not chosen
DISMISSED = re.compile(
    r"^[\s\-–—:,.)\]]*(?:(?:is|was|are|would\s+be|seems|looks|can|could|may|might|should|will|does|"
    r"do|has|be)\s+(?:\w+\s+)?)?(?:cannot\b|can't\b|doesn't\b|isn't\b|won't\b|be\s+(?:ruled|"
    r"excluded|eliminated)|ruled\b|excluded\b|eliminated\b|less\b|no\b|implausible\b|possible\b|"
    rf"plausible\b|likely\b|partially\b|[01]?\.\d|\d+(?:\.\d+)?\s*%|{_WRONG})",
    re.IGNORECASE,
)
# `AではなくC`: the second letter is the answer
REPLACES = re.compile(
    r"(?:ではなくて?|じゃなくて?|[이가] 아니라|,?\s+नहीं,?(?:\s+बल्कि)?|\s+değil,?)\s*",
)
# a choice that is denied right before its name, so that another one may be meant
_NOT_THIS = (
    r"(?:not|and not|but not|rather than|instead of|as opposed to|nicht|und nicht|statt|et non|"
    r"et pas|pas|no|y no|e non|non|e não|não|а не|не|a nie|nie|không phải(?: là)?|而不是|不是|"
    r"değil)"
)
NOT_THIS = re.compile(
    rf"[\s,;(–—-]+{_NOT_THIS}\s*(?:(?:the|an?|option|de[rmn]|die|das|le|la|el|il|o)\s+)?$", re.I
)
# begins the last line of a longer answer
CONCLUDES = re.compile(
    r"\W*(?:therefore|thus|hence|so|in conclusion|conclusion|in summary|overall|also|daher|donc|"
    r"en conclusion|por lo tanto|en conclusión|quindi|in conclusione|portanto|logo|поэтому|итак)\b"
    r"[\s,:]*",
    re.IGNORECASE,
)
# between two statements: the second one replaces the first
REVISION = re.compile(
    r"\b(?:wait|hmm+|hold on|however|actually|but|although|though|let me|re-?check|double-check|"
    r"reconsider|re-?read|edit|misread|oops|scratch that|on second thou?ght|sorry|correction|"
    r"mistake|therefore|thus|hence|so|"
    r"final(?:ly)?|in conclusion|overall|corrected|instead|which makes|"
    r"aber|doch|moment|also|daher|mais|donc|pero|entonces|quindi|portanto|но|поэтому)\b|"
    r"但|不过|因此|所以|しかし|したがって|그러나|따라서",
    re.IGNORECASE,
)
# a choice that is right, too, replaces none
ALSO = re.compile(r"\b(?:also|too|as well|equally|either|auch|aussi|también|anche|também)\b", re.I)
# before `answer is`: it is not the answer
OPPOSITE = re.compile(
    r"\b(?:in-?correct|wrong|least|worst|opposite|false|un-?likely|bad|rejected|falsche|mauvaise|"
    r"obvious|intuitive|tempting|naive|naïve|initial|common|popular|student(?:'s)?)"
    r"[^\w.!?\n]+(?:\w+[^\w.!?\n]+)?$",
    re.IGNORECASE,
)
# after the last statement: it may have been taken back
DOUBT = re.compile(
    r"(?:^|[\s(])(?:wait|hmm+|hold on|on second thou?ght|scratch that|oops|no,|let me (?:re-?check|"
    r"double-check|reconsider|look again))",
    re.IGNORECASE,
)
# after a letter: what it is said to be follows
COPULA = re.compile(
    r"[\s\"')\]]*(?:(?:is|was|are|would|must|ist|wäre|est|es|è|é|jest|je|är|er|on|este|là|является|"
    r"dir)\b|[은는이가]|번[은는이가]|は|が|是)",
    re.IGNORECASE,
)
# what makes a letter before it the answer
AFFIRMATION = (
    r"(?:(?:\s+(?:option|choice))?[\s\"')\]]*(?:,\s*)?(?:is|would\s+be|must\s+be|has\s+to\s+be|ist|est|"
    r"es|è|é|jest|je|är|er|是|は|が)\s*"
    r"(?:(?:therefore|thus|clearly|the|also|most|a|far|more|much|indeed|definitely|la|le|die|der|das|"
    r"de|het|det)\s+)*"
    r"(?:correct|right|best|true|better|likely|plausible|accurate|appropriate|answer|winner|"
    r"richtig\w*|correct[ae]?|bonne|corrett\w+|giust\w+|corret\w+|cert[ao]|juist\w*|goed\w*|rätt|"
    r"riktig\w*|poprawn\w+|prawidłow\w+|správn\w+|正确|正確|对的|正解|正しい)"
    # what takes it back: `C is correct, but`
    r"(?!\s*,?\s*(?:yet|but|however|though|although|only\s+if|if|aber|mais|pero|ma|mas)\b)"
    r"|번?[이가은는]?\s*(?:맞|정답|옳))"
)
