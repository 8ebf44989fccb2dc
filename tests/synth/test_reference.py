from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.workbench.synth.world import make_world
from harness.agents.instruments import OracleAgent
from harness.agents.reference import ReferenceAgent, SlotView, Worker, question
from harness.suite import Program, Suite
from harness.task import Call, Session, Task
from tests.synth.desk import Office, scored


@pytest.fixture(scope="module")
def small() -> Office:
    return Office(make_world(1))


def lacking(task: Task, *names: str) -> Task:
    return task.model_copy(update={"withheld": {"underspecified": names}})


def reference(suite: Suite, task: Task, **dials: Any) -> ReferenceAgent:
    dials = {"explore": 0.0, "ask": 0.0, "guess": 0.0, **dials}
    return ReferenceAgent(suite.programs[task.template], SlotView.of(task, "underspecified"), **dials)


def first(suite: Suite, template: str) -> Task:
    return next(task for task in suite.tasks if task.template == template and task.solution)


def teller(task: Task) -> Any:
    """A user who answers every question with the slot that it names."""
    said = {question(SlotView(slot.name, slot.kind, slot.role)): f'It is "{slot.text}".' for slot in task.slots}
    return said.__getitem__


def test_a_withheld_value_is_not_in_the_agent_s_view(suite: Suite) -> None:
    task = lacking(first(suite, "reply-latest"), "body")
    view = SlotView.of(task, "underspecified")

    assert view["body"] == SlotView("body", "body")
    assert view["sender"].value == next(slot.value for slot in task.slots if slot.name == "sender")
    assert all(slot.known for slot in SlotView.of(task, "original").values())


def test_an_agent_told_everything_it_asks_for_does_every_task_right(suite: Suite, office: Office) -> None:
    for task in suite.tasks:
        short = lacking(task, *(slot.name for slot in task.slots))
        desk, said, changes = office.play(reference(suite, short, ask=1.0), user=teller(task))
        assert (said, scored(task, changes).value) == ("Done.", 1.0), task.id
        assert len(desk.asked) == len(set(desk.asked)) <= len(task.slots)


def test_an_agent_that_may_not_ask_gives_up_and_says_what_it_lacks(suite: Suite, office: Office) -> None:
    task = lacking(first(suite, "forward-thread"), "recipient")
    _, said, changes = office.play(reference(suite, task, ask=1.0))

    assert said == "I stopped before the end. I do not know the recipient that you have in mind."
    assert changes == []


def test_a_deferral_leaves_the_agent_to_guess_or_give_up(suite: Suite, office: Office) -> None:
    task = lacking(first(suite, "reply-latest"), "body")

    def defer(_: str) -> str:
        return "Please use your best judgment."

    desk, said, changes = office.play(reference(suite, task, ask=1.0), user=defer)
    assert (len(desk.asked), said.startswith("I stopped"), changes) == (1, True, [])
    _, said, changes = office.play(reference(suite, task, ask=1.0, guess=1.0), user=defer)
    assert (said, len(changes)) == ("Done.", 1)


def test_a_slot_that_can_be_explored_is_not_asked_for(suite: Suite, office: Office) -> None:
    task = lacking(first(suite, "add-task"), "board")
    desk, said, changes = office.play(reference(suite, task, explore=1.0, ask=1.0), user=teller(task))

    assert (said, desk.asked, len(changes)) == ("Done.", [], 1)


def test_exploring_that_needs_another_withheld_value_asks_for_that(suite: Suite, office: Office) -> None:
    task = lacking(first(suite, "add-task"), "board", "assignee")
    desk, said, _ = office.play(reference(suite, task, explore=1.0, ask=1.0), user=teller(task))

    assert (said, desk.asked) == ("Done.", ["Who is the assignee?"])


def test_every_kind_of_slot_can_be_guessed(suite: Suite, office: Office) -> None:
    for task in (first(suite, name) for name in suite.programs):
        for slot in task.slots:
            _, said, _ = office.play(reference(suite, lacking(task, slot.name), guess=1.0))
            assert "I do not know" not in said, (task.template, slot.name)


