"""Why a trial went wrong: the most common sources of error (WorkBench section 4.4, figure 6) as rules.

Each rule is a pure function of task and trajectory and looks for evidence of one source. `source` names the
first of `RULES` that holds:

1. `unreadable action`: the trial ended on an action that could not be read;
2. `cut short`: it hit a limit or crashed in another way;
3. `invented address`: an e-mail address that nobody had shown it;
4. `result limit`: it took the first five results of a search for all of them;
5. `wrong dates`: the rows it needed never came back from searches bounded by dates, or it plotted other dates;
6. `no action`: something was to be done and it wrote nothing;
7. `wrong arguments`: the right kind of change with other content, or a write that was refused;
8. `part done`: part of what was expected, and nothing else;
9. `unneeded action`: all that was expected, which may be nothing, and something else;

and `other` is what no rule explains. What ended a trial comes first; then causes, the more specific before the
more general (a search in the wrong week is why nothing was done); then the shape of what was done. The paper
counted sources by hand or by rules it does not give: shares are comparable between runs here, not with its figure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.scoring.matching import Match, best_match
from harness.task import Task
from harness.trajectory import CallRecord, Landing, Trajectory

__all__ = (
    "OTHER", "RULES", "cut_short", "invented_address", "no_action", "part_done", "result_limit", "source",
    "unneeded_action", "unreadable_action", "wrong_arguments", "wrong_dates",
)  # fmt: skip

LIMIT: Final = 5
"""Results that a search returns at most (WorkBench section 3.3)."""

OTHER: Final = "other"

_ADDRESS = re.compile(r"[\w.+-]++(@[\w-]+(?:\.[\w-]+)+)?")
"""An address, or else a whole run of what one may begin with, so that no character is looked at over and over."""

_DATED = re.compile(r"(?:time|date)_(?:min|max)$|_(?:min|max)$|^due_date$")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?")


def unreadable_action(task: Task, trajectory: Trajectory) -> bool:
    """The agent failed, and its last call could not be parsed: the paper's most frequent error."""
    return trajectory.status == "crashed" and bool(trajectory.calls) and trajectory.calls[-1].status == "garbled"


def cut_short(task: Task, trajectory: Trajectory) -> bool:
    """The trial hit a limit (turns, calls, tokens, time, context window) or its agent crashed."""
    return trajectory.status in ("limit", "crashed")


def invented_address(task: Task, trajectory: Trajectory) -> bool:
    """A tool was given an e-mail address that no prompt and no earlier result had shown.

    A result that only repeats an address it was given shows nothing; letter case does not count.
    """
    shown = set(_addresses(*(message.content for message in trajectory.messages if message.role in ("system", "user"))))
    shown.update(_addresses(*(session.request for session in trajectory.sessions)))
    for call in trajectory.calls:
        given = set(_addresses(*_strings(call.arguments)))
        if given - shown:
            return True
        shown.update(set(_addresses(call.text, *_strings(call.data or {}))) - given)
    return False


def result_limit(task: Task, trajectory: Trajectory) -> bool:
    """A search returned as many results as it may, some were acted on, and others needed it too.

    They needed it if a row that was to be changed is in no result of the trial, or if expected changes are
    missing and all that were made are right.
    """
    match = _match(task, trajectory)
    if not match.missing:
        return False
    seen = _seen(trajectory)
    unseen = any(change.id and (change.app, change.id) not in seen for change in match.missing)
    acted_on, wrote = set[str](), _wrote(trajectory)
    for call in reversed(trajectory.calls):
        rows = _rows(call)
        full = len(rows) == LIMIT and (unseen or not match.unexpected)
        if full and any(id in acted_on for row in rows if (id := _id(row))):
            return True
        if call.n in wrote:
            acted_on.update(_strings(call.arguments))
    return False


