"""The contract tests tell an app that breaks a promise from one that keeps them all."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from harness.contracts import Contract, contracts, idle
from harness.contracts.ground import ContractBroken, Ground
from harness.contracts.world import invented, world_of
from servers.kernel import App, Layer, NotFound, Ref, Rejected, State, Table, bounded, bounds


class Visit(Table, name="visits"):
    day: date


Day = Annotated[date, Field(description="The day.")]
VisitId = Annotated[str, Ref(Visit), Field(description="Id of a visit, as `visit` returns it.")]
VisitIds = Annotated[
    list[Annotated[str, Ref(Visit)]], Field(min_length=1, max_length=2, description="Ids, as `visit` returns them.")
]


def visit(state: State, day: Day) -> Visit:
    """Enter a visit."""
    return state.add(Visit(day=day))


def show(state: State, visit_id: VisitId) -> Visit:
    """Show a visit."""
    return state.get(Visit, visit_id)


def week(state: State, day: Day) -> date:
    """Give the day a week later."""
    return day + timedelta(weeks=1)


def forgives(state: State, visit_id: VisitId) -> list[Visit]:
    """Show a visit if there is one."""
    return state.find(Visit, "id = ?", [visit_id])


def silent(state: State, day: date) -> date:
    """Give the day"""
    return day


COUNT = [0]


def counts(state: State) -> int:
    """Count the calls of this process."""
    COUNT[0] += 1
    return COUNT[0]


def enters(state: State) -> Visit:
    """Show today."""
    return state.add(Visit(day=state.now.date()))


def refuses(state: State) -> date:
    """Give today."""
    raise Rejected("Not today.")


def picky(state: State, visit_id: VisitId) -> date:
    """End a visit that is over."""
    found = state.get(Visit, visit_id)
    raise Rejected(f"Visit {found.id!r} is not over.")


def dates(state: State) -> str:
    """Give today."""
    return f"Today is {date.today()}."


def repeats(state: State, text: Annotated[str, Field(description="A name.")]) -> str:
    """Give a short name."""
    if len(text) > 9:
        raise Rejected(f"{text!r} is long.")
    return text


def limits(state: State, text: Annotated[str, Field(description="A name.")]) -> str:
    """Give a short name."""
    bounded(500, text=text)
    return text


def divides(state: State, share: Annotated[float, Field(description="A part of a whole.")]) -> float:
    """Give how often a part goes into the whole."""
    return min(1 / share, 1e9)


def hidden(
    state: State, visit_id: Annotated[str, Ref(Visit), Field(description="Id, as `elsewhere` returns it.")]
) -> Visit:
    """Show a visit."""
    return state.get(Visit, visit_id)


def forgets(state: State, visit_id: VisitId, day: Day) -> Visit:
    """Move a visit."""
    found = state.get(Visit, visit_id)
    found.day = day
    return found


def ends(state: State, visit_id: VisitId) -> date:
    """End a visit."""
    found = state.get(Visit, visit_id)
    state.delete(found)
    return found.day


def again(state: State, day: Day) -> Visit:
    """Enter a visit once more."""
    return state.add(Visit(day=day))


def shows(state: State, visit_ids: VisitIds) -> list[Visit]:
    """Show several visits."""
    return [state.get(Visit, id) for id in visit_ids]


def skips(state: State, visit_ids: VisitIds) -> list[Visit]:
    """Show those visits that there are."""
    if not (found := [visit for id in visit_ids for visit in state.find(Visit, "id = ?", [id])]):
        raise NotFound("visit", visit_ids[-1])
    return found


class Plan(BaseModel):
    """A plan, which may hold others."""

    day: date
    before: Plan | None = None
    parts: list[Plan] = []
    choice: Plan | str = ""


SEEN: list[Plan] = []


def plans(state: State, plan: Annotated[Plan, Field(description="What to do.")]) -> date:
    """Give the day of a plan."""
    SEEN.append(plan)
    return plan.day


class Tree(Table, name="trees"):
    plan: Plan | None


def keeping(promise: str, *tools: Any, **declared: Any) -> list[str]:
    """What is said against an app with these tools, of one promise; nothing if it is kept."""
    app = App("visits", "Keep visits.", tables=(Visit,))
    app.writes(visit)
    app.reads(show)
    for tool in tools:
        (app.writes(**declared) if declared else app.reads)(tool)
    found = []
    for contract in contracts(app):
        if contract.promise == promise:
            try:
                contract.check()
            except Exception as error:  # noqa: BLE001 (whatever escapes a tool breaks its contract)
                found.append(str(error))
    return found


@pytest.mark.parametrize(
    ("verb", "promise", "text"),
    [
        ("restore", "restoring a snapshot undoes what followed", "restoring a snapshot did not bring its rows back"),
        ("reset", "resetting leads back to the start", "a reset left something behind"),
    ],
)
def test_an_engine_that_does_not_go_back_is_found(
    verb: str, promise: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every app's promises are kept by the one engine; were they broken, this is who would notice."""
    monkeypatch.setattr(Layer, verb, lambda *_: None)

    (said,) = keeping(promise)

    assert text in said


