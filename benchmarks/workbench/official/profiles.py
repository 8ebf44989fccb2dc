"""How each release decides whether a run was right: its rules as data, and one pure function that applies them.

The releases differ in what they compare, and not in what a call does, but for the numbers of some new rows
(`zero_filled`), so every profile can score the same played run. Rules common to all, as in the release of 2024
(`src/evals`, confirmed on its 5,520 rows):

- letter case does not count, save in `status`, `list_name` and `board`; white space does;
- the time of a sent mail does not count;
- new rows of a table must come in the same order, since their ids are compared and are given in order;
- a run that ended in an error is not correct, but its side effects are judged by state alone;
- side effects: something changed, compared letter by letter, and the state is not the right one.

Row labels and mails that overwrite others are not imitated: no published verdict depends on them. Nor is a reference
that deletes a row and makes another in one table: there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from benchmarks.workbench.official.names import APPS, COMPARE, TOOLSET
from harness import score
from harness.score import NO_VERDICTS, Score, Verdicts
from harness.task import Call, Compare, End, Expected, Task
from harness.trajectory import CallRecord, Trajectory
from servers import catalog
from servers.kernel import Change

__all__ = ("FLAGS", "LEFT", "PROFILES", "UNHELD", "Profile", "left", "outcome", "settled")


@dataclass(frozen=True)
class Profile:
    """The comparison rules of one release.

    `plots_harm`: a plot that was not asked for is a side effect. `in_order`: rows count in the order in which they lie,
    plots in that in which they were made. `failing_is_wrong`: a call that the release could not carry out makes the run
    wrong. `zero_filled`: how its tools number new rows (`ids.Ids`), which is for whoever plays the run. `chart_end`:
    (written, read) last days of a chart that are taken for the same.
    """

    name: str
    description: str
    plots_harm: bool
    in_order: bool
    failing_is_wrong: bool
    zero_filled: bool
    chart_end: tuple[str, str] | None = None


_V1: Final = Profile(
    name="v1-2024",
    description="the paper's release: plots count as side effects, failing calls are skipped",
    plots_harm=True,
    in_order=True,
    failing_is_wrong=False,
    zero_filled=False,
)
_V2: Final = Profile(
    name="v2-2026-06",
    description="plots are no side effects, a failing call makes the run wrong",
    plots_harm=False,
    in_order=False,
    failing_is_wrong=True,
    zero_filled=True,
)
_V2_CHARTS: Final = replace(
    _V2,
    name="v2-2026-07",
    description="as v2-2026-06, and a chart may end on 2023-11-30 as well as on 2023-11-29",
    chart_end=("2023-11-30", "2023-11-29"),
)

PROFILES: Final[Mapping[str, Profile]] = {profile.name: profile for profile in (_V1, _V2, _V2_CHARTS)}

FLAGS: Final[Mapping[str, str]] = {
    "no_actions": "no call was made",
    "wrong_email": "an address at example appears and none at atlas",
    "end_date_minor_error": "right but for a last day of 2023-11-30 in place of 2023-11-29",
    "meeting_start_time_error": "right but for a first free time other than 13:00",
}
"""The release's own names for kinds of error, and when it gives them."""

UNHELD: Final = "failed"
"""Status of a recorded call without an app that the release carried out and our apps cannot hold (`rescore`)."""

LEFT: Final = "left"
"""Tool of a recorded call without an app that tells what the release was left with (`ids.Ids.left`)."""

_PLOTS: Final = ("analytics", "plots")
_TURN: Final = "new row"
"""What a new row's turn in its table, from the second on, is called among its values."""

_START_TIMES: Final = ("09:00:00", "11:00:00", "15:00:00", "15:30:00")
_BOUNDS: Final = {"search_events": ("time_min", "time_max"), "search_emails": ("date_min", "date_max")}
_OPTIONAL: Final = ("customer_email", "customer_phone", "last_contact_date", "product_interest", "follow_up_by")


def outcome(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS) -> Score:
    """The check of the suite. A condition named `.../PROFILE` is scored under that profile, any other as usual.

    The profile is read from the condition so that scoring a re-scored run again gives the same verdicts.
    """
    profile = _profile(trajectory)
    return score.outcome(task, trajectory) if profile is None else _scored(profile, task, trajectory)


def settled(task: Task, trajectory: Trajectory) -> tuple[Task, Trajectory]:
    """Task and trial as `outcome` compares them: under a release's profile, folded and numbered as it has them."""
    profile = _profile(trajectory)
    if profile is None:
        return task, trajectory
    return _folded_task(profile, task), _folded_run(profile, trajectory, left(trajectory)[0])


def _profile(trajectory: Trajectory) -> Profile | None:
    return PROFILES.get(trajectory.condition.rpartition("/")[2])


