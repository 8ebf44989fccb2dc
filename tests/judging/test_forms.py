"""Forms come back as they were filled in, and a bad one is named by file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.judging.forms import FormError, chosen, read_rows, write_rows

COLUMNS = ("key", "text", "answer")


@pytest.fixture
def form(tmp_path: Path) -> Path:
    return tmp_path / "anna.csv"


def test_a_form_reads_back_with_the_line_on_which_each_row_begins(form: Path) -> None:
    rows = [{"key": "a", "text": 'two\nlines, "quoted"', "answer": ""}, {"key": "b", "text": "one", "answer": " yes "}]
    write_rows(form, COLUMNS, rows)

    assert read_rows(form, COLUMNS) == [
        (f"{form}:2", {"key": "a", "text": 'two\nlines, "quoted"', "answer": ""}),
        (f"{form}:4", {"key": "b", "text": "one", "answer": "yes"}),
    ]


def test_what_a_spreadsheet_adds_does_no_harm(form: Path) -> None:
    form.write_bytes(b"\xef\xbb\xbfkey,answer,text,mine\r\na,yes,one,note\r\n,,,\r\n")

    assert read_rows(form, COLUMNS) == [(f"{form}:2", {"key": "a", "answer": "yes", "text": "one", "mine": "note"})]


def test_a_form_that_is_there_is_not_written_over(form: Path) -> None:
    form.write_text("mine")

    with pytest.raises(FormError, match=r"anna\.csv already exists"):
        write_rows(form, COLUMNS, [])
    assert form.read_text() == "mine"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", r"anna\.csv:1: the form is empty"),
        ("key,text\na,b\n", r"anna\.csv:1: there is no column 'answer'; a form has key, text, answer"),
        ("key,text,answer\na,b,c\nd,e\n", r"anna\.csv:3: 2 cells where the form has 3 columns"),
        ('key,text,answer\na,b,c\nd,"e"f,g\n', r"anna\.csv:3: this is not CSV"),
    ],
)
def test_a_bad_form_is_told_by_file_and_line(form: Path, text: str, told: str) -> None:
    form.write_text(text)

    with pytest.raises(FormError, match=told):
        read_rows(form, COLUMNS)


def test_a_form_that_is_not_there_or_no_text_is_named(form: Path) -> None:
    with pytest.raises(FormError, match=r"anna\.csv cannot be read"):
        read_rows(form, COLUMNS)
    form.write_bytes(b"key\xff")
    with pytest.raises(FormError, match=r"anna\.csv cannot be read as UTF-8"):
        read_rows(form, COLUMNS)


def test_an_answer_is_one_of_those_that_there_are() -> None:
    assert chosen("f:2", "answer", "Yes", ("yes", "no")) == "yes"
    with pytest.raises(FormError, match="f:2: answer takes yes, no, not 'perhaps'"):
        chosen("f:2", "answer", "perhaps", ("yes", "no"))
