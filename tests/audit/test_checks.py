from __future__ import annotations

import pytest
from pydantic import ValidationError

from harness.audit.checks import examine
from harness.audit.workplace import Workplaces
from harness.task import Brief, Compare, Expected, Segment, Session, Slot, Task
from tests.audit.toys import create, inserted, made, nothing, suite, update, updated
from tests.harness import toy


def problems(*tasks: Task) -> list[tuple[str, str]]:
    whole = suite(*tasks)
    return [(found.task, found.text) for found in examine(whole, whole.tasks, Workplaces(whole))]


def asked(task: Task, **requests: str) -> Task:
    """With these requests, and a brief for each that withholds something."""
    withheld = tuple(Segment(id=slot.name, slot=slot) for slot in task.slots)
    briefs = {
        name: Brief(intent=requests["original"], sent=requests[name], withheld=withheld) for name in task.withheld
    }
    return task.model_copy(update={"sessions": (Session(requests=requests, briefs=briefs),)})


def test_a_sound_suite_has_no_findings() -> None:
    assert problems(*toy.suite().tasks) == []


def test_two_tasks_with_the_same_words_are_found() -> None:
    first, second = asked(toy.task(1), original="Move  it."), asked(toy.task(2), original="move it.")

    assert problems(first, second) == [("toy-2", "it has the same prompts as toy-1")]


def test_a_full_request_with_two_meanings_is_found() -> None:
    first = asked(toy.task(1), original="Move it.", underspecified="Move.")
    second = asked(toy.task(2), original="Move it.", underspecified="Go.")

    assert problems(first, second) == [("toy-2", "its prompt 'original' is that of toy-1, which has other ends")]


def test_variants_of_one_task_may_share_its_full_request() -> None:
    first = asked(toy.task(1), original="Move it.", underspecified="Move.")
    second = asked(toy.task(1).model_copy(update={"id": "toy-x"}), original="Move it.", underspecified="Go.")

    assert problems(first, second) == []


def test_a_short_request_may_stand_for_several_where_it_withholds_something() -> None:
    first, second = (
        asked(toy.task(n, ask=True), original=toy.task(n).sessions[0].requests["original"], underspecified="Move it.")
        for n in (1, 2)
    )

    assert problems(first, second) == []


def test_the_same_words_in_another_world_are_another_task() -> None:
    first, second = asked(nothing(1), original="Wait."), asked(nothing(2), original="Wait.")

    assert problems(first, second.model_copy(update={"world": "elsewhere"})) == []


def test_an_id_that_no_row_has_is_found_in_prompt_solution_and_end() -> None:
    task = asked(
        made(0, [update("00000077", "board", "Design")], updated("00000078", board="Design")),
        original="Move job 00000079 to Design, not 00000003, by 2025 or in 12345 days.",
    )

    assert problems(task) == [
        ("toy-0", "call 1: task_id '00000077' is not the id of a task there at the start"),
        ("toy-0", "an accepted end has update projects.tasks 00000078, and no such row is there"),
        ("toy-0", "its prompt names '00000079', which is the id of no row there"),
    ]


def test_a_row_of_the_setup_is_there() -> None:
    row = {"task_name": "New", "due_date": "2025-03-20", **toy.BOARD}
    edit = {"op": "add", "app": "projects", "table": "tasks", "id": "00000077", "values": row}
    task = made(0, [update("00000077", "board", "Front end")], updated("00000077", board="Front end"))

    assert problems(Task.model_validate({**task.model_dump(), "setup": [edit]})) == []


def test_a_name_that_nothing_binds_is_found() -> None:
    call = update("", "board", "Design")
    call = call.model_copy(update={"arguments": {**call.arguments, "task_id": {"ref": "new"}}})

    assert problems(made(0, [call])) == [("toy-0", "call 1: 'new' is bound by no call before it")]


def test_a_text_that_the_request_does_not_give_is_noted() -> None:
    task = made(0, [create("Paint the fence"), create("Job 5")], inserted("Paint the fence"), inserted("Job 5"))

    assert problems(asked(task, original='Make "paint the  FENCE" and another job 5.')) == []
    assert problems(asked(task, original="Make two jobs.")) == [
        ("toy-0", "call 1: task_name 'Paint the fence' stands in no prompt and in no row")
    ]


@pytest.mark.parametrize("text", ["ines", "Ines", "example.test", "ines@example"])
def test_a_text_that_is_part_of_an_address_there_is_not_noted(text: str) -> None:
    assert problems(asked(made(0, [create(text)], inserted(text)), original="Make a job.")) == []


