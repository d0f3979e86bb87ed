"""The journal of answers, also where processes are killed or write together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof.endpoints.journal import AnswerJournal, journal_path, request_key
from hansproof.endpoints.replies import ServerReply
from hansproof.errors import BadInput

REPLY = ServerReply("A\nB \u2028 é", "stop", top=(("A", -0.5),), prompt=(("x", None), ("y", -1.0)),
                    prompt_tokens=3, completion_tokens=1, model="m")  # fmt: skip


def key(number: int) -> bytes:
    return request_key("server", "/path", {"prompt": str(number)}, 0)


def test_answers_come_back_as_they_were(tmp_path: Path) -> None:
    path = str(tmp_path / "answers" / "m.answers")
    journal = AnswerJournal(path)
    for number in range(5):
        journal.add(key(number), REPLY, {"prompt": str(number)})
        assert journal.find(key(number)) == REPLY
    journal.close()
    again = AnswerJournal(path)
    assert len(again) == 5
    assert [again.find(key(number)) for number in range(6)] == [REPLY] * 5 + [None]
    again.close()


def test_in_memory_it_is_the_same() -> None:
    journal = AnswerJournal()
    journal.add(key(1), REPLY, {})
    assert journal.find(key(1)) == REPLY
    assert journal.find(key(2)) is None


def test_a_torn_last_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "m.answers"
    journal = AnswerJournal(str(path))
    journal.add(key(1), REPLY, {})
    journal.add(key(2), REPLY, {})
    journal.close()
    whole = path.read_bytes()
    for cut in range(whole.index(b"}}\n") + 3, len(whole)):
        path.write_bytes(whole[:cut])
        journal = AnswerJournal(str(path))
        assert journal.find(key(1)) == REPLY
        is_whole = cut >= len(whole) - 1
        assert is_whole or journal.find(key(2)) is None
        journal.add(key(3), REPLY, {})
        journal.close()
        again = AnswerJournal(str(path))
        assert again.find(key(3)) == REPLY
        again.close()


def test_damaged_lines_are_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "m.answers"
    journal = AnswerJournal(str(path))
    journal.add(key(1), REPLY, {})
    journal.close()
    text = path.read_text()
    for damaged in (
        text.replace('"text": "A', '"text": 3, "x": "A'), text.replace("-0.5", "0.5"),
        "[" * 100_000 + "\n", text.replace('"reply"', '"replx"'), "\x00" * 50,
    ):  # fmt: skip
        path.write_text(damaged)
        journal = AnswerJournal(str(path))
        assert journal.find(key(1)) is None
        journal.close()


def test_two_processes_may_write(tmp_path: Path) -> None:
    path = str(tmp_path / "m.answers")
    journals = [AnswerJournal(path), AnswerJournal(path)]
    for number in range(20):
        journals[number % 2].add(key(number), REPLY, {"long": "x" * 20_000})
        assert journals[number % 2].find(key(number)) == REPLY
    for journal in journals:
        journal.close()
    again = AnswerJournal(path)
    assert all(again.find(key(number)) == REPLY for number in range(20))
    again.close()


def test_lines_show_what_was_asked(tmp_path: Path) -> None:
    path = tmp_path / "m.answers"
    journal = AnswerJournal(str(path))
    journal.add(key(1), REPLY, {"messages": [{"role": "user", "content": "Why?"}]})
    journal.close()
    record = json.loads(path.read_text())
    assert record["request"]["messages"][0]["content"] == "Why?"
    assert record["reply"]["text"] == REPLY.text


def test_a_name_cannot_leave_the_folder(tmp_path: Path) -> None:
    path = Path(journal_path(str(tmp_path), "http://x/v1", "../../etc/passwd"))
    assert path.parent == tmp_path / "answers"
    assert journal_path(str(tmp_path), "a", "m") != journal_path(str(tmp_path), "b", "m")


def test_samples_and_settings_have_keys_of_their_own() -> None:
    body = {"prompt": "x", "temperature": 0.5}
    keys = {
        request_key("s", "/p", body, 0), request_key("s", "/p", body, 1),
        request_key("t", "/p", body, 0), request_key("s", "/q", body, 0),
        request_key("s", "/p", {**body, "temperature": 0.6}, 0),
    }  # fmt: skip
    assert len(keys) == 5
    assert request_key("s", "/p", dict(reversed(body.items())), 0) in keys


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "answers").write_text("a file")
    with pytest.raises(BadInput, match="cannot be written"):
        AnswerJournal(str(tmp_path / "answers" / "m.answers"))
