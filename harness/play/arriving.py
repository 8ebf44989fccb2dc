"""Rows that a task has arrive: whether they fit, and whether a condition can bring them."""

from __future__ import annotations

from collections.abc import Sequence

from harness.core.config import Condition, ConfigProblem, LlmUserConfig, UserConfig
from harness.core.task import Arrives, Session, Task
from servers.kernel import App, Base, Edit, Engine, Layer, StateError, check_rows

__all__ = ("Unfit", "arrival_named", "check_sessions", "laid_out", "starting")


class Unfit(StateError):
    """An arrival that does not fit; the text names its session, its place there and the step."""


def arrival_named(session: int, place: int) -> str:
    """What errors call an arrival."""
    return f"session {session}, arrival {place}"


def laid_out(engine: Engine, base: Base, task: Task, apps: Sequence[App]) -> Layer:
    """A layer with the task's setup, in which no new row takes the id of one that is to arrive.

    Raises `StateError` where a row of the world or the setup does not fit, and `Unfit` where an arrival does not after
    it and those before.
    Whatever an agent does, and however far it comes, what fits here will then fit.
    """
    check_rows(base.world, apps)
    layer = engine.layer(base, task.setup, apps)
    if task.arrivals:
        ahead = layer.fork()
        try:
            for number, session in enumerate(task.sessions):
                for place, arrival in enumerate(session.arrivals):
                    try:
                        ahead.arrive(arrival.edits, apps)
                    except StateError as error:
                        raise Unfit(f"{arrival_named(number, place)}, {error}") from None
            layer.reserve(ahead)
        except BaseException:
            layer.close()
            raise
        finally:
            ahead.close()
    return layer


def check_sessions(task: Task, condition: Condition, where: str = "", *, processes: bool = False) -> None:
    """Refuse a session that nothing and nobody begins, and an arrival whose moment cannot come under a condition.

    `where` names the condition in an error; with `processes` its apps are in processes of their own, which rows reach
    only before the first session. Raises `ConfigProblem`.
    """
    for number, session in enumerate(task.sessions):
        if bool(session.requests) == bool(session.event):
            has = "both requests and an event" if session.event else "neither requests nor an event"
            raise ConfigProblem(f"task {task.id}: session {number} has {has}; it begins with one of them")
        if session.requests.get(condition.prompt) == "" and not _may_open(condition):
            raise ConfigProblem(
                f"{where}task {task.id}: session {number} has an empty prompt {condition.prompt!r}, for a user who "
                "opens it, but no user here does; ours only answer"
            )
        for place, arrival in enumerate(session.arrivals):
            if problem := _amiss(session, place) or _undelivered(arrival, condition, processes):
                raise ConfigProblem(f"{where}task {task.id}: {arrival_named(number, place)}, {problem}")


def _may_open(condition: Condition) -> bool:
    """Whether a user may be there whose own words begin a session: one of a plugin's kinds."""
    return condition.asks and not isinstance(condition.user, UserConfig | LlmUserConfig)


def _amiss(session: Session, place: int) -> str:
    """What is wrong with when an arrival comes, under any condition."""
    arrival = session.arrivals[place]
    for name in ("after_call", "after_hand_over"):
        number = getattr(arrival, name)
        if number is not None and number < 0:
            return f"has {name}: {number}; they are numbered from 0"
    if arrival.after_call is not None and arrival.after_hand_over is not None:
        return "has both after_call and after_hand_over; give one of them"
    if arrival.before and not all(each.before for each in session.arrivals[:place]):
        return "comes before the session; list it before those that come later"
    return ""


def _undelivered(arrival: Arrives, condition: Condition, processes: bool) -> str:
    """Why an arrival would not come under a condition."""
    if arrival.after_hand_over is not None and condition.end_of_turn != "user":
        return "comes after a hand-over, and there is none without `end_of_turn: user`"
    if processes and not arrival.before:
        return "comes while the session goes on, which nothing can over stdio; use transport memory or http"
    return ""


def starting(task: Task) -> tuple[Edit, ...]:
    """The edits that lead to the rows with which the first session begins."""
    first = task.sessions[0].arrivals
    return (*task.setup, *(edit for arrival in first if arrival.before for edit in arrival.edits))
