"""Items and benchmarks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

Scalar = str | int | float | bool | None
Cell = Scalar
Params = dict[str, Scalar | tuple[Scalar, ...]]

SPLIT_NAMES = ("train", "dev", "val", "valid", "validation", "test")  # by which files are known
UNNAMED_SPLIT = "all"  # the split of files whose names say nothing
POOLED = "pooled"  # the name of all labelled splits taken together
CHANGED_COPY, UNCONFIRMED_COPY = "(changed copy)", "(unconfirmed copy)"  # end a card's title


class Displayable:
    """Shows itself on one screen at a prompt, and as a small table in a notebook."""

    __slots__ = ()

    def __repr__(self) -> str:
        from ..display.text import format_object

        return format_object(self)

    def _repr_html_(self) -> str | None:
        from ..display.html import render_object

        return render_object(self)


@dataclass(frozen=True, slots=True, repr=False)
class Item(Displayable):
    """One question: named texts, the choices, and the index of the right choice.

    Attributes:
        id: The id of the item, unique in its split.
        fields: The texts of the question, by name.
        choices: The texts that can be chosen.
        answer: The index of the right choice, counted from 0; None if it is unknown.
        group: Items of the same group belong together, such as a mirrored pair.
        meta: Further properties of the item, by name.
        file: The file it was read from, as seen from the folder that was loaded.
        line: The line of the file.

    Examples:
        >>> import hansproof
        >>> item = hansproof.Item("1", {"question": "Is ice cold?"}, ("yes", "no"), answer=0)
        >>> item.choices[item.answer]
        'yes'
    """

    id: str
    fields: dict[str, str]
    choices: tuple[str, ...]
    answer: int | None
    group: str | None = None
    meta: dict[str, Scalar] = field(default_factory=dict)
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)


Items = tuple[Item, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Card(Displayable):
    """The origin, licence and citation of a benchmark.

    Attributes:
        title: The full name.
        home: The address of its page.
        licence: Its licence.
        citation: The paper to cite.

    Examples:
        >>> import hansproof
        >>> hansproof.load("toy").card.licence
        'Apache-2.0'
    """

    title: str = ""
    home: str = ""
    licence: str = ""
    citation: str = ""


@dataclass(frozen=True, slots=True)
class ReadingNote:
    """A note on how the files of a benchmark were read.

    Attributes:
        text: The whole note.
        brief: The note in a few words; empty if few people need it.
        kind: What it is about: columns, answers, or something that was left out.
    """

    text: str
    brief: str = ""
    kind: Literal["columns", "answers", "omission", "other"] = "other"


@dataclass(frozen=True, slots=True, repr=False)
class Benchmark(Displayable):
    """Named splits of items, and the role of each split.

    Attributes:
        name: The name of the benchmark.
        splits: The items of each split, by name.
        roles: The split that is used to `train`, to `select` parameters and to `test`, by role.
        card: The origin, licence and citation.
        aliases: Other names of splits, each for one or more splits.
        notes: How its files were read.

    Examples:
        >>> import hansproof
        >>> benchmark = hansproof.load("toy")
        >>> {split: len(items) for split, items in benchmark.splits.items()}
        {'original': 120, 'mirrored': 120}
        >>> benchmark.splits["original"][0].fields
        {'premise': 'Ivan skipped his piano lessons all term.'}
    """

    name: str
    splits: dict[str, Items]
    roles: dict[str, str] = field(default_factory=dict)
    card: Card = Card()
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[ReadingNote, ...] = field(default=(), compare=False)

    def take_split(self, names: str) -> Benchmark:
        """Return a benchmark with one split: a split, an alias, `a+b`, or `pooled`.

        Of several splits, those without answers are left out if others have answers. Raises
        KeyError with the first unknown name.

        Examples:
            >>> import hansproof
            >>> list(hansproof.load("toy").take_split("original").splits)
            ['original']
        """
        labelled = self.labelled_splits()
        if names == POOLED:
            split_names = list(labelled)
        else:
            split_names = [s for part in names.split("+") for s in self.aliases.get(part, (part,))]
            selected = {s: self.splits[s] for s in split_names}
            split_names = [s for s in selected if s in labelled] or list(selected)
        items = tuple(item for split in split_names for item in self.splits[split])
        roles = {role: split for role, split in self.roles.items() if split == names}
        return replace(self, splits={names: items}, roles=roles, aliases={})

    def labelled_splits(self) -> dict[str, Items]:
        """Return the splits in which all items have answers."""
        return {
            name: items
            for name, items in self.splits.items()
            if items and all(item.answer is not None for item in items)
        }

    def sha256(self) -> dict[str, str]:
        """Return the fingerprint of every split (see `fingerprint`)."""
        return {name: fingerprint(items) for name, items in self.splits.items()}


def fingerprint(items: Iterable[Item]) -> str:
    """Return a sha256 over ids, fields, choices and answers, not over order, meta or groups.

    A copy from a hub and a local file of the same items have the same fingerprint.

    Examples:
        >>> import hansproof
        >>> items = hansproof.load("toy:original").splits["original"]
        >>> hansproof.fingerprint(items) == hansproof.fingerprint(reversed(items))
        True
    """
    digest = hashlib.sha256()
    for item in sorted(items, key=lambda item: item.id):
        fields = {name: text.strip() for name, text in item.fields.items()}
        row = [item.id, fields, [choice.strip() for choice in item.choices], item.answer]
        digest.update(json.dumps(row, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()