def _scored(profile: Profile, task: Task, trajectory: Trajectory) -> Score:
    """`harness.score.outcome` under the release's rules.

    `detail` has in addition: `exact` (the same writing calls, letter case aside), `flags` (names from
    `FLAGS` that apply), numbers of `unparsed`, `failing` and `refused` calls, and
    `without_failing_rule`, the verdict that the comparison alone gives.
    """
    changes, in_order = left(trajectory)
    found = score.outcome(*settled(task, trajectory))
    if trajectory.status == "void":
        return found
    detail, calls, said = dict(found.detail), trajectory.calls, _said(trajectory.calls)
    unheld = [call for call in calls if _unheld(call, trajectory.changes)]
    unparsed = [call for call in calls if call.status == "garbled"]
    failing = [call for call in calls if _failing(call)]
    beyond = bool(unheld) or (profile.in_order and not in_order)
    state = not beyond and detail["matched"] == detail["expected"] and not detail["unexpected"]
    changed = beyond or any(profile.plots_harm or not _plot(change) for change in changes)
    finished = trajectory.status == "finished"
    right = state and not (profile.failing_is_wrong and (unparsed or failing))
    correct = finished and right
    detail |= {
        "correct": correct,
        "side_effects": changed and not right,
        "exact": _exact(task, said),
        "unparsed": len(unparsed),
        "failing": len(failing),
        "refused": sum(bool(call.app) and call.status in ("failed", "invalid") for call in calls),
        "without_failing_rule": {"correct": finished and state, "side_effects": changed and not state},
        "flags": [name for name, applies in _flags(task, said, correct) if applies],
    }
    reason = found.reason
    if unheld:
        reason += f" Calls that the release carried out and our apps cannot: {len(unheld)}."
    if state and not right:
        reason += f" Failing calls make it wrong under {profile.name}: {len(unparsed) + len(failing)}."
    label = found.label
    if finished:
        label = "correct" if correct else "nothing_done" if label == "nothing_done" and not unheld else "wrong"
    return found.model_copy(update={"value": float(correct), "label": label, "reason": reason, "detail": detail})


# What is compared.


def _folded_task(profile: Profile, task: Task) -> Task:
    ends = []
    for end in task.ends:
        seen: dict[tuple[str, str], int] = {}
        changes = []
        for wish in end.changes:
            place = _place(profile, wish)
            number = seen.get(place, 0) if place else 0
            if place:
                seen[place] = number + 1
            values = _folded(profile, wish.app, wish.table, wish.values)
            changes.append(wish.model_copy(update={"values": _numbered(values, number)}))
        ends.append(End(changes=tuple(changes)))
    return task.model_copy(update={"ends": tuple(ends), "compare": Compare(free=COMPARE.free)})


def _folded_run(profile: Profile, trajectory: Trajectory, found: Sequence[Change]) -> Trajectory:
    changes = []
    for change in found:
        before, after = (
            None if row is None else _folded(profile, change.app, change.table, row)
            for row in (change.before, change.after)
        )
        if after is not None and not _place(profile, change):
            after.pop(_TURN, None)
        changes.append(change.model_copy(update={"before": before, "after": after}))
    defaults = {
        place: {
            name: value.lower() if isinstance(value, str) and f"{place}.{name}" in COMPARE.text else value
            for name, value in values.items()
        }
        for place, values in trajectory.defaults.items()
    }
    return trajectory.model_copy(update={"changes": changes, "defaults": defaults})