def test_same_seed_same_play_and_other_seeds_differ(suite: Suite, office: Office) -> None:
    task = lacking(first(suite, "reply-latest"), "sender")

    def calls(seed: int) -> list[str]:
        return office.play(reference(suite, task, explore=0.5, guess=0.5), seed=seed)[0].calls

    assert calls(3) == calls(3)
    assert len({tuple(calls(seed)) for seed in range(12)}) > 1


def test_a_dial_is_the_probability_of_its_way(small: Office) -> None:
    async def program(worker: Worker) -> None:
        await worker.slot("title")

    asked = 0
    for seed in range(200):
        player = ReferenceAgent(program, {"title": SlotView("title", "title")}, ask=0.7)
        asked += len(small.play(player, user=lambda _: 'The title is "Tea".', seed=seed)[0].asked)

    assert 120 < asked < 160


def test_what_is_withheld_changes_nothing_until_the_user_answers(suite: Suite, office: Office) -> None:
    """Non-interference: two tasks that differ in a withheld value alone are played the same."""
    task = first(suite, "add-task")
    plays = []
    for board in ("Back end", "Design"):
        slots = tuple(
            slot.model_copy(update={"value": board, "text": board}) if slot.name == "board" else slot
            for slot in task.slots
        )
        twin = lacking(task.model_copy(update={"slots": slots}), "board")
        desk, said, changes = office.play(reference(suite, twin, explore=1.0, ask=1.0, guess=1.0))
        plays.append((desk.calls, said, changes))

    assert plays[0] == plays[1]


def agent(program: Program, slots: Mapping[str, SlotView] | None = None) -> ReferenceAgent:
    return ReferenceAgent(program, slots or {})


def test_a_refused_call_ends_the_turn_with_the_tool_s_words(small: Office) -> None:
    async def program(worker: Worker) -> None:
        await worker.call("gmail", "delete_email", email_id="99999999")

    _, said, changes = small.play(agent(program))
    assert said.startswith("I stopped before the end, because a tool refused: gmail_delete_email:")
    assert "99999999" in said
    assert changes == []


def test_a_value_that_depends_on_itself_is_given_up_not_looped_on(small: Office) -> None:
    async def itself(worker: Worker) -> Any:
        return await worker.slot("title", explore=itself)

    async def program(worker: Worker) -> None:
        await worker.slot("title", explore=itself)

    _, said, _ = small.play(agent(program, {"title": SlotView("title", "title")}))
    assert said == "I stopped before the end. I do not know the title that you have in mind."


def test_a_program_is_played_once_a_session(suite: Suite, office: Office) -> None:
    task = first(suite, "add-task")
    player = ReferenceAgent(suite.programs[task.template], SlotView.of(task, "original"))

    office.play(player)
    _, said, changes = office.play(player)
    assert (said, changes) == ("I have nothing to add.", [])


def test_the_oracle_fills_in_ids_that_earlier_calls_made(small: Office) -> None:
    book = {"event_name": "Tea", "participant_email": "a@b.example", "event_start": "2025-03-14 10:00:00"}
    solution = (
        Call(app="calendar", tool="create_event", arguments={**book, "duration": "30"}, bind="tea"),
        Call(
            app="calendar",
            tool="update_event",
            arguments={"event_id": {"ref": "tea"}, "field": "event_name", "new_value": "Coffee"},
        ),
    )
    _, said, changes = small.play(
        OracleAgent(Task(id="t", world="w", apps=(), sessions=(Session(),), solution=solution))
    )

    assert said == "Done."
    assert [change.fields["event_name"] for change in changes] == ["Coffee"]


def test_an_oracle_whose_call_is_refused_stops_and_says_so(small: Office) -> None:
    solution = (Call(app="gmail", tool="delete_email", arguments={"email_id": "99999999"}),)

    assert small.play(OracleAgent(Task(id="t", world="w", apps=(), sessions=(Session(),), solution=solution)))[
        1
    ].startswith("Reference call 1 of 1 was refused")


def test_an_oracle_whose_call_gives_no_id_to_bind_says_so(small: Office) -> None:
    solution = (Call(app="gmail", tool="search_emails", arguments={"query": "lunch"}, bind="mail"),)

    with pytest.raises(ValueError, match="gmail_search_emails returned no id to bind as 'mail'"):
        small.play(OracleAgent(Task(id="t", world="w", apps=(), sessions=(Session(),), solution=solution)))
