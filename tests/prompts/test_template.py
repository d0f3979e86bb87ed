"""Prompt files: how items are rendered, and what is refused in one line."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hansproof.errors import BadInput, HansproofError, ModelError, UnknownName
from hansproof.prompts.formats import letter_pairs
from hansproof.prompts.template import (
    MAX_SIZE,
    PromptTemplate,
    load_template,
)
from hansproof.prompts.template_files import list_templates
from hansproof.types import Item
from hansproof.views import apply_view, parse_view

ITEM = Item("1", {"question": " What is wet? "}, ("water", " Fire", "a stone "), 0)
EXAMPLES = (
    Item("2", {"question": "What is cold?"}, ("ice", "steam"), 0),
    Item("3", {"question": "What is red?"}, ("grass", "blood"), 1),
)
PLACEHOLDERS = ("{question}", "{choices}", "{letters}", "{letter}", "{text}")
TEXTS: dict[str, Any] = {
    "full": "{question}\n\n{choices}\n\nOne of {letters}.",
    "choices": "Guess:\n{choices}",
    "question": "{question}\nIn a few words.",
    "one_choice": "{question}\nIs it {text}?",
    "choice": "({letter}) {text}",
    "answer": "{letter}",
    "cue": "A:",
}


def write_prompts(folder: Path, **changes: Any) -> str:
    """Write a prompt file with changed values; None removes one. Returns its path."""
    values = {key: value for key, value in (TEXTS | changes).items() if value is not None}
    path = folder / "mine.toml"
    # of texts, numbers and booleans, JSON is TOML
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    path.write_text("".join(lines))
    return str(path)


def load_changed(folder: Path, **changes: Any) -> PromptTemplate:
    return load_template(write_prompts(folder, **changes))


def view_items(name: str, *items: Item) -> tuple[Item, ...]:
    """Items as a view shows them."""
    return apply_view(parse_view(name, ("question",)), items)


@pytest.mark.parametrize("name", ["letters", "steps", "bare"])
def test_every_file_that_is_shipped_renders_every_view(name: str) -> None:
    template = load_template(name)
    assert [*list_templates()] == ["bare", "letters", "steps"]
    assert template.name == name
    data = Path(list_templates()[name]).read_bytes()
    assert template.sha256 == hashlib.sha256(data).hexdigest()
    for view in ("full", "choices", "question", "full/alone", "choices/alone", "nonsense"):
        examples = view_items("full" if view == "question" else view, *EXAMPLES)
        for item in view_items(view, ITEM):
            prompt = template.render(item, examples)
            assert prompt.messages[-1][0] == "user"
            for role, text in prompt.messages:
                assert role in ("user", "assistant")
                assert text == text.strip() != ""
            assert not any(placeholder in prompt.plain for placeholder in PLACEHOLDERS)
            assert "\n " not in prompt.plain
            assert "\n\n\n" not in prompt.plain


def test_the_plain_prompt_of_bare_is_the_one_that_local_models_read() -> None:
    prompt = load_template("bare").render(ITEM)
    ((plain, _), *_) = letter_pairs(ITEM)
    assert prompt.plain == plain
    assert prompt.messages == (("user", plain.removesuffix("\nAnswer:")),)


def test_each_view_has_a_text_of_its_own(tmp_path: Path) -> None:
    template = load_changed(tmp_path)

    def render(view: str) -> list[str]:
        return [template.render(item).messages[0][1] for item in view_items(view, ITEM)]

    question = "Question: What is wet?"
    choices = "(A) water\n(B) Fire\n(C) a stone"
    assert render("full") == [f"{question}\n\n{choices}\n\nOne of A, B or C."]
    assert render("choices") == [f"Guess:\n{choices}"]
    assert render("question") == [f"{question}\nIn a few words."]
    texts = ("water", "Fire", "a stone")
    assert render("full/alone") == [f"{question}\nIs it {text}?" for text in texts]
    assert render("choices/alone") == [f"Is it {text}?" for text in texts]


def test_two_choices_have_two_letters(tmp_path: Path) -> None:
    text = load_changed(tmp_path).render(EXAMPLES[0]).messages[0][1]
    assert text.endswith("One of A or B.")


def test_a_line_that_only_has_an_empty_text_disappears(tmp_path: Path) -> None:
    template = load_changed(tmp_path, one_choice="Read this.\n{question}\nIs it\n\n{text}?")
    (item, *_) = view_items("choices/alone", ITEM)
    assert template.render(item).messages[0][1] == "Read this.\nIs it\n\nwater?"


def test_examples_come_first_as_turns_of_a_chat(tmp_path: Path) -> None:
    template = load_changed(tmp_path, system="Be brief.", answer="{letter}, {text}")
    prompt = template.render(ITEM, EXAMPLES)
    assert [role for role, _ in prompt.messages] == [
        "system", "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert prompt.messages[0][1] == "Be brief."
    assert prompt.messages[2][1] == "A, ice"
    assert prompt.messages[4][1] == "B, blood"
    assert prompt.messages[-1] == template.render(ITEM).messages[-1]


def test_a_plain_prompt_ends_each_example_with_its_answer(tmp_path: Path) -> None:
    template = load_changed(tmp_path, system="Be brief.", full="{question}\n{choices}")
    assert template.render(ITEM, EXAMPLES[:1]).plain == (
        "Be brief.\n\n"
        "Question: What is cold?\n(A) ice\n(B) steam\nA: A\n\n"
        "Question: What is wet?\n(A) water\n(B) Fire\n(C) a stone\nA:"
    )


def test_a_plain_prompt_without_a_cue_has_no_stray_spaces(tmp_path: Path) -> None:
    template = load_changed(tmp_path, cue="", full="{question}\n{choices}", answer="It is {letter}")
    assert template.render(ITEM, EXAMPLES[:1]).plain == (
        "Question: What is cold?\n(A) ice\n(B) steam\nIt is A\n\n"
        "Question: What is wet?\n(A) water\n(B) Fire\n(C) a stone"
    )


def test_examples_of_one_choice_are_answered_with_yes_or_no(tmp_path: Path) -> None:
    (item, *_), examples = view_items("full/alone", ITEM), view_items("full/alone", *EXAMPLES)
    prompt = load_changed(tmp_path).render(item, examples)
    answers = [text for role, text in prompt.messages if role == "assistant"]
    assert answers == ["yes", "no", "no", "yes"]


def test_examples_of_a_view_without_choices_are_answered_with_a_text(tmp_path: Path) -> None:
    (item,) = view_items("question", ITEM)
    prompt = load_changed(tmp_path).render(item, view_items("full", *EXAMPLES))
    assert prompt.messages == (
        ("user", "Question: What is cold?\nIn a few words."),
        ("assistant", "ice"),
        ("user", "Question: What is red?\nIn a few words."),
        ("assistant", "blood"),
        ("user", "Question: What is wet?\nIn a few words."),
    )


braces = st.lists(
    st.sampled_from([*PLACEHOLDERS, "{", "}", "{{", "}}", "\\1", "%s", "x", " "]), max_size=6
).map("".join)


@given(braces, st.lists(braces, min_size=2, max_size=4), st.sampled_from(["letters", "bare"]))
def test_a_text_of_an_item_is_never_a_template(
    question: str, choices: list[str], name: str
) -> None:
    choices = [f"choice {choice}" for choice in choices]
    item = Item("1", {"question": f"Why {question}"}, tuple(choices), 0)
    text = load_template(name).render(item).messages[0][1]
    assert f"Question: {f'Why {question}'.strip()}\n" in text
    for letter, choice in zip("ABCD", choices, strict=False):
        assert f"\n{letter}. {choice.strip()}" in text
    (alone, *_) = view_items("full/alone", item)
    assert f"Proposed answer: {choices[0].strip()}\n" in load_template(name).render(alone).plain


def test_choices_are_not_expanded_in_the_question_nor_the_question_in_choices(
    tmp_path: Path,
) -> None:
    item = Item("1", {"question": "Is {choices} or {letters}?"}, ("{question}", "{text}"), 1)
    text = load_changed(tmp_path, full="{question}|{choices}").render(item).messages[0][1]
    assert text == "Question: Is {choices} or {letters}?|(A) {question}\n(B) {text}"


def test_other_braces_of_a_file_stay_as_they_are(tmp_path: Path) -> None:
    full = '{question}\n{choices}\nAs {"answer": "A"} or \\boxed{A} or {x} {}.'
    text = load_changed(tmp_path, full=full).render(ITEM).messages[0][1]
    assert text.endswith('As {"answer": "A"} or \\boxed{A} or {x} {}.')


def test_letters_end_with_z(tmp_path: Path) -> None:
    template = load_changed(tmp_path)
    most_choices = replace(ITEM, choices=tuple(f"c{i}" for i in range(26)))
    assert "\n(Z) c25\n" in template.render(most_choices).plain
    with pytest.raises(ModelError, match="an item has 27 choices, but there are letters for only"):
        template.render(replace(ITEM, choices=tuple(f"c{i}" for i in range(27))))
    # where choices are hidden, they need no letters
    (item,) = view_items("question", replace(ITEM, choices=tuple(f"c{i}" for i in range(27))))
    assert template.render(item).plain == "Question: What is wet?\nIn a few words.\nA:"


def test_settings_have_defaults_and_are_read(tmp_path: Path) -> None:
    template = load_changed(tmp_path, cue=None)
    assert (template.cue, template.system, template.max_tokens) == ("", "", 64)
    assert not template.reasons_first
    template = load_changed(tmp_path, max_tokens=5, reasons_first=True, system=" Hm. ")
    assert (template.system, template.max_tokens, template.reasons_first) == ("Hm.", 5, True)
    assert template.name == "mine"


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    before = load_changed(tmp_path)
    after = load_changed(tmp_path, cue="Answer:")
    assert (before.cue, after.cue) == ("A:", "Answer:")
    assert before.sha256 != after.sha256


def test_a_file_with_line_ends_of_windows_is_the_same_prompt(tmp_path: Path) -> None:
    text = Path(list_templates()["letters"]).read_text()
    (tmp_path / "w.toml").write_bytes(text.replace("\n", "\r\n").encode())
    prompts = [load_template(name).render(ITEM) for name in ("letters", str(tmp_path / "w.toml"))]
    assert prompts[0] == prompts[1]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"chioces": "x"}, "unknown key in mine.toml 'chioces'; did you mean choices"),
        ({"name": "x"}, "unknown key in mine.toml 'name'"),
        ({"sha256": "x"}, "unknown key in mine.toml 'sha256'"),
        ({"full": None}, "mine.toml: full: is missing"),
        ({"answer": None}, "mine.toml: answer: is missing"),
        ({"full": 3}, "mine.toml: full: must be a text"),
        ({"cue": ["x"]}, "mine.toml: cue: must be a text"),
        ({"full": ""}, "mine.toml: full: does not contain {question}"),
        ({"full": "{choices}"}, "mine.toml: full: does not contain {question}"),
        ({"full": "{question}"}, "mine.toml: full: does not contain {choices}"),
        ({"full": "{question} { choices }"}, "mine.toml: full: does not contain {choices}"),
        ({"full": "{qustion} {choices}"}, "mine.toml: full: does not contain {question}"),
        ({"one_choice": "{text}"}, "mine.toml: one_choice: does not contain {question}"),
        ({"one_choice": "{question}"}, "mine.toml: one_choice: does not contain {text}"),
        ({"question": "{choices}"}, "mine.toml: question: does not contain {question}"),
        ({"choices": "{letters}"}, "mine.toml: choices: does not contain {choices}"),
        ({"choice": "{text}"}, "mine.toml: choice: does not contain {letter}"),
        ({"answer": "{text}"}, "mine.toml: answer: does not contain {letter}"),
        ({"full": "{question} {choices} {text}"}, "mine.toml: full: {text} is not known here"),
        ({"choices": "{question} {choices}"}, "mine.toml: choices: {question} is not known here"),
        ({"system": "{question}"}, "mine.toml: system: {question} is not known here"),
        ({"cue": "{letter}"}, "mine.toml: cue: {letter} is not known here"),
        ({"max_tokens": 0}, "mine.toml: max_tokens: must be a whole number, at least 1"),
        ({"max_tokens": 1.5}, "mine.toml: max_tokens: must be a whole number, at least 1"),
        ({"max_tokens": True}, "mine.toml: max_tokens: must be a whole number, at least 1"),
        ({"max_tokens": "9"}, "mine.toml: max_tokens: must be a whole number, at least 1"),
        ({"reasons_first": 1}, "mine.toml: reasons_first: must be true or false"),
        ({"reasons_first": "no"}, "mine.toml: reasons_first: must be true or false"),
    ],
)
def test_wrong_values_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], error: str
) -> None:
    write_prompts(tmp_path, **changes)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HansproofError) as caught:
        load_template("mine.toml")
    assert str(caught.value).startswith(error)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "data",
    [
        b"full = ", b"full", b'full = "x', b"= 1", b"\xff\xfe", b'full = "x"\nfull = "y"', b"\x00",
        b"full = " + b"[" * 5000, b"max_tokens = " + b"9" * 5000, b"full = 2021-99-99",
        b'\xef\xbb\xbffull = "x"',
    ],
)  # fmt: skip
def test_broken_files_are_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=r"broken\.toml: is not a TOML file: ") as caught:
        load_template(str(path))
    assert str(caught.value).isprintable()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 1500), st.integers(0, 40), st.binary(max_size=6))
def test_any_change_to_a_file_gives_a_prompt_or_one_line(
    tmp_path: Path, start: int, length: int, inserted: bytes
) -> None:
    data = Path(list_templates()["letters"]).read_bytes()
    path = tmp_path / "changed.toml"
    path.write_bytes(data[:start] + inserted + data[start + length :])
    message, prompt = "", ""
    try:
        prompt = load_template(str(path)).render(ITEM, EXAMPLES).plain
    except HansproofError as error:
        message = str(error)
    assert message.isprintable()
    assert message or "What is wet?" in prompt


def test_a_file_may_have_so_many_bytes(tmp_path: Path) -> None:
    path = Path(write_prompts(tmp_path))
    text = path.read_text()
    path.write_text(text + "#" * (MAX_SIZE - len(text)))
    assert load_template(str(path)).cue == "A:"
    path.write_text(text + "#" * (MAX_SIZE - len(text) + 1))
    with pytest.raises(BadInput, match=r"mine\.toml: is larger than 100,000 bytes: is it a prompt"):
        load_template(str(path))


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("leters", "unknown prompt 'leters'; did you mean letters"),
        ("", "unknown prompt ''"),
        ("letters.txt", "unknown prompt 'letters.txt'; did you mean letters"),
        ("nowhere.toml", "nowhere.toml: no such file"),
        ("folder.toml", "folder.toml: Is a directory"),
    ],
)
def test_files_that_cannot_be_read_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkdir("folder.toml")
    with pytest.raises((BadInput, UnknownName)) as caught:
        load_template(name)
    assert str(caught.value).startswith(error)