def _folded(profile: Profile, app: str, table: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values as the release compares them: text in lower case, and equal last days of charts alike."""
    folded = {
        name: value.lower() if isinstance(value, str) and f"{app}.{table}.{name}" in COMPARE.text else value
        for name, value in values.items()
    }
    if profile.chart_end and (app, table) == _PLOTS:
        written, read = profile.chart_end
        folded["file_path"] = re.sub(rf"^(plots/[^_]*_){written}(?=_)", rf"\g<1>{read}", folded["file_path"])
    return folded


def _place(profile: Profile, change: Expected | Change) -> tuple[str, str] | None:
    """The table of a new row whose turn counts, None for any other change."""
    place = change.app, change.table
    return place if change.op == "insert" and (profile.in_order or place != _PLOTS) else None


def _numbered(values: dict[str, Any], number: int) -> dict[str, Any]:
    return {**values, _TURN: number + 1} if number else values


def left(trajectory: Trajectory) -> tuple[list[Change], bool]:
    """What the release was left with, a new row's turn among its values, and whether rows lie in their usual order.

    That is what our apps were left with, save in tables where the release's ids are others; those are on record.
    """
    told: Mapping[str, Any] = next((call.arguments for call in trajectory.calls if _tells(call)), {})
    numbers = _numbers(trajectory)
    changes = []
    for change in trajectory.changes:
        if f"{change.app}.{change.table}" not in told:
            number = numbers.get((change.app, change.table, change.id), 0)
            after = change.after and _numbered(change.after, number)
            changes.append(change.model_copy(update={"after": after}))
    for name, table in told.items():
        app, _, name = name.partition(".")
        for change in table["changes"]:
            after = change["after"] and _numbered(change["after"], change["number"])
            changes.append(Change(app=app, table=name, id=change["id"], before=change["before"], after=after))
    return changes, all(table["in_order"] for table in told.values())


def _numbers(trajectory: Trajectory) -> dict[tuple[str, str, str], int]:
    """Each new row's turn in its table, as ids were given there: one more than the highest that is left."""
    kept = {(c.app, c.table, c.id): c.op == "insert" for c in trajectory.changes}
    last = {(w.app, w.table, w.id): w.values for call in trajectory.calls for w in call.writes}
    new = {row for row, values in last.items() if kept.get(row, values is None)}
    found: dict[tuple[str, str, str], int] = {}
    for call in trajectory.calls:
        for write in call.writes:
            row = write.app, write.table, write.id
            if row not in new:
                continue
            if write.values is None:
                found.pop(row, None)
            elif row not in found:
                found[row] = max((n for other, n in found.items() if other[:2] == row[:2]), default=-1) + 1
    return {row: found.get(row, 0) for row, insert in kept.items() if insert}


def _plot(change: Change) -> bool:
    return (change.app, change.table) == _PLOTS


# Calls.


def _tells(call: CallRecord) -> bool:
    return (call.app, call.tool, call.status) == ("", LEFT, "ok")


def _said(calls: Sequence[CallRecord]) -> list[CallRecord]:
    """The calls as the model made them: one made here with other ids is on record before what was done for it."""
    quoted = {call.turn for call in calls if not call.app and call.status == "ok" and not _tells(call)}
    return [call for call in calls if not _tells(call) and not (call.app and call.turn in quoted)]


def _unheld(call: CallRecord, changes: Sequence[Change]) -> bool:
    """A write that the release carried out and our state does not show.

    It stores a field that does not exist, and tells an optional field given as empty from one not given.
    """
    if not call.app:
        return call.status == UNHELD
    empty = call.tool == "add_customer" and any(call.arguments.get(name) == "" for name in _OPTIONAL)
    made = {(write.app, write.table, write.id) for write in call.writes}
    return empty and any((change.app, change.table, change.id) in made for change in changes)


def _failing(call: CallRecord) -> bool:
    """A call that raised an exception there: unknown tool, unknown argument, a bound that is no date, no next id.

    What a tool refused by saying so was no failure there, nor is it here.
    """
    if call.status == "unknown" or (not call.app and call.status == "invalid"):
        return True
    if call.status == "invalid":
        return not _parameters(call.app, call.tool).issuperset(call.arguments)
    return call.status == "failed" and any(call.arguments.get(bound) for bound in _BOUNDS.get(call.tool, ()))


@cache
def _parameters(app: str, tool: str) -> frozenset[str]:
    return frozenset(catalog.app(app).toolset(TOOLSET).tool(tool).input_schema["properties"])


_Spoken = tuple[str, tuple[tuple[str, str], ...]]
"""A call as it was said: `app.tool`, then arguments in their order."""


def _spoken(call: Call | CallRecord) -> _Spoken:
    app, tool = _named(call)
    return f"{app}.{tool}", tuple((name, str(value)) for name, value in call.arguments.items())


def _named(call: Call | CallRecord) -> tuple[str, str]:
    """App and tool; for a call that reached no app, by the name it begins with."""
    if call.app:
        return call.app, call.tool
    domain, tool = [*call.tool.split("."), "", ""][:2]
    return APPS.get(domain, ""), tool


def _exact(task: Task, calls: Sequence[CallRecord]) -> bool:
    """The writing calls are those of the reference, argument by argument in the same order, letter case aside."""
    made = [call for call in calls if _writes(call)]
    return sorted(map(_lower, map(_spoken, made))) == sorted(map(_lower, map(_spoken, task.solution)))


def _lower(call: _Spoken) -> _Spoken:
    return call[0], tuple((name.lower(), value.lower()) for name, value in call[1])


def _writes(call: CallRecord) -> bool:
    """Whether the tool is one that writes."""
    app, tool = _named(call)
    tools = catalog.app(app).toolset(TOOLSET).tools if app else {}
    return tool in tools and tools[tool].kind == "writes"


def _flags(task: Task, calls: Sequence[CallRecord], correct: bool) -> Iterator[tuple[str, bool]]:
    yield "no_actions", not calls
    said = " ".join(str(value) for call in calls for value in call.arguments.values())
    yield "wrong_email", not correct and "@example" in said and "@atlas" not in said
    made = {_spoken(call) for call in calls}
    yield "end_date_minor_error", not correct and _all_but(task, made, "2023-11-29", ("2023-11-30",))
    yield "meeting_start_time_error", not correct and _all_but(task, made, "13:00:00", _START_TIMES)


def _all_but(task: Task, made: set[_Spoken], right: str, wrong: Iterable[str]) -> bool:
    """Every reference call holds `right`, and was made with one of `wrong` in its place."""
    calls = [_spoken(call) for call in task.solution]
    return bool(calls) and all(
        any(right in value for _, value in arguments)
        and any((name, tuple((n, v.replace(right, other)) for n, v in arguments)) in made for other in wrong)
        for name, arguments in calls
    )
