from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hansproof.attack import attack_all
from hansproof.attack.journal import AttackJournal
from hansproof.errors import BadInput

from ..support import attack_factories as made

LOOSE, MEANS = made.LOOSE_RULES, made.RESOURCES
ABOUT = {"word_cosine": 0.5, "model": "weighing"}
ITEMS = made.some(20)
OUTCOMES = {one.id: one for one in attack_all(ITEMS, made.Weighing().score, LOOSE, MEANS)}


def fill(folder: Path, count: int) -> Path:
    with AttackJournal(str(folder), ABOUT) as journal:
        for item in ITEMS[:count]:
            journal.append_outcome(item, OUTCOMES[item.id])
        return Path(journal.path)


def test_what_was_written_is_known(tmp_path: Path) -> None:
    fill(tmp_path, 12)
    with AttackJournal(str(tmp_path), ABOUT) as journal:
        assert journal.load_outcomes(ITEMS) == {item.id: OUTCOMES[item.id] for item in ITEMS[:12]}
        assert journal.load_outcomes(ITEMS[3:5]).keys() == {item.id for item in ITEMS[3:5]}


def test_of_other_rules_or_items_nothing_is_known(tmp_path: Path) -> None:
    fill(tmp_path, 12)
    with AttackJournal(str(tmp_path), {**ABOUT, "word_cosine": 0.9}) as journal:
        assert not journal.load_outcomes(ITEMS)
    others = made.some(20, seed=1)  # the same ids
    with AttackJournal(str(tmp_path), ABOUT) as journal:
        assert not journal.load_outcomes(others)


def test_an_item_whose_fields_stand_otherwise_is_another(tmp_path: Path) -> None:
    two = replace(ITEMS[0], fields={"a": "red1", "b": "dog1"}, meta={"asks_for": "cause"})
    others = (
        replace(two, fields={"b": "dog1", "a": "red1"}),
        replace(two, meta={"asks_for": "effect"}),
        replace(two, fields={"a": "red1 ", "b": "dog1"}),
    )
    with AttackJournal(str(tmp_path), ABOUT) as journal:
        journal.append_outcome(two, OUTCOMES[two.id])
        assert journal.load_outcomes((two,))
        assert not any(journal.load_outcomes((other,)) for other in others)


@pytest.mark.parametrize("cut", range(1, 400, 23))
def test_a_line_that_was_cut_off_is_none(tmp_path: Path, cut: int) -> None:
    path = fill(tmp_path, 5)
    path.write_bytes(path.read_bytes()[:-cut])
    with AttackJournal(str(tmp_path), ABOUT) as journal:
        known = journal.load_outcomes(ITEMS)
        assert all(OUTCOMES[id] == one for id, one in known.items())
        assert len(known) < 5 or cut == 1
        journal.append_outcome(ITEMS[7], OUTCOMES[ITEMS[7].id])
        assert journal.load_outcomes(ITEMS) == known | {ITEMS[7].id: OUTCOMES[ITEMS[7].id]}


def test_a_folder_that_cannot_be_written_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        AttackJournal(str(tmp_path / "file"), ABOUT)
