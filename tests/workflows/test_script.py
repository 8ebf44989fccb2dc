"""Scripts that tell what lies there for a case."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.workflows.layout import Layout
from benchmarks.workflows.script import Told, told

_SCRIPT = """\
Whatever stands before the first block is for readers.

--- file rules | /workspace/reports/rules.csv | 2026-03-02 09:00
what,much
tea,3

--- mail first | coo | 2026-03-03 11:25 | Tea
Two lines
of one paragraph.

Niamh

--- mail second | coo | 2026-03-03 12:25 | Re: Tea | first
And milk.

--- chat talk | operations
planner 2026-03-04 10:12: kettle stopped
> logistics 2026-03-04 10:20: again?
junior 2026-03-04 10:40: runs again

--- deals won
Teapots | am1 | 120 | CAD | Won | 2026-02-03 | C1
Cups | am1 | 80.50 | EUR | Negotiation | | Pot

--- tasks kitchen | Kitchen | logistics
Descale | 2026-02-10 | 2026-02-09 | logistics
> Buy vinegar | 2026-02-08 |
"""


def _told(folder: Path, text: str = _SCRIPT) -> tuple[Layout, Told]:
    path = folder / "script.txt"
    path.write_text(text, encoding="utf-8")
    layout = Layout()
    return layout, told(layout, path, companies={"Pot": "C3"})


def _rows(layout: Layout, table: str) -> list[dict[str, object]]:
    return [dict(edit.values) for edit in layout.edits if edit.table == table and edit.values]


def test_a_file_is_laid_out_and_its_lines_are_read_by_their_heads(tmp_path: Path) -> None:
    layout, papers = _told(tmp_path)

    assert layout.files == ("/workspace/reports/rules.csv",)
    assert papers.rows("rules") == [{"what": "tea", "much": "3"}]
    assert papers.paths("rules") == ["/workspace/reports/rules.csv"]


def test_a_mail_has_its_paragraphs_and_stands_in_the_conversation_of_what_it_answers(tmp_path: Path) -> None:
    layout, papers = _told(tmp_path)
    first, second = _rows(layout, "emails")

    assert first["body"] == "Two lines of one paragraph.\n\nNiamh"
    assert second["thread"] == papers.mails["first"]


def test_an_answer_in_a_channel_stands_below_the_message_above_it(tmp_path: Path) -> None:
    layout, papers = _told(tmp_path)

    assert [row["thread"] for row in _rows(layout, "messages")] == [None, papers.chats["talk"][0], None]


def test_deals_have_their_currency_and_a_day_where_they_are_closed(tmp_path: Path) -> None:
    layout, papers = _told(tmp_path)
    won, still_open = _rows(layout, "deals")

    assert (won["currency"], won["closed"], won["company_id"]) == ("CAD", "2026-02-03", "C1")
    assert (still_open["amount"], still_open["company_id"], "closed" in still_open) == (80.5, "C3", False)
    assert [deal.closed for deal in papers.deals["won"]] == ["2026-02-03", ""]


def test_a_subtask_hangs_below_the_task_above_it(tmp_path: Path) -> None:
    layout, papers = _told(tmp_path)
    task, below = papers.jobs["kitchen"]

    assert (task.sub, below.sub) == (False, True)
    assert _rows(layout, "tasks")[1]["parent_id"] == task.id


def test_a_block_of_no_known_kind_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no kind of block 'poem'"):
        _told(tmp_path, "For readers.\n\n--- poem tea | hot\nsip\n")
