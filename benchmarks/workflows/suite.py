"""The suite `workflows`: long office work, three tasks of each flow in `flows/`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from benchmarks.workflows import flows
from benchmarks.workflows.checks import settled, told
from benchmarks.workflows.flow import Flow, Unfit, tasks
from benchmarks.workflows.layout import Layout, company, office, person
from harness.agents.reference import GiveUp, ToolRefused, Worker
from harness.score import outcome
from harness.suite import Suite, SuiteError
from harness.task import Task
from servers.kernel import World

__all__ = ("all_flows", "load")

_SYSTEM = """\
You are the assistant of {owner}, who is {title} at {company}. You work in {first}'s mail, calendar, chat, files, tasks
and customer records, as {first}. It is Wednesday, 18 March 2026, 08:30. Working days are Monday to Friday.
Do everything you are asked with the tools you have, and nothing beyond it. How things are done here is written down in
files, mails and messages: find what applies before you act. Calls are limited; look before you read everything.
"""
_APPS = ("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist")
_CUSTOM = "it is left to whoever does the work"
_CLOCK = "it follows from when it was written"


@cache
def all_flows() -> tuple[Flow, ...]:
    """What lies in `flows/`, by name of the module."""
    found = [import_module(f"{flows.__name__}.{module.name}").FLOW for module in iter_modules(flows.__path__)]
    names = [flow.name for flow in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SuiteError(f"two workflows are called {twice[0]!r}")
    return tuple(found)


def load() -> Suite:
    """The suite, made from code; nothing is read from disk."""
    owner = person("owner")
    return Suite(
        name="workflows",
        version="1",
        description="Long office work: two dozen calls and more over several apps, rules to be found",
        tasks=_tasks(),
        world=_named,
        checks={"outcome": partial(outcome, told=told)},
        settled=settled,
        told=told,
        programs={flow.name: _program(flow) for flow in all_flows()},
        system=_SYSTEM.format(owner=owner.name, first=owner.first, title=owner.title, company=company().name),
        toolsets=dict.fromkeys(_APPS, "default"),
        unchecked={
            "gmail.emails.sent_datetime": _CLOCK,
            "gmail.emails.thread": "whether a mail begins a conversation or stands in one",
            "gmail.drafts": "nobody gets a draft",
            "chat.messages.sent": _CLOCK,
            "todoist.comments.posted": _CLOCK,
            "crm.stage_changes": "the CRM writes this log of moves itself",
            **dict.fromkeys(("filesystem.entries.created", "filesystem.entries.modified"), _CLOCK),
            **dict.fromkeys(
                (
                    "calendar.events.description", "todoist.tasks.description", "todoist.tasks.position",
                    "simple_note.notes.tags", "crm.tasks.description", "crm.notes.type",
                ),
                _CUSTOM,
            ),
        },
    )  # fmt: skip


@cache
def _tasks() -> tuple[Task, ...]:
    return tuple(task for number, flow in enumerate(all_flows(), 1) for task in tasks(flow, number))


def _named(name: str) -> World:
    if name != office().name:
        raise SuiteError(f"suite workflows has one world, {office().name!r}, and none called {name!r}")
    return office()


def _program(flow: Flow) -> Callable[[Worker], Awaitable[None]]:
    """How the instrument `reference` does a flow: it knows the books, and of the request what it is told.

    Which case it is, it sees from a file that no other case has.
    """

    @cache
    def marks() -> Sequence[tuple[str, Any]]:
        return _marks(flow)

    async def play(worker: Worker) -> None:
        facts = await _recognised(flow, marks(), worker)
        values = {name: _option(flow, name, await worker.slot(name, words=_words(flow, name))) for name in flow.slots}
        try:
            plan = flow.plan(facts, values)
        except Unfit as odd:
            raise GiveUp(f"I cannot do that: {odd}") from None
        for step in plan.steps:
            await worker.call(step.call.app, step.call.tool, **step.call.arguments)

    return play


def _words(flow: Flow, name: str) -> Callable[[Worker], Awaitable[Mapping[str, Any]]]:
    spec = flow.slots[name]

    async def known(worker: Worker) -> Mapping[str, Any]:
        return {spec.text(option): option for option in spec.options}

    return known


def _option(flow: Flow, name: str, value: Any) -> Any:
    """A value as the flow has it; times that were heard have seconds. Raises `GiveUp` for one that nobody would say."""
    spec = flow.slots[name]
    found = value[:5] if spec.kind == "time" else value
    if found not in spec.options:
        raise GiveUp(f"I do not know what to make of {value!r} as the {spec.role or spec.kind}.")
    return found


def _marks(flow: Flow) -> Sequence[tuple[str, Any]]:
    """Of each case a file that no other has, and what `plan` needs to know of it. Raises `SuiteError`."""
    laid = []
    for number in range(len(flow.cases)):
        layout = Layout()
        facts = flow.lay(layout, number)
        laid.append((set(layout.files), facts))
    found = []
    for number, (files, facts) in enumerate(laid):
        others = set().union(*(other for place, (other, _) in enumerate(laid) if place != number))
        mark = min(files - others, default="")
        if not mark:
            raise SuiteError(f"flow {flow.name!r}, case {number}: it should lay out a file that no other case has")
        found.append((mark, facts))
    return found


async def _recognised(flow: Flow, marks: Sequence[tuple[str, Any]], worker: Worker) -> Any:
    for mark, facts in marks:
        try:
            await worker.call("filesystem", "get_file_info", path=mark)
        except ToolRefused:
            continue
        return facts
    raise SuiteError(f"flow {flow.name!r}: the files of none of its cases are there")