def test_an_unpaired_surrogate_that_is_taken_within_a_list_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here too it is one function that refuses them for all tools."""

    def outermost(arguments: dict[str, Any]) -> str:
        return bounds.refused({name: value for name, value in arguments.items() if isinstance(value, str)})

    monkeypatch.setattr("servers.kernel.tool.refused", outermost)

    (said,) = keeping("an unpaired surrogate is refused wherever text goes", shows)

    assert said == "shows takes an unpaired surrogate as visit_ids[]"


def test_an_app_that_keeps_its_promises_hears_nothing() -> None:
    app = App("visits", "Keep visits.", tables=(Visit,))
    app.writes(visit)
    app.reads(show)

    for contract in contracts(app):
        contract.check()


@pytest.mark.parametrize("tool", [shows, plans], ids=lambda tool: tool.__name__)
def test_lists_of_ids_and_models_within_models_are_made_up(tool: Any) -> None:
    SEEN.clear()
    app = App("visits", "Keep visits.", tables=(Visit, Tree))
    app.writes(visit)
    app.reads(show)
    app.reads(tool)

    for contract in contracts(app):
        contract.check()
    inner = [part for plan in SEEN for part in (plan.before, *plan.parts) if part]
    assert bool(inner) == (tool is plans)
    assert not any(part.before or part.parts for part in inner)


def test_made_up_ids_of_a_list_are_of_rows_mostly() -> None:
    app = App("visits", "Keep visits.", tables=(Visit,))
    app.reads(shows)
    found = Ground(world_of([app])).succeeding(app.default.tool("shows"))["visit_ids"]

    assert 1 <= len(found) <= 2
    assert set(found) <= {"1", "2", "3", "4"}


def test_models_within_models_of_a_row_have_an_end() -> None:
    plans = [Tree.model_validate(row).plan for row in invented(Tree)]

    assert [plan is None for plan in plans] == [False, True, False, True]


@pytest.mark.parametrize(
    ("tool", "promise", "text"),
    [
        (week, "a call succeeds or fails on purpose", "OverflowError: date value out of range"),
        (forgives, "an unknown id is named in the error", "forgives takes visit_id='no-such-id'"),
        (skips, "an unknown id is named in the error", "'no-such-id']; let `state.get` raise NotFound"),
        (silent, "a tool says in one line what it does", "does not end with a full stop: 'Give the day'"),
        (silent, "every parameter is described and typed", "silent: day has no description"),
        (counts, "the same calls give the same answers and digest", "counts answers differently the second time"),
        (enters, "some generated call succeeds", "visits.enters is defective"),
        (refuses, "some generated call succeeds", "of the calls generated for refuses none succeeds: Not today."),
        (picky, "some generated call succeeds", "for picky none succeeds: Visit '1' is not over."),
        (
            repeats,
            "an error does not repeat a long text",
            "of text, 20,000 characters, an error repeats 20,011",
        ),
        (
            limits,
            "a limit of a text is told before it is met",
            "limits refuses text of more than 500 characters and does not say so",
        ),
        (divides, "an odd value is taken or refused on purpose", "divides is defective: ZeroDivisionError"),
        (dates, "the clock of the machine is not read", f"dates gives or writes {date.today()}, which is the machine"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_broken_promise_is_found_and_the_tool_named(tool: object, promise: str, text: str) -> None:
    (said,) = keeping(promise, tool)

    assert text in said


@pytest.mark.parametrize(
    ("tool", "declared", "promise", "text"),
    [
        (ends, "destructive", "only a tool called destructive leaves fewer rows", "ends removes visits: declare it"),
        (again, "idempotent", "a tool called idempotent changes nothing the second time", "again is called idempotent"),
    ],
)
def test_what_a_tool_is_declared_to_be_it_is(tool: object, declared: str, promise: str, text: str) -> None:
    truly = declared == "destructive"
    (said,) = keeping(promise, tool, **{declared: not truly})

    assert text in said
    assert keeping(promise, tool, **{declared: truly}) == []


def test_an_id_is_to_be_had_from_a_tool_of_the_same_toolset() -> None:
    app = App("visits", "Keep visits.", tables=(Visit,))
    app.reads(hidden)
    app.toolset("other").reads(name="elsewhere")(show)
    promise = "a parameter that takes an id names a tool that gives it"
    (contract, _) = [each for each in contracts(app) if each.promise == promise]

    with pytest.raises(ContractBroken, match="hidden: the description of visit_id names no `tool` that returns such"):
        contract.check()


def twice(*left_out: str) -> Contract:
    """That `show` says in both of its toolsets where ids come from, of which the second lacks some tools."""
    app = App("visits", "Keep visits.", tables=(Visit,))
    app.writes(visit)
    app.reads(show)
    more = app.toolset("more").tools
    more.update({name: tool for name, tool in app.default.tools.items() if name not in left_out})
    promise = "a parameter that takes an id names a tool that gives it"
    return next(each for each in contracts(app) if (each.promise, each.subject) == (promise, "visits.show"))


def test_a_tool_may_be_in_two_toolsets_that_both_have_the_tool_it_names() -> None:
    twice().check()


def test_a_tool_that_names_one_which_only_one_of_its_toolsets_has_is_found() -> None:
    with pytest.raises(ContractBroken, match="show: the description of visit_id names no `tool` that returns such"):
        twice("visit").check()


def test_a_tool_that_forgets_to_save_is_told_from_those_that_write() -> None:
    app = App("visits", "Keep visits.", tables=(Visit,))
    for tool in (visit, forgets, refuses):
        app.writes(tool)
    app.reads(show)

    assert idle(app) == ["forgets"]


def test_a_tool_of_two_toolsets_that_never_writes_is_told_once() -> None:
    app = App("visits", "Keep visits.", tables=(Visit,))
    app.writes(forgets)
    app.toolset("more").tools.update(app.default.tools)

    assert idle(app) == ["forgets"]


def test_rows_that_have_to_fit_together_lead_to_a_world_that_has_them() -> None:
    ground = Ground(world_of([(app := App("visits", "Keep visits.", tables=(Visit,)))]))
    app.reads(refuses)

    with pytest.raises(ContractBroken) as broken:
        ground.succeeding(app.default.tool("refuses"))

    assert "--world W, in a test contracts(app, world)" in broken.value.__notes__[0]
