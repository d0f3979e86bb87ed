"""Synonyms from WordNet's database files (Fellbaum 1998): `index.*`, `data.*`, `*.exc`.

Words are looked up as they stand and by their base forms, as WordNet itself finds them: exceptions
first, then endings. Synonyms are base forms: an ending that the word has is not put back.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from ..errors import BadInput

KINDS = ("noun", "verb", "adj", "adv")
LIMIT = 2**28  # bytes of one file; the largest has 15 million
HINT = "apt install wordnet-base, or nltk.download('wordnet'), or name the folder of its files"

# WordNet's rules of detachment: an ending, and what may stand for it in a base form
ENDINGS = {
    "noun": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "verb": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "adj": "er: est: er:e est:e",
    "adv": "",
}


@dataclass(frozen=True, slots=True)
class _Part:
    """The words of one part of speech."""

    path: str  # of its data
    senses: dict[bytes, tuple[int, ...]]  # by word, where its synsets lie, the most frequent first
    exceptions: dict[bytes, tuple[bytes, ...]]  # by form, its base forms
    endings: tuple[tuple[bytes, bytes], ...]
    data: bytes

    def bases(self, word: bytes) -> list[bytes]:
        """The word itself and its base forms, as far as WordNet has them."""
        forms = [word, *self.exceptions.get(word, ())]
        if word not in self.exceptions:
            forms += [
                word.removesuffix(end) + put
                for end, put in self.endings
                if word.endswith(end) and len(word) > len(end)
            ]
        return [form for form in dict.fromkeys(forms) if form in self.senses]

    def synset(self, at: int) -> list[bytes]:
        """The words of the synset that lies there."""
        end = self.data.find(b"\n", at)
        fields = self.data[at : end if end >= 0 else None].split(b" ")
        try:
            if fields[0] != b"%08d" % at:
                raise ValueError
            count = int(fields[3], 16)
            words = fields[4 : 4 + 2 * count : 2]
            if len(words) < count or not all(words):
                raise ValueError
        except (ValueError, IndexError):
            line = self.data.count(b"\n", 0, at) + 1
            raise BadInput(self.path, f"has no synset at byte {at}", line=line) from None
        return [word.partition(b"(")[0] for word in words]  # adjectives may end in (a), (p), (ip)


@dataclass(frozen=True, slots=True)
class WordNet:
    """What WordNet knows, by part of speech."""

    folder: str
    parts: tuple[_Part, ...]

    @classmethod
    def open(cls, folder: str | None = None) -> WordNet:
        """Read the files of a folder; without one, of the usual ones."""
        return _opened(folder or _usual())

    def files(self) -> tuple[str, ...]:
        """All that it was read from."""
        names = (f for kind in KINDS for f in (f"index.{kind}", f"data.{kind}", f"{kind}.exc"))
        paths = (os.path.join(self.folder, name) for name in names)
        return tuple(path for path in paths if os.path.isfile(path))

    def synonyms(self, word: str) -> list[str]:
        """Single words of all synsets of a word, in the order of its senses, nouns first."""
        form = word.lower().replace(" ", "_").encode("utf-8", "replace")
        found: dict[str, None] = {}
        own = {form}
        for part in self.parts:
            bases = part.bases(form)
            own.update(bases)
            for base in bases:
                for at in part.senses[base]:
                    found.update(dict.fromkeys(map(_text, part.synset(at))))
        own_texts = set(map(_text, own))
        return [other for other in found if "_" not in other and other.lower() not in own_texts]


def _usual() -> str:
    """A folder where WordNet often lies."""
    nltk = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    places = ["/usr/share/wordnet", *(os.path.join(one, "corpora", "wordnet") for one in nltk)]
    for place in places:
        if os.path.isfile(os.path.join(place, "index.noun")):
            return place
    raise BadInput("WordNet", f"is not in {' nor '.join(places)}: {HINT}")


@cache
def _opened(folder: str) -> WordNet:
    if not os.path.isfile(os.path.join(folder, "index.noun")):
        raise BadInput(folder, f"holds no WordNet: {HINT}")
    return WordNet(folder, tuple(_part(folder, kind) for kind in KINDS))


def _part(folder: str, kind: str) -> _Part:
    data = os.path.join(folder, f"data.{kind}")
    senses = _senses(os.path.join(folder, f"index.{kind}"))
    exceptions = _exceptions(os.path.join(folder, f"{kind}.exc"))
    pairs = (rule.encode().partition(b":") for rule in ENDINGS[kind].split())
    endings = tuple((end, put) for end, _, put in pairs)
    return _Part(data, senses, exceptions, endings, _content(data))


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(LIMIT + 1)
    except OSError as error:
        raise BadInput(path, error.strerror or "cannot be read") from None
    if len(content) > LIMIT:
        raise BadInput(path, f"is longer than {LIMIT >> 20} MiB: it is not WordNet's")
    return content


def _senses(path: str) -> dict[bytes, tuple[int, ...]]:
    """Where a word's synsets lie: the last fields of its line in the index."""
    found = {}
    for number, line in enumerate(_content(path).split(b"\n"), start=1):
        if not line or line.startswith(b" "):  # the licence
            continue
        fields = line.split()
        try:
            count = int(fields[2])
            places = tuple(map(int, fields[len(fields) - count :]))
            if not 0 < count <= len(fields) - 6 or min(places) < 0:
                raise ValueError
        except (ValueError, IndexError):
            what = "is not of the form: word part senses ... places"
            raise BadInput(path, what, line=number) from None
        found[fields[0]] = places
    return found


def _exceptions(path: str) -> dict[bytes, tuple[bytes, ...]]:
    """Irregular forms, each with its base forms."""
    found = {}
    for number, line in enumerate(_content(path).split(b"\n"), start=1):
        form, *bases = line.split() or [b""]
        if form and not bases:
            raise BadInput(path, "has a form without its base", line=number)
        if form:
            found[form] = tuple(bases)
    return found


def _text(word: bytes) -> str:
    return word.decode("utf-8", "replace")
