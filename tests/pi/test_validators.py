"""Every rule refuses something, and lets the sound episode pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.pi.episode import episode
from benchmarks.pi.validators import RULES, main, problems
from tests.pi.edited import BAKER, copied

REQUEST = "Please put the tasting of the new rye loaf into my calendar for tomorrow at 15:00."
QUOTED = 'evidence: [{at: "file:/workspace/habits.md", quote: "We taste for 40 minutes, never longer."}]'
EVIDENCE = "file:/workspace/habits.md"
UNNAMED = "{breaks: the day is not named,"
HEAVY = "{id: c3, text: The day is right., weight: 9, check: {kind: said, groups: [[a]]}}"

SHELL = "{app: filesystem, tool: shell_exec, arguments: {command: ls, path"

BROKEN = [
    ("request-length", REQUEST, "word " * 121, "baker-01"),
    ("benchmark-words", REQUEST, "Please read the checklist.", "baker-01"),
    ("tool-names", REQUEST, "Please use create_event.", "baker-01"),
    ("ids-in-request", REQUEST, "Go on as in baker-02.", "baker-01"),
    ("all-in-request", REQUEST, "Put it in. Every tasting lasts forty minutes.", "baker-01"),
    ("shell", "{app: filesystem, tool: write_file, arguments: {path", SHELL, "baker-02"),
    ("shell", "0: {app: calendar, tool: create_event,", "0: {app: filesystem, tool: shell_exec,", "baker-01"),
    ("apps", "apps: [calendar, gmail, filesystem]", "apps: [calendar, filesystem]", "baker-01"),
    ("apps", "apps: [calendar, filesystem]", "apps: [calendar]\nneeds: shell", "baker-02"),
    ("calls", "tool: create_event", "tool: create_evnt", "baker-01"),
    ("rows", EVIDENCE, "row:gmail.email.00000003", "baker-01"),
    ("values-withheld", REQUEST, "A tasting of 40 minutes, please.", "baker-01"),
    ("values-withheld", 'values: ["40 minutes"]', 'values: ["50 minutes"]', "baker-01"),
    ("values-in-skills", 'values: ["40 minutes"]', 'values: ["small firms"]', "baker-01"),
    ("vague", "Every tasting lasts forty minutes.", "Follow best practice.", "baker-01"),
    ("persistent-evidence", QUOTED, "evidence: []", "baker-01"),
    ("evidence-quotes", "never longer.\"}]", "never ever.\"}]", "baker-01"),
    ("evidence-quotes", '"Tastings are always 40 minutes"', '"Tastings are short"', "baker-02"),
    ("evidence-quotes", '"session:baker-01"', '"session:baker-02"', "baker-02"),
    ("ask-only-share", QUOTED, "evidence: []", "baker-01"),
    ("intent-affects", "    needs: [i1]\n", "", "baker-01"),
    ("intent-affects", "changes: [c1]", "changes: [c1, c2]", "baker-01"),
    ("flipped", "says: Make it an hour.", "says: Tastings are always 40 minutes please!", "baker-01"),
    ("shown-when-handed-over", "done: {kind: row,", "done: {kind: seen,", "baker-01"),
    ("shown-when-handed-over", "done: {kind: row,", "done: {kind: was,", "baker-01"),
    ("conduct", "The hand-over names the day", "The assistant asked for the day", "baker-01"),
    ("why-not-rule", "why_not_rule: Whether reasons lead to", "why_not_rule: \"\" # to", "baker-02"),
    ("mutated", "fails: [c2], says", "fails: [c1], says", "baker-01"),
    ("spared", "fails: [c1]", "fails: [c1, c2]", "baker-01"),
    ("weights", "  - id: c2", f"  - {HEAVY}\n  - id: c2", "baker-01"),
    ("reviewed", "reviewers: [bea, cyd]", "reviewers: [bea, ada]", "baker-01"),
]  # fmt: skip

NOT_THERE = [
    ("calls", "- app: calendar", "- app: calender", "there is no app 'calender'. Did you mean 'calendar'?"),
    ("calls", "tool: create_event", "tool: create_evnt", "calendar has no tool 'create_evnt'. Did you mean 'create_ev"),
    ("calls", "minutes: 40", "minutez: 40", "calendar.create_event has no argument 'minutez'. Did you mean 'minutes'?"),
    ("calls", "minutes: 60", "minutez: 60", "calendar.create_event has no argument 'minutez'. Did you mean 'minutes'?"),
    ("calls", "title: Tasting of the rye loaf, ", "", "calendar.create_event: 'title' is required"),
    ("rows", EVIDENCE, "row:gmial.emails.00000003", "there is no app 'gmial'. Did you mean 'gmail'"),
    ("rows", EVIDENCE, "row:gmail.email.00000003", "gmail has no table 'email'. Did you mean 'emails'"),
    ("rows", EVIDENCE, "row:gmail.emails", "'row:gmail.emails' is no row; write row:gmail.emails.ID"),
    ("rows", EVIDENCE, "row:gmail", "'row:gmail' is no row; write row:gmail.TABLE.ID"),
    ("rows", UNNAMED, f"{UNNAMED} rows: {{calendar.events: {{duration: 60}}}},", "write calendar.events.ID"),
    ("rows", "\nguards:", "\nrefers: [\"row:calendar.event.00000003\"]\nguards:", "Did you mean 'events'?"),
    ("rows", UNNAMED, f"{UNNAMED} rows: {{calendar.events.00000003: {{duratoin: 60}}}},", "Did you mean 'duration'?"),
]  # fmt: skip


def test_the_sound_episode_passes() -> None:
    assert problems(episode(BAKER)) == []


@pytest.mark.parametrize(("rule", "old", "new", "file"), BROKEN)
def test_a_rule_refuses_what_breaks_it_where_it_stands(
    tmp_path: Path, rule: str, old: str, new: str, file: str
) -> None:
    found = [each for each in problems(episode(copied(tmp_path, old, new, file))) if each.rule == rule]

    assert found
    assert found[0].line > 1
    assert str(found[0]).startswith(f"{found[0].path}:{found[0].line}: {rule}: ")


@pytest.mark.parametrize(("rule", "old", "new", "words"), NOT_THERE)
def test_what_is_not_there_is_told_once_with_close_names(
    tmp_path: Path, rule: str, old: str, new: str, words: str
) -> None:
    (told,) = (each for each in problems(episode(copied(tmp_path, old, new))) if each.rule in ("apps", "calls", "rows"))

    assert told.rule == rule
    assert words in told.words


def test_a_judge_looks_at_a_table_that_there_is(tmp_path: Path) -> None:
    folder = copied(tmp_path, '"file:/workspace/spelt.md"', '"row:calendar.event"', "baker-02")
    (told,) = problems(episode(folder))

    assert told.rule == "rows"
    assert "calendar has no table 'event'. Did you mean 'events'?" in told.words


def test_an_app_that_a_session_lacks_is_told_once_with_how_many_places_need_it(tmp_path: Path) -> None:
    found = problems(episode(copied(tmp_path, "apps: [calendar, gmail, filesystem]", "apps: [gmail]")))
    text = (tmp_path / "baker" / "baker-01.yaml").read_text(encoding="utf-8").splitlines()

    assert [(text[each.line - 1].split(":")[0].strip(), each.words) for each in found] == [
        ("done", "`apps` has no 'calendar', which this needs, and 3 more"),
        ("files", "`apps` has no 'filesystem', which this needs, and 1 more"),
    ]


def test_calls_of_a_session_with_a_shell_may_run_it(tmp_path: Path) -> None:
    folder = copied(tmp_path, "apps: [calendar, filesystem]", "apps: [calendar, filesystem]\nneeds: shell", "baker-02")
    path = folder / "baker-02.yaml"
    written = "{app: filesystem, tool: write_file, arguments: {path: /workspace/spelt.md, content"
    run = "{app: filesystem, tool: shell_exec, arguments: {command"
    path.write_text(path.read_text(encoding="utf-8").replace(written, run), encoding="utf-8")

    assert run in path.read_text(encoding="utf-8")
    assert problems(episode(folder)) == []


def test_every_rule_is_shown_to_refuse() -> None:
    assert {rule for rule, *_ in BROKEN} == set(RULES)


def test_a_persona_has_at_most_ten_sessions_with_a_shell(tmp_path: Path) -> None:
    folder = copied(tmp_path, "apps: [calendar, filesystem]", "apps: [calendar, filesystem]\nneeds: shell", "baker-02")
    alone = (folder / "baker-02.yaml").read_text(encoding="utf-8").replace("group: bread\ndepends_on: [baker-01]\n", "")
    for day in range(16, 26):
        text = alone.replace("id: baker-02", f"id: baker-{day}").replace("now: 2026-04-15", f"now: 2026-04-{day}")
        (folder / f"baker-{day}.yaml").write_text(text, encoding="utf-8")
    found = [each for each in problems(episode(folder)) if each.rule == "shell"]

    assert [(each.path.name, each.words) for each in found] == [
        ("baker-25.yaml", "this is session 11 of 'baker' that needs a shell; at most 10")
    ]
    assert alone.splitlines()[found[0].line - 1] == "needs: shell"


def test_the_command_holds_values_against_skills_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copied(tmp_path, 'values: ["40 minutes"]', 'values: ["small firms"]')

    assert main([str(folder)]) == 1
    assert "values-in-skills: 'small firms' of 'i1' stands in the skill 'china-tax-law'" in capsys.readouterr().out


def test_without_a_folder_the_command_says_how_it_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([])

    assert left.value.code == 2
    assert "usage: python -m benchmarks.pi.validators [-h] DIR" in capsys.readouterr().err
