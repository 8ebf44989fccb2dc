"""The outcome check: did the state end right, and was anything else touched?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from harness.core.judgement import NO_VERDICTS, Verdicts
from harness.core.scores import Score
from harness.core.suite import SuiteError, Told, compares_ends
from harness.core.task import Expected, Task
from harness.core.texts import cut
from harness.core.trajectory import CallRecord, Landing, Trajectory
from harness.scoring.matching import Match, best_match
from harness.scoring.otherwise import otherwise
from servers.kernel import Change, canonical

__all__ = ("outcome",)

_SHOWN = 20
"""Missing and extra changes that a score describes; their number is never cut."""


@compares_ends
def outcome(
    task: Task,
    trajectory: Trajectory,
    verdicts: Verdicts = NO_VERDICTS,
    told: Callable[[Any, Any], Told | None] | None = None,
) -> Score:
    """Compare the normalised delta with the accepted end that fits it best (docs/architecture.md, A trial).

    `label` is `correct`, `wrong`, `nothing_done` (something was expected, nothing changed), `limit`,
    `crashed` or `void`; a void trial has no value and no detail. `detail`:

    - `correct`: nothing missing, nothing unexpected, and the agent finished: accuracy (WorkBench section 4.1);
    - `side_effects`: something changed and the end is not an accepted one (same section). Like the
      published scorer this looks at state alone, so a trial cut short in the right state has none. Unlike
      it, a change that `task.compare` cannot see (a free field, the case of folded text) is no change;
    - `matched`, `expected`, `unexpected`: numbers of changes;
    - `checkpoints`: one bool per expected change, in the order listed; `ckpt`, their mean: partial
      credit (LHAW section 3, Ckpt%), None where nothing is expected;
    - `precision`: matched / (matched + unexpected), None where nothing was changed;
    - `missing`, `extra`: up to 20 of the changes concerned, described, in alphabetical order, new rows
      without what nobody needs to set: fields that are null or at the default that the record gives;
    - `otherwise`, where expected changes were made with another value: up to 20 differences in words
      (`harness.scoring.otherwise`). `told` is that of a suite with texts that have to say some facts;
    - `withdrawn`, where rows that the agent made were removed again: up to 20 of them, described as they last were.
      They are no change, so they count for nothing above; but whoever got such a mail has it;
    - `end`: index of the accepted end it was held against;
    - `sessions`, where the task says how sessions are to leave the rows: of each that it says it of `session`,
      `correct`, `matched`, `expected` and `unexpected`. `correct` above wants these to be right too.

    Raises `SuiteError` when the task accepts no end or an end uses a name that no insert has.
    """
    if trajectory.status == "void":
        return Score(value=None, label="void", reason=_sentence("The trial is void", trajectory.reason))
    try:
        end, match = best_match(trajectory.changes, task.ends, task.compare, trajectory.defaults)
        sessions = _sessions(task, trajectory)
    except ValueError as error:
        raise SuiteError(f"task {task.id} cannot be scored: {error}") from None
    matched, missing, unexpected = len(match.pairs), len(match.missing), len(match.unexpected)
    expected, made = matched + missing, matched + unexpected
    withdrawn = _withdrawn(trajectory)
    finished = trajectory.status == "finished"
    differences = otherwise(match, task.compare, trajectory.defaults, told)[:_SHOWN]
    correct = finished and match.right and all(each["correct"] for each in sessions)
    label: str = trajectory.status
    if finished:
        label = "correct" if correct else "wrong" if made else "nothing_done"
    return Score(
        value=float(correct),
        label=label,
        reason=" ".join(
            (
                _reason(trajectory, match),
                *(_left(each) for each in sessions if not each["correct"]),
                *([_taken_back(withdrawn)] if withdrawn else []),
            )
        ),
        detail={
            "correct": correct,
            "side_effects": made > 0 and not match.right,
            "matched": matched,
            "expected": expected,
            "unexpected": unexpected,
            "ckpt": matched / expected if expected else None,
            "precision": matched / made if made else None,
            "checkpoints": list(match.checkpoints),
            "missing": _listed(match.missing, trajectory.defaults),
            "extra": _listed(match.unexpected, trajectory.defaults),
            **({"otherwise": differences} if differences else {}),
            **({"withdrawn": _listed(withdrawn, trajectory.defaults)} if withdrawn else {}),
            "end": end,
            **({"sessions": sessions} if sessions else {}),
        },
    )


def _sessions(task: Task, trajectory: Trajectory) -> list[dict[str, Any]]:
    """How sessions left the rows, where the task says how they are to: one not reached has left nothing right."""
    found = []
    for number, session in enumerate(task.sessions):
        if session.ends:
            reached = number < len(trajectory.sessions)
            changes = trajectory.sessions[number].changes if reached else []
            _, match = best_match(changes, session.ends, task.compare, trajectory.defaults)
            found.append(
                {
                    "session": number,
                    "correct": reached and match.right,
                    "matched": len(match.pairs),
                    "expected": len(match.pairs) + len(match.missing),
                    "unexpected": len(match.unexpected),
                }
            )
    return found


def _withdrawn(trajectory: Trajectory) -> list[Change]:
    """Rows that the agent's doing made and removed again, as they last were.

    A row that went as a new one came, such as a draft that was sent, has become that one.
    """
    changed = {(change.app, change.table, change.id): change for change in trajectory.changes}
    last: dict[tuple[str, str, str], dict[str, Any]] = {}
    gone: set[tuple[str, str, str]] = set()
    for event in trajectory.events:
        writes = event.writes if isinstance(event, (CallRecord, Landing)) else ()
        rows = {(write.app, write.table, write.id): write.values for write in writes}
        last |= {row: values for row, values in rows.items() if values is not None}
        gone -= rows.keys()
        if not any(row in changed and changed[row].op == "insert" for row in rows):
            gone |= {row for row, values in rows.items() if values is None}
    return [
        Change(app=row[0], table=row[1], id=row[2], before=None, after=values)
        for row, values in last.items()
        if row in gone and row not in changed
    ]


def _taken_back(rows: Sequence[Change]) -> str:
    counted = Counter(f"{row.app}.{row.table}" for row in rows)
    return f"New rows were removed again: {', '.join(f'{n} of {table}' for table, n in sorted(counted.items()))}."


def _left(session: Mapping[str, Any]) -> str:
    done = f"{session['matched']} of {session['expected']} expected changes, {session['unexpected']} unexpected"
    return f"Session {session['session']} left: {done}."


def _reason(trajectory: Trajectory, match: Match) -> str:
    expected = len(match.checkpoints)
    if not expected:
        state = "nothing was to change"
    elif not match.missing:
        state = "the one expected change was made" if expected == 1 else f"all {expected} expected changes were made"
    elif match.pairs:
        state = f"{len(match.pairs)} of {expected} expected changes {'was' if len(match.pairs) == 1 else 'were'} made"
    else:
        state = (
            "the one expected change is missing" if expected == 1 else f"all {expected} expected changes are missing"
        )
    others = len(match.unexpected)
    if expected:
        other = f"{others} unexpected {'change' if others == 1 else 'changes'}" if others else "nothing else changed"
        state += f", and {other}"
    elif others:
        state += f", but {'one change was' if others == 1 else f'{others} changes were'} made"
    else:
        state += ", and nothing did"
    if trajectory.status == "finished":
        return f"{state[0].upper()}{state[1:]}."
    cut = "hit a limit" if trajectory.status == "limit" else "crashed"
    return _sentence(f"The agent {cut}", trajectory.reason).removesuffix(".") + f"; {state}."


def _sentence(start: str, cause: str) -> str:
    return f"{start}: {cause.removesuffix('.')}." if cause else f"{start}."


def _listed(changes: Iterable[Expected | Change], defaults: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return sorted(_described(change, defaults.get(f"{change.app}.{change.table}", {})) for change in changes)[:_SHOWN]


def _described(change: Expected | Change, usual: Mapping[str, Any]) -> str:
    """One line: what was or should have been done to which row, long values cut."""
    values: Mapping[str, Any] = change.values if isinstance(change, Expected) else change.fields
    where = f"{change.op} {change.app}.{change.table}"
    if change.op == "insert":
        values = {
            field: value
            for field, value in values.items()
            if value is not None and not (field in usual and canonical(value) == canonical(usual[field]))
        }
    else:
        where += f" {change.id}"
    shown = ", ".join(f"{field}={_short(value)}" for field, value in values.items())
    return f"{where}: {shown}" if shown else where


def _short(value: Any) -> str:
    return cut(json.dumps(value, ensure_ascii=False), 60)
