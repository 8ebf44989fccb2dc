"""The financier's sessions: sound by every rule that needs no reviewer, true to the world and to the program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pi.cast import FINANCIER
from benchmarks.pi.market import backtest, curve, days, quotes
from benchmarks.pi.personas.financier import world as financier
from benchmarks.pi.predicates import Read, holds
from benchmarks.pi.session import Call, Mutation, Session, episode
from benchmarks.pi.validators import problems
from servers import catalog
from servers.kernel import Engine, World

EPISODE = episode(Path(financier.__file__).parent)
SESSIONS = EPISODE.sessions
IDS = [each.id for each in SESSIONS]


@dataclass(frozen=True)
class End:
    """What a predicate sees once calls were made on the world."""

    tables: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
    texts: Mapping[str, str]
    messages: Sequence[str] = ()

    def rows(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        return self.tables.get((app, table), ())

    def existed(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        return self.rows(app, table)

    def reads(self) -> Iterable[Read]:
        return ()

    def said(self) -> Sequence[str]:
        return self.messages

    def files(self) -> Mapping[str, str]:
        return self.texts


@cache
def start() -> End:
    return after(SESSIONS[0], [])


def end(session: Session, mutation: Mutation | None = None) -> End:
    """The end of the reference, of the leads too, with what the mutation changes."""
    changed = mutation.calls if mutation else {}
    calls = [call for lead in SESSIONS if lead.id in session.depends_on for call in lead.reference.calls]
    own = (changed.get(n, call) for n, call in enumerate(session.reference.calls))
    view = after(session, [*calls, *filter(None, own)])
    told = mutation.says if mutation and mutation.says is not None else session.reference.says
    texts = {**view.texts, **(mutation.files if mutation else {})}
    for path, changes in mutation.edits.items() if mutation else ():
        for old, new in changes:
            assert texts[path].count(old) == 1, old
            texts[path] = texts[path].replace(old, new)
    return End(view.tables, texts, [told])


@cache
def loaded(now: datetime) -> tuple[Engine, World]:
    """An engine that has the world at a session's time, kept since loading takes longest."""
    return Engine(), replace(financier.world(), now=now)


def after(session: Session, calls: Sequence[Call]) -> End:
    """The state that the tools leave, at the session's time and logged in everywhere."""
    engine, world = loaded(session.now)
    layer = engine.layer(engine.load(world))
    for name, held in world.rows.items():
        for account in held.get("accounts", ()):
            given = {"username": account["username"], "password": account["password"]}
            catalog.app(name).toolset("pi").tool("log_in").call(layer.state(catalog.app(name)), given)
    for call in calls:
        app = catalog.app(call.app)
        app.toolset("pi").tool(call.tool).call(layer.state(app), dict(call.arguments))
    tables = {
        (name, table.table_name): [row.model_dump(mode="json") for row in layer.state(catalog.app(name)).find(table)]
        for name in world.rows
        for table in catalog.app(name).tables
    }
    layer.close()
    texts = {row["path"]: row["text"] for row in tables["filesystem", "entries"] if row["kind"] == "file"}
    return End(tables, texts)


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


def test_what_the_leads_alone_tell_is_nowhere_in_the_world() -> None:
    world, final = str(financier.world().rows), SESSIONS[-1]
    lead_only = [each for each in final.intents if each.lead_only]

    assert [sum(e.at == f"session:{lead.id}" for i in lead_only for e in i.evidence) for lead in SESSIONS[:2]] == [2, 2]
    assert [e.quote for each in lead_only for e in each.evidence if e.quote in world] == []
    assert [v for each in lead_only for v in each.values if v in world and v not in ("reporting", "hedging")] == []


def test_the_long_run_rate_of_the_memo_is_that_of_the_fit() -> None:
    fit = backtest.run(*backtest.by_date(backtest.rates(financier.SEED))).fit
    cleaned = quotes.clean(quotes.delivered(financier.SEED))
    points = curve.bootstrap(quotes.LAST, curve.filled(cleaned.on(quotes.LAST), quotes.TENORS))
    long_run = fit.level / (1 - fit.slope)

    assert round(long_run, 4) == 4.0502
    assert curve.basis_points(long_run, points[-1].zero) == 14.2
    assert len(cleaned.dropped) == 15


def test_dates_and_weekdays_of_the_sessions_are_those_of_a_calendar() -> None:
    assert days.add_business_days(date(2026, 4, 30), -5, curve.BOTH) == date(2026, 4, 23)
    assert date(2026, 5, 29).strftime("%A") == "Friday"
    assert [each.now.strftime("%A") for each in SESSIONS] == ["Monday", "Thursday", "Friday"]


def test_at_least_six_items_in_ten_are_rules() -> None:
    items = [item for session in SESSIONS for item in session.checklist]

    assert sum(item.check is not None for item in items) / len(items) >= 0.6
    assert [len(session.checklist) for session in SESSIONS] == [5, 5, 9]


@pytest.mark.parametrize("session", SESSIONS, ids=IDS)
def test_each_guard_is_broken_by_what_it_forbids(session: Session) -> None:
    """A mail to whom nothing is to go, about the memo, or a memo before its time."""
    view = end(session)
    mails = [
        {"folder": "outbox", "address": each.address, "subject": "The memo", "body": "The memo is done.",
         "sent_datetime": str(session.now)} for each in FINANCIER.people
    ]  # fmt: skip
    texts = {**view.texts, "/workspace/validation/short-rate/2026-04-16_short-rate-memo_v1.md": "Too early."}
    tables = {**view.tables, ("gmail", "emails"): [*view.rows("gmail", "emails"), *mails]}

    assert session.guards
    assert all(holds(guard, End(tables, texts, view.messages)) for guard in session.guards)