@pytest.mark.parametrize("text", ["ine", "example.tes", "ines.m"])
def test_a_text_that_is_part_of_a_word_of_an_address_is_noted(text: str) -> None:
    assert problems(asked(made(0, [create(text)], inserted(text)), original="Make a job.")) == [
        ("toy-0", f"call 1: task_name {text!r} stands in no prompt and in no row")
    ]


def withheld(**fields: object) -> Task:
    """A task that withholds its list in `underspecified`, with other fields of its slot, its brief or itself."""
    task = toy.task(1, ask=True)
    slot = task.slots[0].model_copy(update={k: v for k, v in fields.items() if k in Slot.model_fields})
    brief = task.sessions[0].briefs["underspecified"]
    brief = brief.model_copy(update={"withheld": (Segment(id="list", slot=slot),)})
    brief = brief.model_copy(update={k: v for k, v in fields.items() if k in Brief.model_fields and k != "withheld"})
    session = task.sessions[0].model_copy(update={"briefs": {"underspecified": brief}})
    whole = {k: v for k, v in fields.items() if k in Task.model_fields}
    return task.model_copy(update={"slots": (slot,), "sessions": (session,), **whole})


BRIEF = "sessions.0.briefs.underspecified"


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (withheld(text="Done"), "slots.0.text: 'Done' (list) does not stand word for word in the request 'original'"),
        (withheld(withheld={"underspecified": ("lst",)}), "no slot is named 'lst'. Did you mean 'list'? There is list"),
        (withheld(withheld={"short": ("list",)}), "withheld.short: no request is named 'short'."),
        (withheld(withheld={}), f"{BRIEF}.withheld: it has 'list', which withheld.underspecified does not name"),
        (withheld(sent="Move it."), f"{BRIEF}.sent: it is not the request 'underspecified'; repeat that word for word"),
        (withheld(intent="Move job 1 to In Review!"), f"{BRIEF}.intent: it is not the request 'original'"),
        (withheld(text="job 1"), f"{BRIEF}.withheld.0: 'job 1' (list) is withheld and still stands in `sent`"),
    ],
)
def test_what_a_task_withholds_agrees_with_its_requests_and_briefs(task: Task, said: str) -> None:
    assert problems(withheld()) == []
    assert any(said in text for _, text in problems(task))


def test_a_task_that_withholds_and_tells_nobody_is_found() -> None:
    task = withheld()
    silent = task.model_copy(update={"sessions": (task.sessions[0].model_copy(update={"briefs": {}}),)})

    assert problems(silent) == [("toy-1", f"{BRIEF}: there is none, so nobody could tell what is withheld: 'list'")]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (updated("00000003", duedate="2025-03-20"), "values.duedate: projects.tasks has no such column. Did you mean"),
        (
            updated("00000003").model_copy(update={"values": {"board": 3}}),
            "values.board: no row can have 3 there: Input should be a valid string",
        ),
        (
            inserted("New").model_copy(update={"table": "task"}),
            "table: projects has no table 'task'. Did you mean 'tasks'?",
        ),
        (
            inserted("New").model_copy(update={"app": "crm"}),
            "app: the task does not open the app 'crm'. There is projects",
        ),
    ],
)
def test_an_end_that_no_row_can_meet_is_found(change: Expected, said: str) -> None:
    assert any(text.startswith(f"ends.0.changes.0.{said}") for _, text in problems(made(0, [], change)))


@pytest.mark.parametrize(
    ("compare", "said"),
    [
        (
            Compare(free=frozenset({"projects.tasks.due_dat"})),
            "compare.free: projects.tasks.due_dat: projects.tasks has no such column. Did you mean 'due_date'",
        ),
        (
            Compare(text=frozenset({"projects.task.board"})),
            "compare.text: projects.task.board: projects has no table 'task'. Did you mean 'tasks'?",
        ),
        (
            Compare(text=frozenset({"project.tasks.board"})),
            "compare.text: project.tasks.board: there is no app 'project'. Did you mean 'projects'?",
        ),
    ],
)
def test_a_name_to_be_compared_otherwise_that_is_no_field_is_found(compare: Compare, said: str) -> None:
    ((_, text),) = problems(made(0, [], updated("00000003", board="Sales"), compare=compare))

    assert text.startswith(said)


def test_tasks_may_share_names_of_fields_of_apps_that_not_all_open() -> None:
    shared = Compare(free=frozenset({"crm.customers.notes", "projects.tasks.board"}))

    assert problems(made(0, [], updated("00000003", list_name="In Review"), compare=shared)) == []


@pytest.mark.parametrize("name", ["nonsense", "projects.tasks", "projects.tasks.board.name", "projects..board"])
def test_a_name_to_be_compared_otherwise_that_names_no_field_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match=f"free\n.*'{name}' names no field: write app.table.field"):
        Compare(free=frozenset({name}))