def wrong_dates(task: Task, trajectory: Trajectory) -> bool:
    """Dates were wrong: in a plot that is right otherwise, or in searches that missed the rows they were for.

    For searches: a row that was to be changed is in no result of the trial, and the agent looked in that app by
    dates, without meeting the limit on results.
    """
    match = _match(task, trajectory)
    plots = {_undated(change.values) for change in match.missing if change.table == "plots"}
    if plots & {_undated(change.fields) for change in match.unexpected if change.table == "plots"}:
        return True
    seen, wrote = _seen(trajectory), _wrote(trajectory)
    unseen = {change.app for change in match.missing if change.id and (change.app, change.id) not in seen}
    return any(
        call.app in unseen and call.n not in wrote and len(_rows(call)) < LIMIT and _bounded(call)
        for call in trajectory.calls
    )


def no_action(task: Task, trajectory: Trajectory) -> bool:
    """Changes were expected, no call wrote anything, and nothing changed."""
    return bool(_match(task, trajectory).missing) and not _wrote(trajectory) and not trajectory.changes


def wrong_arguments(task: Task, trajectory: Trajectory) -> bool:
    """An expected change is missing, and one of its kind went elsewhere or was refused.

    Of its kind: insert, update or delete in the same table; refused: a call to the same app that failed or did not fit
    its schema, with no later one to that tool that went through.
    """
    match = _match(task, trajectory)
    kinds = {(change.app, change.table, change.op) for change in match.missing}
    if kinds & {(change.app, change.table, change.op) for change in match.unexpected}:
        return True
    apps, passed = {change.app for change in match.missing}, set[str]()
    for call in reversed(trajectory.calls):
        if call.status == "ok":
            passed.add(call.tool)
        elif call.status in ("failed", "invalid") and call.tool not in passed and call.app in apps:
            return True
    return False


def part_done(task: Task, trajectory: Trajectory) -> bool:
    """Some expected changes were made, some are missing, and nothing else changed."""
    match = _match(task, trajectory)
    return bool(match.missing and match.pairs) and not match.unexpected


def unneeded_action(task: Task, trajectory: Trajectory) -> bool:
    """Everything expected was done, nothing included, and something else as well."""
    match = _match(task, trajectory)
    return not match.missing and bool(match.unexpected)


RULES: Final[Mapping[str, Callable[[Task, Trajectory], bool]]] = {
    "unreadable action": unreadable_action,
    "cut short": cut_short,
    "invented address": invented_address,
    "result limit": result_limit,
    "wrong dates": wrong_dates,
    "no action": no_action,
    "wrong arguments": wrong_arguments,
    "part done": part_done,
    "unneeded action": unneeded_action,
}
"""Sources of error in order of precedence."""


def source(task: Task, trajectory: Trajectory) -> str:
    """The first source whose rule holds, else `other`. For trials that are neither correct nor void."""
    return next((name for name, rule in RULES.items() if rule(task, trajectory)), OTHER)


def _match(task: Task, trajectory: Trajectory) -> Match:
    return best_match(trajectory.changes, task.ends, task.compare, trajectory.defaults)[1]


def _addresses(*texts: str) -> Iterator[str]:
    found = (match for text in texts if "@" in text for match in _ADDRESS.finditer(text))
    return (match[0].lower() for match in found if match[1])


def _strings(value: Any) -> Iterator[str]:
    """All text within a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _rows(call: CallRecord) -> list[Mapping[str, Any]]:
    """The records that a search returned; none for other calls."""
    found = (call.data or {}).get("result")
    return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []


def _id(row: Mapping[str, Any]) -> str:
    """The id of a record, which every tool lists first."""
    name, value = next(iter(row.items()), ("", ""))
    return str(value) if name.endswith("_id") else ""


def _seen(trajectory: Trajectory) -> set[tuple[str, str]]:
    return {(call.app, id) for call in trajectory.calls for row in _rows(call) if (id := _id(row))}


def _wrote(trajectory: Trajectory) -> set[int]:
    """Numbers of the calls that wrote something, late ones included (a disturbance of kind `late`)."""
    late = (event.step for event in trajectory.events if isinstance(event, Landing) and event.writes)
    return {*(call.n for call in trajectory.calls if call.writes), *late}


def _bounded(call: CallRecord) -> bool:
    return any(value and _DATED.search(name) for name, value in call.arguments.items())


def _undated(values: Mapping[str, Any]) -> str:
    return _DATE.sub("", str(values.get("file_path", "")))
