"""Synonyms from WordNet's database files (Fellbaum 1998): `index.*`, `data.*`, `*.exc`.

Words are looked up as they are and by their base forms, as in WordNet itself: exceptions first,
then endings. Synonyms are base forms: the ending of a word is not restored.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from ..errors import BadInput

KINDS = ("noun", "verb", "adj", "adv")
MAX_BYTES = 2**28  # bytes of one file; the largest has 15 million
HINT = "apt install wordnet-base, or nltk.download('wordnet'), or give the folder of its files"

# WordNet's rules of detachment: an ending, and its replacement in the base form
ENDINGS = {
    "noun": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "verb": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "adj": "er: est: er:e est:e",
    "adv": "",
}


@dataclass(frozen=True, slots=True)
class _PartOfSpeech:
    """The words of one part of speech in WordNet."""

    path: str  # of the data file
    senses: dict[
        bytes, tuple[int, ...]
    ]  # by word, the byte offsets of its synsets, the most frequent first
    exceptions: dict[bytes, tuple[bytes, ...]]  # base forms by irregular form
    endings: tuple[tuple[bytes, bytes], ...]
    data: bytes

    def base_forms(self, word: bytes) -> list[bytes]:
        """Return the word itself and its base forms, if WordNet contains them."""
        forms = [word, *self.exceptions.get(word, ())]
        if word not in self.exceptions:
            forms += [
                word.removesuffix(end) + replacement
                for end, replacement in self.endings
                if word.endswith(end) and len(word) > len(end)
            ]
        return [form for form in dict.fromkeys(forms) if form in self.senses]

    def read_synset(self, offset: int) -> list[bytes]:
        """Return the words of the synset at a byte offset."""
        end = self.data.find(b"\n", offset)
        fields = self.data[offset : end if end >= 0 else None].split(b" ")
        try:
            if fields[0] != b"%08d" % offset:
                raise ValueError
            count = int(fields[3], 16)
            words = fields[4 : 4 + 2 * count : 2]
            if len(words) < count or not all(words):
                raise ValueError
        except (ValueError, IndexError):
            line = self.data.count(b"\n", 0, offset) + 1
            raise BadInput(self.path, f"has no synset at byte {offset}", line=line) from None
        return [word.partition(b"(")[0] for word in words]  # adjectives may end in (a), (p), (ip)


@dataclass(frozen=True, slots=True)
class WordNet:
    """WordNet, by part of speech."""

    folder: str
    parts: tuple[_PartOfSpeech, ...]

    @classmethod
    def load(cls, folder: str | None = None) -> WordNet:
        """Load the files of a folder, by default of the first default folder that has them."""
        return _load_folder(folder or _default_folder())

    def source_files(self) -> tuple[str, ...]:
        """Return the files that were read."""
        names = (f for kind in KINDS for f in (f"index.{kind}", f"data.{kind}", f"{kind}.exc"))
        paths = (os.path.join(self.folder, name) for name in names)
        return tuple(path for path in paths if os.path.isfile(path))

    def find_synonyms(self, word: str) -> list[str]:
        """Return the single words of all synsets of a word, in the order of its senses."""
        form = word.lower().replace(" ", "_").encode("utf-8", "replace")
        synonyms: dict[str, None] = {}
        own_forms = {form}
        for part in self.parts:
            bases = part.base_forms(form)
            own_forms.update(bases)
            for base in bases:
                for offset in part.senses[base]:
                    synonyms.update(dict.fromkeys(map(_decode_word, part.read_synset(offset))))
        own_texts = set(map(_decode_word, own_forms))
        return [other for other in synonyms if "_" not in other and other.lower() not in own_texts]


def _default_folder() -> str:
    """Return the first default folder that contains WordNet."""
    nltk = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    folders = [
        "/usr/share/wordnet",
        *(os.path.join(data_folder, "corpora", "wordnet") for data_folder in nltk),
    ]
    for folder in folders:
        if os.path.isfile(os.path.join(folder, "index.noun")):
            return folder
    raise BadInput("WordNet", f"was not found in {' or '.join(folders)}: {HINT}")


@cache
def _load_folder(folder: str) -> WordNet:
    if not os.path.isfile(os.path.join(folder, "index.noun")):
        raise BadInput(folder, f"does not contain WordNet: {HINT}")
    return WordNet(folder, tuple(_load_part(folder, kind) for kind in KINDS))


def _load_part(folder: str, kind: str) -> _PartOfSpeech:
    data = os.path.join(folder, f"data.{kind}")
    senses = _read_senses(os.path.join(folder, f"index.{kind}"))
    exceptions = _read_exceptions(os.path.join(folder, f"{kind}.exc"))
    pairs = (rule.encode().partition(b":") for rule in ENDINGS[kind].split())
    endings = tuple((end, replacement) for end, _, replacement in pairs)
    return _PartOfSpeech(data, senses, exceptions, endings, _read_file(data))


def _read_file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(path, error.strerror or "cannot be read") from None
    if len(content) > MAX_BYTES:
        raise BadInput(
            path, f"is larger than {MAX_BYTES >> 20} MiB, so it is not a file of WordNet"
        )
    return content


def _read_senses(path: str) -> dict[bytes, tuple[int, ...]]:
    """Read the offsets of each word's synsets: the last fields of its line in the index."""
    senses = {}
    for number, line in enumerate(_read_file(path).split(b"\n"), start=1):
        if not line or line.startswith(b" "):  # the licence
            continue
        fields = line.split()
        try:
            count = int(fields[2])
            offsets = tuple(map(int, fields[len(fields) - count :]))
            if not 0 < count <= len(fields) - 6 or min(offsets) < 0:
                raise ValueError
        except (ValueError, IndexError):
            message = "is not of the form: word part senses ... places"
            raise BadInput(path, message, line=number) from None
        senses[fields[0]] = offsets
    return senses


def _read_exceptions(path: str) -> dict[bytes, tuple[bytes, ...]]:
    """Read irregular forms, each with its base forms."""
    exceptions = {}
    for number, line in enumerate(_read_file(path).split(b"\n"), start=1):
        form, *bases = line.split() or [b""]
        if form and not bases:
            raise BadInput(path, "has an inflected form without its base form", line=number)
        if form:
            exceptions[form] = tuple(bases)
    return exceptions


def _decode_word(word: bytes) -> str:
    return word.decode("utf-8", "replace")
