"""Each rule of the sessions' audit finds what it is there for, in sessions of the financier that were spoilt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from benchmarks.pi.auditing import RULES, Audit, flaws
from benchmarks.pi.episode import episode
from benchmarks.pi.personas.financier import world as financier
from benchmarks.pi.predicates import Predicate, holds
from benchmarks.pi.session import Session

EPISODE = episode(Path(financier.__file__).parent)
AUDIT = Audit(EPISODE, financier.world())
FIRST = EPISODE.sessions[0]


def told(rule: str, session: Session) -> list[str]:
    return list(RULES[rule](AUDIT, EPISODE, financier.world(), session))


def spoilt(**changes: Any) -> Session:
    """The first session, with some of its fields as a file would write them."""
    return Session.model_validate({**FIRST.model_dump(mode="json", by_alias=True, exclude_unset=True), **changes})


def reference(**changes: Any) -> dict[str, Any]:
    return {**FIRST.reference.model_dump(mode="json", exclude_unset=True), **changes}


def intents(**changes: Any) -> list[dict[str, Any]]:
    """Of which the first is changed."""
    first, *others = (each.model_dump(mode="json", exclude_unset=True) for each in FIRST.intents)
    return [{**first, **changes}, *others]


PAGE = financier.world().rows["web"]["pages"][0]
QUOTE = str(PAGE["text"]).splitlines()[0]

SPOILT: list[tuple[str, dict[str, Any], str]] = [
    ("reference", {"reference": reference(calls=[])}, "the reference does not do i1"),
    ("reference", {"reference": reference(says="It is done.")}, "the reference does not meet c3"),
    ("reference", {"guards": [{"kind": "file", "path": "/workspace/market/for-idris.csv"}]}, "breaks a guard"),
    ("start", {"intents": intents(done={"kind": "file", "path": "/workspace/ACCOUNTS.md"})}, "i1 is done before"),
    ("mutation", {"mutations": [{"breaks": "nothing", "fails": ["c1"], "says": "5.3 basis points"}]}, "fails nothing"),
    ("undo", {"mutations": [{"breaks": "all", "fails": ["c3"], "says": "No."}]}, "no mutation has `undoes`"),
    ("undo", {"mutations": [{"breaks": "all", "fails": ["c3"], "says": "No.", "undoes": True}]}, "17% of the work"),
    ("guard", {"reference": reference(guarded=[])}, "breaks no such guard"),
    (
        "rubric",
        {
            "checklist": [
                {
                    "id": "c1",
                    "text": "It is polite.",
                    "why_not_rule": "Tone.",
                    "rubric": {"pass": "Is.", "fail": "Is not.", "evidence": ["row:gmail.emails", "file:/no/*"]},
                }
            ],
            "intents": intents(flip={"says": "Be rude.", "changes": ["c1"]})[:1],
            "mutations": [],
        },
        "leaves nothing at file:/no/*",
    ),
    ("literal", {"literal": None}, "there is no `literal`"),
    ("literal", {"literal": {name: reference()[name] for name in ("calls", "says")}}, "the request alone leads to i1"),
    ("literal", {"literal": {"calls": [], "says": "Well."}}, "the request alone meets 0%"),
    ("evidence", {"intents": intents(evidence=[{"at": "row:gmail.emails.00000007", "quote": "No."}])}, "i1: 'No.'"),
    ("ablation", {"intents": intents(evidence=[vars(each) for each in FIRST.intents[1].evidence])}, "either"),
    ("evidence", {"intents": intents(evidence=[{"at": f"web:{PAGE['address']}", "quote": "No."}])}, "i1: 'No.'"),
    ("evidence", {"intents": intents(evidence=[{"at": "web:https://no.example/", "quote": QUOTE}])}, "word for word"),
    (
        "evidence",
        {"now": "2020-01-01T09:00", "intents": intents(evidence=[{"at": f"web:{PAGE['address']}", "quote": QUOTE}])},
        "word for word",
    ),
    ("secret", {"intents": intents(evidence=[], values=["ACT/365F"])}, "only asking is to tell 'ACT/365F'"),
    (
        "secret",
        {
            "files": {"/workspace/door.md": "The door is\nsea green."},
            "intents": intents(evidence=[], values=["Sea green"]),
        },
        "only asking is to tell 'Sea green'",
    ),
    (
        "secret",
        {"intents": intents(evidence=[{"at": "session:s0", "quote": "Nobody says so."}], values=["ACT/365F"])},
        "only a lead is to tell 'ACT/365F'",
    ),
    (
        "secret",
        {
            "files": {"/workspace/door.md": 'It says "sea green".'},
            "intents": intents(evidence=[{"at": "session:s0", "quote": 'says "sea green"'}], values=[]),
        },
        "only a lead is to tell 'says",
    ),
    ("refers", {"refers": ["file:/workspace/no.md", "row:gmail.emails.9"]}, "the request speaks of /workspace/no.md"),
    ("cues", {"intents": intents(cues=FIRST.intents[1].cues)}, "what asks for i1 asks for others too"),
    ("canary", {"metadata": {"author": "first"}}, "metadata has no canary"),
]


@pytest.mark.parametrize(("rule", "changes", "words"), SPOILT, ids=[f"{rule}: {words}" for rule, _, words in SPOILT])
def test_a_session_that_was_spoilt_is_found_out(rule: str, changes: dict[str, Any], words: str) -> None:
    assert any(words in text for text in told(rule, spoilt(**changes)))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"app": "calendar", "tool": "get_event", "arguments": {"event_id": "99999999"}}, "No event has the id"),
        ({"app": "calendar", "tool": "create_evnt"}, "There is no tool 'create_evnt'."),
        ({"app": "calender", "tool": "create_event"}, "There is no app 'calender'."),
    ],
)
def test_a_reference_that_cannot_be_played_is_a_flaw(call: dict[str, Any], words: str) -> None:
    session = spoilt(reference=reference(calls=[call]))
    found = list(flaws(replace(EPISODE, sessions=(session,)), financier.world()))

    assert next(each.text for each in found if each.rule == "reference").startswith(f"cannot be played: {words}")


def test_evidence_may_stand_on_a_page_of_the_web() -> None:
    there = {"at": f"web:{PAGE['address']}", "quote": QUOTE}

    assert told("evidence", spoilt(intents=intents(evidence=[there]))) == []


NOTES: dict[str, Any] = {"app": "simple_note", "table": "notes"}
DRAFT: dict[str, Any] = {**NOTES, "fields": {"title": "Draft for now"}}


def calls(**tools: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"app": "simple_note", "tool": tool, "arguments": given} for tool, given in tools.items()]


def ends(work: list[dict[str, Any]], check: dict[str, Any], **mutation: Any) -> bool:
    """Whether a check holds of the end that this work leaves, or what a mutation makes of it."""
    session = spoilt(reference=reference(calls=work), mutations=[{"breaks": "it", "fails": ["c1"], **mutation}])
    return holds(TypeAdapter[Any](Predicate).validate_python(check), AUDIT.end(session, session.mutations[0]))


def test_what_was_there_for_a_while_is_seen_by_an_audit() -> None:
    made = calls(create_note={"title": "Draft for now"})
    (id,) = [row["id"] for row in AUDIT.end(spoilt(reference=reference(calls=made))).rows("simple_note", "notes")
             if row["title"] == "Draft for now"]  # fmt: skip
    cleaned = [*made, *calls(delete_note={"note_id": id})]
    check = {"kind": "all", "of": [{"kind": "was", **DRAFT}, {"kind": "row", **DRAFT, "count": 0}]}

    assert ends(cleaned, check, says="It is done.")
    assert not ends(made, check, says="It is done.")
    assert not ends(cleaned, check, calls={0: None, 1: None})
    assert not ends(cleaned, check, rows={f"simple_note.notes.{id}": {"title": "Another"}})


def test_what_a_row_was_before_the_session_changed_it_is_seen_by_an_audit() -> None:
    first = financier.world().rows["simple_note"]["notes"][0]
    check = {"kind": "was", **NOTES, "fields": {"title": first["title"]}}

    assert ends(calls(update_note={"note_id": first["id"], "title": "Another"}), check, says="It is done.")


def test_what_one_play_changed_is_not_there_in_the_next() -> None:
    before, done, after = AUDIT.start(FIRST), AUDIT.end(FIRST), AUDIT.start(FIRST)
    written = {(each.app, each.table) for call in done.calls for each in call.writes}

    assert written
    assert all(done.tables[each] != before.tables[each] for each in written)
    assert (after.tables, after.texts) == (before.tables, before.texts)


def test_whether_work_was_looked_at_is_seen_by_an_audit() -> None:
    made = calls(create_note={"title": "Draft for now"})
    looked = calls(search_notes={"query": "Draft for now"})
    check = {"kind": "seen", **DRAFT, "shows": "title"}

    assert ends([*made, *looked], check, says="It is done.")
    assert not ends([*looked, *made], check, says="It is done.")


def test_every_rule_finds_something() -> None:
    assert {rule for rule, _, _ in SPOILT} == set(RULES)
