"""The reference agent in mail, calendar and files: it reads everything, parses it, and does what follows by proof.

It knows the wordings of samples, as the one of `benchmarks.probe.reference` does, and of where things lie no more than
requests and files say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from benchmarks.probe.grammar.actions import ROLES
from benchmarks.probe.grammar.facts import Remit
from benchmarks.probe.grammar.reading import read
from benchmarks.probe.reference import concluded
from benchmarks.probe.workplace.acts import FINDINGS, HOW, Wanted, call, category_of, offered
from benchmarks.probe.workplace.pouring import DOCUMENTS, PEOPLE
from harness.core.program import Worker
from harness.task import Call

__all__ = ("filled_in", "play")

_AT_ONCE = 8
"""Files that one call reads: a result has room for about a dozen."""
_BEHIND = timedelta(days=365)


def filled_in(evidence: Sequence[str], bottleneck: Mapping[str, str]) -> Call:
    """The call that fills in the form."""
    form = json.dumps({"evidence": [*evidence], **bottleneck}, indent=2, ensure_ascii=False)
    return Call(app="filesystem", tool="write_file", arguments={"path": FINDINGS, "content": f"{form}\n"})


async def play(worker: Worker) -> None:
    """Read, conclude, act and say so, all through tools. Whose work counts is what the request says."""
    owners = {await worker.slot("persona"), *await worker.slot("reports")}
    today = worker.now.date()
    texts = {**await _mails(worker), **await _events(worker), **await _papers(worker)}
    options = offered(await worker.call("filesystem", "read_text_file", path=HOW))
    choice = concluded(read(texts, today), Remit(frozenset(owners), today.isoformat()), options)
    if choice is None:
        return
    who, what, under = (choice.parameters[role] for role in ROLES[category_of(choice.action)])
    wanted = Wanted(who, await _address(worker, who), what, under, choice.parameters["message"])
    parts = choice.bottleneck.model_dump(exclude_defaults=True)
    for each in (filled_in(choice.evidence, parts), call(choice.action, wanted, today)):
        await worker.call(each.app, each.tool, **each.arguments)


async def _mails(worker: Worker) -> dict[str, str]:
    """The text of every mail by its id."""
    return {
        each["id"]: await _whole(worker, each["id"])
        for each in await _all(worker, "gmail", "find_emails", query="in:anywhere")
    }


async def _whole(worker: Worker, id: str) -> str:
    """The text of one mail, however many parts it comes in."""
    parts: list[str] = []
    skip = 0
    while True:
        shown = await worker.call("gmail", "get_conversation", email_id=id, alone=True, skip=skip)
        parts.append(shown["emails"][0]["text"])
        if not shown.get("next"):
            return "".join(parts)
        skip = _number(shown["next"])


async def _events(worker: Worker) -> dict[str, str]:
    """The description of every event of a year by its id."""
    after = (worker.now - _BEHIND).date().isoformat()
    found = await _all(worker, "calendar", "find_events", after=after)
    whole = [await worker.call("calendar", "get_event", event_id=each["id"]) for each in found]
    return {each["id"]: each.get("description", "") for each in whole}


async def _papers(worker: Worker) -> dict[str, str]:
    """The text of every paper by its path."""
    listed: str = await worker.call("filesystem", "search_files", path=DOCUMENTS, pattern="**/*.txt")
    paths = [line for line in listed.splitlines() if line.startswith(f"{DOCUMENTS}/")]
    found: dict[str, str] = {}
    while left := [path for path in paths if path not in found]:
        some = await worker.call("filesystem", "read_multiple_files", paths=left[:_AT_ONCE])
        found |= {each["path"]: each["content"] for each in some if "content" in each}
    return found


async def _address(worker: Worker, name: str) -> str:
    """The address of somebody whom a file of the staff has by full name."""
    listed: str = await worker.call("filesystem", "search_files", path=PEOPLE, pattern="*.txt", text=name)
    text: str = await worker.call("filesystem", "read_text_file", path=listed.splitlines()[0])
    return next(line for line in text.splitlines() if line.startswith(f"{name}, ")).rpartition(", ")[2]


async def _all(worker: Worker, app: str, tool: str, **arguments: Any) -> list[dict[str, Any]]:
    """The items of all pages."""
    found: list[dict[str, Any]] = []
    skip = 0
    while True:
        page = await worker.call(app, tool, **arguments, skip=skip)
        found += page["items"]
        if not page.get("next"):
            return found
        skip = _number(page["next"])


def _number(next: str) -> int:
    return int(next.rpartition("skip=")[2])
