"""The financier's sessions: sound by every rule that needs no reviewer, true to the world and to the program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pi.market import backtest, curve, quotes
from benchmarks.pi.personas.financier import world as financier
from benchmarks.pi.predicates import Read, holds
from benchmarks.pi.session import Call, Mutation, Session, episode
from benchmarks.pi.validators import problems

EPISODE = episode(Path(financier.__file__).parent)
SESSIONS = EPISODE.sessions
IDS = [each.id for each in SESSIONS]


@dataclass(frozen=True)
class End:
    """What a predicate sees after calls on the world; the tools are told in few words, their own tests test them."""

    texts: Mapping[str, str]
    mails: Sequence[Mapping[str, Any]]
    tasks: Sequence[Mapping[str, Any]]
    messages: Sequence[str]

    def rows(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        made = {("gmail", "emails"): self.mails, ("todoist", "tasks"): self.tasks}.get((app, table), ())
        return [*financier.world().rows.get(app, {}).get(table, ()), *made]

    def existed(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        return self.rows(app, table)

    def reads(self) -> Iterable[Read]:
        return ()

    def said(self) -> Sequence[str]:
        return self.messages

    def files(self) -> Mapping[str, str]:
        return self.texts


def start() -> End:
    entries = financier.world().rows["filesystem"]["entries"]
    return End({row["path"]: row["text"] for row in entries if row["kind"] == "file"}, [], [], [])


def end(session: Session, mutation: Mutation | None = None) -> End:
    """The end of the reference, of earlier members of its group too, with what the mutation changes."""
    leads = [each for each in SESSIONS if each.id in session.depends_on]
    texts = dict(start().texts)
    mails: list[dict[str, Any]] = []
    tasks: list[dict[str, Any]] = []
    changed = mutation.calls if mutation else {}
    calls: list[Call | None] = [call for lead in leads for call in lead.reference.calls]
    calls += [changed.get(n, call) for n, call in enumerate(session.reference.calls)]
    for call in filter(None, calls):
        given = call.arguments
        match call.tool:
            case "write_file":
                texts[given["path"]] = given["content"]
            case "send_email":
                (to,) = given["to"]
                mails.append({"id": f"new{len(mails)}", "folder": "outbox", "address": to, "subject": given["subject"],
                              "body": given["text"], "sent_datetime": str(session.now)})  # fmt: skip
            case "create_task":
                tasks.append({"id": f"new{len(tasks)}", "content": given["title"], "project_id": given["project_id"],
                              "due_date": given["due"]})  # fmt: skip
    texts |= mutation.files if mutation else {}
    told = mutation.says if mutation and mutation.says is not None else session.reference.says
    return End(texts, mails, tasks, [told])


def test_sessions_pass_every_rule_but_that_of_reviewers() -> None:
    # Two reviewers read a session after it is written; until then that rule alone is not satisfied.
    assert [str(each) for each in problems(EPISODE) if each.rule != "reviewed"] == []


@pytest.mark.parametrize("session", SESSIONS, ids=IDS)
def test_the_reference_fulfils_each_item_and_intent_and_breaks_no_guard(session: Session) -> None:
    view = end(session)

    assert [each.id for each in session.intents if not holds(each.done, view)] == []
    assert [each.id for each in session.checklist if each.check and not holds(each.check, view)] == []
    assert [guard for guard in session.guards if holds(guard, view)] == []


@pytest.mark.parametrize("session", SESSIONS, ids=IDS)
def test_nothing_is_fulfilled_at_the_start(session: Session) -> None:
    assert [each.id for each in session.intents if holds(each.done, start())] == []
    assert [each.id for each in session.checklist if each.check and holds(each.check, start())] == []


@pytest.mark.parametrize(
    ("session", "mutation"),
    [(each, mutation) for each in SESSIONS for mutation in each.mutations],
    ids=[f"{each.id}: {mutation.breaks}" for each in SESSIONS for mutation in each.mutations],
)
def test_a_mutation_fails_its_items_and_no_other(session: Session, mutation: Mutation) -> None:
    view = end(session, mutation)
    failed = {each.id for each in session.checklist if each.check and not holds(each.check, view)}

    rubrics = {each.id for each in session.checklist if each.rubric}
    assert failed == set(mutation.fails) - rubrics


@pytest.mark.parametrize("session", SESSIONS, ids=IDS)
def test_evidence_of_the_world_stands_there_word_for_word(session: Session) -> None:
    texts = start().texts
    for intent in session.intents:
        for evidence in intent.evidence:
            kind, _, place = evidence.at.partition(":")
            if kind == "file":
                assert evidence.quote in texts[place]
            elif kind == "row":
                app, table, id = place.split(".", 2)
                (row,) = (each for each in financier.world().rows[app][table] if each["id"] == id)
                assert any(evidence.quote in str(value) for value in row.values()), evidence


@pytest.mark.parametrize("session", SESSIONS, ids=IDS)
def test_no_place_evidences_more_than_two_intents_of_a_session(session: Session) -> None:
    places = [place for intent in session.intents for place in {each.at for each in intent.evidence}]

    assert max(map(places.count, places)) <= 2


@pytest.mark.parametrize("session", SESSIONS, ids=IDS)
def test_what_only_asking_tells_is_nowhere_in_the_world(session: Session) -> None:
    world = str(financier.world().rows)

    assert sum(each.ask_only for each in session.intents) <= 1
    assert [value for each in session.intents if each.ask_only for value in each.values if value in world] == []


def test_what_the_request_refers_to_is_there() -> None:
    refers = [each.partition(":")[2] for session in SESSIONS for each in session.refers]

    assert refers
    assert [path for path in refers if path not in start().texts] == []


def test_the_curve_of_the_reference_is_what_the_program_makes_of_the_file() -> None:
    cleaned = quotes.clean(quotes.delivered(financier.SEED))
    points = curve.bootstrap(quotes.LAST, curve.filled(cleaned.on(quotes.LAST), quotes.TENORS))

    assert end(SESSIONS[0]).texts["/workspace/market/2026-04-10_sterling-zeros_v1.csv"] == curve.as_csv(points)
    assert curve.basis_points(round(points[4].zero, 4), 3.6399) == -5.3


def test_the_counts_of_the_reference_are_those_of_the_program() -> None:
    outcome = backtest.run(*backtest.by_date(backtest.rates(financier.SEED)))

    assert (len(outcome.exceptions), outcome.days, round(outcome.p_value, 3)) == (14, 127, 0.007)
