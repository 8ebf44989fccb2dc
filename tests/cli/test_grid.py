"""How tables are drawn: words wrap, figures stay whole, and what is too wide comes in blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from harness.cli import grid, render
from harness.report.texts import texts
from harness.suite import Headline, Table


def drawn(rows: Sequence[Mapping[str, Any]], width: int) -> list[str]:
    return grid.drawn([grid.Column.of(name, texts([row[name] for row in rows])) for name in rows[0]], width)


def test_a_table_that_fits_is_drawn_as_it_is() -> None:
    assert drawn([{"agent": "idle", "tasks": 12}, {"agent": "oracle", "tasks": 3}], 80) == [
        "agent   tasks",
        "─────────────",
        "idle       12",
        "oracle      3",
    ]


def test_headers_wrap_at_words_before_any_cell_does() -> None:
    assert drawn([{"agent": "oracle", "side effects": 0.25, "questions a trial": 1}], 26) == [
        "           side  questions",
        "agent   effects    a trial",
        "──────────────────────────",
        "oracle     0.25          1",
    ]


def test_names_wrap_at_marks_and_figures_never_do() -> None:
    row = {"agent": "anthropic/claude-sonnet", "accuracy": "0.60 (0.55-0.65)"}

    assert drawn([row], 34) == [
        "agent                     accuracy",
        "──────────────────────────────────",
        "anthropic/        0.60 (0.55-0.65)",
        "claude-sonnet",
    ]


def test_a_name_of_several_lines_is_said_once_for_the_rows_that_share_it() -> None:
    rows = [{"agent": "anthropic/claude-sonnet", "condition": f"c{n}", "accuracy": "0.60 (0.55-0.65)"} for n in (1, 2)]

    assert drawn([*rows, {**rows[0], "agent": "oracle"}], 43)[2:] == [
        "anthropic/      c1         0.60 (0.55-0.65)",
        "claude-sonnet",
        "                c2         0.60 (0.55-0.65)",
        "oracle          c1         0.60 (0.55-0.65)",
    ]


def test_what_is_too_wide_comes_in_blocks_that_begin_with_what_a_row_is_about() -> None:
    row = {"agent": "idle", "condition": "plain", **{f"figure {name}": 1000 for name in "abcd"}}

    assert drawn([row], 32) == [
        "                  figure  figure",
        "agent  condition       a       b",
        "────────────────────────────────",
        "idle   plain        1000    1000",
        "",
        "                  figure  figure",
        "agent  condition       c       d",
        "────────────────────────────────",
        "idle   plain        1000    1000",
    ]


def test_long_text_that_tells_rows_apart_wraps_further_before_a_block_is_without_it() -> None:
    long = "send an email to whoever wrote last " * 8
    rows = [{"agent": "idle", "task": f"{name}: {long}", **{f"figure {n}": n for n in range(4)}} for name in "xy"]
    lines = drawn(rows, 40)

    assert max(map(len, lines)) <= 40
    assert [line.split() for line in lines if line.startswith("agent")] == [
        ["agent", "task", "0", "1"], ["agent", "task", "2", "3"],
    ]  # fmt: skip
    assert [line[:14] for line in lines if line.startswith("idle")] == ["idle   x: send", "idle   y: send"] * 2


def test_a_word_longer_than_the_terminal_is_cut_there_and_nowhere_else() -> None:
    lines = drawn([{"n": 1, "text": "x" * 100}], 40)

    assert max(map(len, lines)) == 40
    assert "".join(lines[2:]).count("x") == 100


def test_wide_letters_count_twice_and_what_steers_a_terminal_is_left_out() -> None:
    assert drawn([{"name": "日本語", "n": 1}, {"name": "a\x1b[2Jb\nc", "n": 2}], 80) == [
        "name      n",
        "───────────",
        "日本語    1",
        "a [2Jb c  2",
    ]


def test_cells_are_drawn_as_they_are_and_not_as_markup() -> None:
    text = "[bold]x[/bold] :smile: https://example.com [/"

    assert drawn([{"name": text, "n": 1}], 80)[2:] == [f"{text}  1"]


def test_no_variable_of_the_environment_has_a_say_in_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FORCE_COLOR": "1", "TERM": "dumb", "COLUMNS": "50", "TTY_COMPATIBLE": "1"}.items():
        monkeypatch.setenv(name, value)

    assert drawn([{"text": "x " * 80 + "x", "n": 1}], 200)[2:] == ["x " * 80 + "x  1"]


def test_figures_and_days_within_text_are_not_broken_at_their_marks() -> None:
    assert drawn([{"what": "moved by -12 from 2025-03-13 to 2025-03-20", "n": 1}], 14)[2:] == [
        "moved by     1",
        "-12 from",
        "2025-03-13",
        "to",
        "2025-03-20",
    ]


def test_a_name_as_wide_as_the_terminal_leaves_room_for_figures() -> None:
    lines = drawn([{"x" * 100: "z" * 100, "accuracy": "0.60 (0.55-0.65)", "n": 1}], 60)

    assert max(map(len, lines)) <= 60
    assert any(line.endswith("  0.60 (0.55-0.65)") for line in lines)
    assert "".join(lines).count("x") == "".join(lines).count("z") == 200  # in each of two blocks


@pytest.mark.parametrize("width", range(40, 201, 10))
def test_no_line_is_wider_than_the_terminal_and_no_word_of_a_header_is_broken(width: int) -> None:
    names = ["agent", "condition", *(f"{word} of everything" for word in ("accuracy", "precision", "reliability"))]
    table = Table(
        "A title with a good many words in it, more than fit into forty columns",
        names,
        [dict(zip(names, ["reference erring", "underspecified+ask", 0.123, "0.60 (0.55-0.65)", 1e-5], strict=True))],
        ["a note with a good many words in it, more than fit into forty columns of a terminal"],
    )
    text = render.text([table], width)

    assert max(map(len, text.splitlines())) <= width
    assert all(word in text for name in names for word in name.split())
    assert "0.60 (0.55-0.65)" in text


def test_the_first_screen_is_never_wider_than_eighty_columns() -> None:
    names = [f"column {chr(65 + n)}" for n in range(20)]
    table = Table("T", names, [{name: 100 + n for n, name in enumerate(names)}], ["a note " * 30])
    text = render.first(Headline(table, "A sentence with words. " * 20), 200)

    assert max(map(len, text.splitlines())) <= 80
    assert all(str(100 + n) in text for n in range(20))


def test_a_word_of_a_note_that_is_longer_than_the_terminal_is_kept_whole() -> None:
    path = "runs/" + "x" * 100

    assert f"\n  see\n  {path}\n" in render.text([Table("T", [], [], [f"see {path}"])], 80)


def test_a_table_without_rows_is_its_title_and_its_notes() -> None:
    assert render.text([Table("Empty", [], [], ["nothing yet"])], 80) == "Empty\n\n  nothing yet\n\n"
