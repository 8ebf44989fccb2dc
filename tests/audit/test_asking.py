"""Questions that the audit puts about withheld values, and what it makes of the answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio
import pytest

from harness.audit import Certificate, audit
from harness.audit.asking import MakesUser, Put, Slotted, Understood, findings, listen, withheld
from harness.suite import Suite
from harness.task import Brief, Segment, Session, Slot, Task
from servers.kernel import Answer, Part, Question
from tests.audit.toys import suite as toys
from tests.audit.toys import two_moves


def withholding(*slots: Slot, number: int = 0, **fields: Any) -> Task:
    """A task that says nothing of the slots, where the full request has them all."""
    full = f"Do job {number} with {', '.join(slot.text for slot in slots)}."
    brief = Brief(
        intent=full,
        sent=f"Do job {number}.",
        withheld=tuple(Segment(id=slot.name, slot=slot) for slot in slots),
    )
    requests = {"original": full, "underspecified": brief.sent}
    return two_moves(number).model_copy(
        update={
            "sessions": (Session(requests=requests, briefs={"underspecified": brief}),),
            "slots": slots,
            "withheld": {"underspecified": tuple(slot.name for slot in slots)},
            **fields,
        }
    )


class Hears:
    """Tells every withheld value of a brief where a question matches, in the given way."""

    def __init__(self, brief: Brief, pattern: str, kind: Any = "given") -> None:
        self._brief, self._pattern, self._kind = brief, pattern, kind

    async def answer(self, question: Question) -> Answer:
        if not re.search(self._pattern, question.text, re.IGNORECASE):
            return Answer(text="What?", parts=(Part(kind="not_understood"),))
        return Answer(text="!", parts=tuple(Part(kind=self._kind, target=each.id) for each in self._brief.withheld))


def hears(pattern: str, kind: str = "given") -> MakesUser:
    return lambda brief: Hears(brief, pattern, kind)


def everything(brief: Brief) -> Hears:
    """What is sent to worker processes."""
    return Hears(brief, "")


def suite(*tasks: Task) -> Suite:
    return replace(toys(*tasks), tasks=tasks)


def slotted(slot: Slot, *others: Slot) -> Slotted:
    """A slot of a suite in which other tasks have the other ones."""
    tasks = [withholding(each, number=n, template=f"t{n}") for n, each in enumerate((slot, *others))]
    return withheld(suite(*tasks), tasks)[0]


def texts(slot: Slot, *others: Slot) -> list[str]:
    return [put.text for put in slotted(slot, *others).questions]


def understood(user: MakesUser, slot: Slot, *others: Slot) -> Understood:
    (found,) = anyio.run(listen, [slotted(slot, *others)], user)
    return found


DUE = Slot(name="due", kind="due_date", text="March 3")
WHO = Slot(name="who", kind="person", role="assignee", text="Ines")
LIST = Slot(name="list", kind="list", role="new", text="Backlog")


def test_a_slot_is_asked_for_in_about_a_dozen_ways() -> None:
    for slot in (DUE, WHO, LIST, Slot(name="x", kind="", text="y")):
        asked = texts(slot, slot.model_copy(update={"text": "Other"}))

        assert 12 <= len(asked) == len(set(asked)) <= 14


def test_a_thing_is_called_by_its_role_or_else_its_kind() -> None:
    assert "What is the due date?" in texts(DUE)
    assert "Who is the assignee?" in texts(WHO)
    assert "What is the new list?" in texts(LIST)
    assert "What is the x?" in texts(Slot(name="x", kind="", text="y"))


@pytest.mark.parametrize(
    ("kind", "text", "question"),
    [
        ("person", "Ines", "Whom do you mean?"),
        ("start", "March 3", "On which day?"),
        ("start", "3 March 2025", "On which day?"),
        ("start", "2025-03-03", "On which day?"),
        ("start", "16:00", "At what time?"),
        ("qty", "two days", "How many days?"),
        ("qty", "30-minute", "How many minutes?"),
        ("qty", "6 weeks", "For how long?"),
        ("period", "6 weeks", "Over what time?"),
        ("limit", "5%", "How many percent?"),
        ("limit", "5 percent", "How much?"),
        ("limit", "12", "How many?"),
    ],
)
def test_everyday_words_go_by_the_form_of_the_value(kind: str, text: str, question: str) -> None:
    everyday = [put.text for put in slotted(Slot(name="x", kind=kind, text=text)).questions if not put.named]

    assert question in everyday
    assert len(everyday) == 3


def test_what_has_no_such_form_is_asked_for_by_name_alone() -> None:
    for text in ("Backlog", "next week", "two colours", "Front end", "March of the Penguins"):
        assert all(put.named for put in slotted(LIST.model_copy(update={"text": text})).questions)


def test_the_words_of_a_slot_are_everyday_words() -> None:
    found = slotted(LIST.model_copy(update={"asks": ("where to?", "which column")}))

    assert [put.text for put in found.questions if not put.named] == ["Where to?", "Which column?"]


def test_a_question_is_put_once_though_a_slot_has_the_same_words() -> None:
    asked = texts(DUE.model_copy(update={"asks": ("when", "by when")}))

    assert asked.count("When?") == asked.count("By when?") == 1


def test_a_wrong_value_is_one_of_the_same_kind_that_the_request_does_not_have() -> None:
    other = LIST.model_copy(update={"text": "Done"})

    wrong = [put.text for put in slotted(LIST, DUE, LIST, other).questions if put.has == "wrong"]
    assert wrong == ["I take it that the new list is Done. Is that right?"]
    assert not [put for put in slotted(LIST, DUE, LIST).questions if put.has == "wrong"]


@pytest.mark.parametrize(
    ("has", "kind", "heard"),
    [
        ("", "given", True),
        ("", "no_preference", False),
        ("", "not_understood", False),
        ("", "put_off", False),
        ("right", "confirmed", True),
        ("right", "given", True),
        ("right", "corrected", False),
        ("wrong", "corrected", True),
        ("wrong", "given", True),
        ("wrong", "confirmed", False),
    ],
)
def test_what_counts_as_heard(has: Any, kind: str, heard: bool) -> None:
    assert Put("Is it?", has=has).understood(kind) is heard


def test_a_part_about_another_slot_is_not_about_this_one() -> None:
    def elsewhere(brief: Brief) -> Hears:
        other = Segment(id="other", slot=LIST)
        return Hears(brief.model_copy(update={"withheld": (other,)}), "")

    assert understood(elsewhere, DUE).fails


def test_a_slot_that_is_heard_by_its_name_alone_is_not_heard() -> None:
    found = understood(hears("due date"), DUE)

    assert found.everyday_missed == ("When?", "On which day?", "Which date?")
    assert 2 * len(found.missed) < found.questions
    assert found.fails


def test_one_everyday_question_and_half_of_all_are_enough() -> None:
    assert not understood(hears("due date|which day"), DUE).fails
    assert understood(hears("which day"), DUE).fails


def test_a_slot_that_is_not_heard_is_named_with_figures_questions_and_remedy() -> None:
    (found,) = findings([understood(hears("due date"), DUE)])

    assert (found.task, found.check, found.level) == ("toy-0", "asking", "problem")
    assert found.text == (
        "due (due_date): the user hears 8 of 11 questions, of those in everyday words 0 of 3, "
        'not "When?" nor "On which day?"; '
        "give the slot words that ask for it (Slot.asks), or a plainer kind or role"
    )


def test_a_slot_is_asked_for_once_a_template_over_its_first_task() -> None:
    tasks = [
        withholding(DUE, number=0, template="a"),
        withholding(DUE, WHO, number=1, template="a"),
        withholding(DUE, number=2, template="b"),
        withholding(DUE, number=3, template=""),
    ]

    found = withheld(suite(*tasks), tasks)
    assert [(each.task, each.template, each.segment.id) for each in found] == [
        ("toy-0", "a", "due"),
        ("toy-1", "a", "who"),
        ("toy-2", "b", "due"),
        ("toy-3", "toy-3", "due"),
    ]


def audited(user: MakesUser | None, *tasks: Task, **options: Any) -> Certificate:
    return audit(suite(*tasks), user=user, **options)


def test_what_cannot_be_asked_for_fails_the_audit() -> None:
    found = audited(hears("due date"), withholding(DUE))

    assert [fault.task for fault in found.faults] == ["toy-0"]
    assert [each.check for each in found.found if each.level == "problem"] == ["asking"]


def test_a_task_may_declare_that_its_values_cannot_be_asked_for() -> None:
    why = "the user is not to know"
    found = audited(hears("due date"), withholding(DUE, facts={"audit": {"asking": why}}))

    assert found.sound
    assert [each["reason"] for each in found.as_json()["declared"]] == [why]


def test_the_certificate_has_every_slot_and_the_tables_every_kind_and_role() -> None:
    found = audited(hears("due|assignee|list"), withholding(DUE, WHO), withholding(LIST, number=1))

    slots = found.as_json()["slots"]
    (table,) = (table for table in found.tables() if table.title == "Audit: what can be asked for")
    assert [(each["slot"], each["questions"], len(each["missed"])) for each in slots] == [
        ("due", 11, 3), ("who", 11, 3), ("list", 10, 0),
    ]  # fmt: skip
    assert [(row["kind"], row["role"], row["not heard"]) for row in table.rows] == [
        ("due_date", "", 1), ("list", "new", 0), ("person", "assignee", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("user", "task"), [(None, withholding(DUE)), (hears(""), two_moves())], ids=["nobody asked", "nothing withheld"]
)
def test_without_a_user_or_withheld_values_nothing_is_said_of_asking(user: MakesUser | None, task: Task) -> None:
    found = audited(user, task)

    assert found.sound
    assert found.as_json()["slots"] == []
    assert "Audit: what can be asked for" not in {table.title for table in found.tables()}


def asking(name: str) -> Suite:
    """What worker processes call."""
    return suite(*(withholding(DUE, WHO, LIST, number=n, template=f"t{n}") for n in range(3)))


@pytest.mark.slow
def test_any_number_of_workers_hears_the_same() -> None:
    alone = audit(asking(""), user=everything).as_json()

    assert audit(asking(""), workers=2, loader="tests.audit.test_asking:asking", user=everything).as_json() == alone


def test_each_question_has_a_user_of_its_own() -> None:
    made: list[Brief] = []

    def counted(make: MakesUser) -> Callable[[Brief], Any]:
        def user(brief: Brief) -> Any:
            made.append(brief)
            return make(brief)

        return user

    found = understood(counted(hears("")), DUE)

    assert len(made) == found.questions
    assert {brief.sent for brief in made} == {"Do job 0."}
