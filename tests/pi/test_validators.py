"""Every rule refuses something, and lets the sound episode pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.pi.session import episode
from benchmarks.pi.validators import RULES, main, problems
from tests.pi.edited import BAKER, copied

REQUEST = "Please put the tasting of the new rye loaf into my calendar for tomorrow at 15:00."
QUOTED = 'evidence: [{at: "file:/workspace/habits.md", quote: "We taste for 40 minutes, never longer."}]'
HEAVY = "{id: c3, text: The day is right., weight: 9, check: {kind: said, groups: [[a]]}}"

SHELL = "{app: filesystem, tool: shell_exec, arguments: {command: ls, path"

BROKEN = [
    ("request-length", REQUEST, "word " * 121, "baker-01"),
    ("benchmark-words", REQUEST, "Please read the checklist.", "baker-01"),
    ("tool-names", REQUEST, "Please use create_event.", "baker-01"),
    ("ids-in-request", REQUEST, "Go on as in baker-02.", "baker-01"),
    ("all-in-request", REQUEST, "Put it in. Every tasting lasts forty minutes.", "baker-01"),
    ("shell", "apps: [calendar, gmail, filesystem]", "apps: [calendar, gmail]\nneeds: shell", "baker-01"),
    ("shell", "{app: filesystem, tool: write_file, arguments: {path", SHELL, "baker-02"),
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
