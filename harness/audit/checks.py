"""What can be told of a suite's tasks without playing them: prompts, briefs, ids, rows, ends, content hashes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from harness.audit.rows import dangling, leads_nowhere, unmet
from harness.audit.trying import Finding
from harness.audit.values import off_by_one
from harness.audit.workplace import Workplace, Workplaces, folded, written
from harness.core.suite import Suite
from harness.core.task import Task
from harness.core.task_briefs import contradictions, wordings
from harness.play.wording import event_text
from servers import catalog
from servers.kernel import canonical

__all__ = ("examine",)


def examine(suite: Suite, tasks: Sequence[Task], places: Workplaces) -> list[Finding]:
    """Findings on `tasks`, which can be opened; a prompt is compared with those of the whole suite.

    What is wrong with a world's rows is said of the first task that starts from it.
    """
    chosen = {task.id for task in tasks}
    found = [finding for finding in _prompts(suite.tasks) if finding.task in chosen]
    worlds: set[str] = set()
    for task in tasks:
        if Task.model_validate_json(task.model_dump_json()).hash != task.hash:
            found.append(Finding(task.id, "hash", "problem", "written down and read again it has another content hash"))
        place = places.of(task)
        file = written(suite, task)
        for check, said in (
            ("brief", (*contradictions(task), *wordings(task))),
            ("ends", unmet(suite, task, place)),
            ("refs", dangling(task, place)),
        ):
            found += [Finding(task.id, check, "problem", f"{file}{text}") for text in said]
        if task.world not in worlds:
            worlds.add(task.world)
            apps = {name: catalog.app(name) for other in tasks if other.world == task.world for name in other.apps}
            lost = leads_nowhere(suite, suite.load_world(task.world), apps.values())
            found += [Finding(task.id, "refs", "problem", text) for text in lost]
        found += [*_solution_ids(task, place), *_prompt_ids(task, place), *_unstated(task, place)]
    return found


def _prompts(tasks: Sequence[Task]) -> Iterator[Finding]:
    """No two tasks may share all their requests, nor one that withholds nothing and asks for different ends.

    Variants of one task may share the full request that they were made from.
    """
    seen: dict[bytes, Task] = {}
    asked: defaultdict[bytes, list[Task]] = defaultdict(list)
    for task in tasks:
        coming = [arrival.model_dump(mode="json") for arrival in task.arrivals]
        start = [task.world, [edit.model_dump(mode="json") for edit in task.setup], coming]
        words = _words(task)
        if (twin := seen.setdefault(canonical([start, words]), task)) is not task:
            yield Finding(task.id, "prompt", "problem", f"it has the same prompts as {twin.id}")
            continue
        for prompt in sorted({name for session in words for name in session}):
            if task.withheld.get(prompt):
                continue
            for other in (same := asked[canonical([start, [session.get(prompt) for session in words]])]):
                if _ends(other) != _ends(task):
                    text = f"its prompt {prompt!r} is that of {other.id}, which has other ends"
                    yield Finding(task.id, "prompt", "problem", text)
                    break
            same.append(task)


def _words(task: Task) -> list[dict[str, str]]:
    """Of each session what it begins with under each prompt, as compared; an event is the same under all."""
    names = {name for session in task.sessions for name in session.requests} or {"original"}
    return [
        dict.fromkeys(names, folded(event_text(session.event)))
        if session.event
        else {name: folded(text) for name, text in session.requests.items()}
        for session in task.sessions
    ]


def _told(task: Task) -> list[str]:
    """Every text that a session may begin with."""
    return [
        text
        for session in task.sessions
        for text in (*session.requests.values(), *([event_text(session.event)] if session.event else ()))
    ]


def _ends(task: Task) -> list[Any]:
    return [end.model_dump(mode="json") for end in task.ends]


def _solution_ids(task: Task, place: Workplace) -> Iterator[Finding]:
    """Rows that the reference or an accepted end names are there at the start, or made before."""
    bound: set[str] = set()
    for n, call in enumerate(task.solution, start=1):
        tool = place.tool(call)
        if tool is None:
            yield Finding(task.id, "ids", "problem", f"call {n}: there is no tool {call.app}.{call.tool}")
            continue
        for name, value in call.arguments.items():
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, dict) and each.keys() == {"ref"} and each["ref"] not in bound:
                    yield Finding(task.id, "ids", "problem", f"call {n}: {each['ref']!r} is bound by no call before it")
                if name in tool.refs and isinstance(each, str) and each not in place.ids(tool, name):
                    noun = tool.refs[name].noun
                    said = f"call {n}: {name} {each!r} is not the id of a {noun} there at the start"
                    yield Finding(task.id, "ids", "problem", said)
        bound |= {call.bind} - {""}
    for end in task.ends:
        for change in end.changes:
            rows = place.rows.get(change.app, {}).get(change.table, {})
            if change.op != "insert" and change.id not in rows:
                where = f"{change.op} {change.app}.{change.table} {change.id}"
                yield Finding(task.id, "ids", "problem", f"an accepted end has {where}, and no such row is there")


def _prompt_ids(task: Task, place: Workplace) -> Iterator[Finding]:
    """Words of a prompt that have the form of a generated id are ids of rows there."""
    tables = [
        (table, place.rows.get(app, {}).get(table.table_name, {}))
        for app, toolset in place.toolsets.items()
        for table in toolset.app.tables
        if table.id_format != "{}"  # else every number would be an id
    ]
    for text in dict.fromkeys(_told(task)):
        for word in dict.fromkeys(re.findall(r"[\w-]+", text)):
            formed = [rows for table, rows in tables if table.id_format.format(table.id_number(word)) == word]
            if formed and not any(word in rows for rows in formed):
                yield Finding(task.id, "ids", "problem", f"its prompt names {word!r}, which is the id of no row there")


def _unstated(task: Task, place: Workplace) -> Iterator[Finding]:
    """A text that the reference writes can be known: a prompt or a tool says it, or some row holds it."""
    prompts = [folded(text) for text in _told(task)]
    for n, call in enumerate(task.solution, start=1):
        tool = place.tool(call)
        for name, value in call.arguments.items():
            if tool is None or name in tool.refs or not isinstance(value, str):
                continue
            schema, column = place.schema(tool, name), place.column(tool, name, call.arguments)
            found = off_by_one(value, schema, column, place.addresses, Random(0))
            if not found or found[0] != "text" or place.holds(value):
                continue
            if not any(folded(value) in said for said in (*prompts, folded(tool.description))):
                told = f"call {n}: {name} {value!r} stands in no prompt and in no row"
                yield Finding(task.id, "unstated", "note", told)
