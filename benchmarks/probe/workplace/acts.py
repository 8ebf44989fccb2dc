"""How each kind of action is done in mail, calendar, task list and files, and how to tell from a change which it was.

Every act has a heading, `Approval 2: THING, REFERENCE`: the subject of a mail, the title of an event or a task, the
first line of a file. Its first words are the act's sign. Whom it is for is said by the recipients of a mail and the
guests of an event, and stands third in the heading of a task or a file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal, NamedTuple

from benchmarks.probe.reference import Open
from harness.task import Call

__all__ = (
    "FINDINGS", "HOW", "PLACES", "SHARED", "WAYS", "Heading", "Place", "Wanted", "Way", "call", "category_of",
    "heading", "listed", "offered", "signs",
)  # fmt: skip

Place = Literal["mail", "event", "task", "file"]

HOW = "/workspace/actions.md"
"""What can be done and how, as the person has it written down."""
FINDINGS = "/workspace/bottleneck.json"
"""The form that the bottleneck and the evidence are told in."""
SHARED = "/workspace/Shared"
"""Where a file lies that others are to have."""


class Way(NamedTuple):
    """How actions of a category are done: with what, and the word that signs begin with."""

    place: Place
    word: str


WAYS: Mapping[str, Way] = {
    "send_email": Way("mail", "Note"),
    "reply_email": Way("mail", "Answer"),
    "send_slack_message": Way("mail", "Nudge"),
    "request_access": Way("mail", "Access"),
    "request_approval": Way("mail", "Approval"),
    "provide_feedback": Way("mail", "Feedback"),
    "escalate_to_manager": Way("mail", "Escalation"),
    "cancel_meeting": Way("mail", "Cancellation"),
    "schedule_meeting": Way("event", "Meeting"),
    "reschedule_meeting": Way("event", "New date"),
    "make_phone_call": Way("event", "Call"),
    "create_task": Way("task", "Job"),
    "delegate_task": Way("task", "Delegation"),
    "update_task_status": Way("task", "Status"),
    "conduct_review": Way("task", "Review"),
    "create_document": Way("file", "Draft"),
    "update_document": Way("file", "Correction"),
    "share_document": Way("file", "Copy"),
    "create_meeting_agenda": Way("file", "Agenda"),
    "update_project_plan": Way("file", "Plan"),
}
"""Every category of actions. One thing is done in one way, whatever the app could do besides."""
PLACES: Mapping[Place, tuple[str, str]] = {
    "mail": ("gmail", "emails"),
    "event": ("calendar", "events"),
    "task": ("todoist", "tasks"),
    "file": ("filesystem", "entries"),
}
"""The app, and its table that an act adds a row to."""
_CATEGORIES = {way.word: category for category, way in WAYS.items()}

_INTRO = """\
# Actions that can be taken, and how each is done here

Each action is addressed to the one person who decides about the thing in question, and quotes the reference under which
that thing is filed. It is done with one mail, one event, one task or one file, which has a heading: the name of the
action as given below, a colon, the name of the thing, a comma, and the reference. For example:

    {example}: Example order form, K-12345

Under the heading say in your own words what is wanted, and name the work that is waiting for it. Addresses are in the
folder People, in a file for each team; `search_files` with a full name as `text` finds the right one.
"""
_SECTIONS: Mapping[Place, tuple[str, str]] = {
    "mail": (
        "By mail",
        "A new mail to that person and nobody else, not even in copy. The heading is its subject.",
    ),
    "event": (
        "In the calendar",
        "A new event, today or later, with that person as its only guest. The heading is its title; the rest goes into "
        "its description.",
    ),
    "task": (
        "On the task list",
        "A new task. The heading is its title, with a comma and that person's full name after the reference.",
    ),
    "file": (
        "As a shared file",
        f"A new text file in {SHARED}, with any name. The heading is its first line, with a comma and that person's "
        "full name after the reference.",
    ),
}
_SIGN = re.compile(r"\s*(?P<word>[^\W\d_]+(?: [^\W\d_]+)*)\s+(?P<number>\d{1,9})\s*:\s*(?P<rest>.*)", re.S)
_LISTED = re.compile(r"- (?P<sign>[^\W\d_][^:]*): (?P<description>.*)")


class Heading(NamedTuple):
    """What a heading says: the sign as it is listed, the thing, the reference, and whom it is for ("": not said)."""

    sign: str
    thing: str
    reference: str
    person: str


def signs(types: Sequence[str]) -> list[str]:
    """The sign of each of a sample's actions, by their categories in order."""
    seen: Counter[str] = Counter()
    found = []
    for each in types:
        seen[each] += 1
        found.append(f"{WAYS[each].word} {seen[each]}")
    return found


def listed(actions: Sequence[tuple[str, str]]) -> str:
    """The text of `HOW`, from the category and the description of each action."""
    named = [*zip(signs([category for category, _ in actions]), actions, strict=True)]
    plain = (sign for sign, (category, _) in named if WAYS[category].place in ("mail", "event"))
    parts = [_INTRO.format(example=next(plain, "Note 1"))]
    for place, (title, how) in _SECTIONS.items():
        lines = [f"- {sign}: {said}" for sign, (category, said) in named if WAYS[category].place == place]
        if lines:
            parts.append(f"\n## {title}\n\n{how}\n\n" + "\n".join(lines) + "\n")
    return "".join(parts)


def offered(text: str) -> list[Open]:
    """The actions that a text of `HOW` lists, each by its sign."""
    found = [_LISTED.fullmatch(line) for line in text.splitlines()]
    return [Open(each["sign"], category_of(each["sign"]), each["description"]) for each in found if each]


def category_of(sign: str) -> str:
    """The category whose acts are signed so."""
    return _CATEGORIES[sign.rpartition(" ")[0]]


def heading(text: str, place: Place) -> Heading | None:
    """What the heading of an act of that place says; None where it is none."""
    found = _SIGN.match(text)
    if found is None:
        return None
    word = next((each for each in _CATEGORIES if each.casefold() == found["word"].casefold()), "")
    if not word or WAYS[_CATEGORIES[word]].place != place:
        return None
    parts = [each.strip() for each in found["rest"].split(",", 2)]
    thing, reference, person = (*parts, "", "")[:3]
    return Heading(f"{word} {int(found['number'])}", thing, reference, person)


class Wanted(NamedTuple):
    """What an act is about: the person who decides, by name and address, thing and reference, and what to say."""

    name: str
    address: str
    thing: str
    reference: str
    text: str


def call(sign: str, wanted: Wanted, today: date) -> Call:
    """The tool call that does the act of this sign, on the surfaces `default`."""
    head = f"{sign}: {wanted.thing}, {wanted.reference}"
    named = f"{head}, {wanted.name}"
    made: Mapping[Place, tuple[str, str, dict[str, Any]]] = {
        "mail": ("gmail", "send_email", {"to": [wanted.address], "subject": head, "text": wanted.text}),
        "event": (
            "calendar",
            "create_event",
            {"title": head, "start": f"{today} 16:00", "people": [wanted.address], "description": wanted.text},
        ),
        "task": ("todoist", "create_tasks", {"tasks": [{"title": named, "text": wanted.text}]}),
        "file": (
            "filesystem",
            "write_file",
            {"path": f"{SHARED}/{sign}.txt", "content": f"{named}\n\n{wanted.text}\n"},
        ),
    }
    app, tool, arguments = made[WAYS[category_of(sign)].place]
    return Call(app=app, tool=tool, arguments=arguments)
