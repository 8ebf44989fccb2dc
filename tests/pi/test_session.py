"""Session files are read whole or refused with file, line and rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from benchmarks.pi.episode import episode, read
from benchmarks.pi.schema import PUBLISHED, text
from harness.core.yaml_file import parsed
from harness.suite import SuiteError
from tests.pi.edited import BAKER, copied


def refused(folder: Path) -> str:
    with pytest.raises(SuiteError) as refusal:
        episode(folder)
    return str(refusal.value)


def line_of(path: Path, text: str) -> int:
    return next(n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if text in line)


def test_a_session_is_read_from_its_file() -> None:
    session = read(BAKER / "baker-01.yaml")

    assert session.intents[0].done.kind == "row"
    assert session.mutations[0].calls[0] is not None


def test_an_episode_has_its_sessions_by_time_and_its_groups() -> None:
    found = episode(BAKER)

    assert [each.id for each in found.sessions] == ["baker-01", "baker-02"]
    assert [each.id for each in found.groups["bread"]] == ["baker-01", "baker-02"]
    assert [each.id for each in found.before("baker-02")] == ["baker-01"]


def test_an_unknown_key_is_refused_with_its_line_and_close_names(tmp_path: Path) -> None:
    folder = copied(tmp_path, "guards:", "gards:")
    path = folder / "baker-01.yaml"

    assert f"{path}:{line_of(path, 'gards')}: unknown-key: gards: no such key. Did you mean 'guards'" in refused(folder)


def test_an_unknown_key_inside_an_intent_names_the_intents_keys(tmp_path: Path) -> None:
    told = refused(copied(tmp_path, "    cues: [[how, long], [duration]]", "    cue: [[how]]"))

    assert "no such key. Did you mean 'cues'" in told
    assert "missing: intents.0.cues is required" in told


def test_problems_of_several_files_are_told_at_once(tmp_path: Path) -> None:
    folder = copied(tmp_path, "guards:", "gards:")
    other = folder / "baker-02.yaml"
    other.write_text(other.read_text(encoding="utf-8").replace("category: B", "category: Z"), encoding="utf-8")
    told = refused(folder)

    assert "baker-01.yaml" in told
    assert "baker-02.yaml" in told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("app: calendar, table: events, fields: {event_name: {contains: rye}, duration: 40}}",
         "app: calender, table: events}", "there is no app 'calender'. Did you mean 'calendar'"),
        ("table: emails", "table: email", "gmail has no table 'email'. Did you mean 'emails'"),
        ("{folder: outbox}", "{foldr: outbox}", "gmail.emails has no field 'foldr'. Did you mean 'folder'"),
        ("kind: was", "kind: wass", "'wass' is not a kind of predicate. Did you mean 'was'"),
        ("apps: [calendar, gmail,", "apps: [calendar, gmial,", "unknown-app: there is no app 'gmial'. Did you mean"),
        ("needs: [i1]", "needs: [i2]", "unknown-intent: there is no intent 'i2'; there is i1"),
        ("changes: [c1]", "changes: [c9]", "unknown-item: there is no item 'c9'; there is c1, c2"),
        ("calls: {0:", "calls: {7:", "unknown-call: there is no call 7"),
        ("id: baker-01", "id: baker-09", "file-name: the file holds session 'baker-09'"),
        ("id: c2", "id: c1", "repeated-id: 'c1'"),
        ("kind: user, text:", "kind: feed, text:", "a trigger of kind feed has `payload`"),
        ("\nnow: 2026-04-13T08:00", "\nnow: 2026-04-13T08:00Z", "now: a local time without zone"),
        ("persona: baker", "persona: butcher", "persona: 'baker', and the first file has 'butcher'"),
        ("cues: [[how, long], [duration]]", "cues: []", ":15: value: intents.0.cues: needs at least one"),
        ("{breaks: the day is not named,", "{edits: {/a.md: [[a, b, c]]}, breaks: no day,",
         ": value: mutations.1.edits./a.md.0: has 3 and takes 2"),
        ("group: bread", "group: cake", "lone-group: group 'cake' has one member"),
        ("now: 2026-04-13", "now: 2026-04-17", "later-lead: 'baker-01' is not before 'baker-02'"),
        ("group: bread", "group: bread\ndepends_on: [baker-02]", "cycle: "),
        ("group: bread", "group: bread\ndepends_on: [baker-03]", "unknown-session: there is no session 'baker-03'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert told in refused(copied(tmp_path, old, new))


def test_what_is_wrong_inside_a_list_is_told_there_alone(tmp_path: Path) -> None:
    folder = copied(tmp_path, "scope: persistent", "scope: persistant")

    (told,) = refused(folder).splitlines()
    assert "intents.0.scope: 'persistant' is not allowed" in told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("{contain: rye}", "unknown-key: checklist.0.check.fields.event_name.contain: no such key. Did you mean 'con"),
        ("{}", "value: checklist.0.check.fields.event_name: says nothing; write one of equal"),
        ("[rye]", "type: checklist.0.check.fields.event_name: must be a plain value or a mapping, not ['rye']"),
        ("{any_of: [[rye]]}", "type: checklist.0.check.fields.event_name.any_of.0: must be a plain value, not ['rye']"),
    ],
)
def test_what_is_wrong_with_the_value_of_a_field_is_told_in_one_line(tmp_path: Path, value: str, told: str) -> None:
    folder = copied(tmp_path, "{contains: rye}, duration: 40}, count", f"{value}, duration: 40}}, count")

    (line,) = refused(folder).splitlines()
    assert line.startswith(f"{folder / 'baker-01.yaml'}:21: {told}")


def test_a_final_that_lacks_a_lead_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path, "depends_on: [baker-01]\n", "", file="baker-02")

    assert "lacks-lead: the final of 'bread' depends on each earlier member; add baker-01" in refused(folder)


def test_a_group_of_four_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path, "group: bread", "group: bread")
    text = (folder / "baker-02.yaml").read_text(encoding="utf-8")
    for number, leads in ((3, "baker-01, baker-02"), (4, "baker-01, baker-02, baker-03")):
        more = text.replace("id: baker-02", f"id: baker-0{number}").replace(
            "now: 2026-04-15", f"now: 2026-04-2{number}"
        )
        more = more.replace("depends_on: [baker-01]", f"depends_on: [{leads}]")
        (folder / f"baker-0{number}.yaml").write_text(more, encoding="utf-8")

    assert "baker-04.yaml:4: large-group: group 'bread' has 4 members; it has two or three" in refused(folder)
    (folder / "baker-04.yaml").unlink()
    assert len(episode(folder).groups["bread"]) == 3


def test_a_folder_without_sessions_is_refused(tmp_path: Path) -> None:
    assert "there is no session" in refused(tmp_path)


def test_questions_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    folder = copied(tmp_path, "id: baker-01", "id: baker-01")
    path = folder / "baker-01.questions.jsonl"
    path.write_bytes(b'{"message": "How long?", "asked": ["i1"]}\n{"message": "In the caf\xe9?", "asked": []}\n')

    assert refused(folder) == f"{path}:2: not UTF-8 text (byte 65); save the file as UTF-8"


def test_a_line_separator_within_a_question_ends_no_line(tmp_path: Path) -> None:
    folder = copied(tmp_path, "id: baker-01", "id: baker-01")
    path = folder / "baker-01.questions.jsonl"
    path.write_text('{"message": "How\u2028long?", "asked": ["i1"]}\r\n', encoding="utf-8", newline="")

    assert episode(folder).sessions[0].questions[-1].message == "How\u2028long?"


def test_a_folder_where_questions_belong_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path, "id: baker-01", "id: baker-01")
    path = folder / "baker-01.questions.jsonl"
    path.mkdir()

    assert refused(folder).startswith(f"{path}: cannot be read: ")


def test_questions_of_no_session_are_refused_with_close_names(tmp_path: Path) -> None:
    folder = copied(tmp_path, "id: baker-01", "id: baker-01")
    path = folder / "baker-03.questions.jsonl"
    path.write_text('{"message": "How long?", "asked": ["i1"]}\n', encoding="utf-8")

    told = f"{path}:1: unknown-session: there is no session 'baker-03' in this folder. Did you mean 'baker-0"
    assert refused(folder).startswith(told)


def test_the_published_schema_is_the_models() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == text()


def test_the_published_schema_takes_the_sound_sessions_and_refuses_an_unknown_key() -> None:
    checks = Draft202012Validator(json.loads(text()))
    held = parsed(BAKER / "baker-01.yaml").value

    assert list(checks.iter_errors(held)) == []
    assert list(checks.iter_errors({**held, "gards": []})) != []
