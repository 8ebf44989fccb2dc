"""What somebody's own user or tool does wrong is told where it is written, and counts against no agent."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import pytest

from harness import Defect, Session, UserFault, evaluate, open_task, open_world
from harness.core import user_config, users
from harness.core.users import UserEntry
from harness.user import UserSettings
from servers import projects
from servers.kernel import Answer, Opening, Question, State, World
from tests.harness import toy

pytestmark = pytest.mark.usefixtures("only_board")


class Own(UserSettings):
    """One's own."""

    kind: Literal["own"] = "own"


class Raises:
    async def answer(self, question: Question) -> Answer:
        raise KeyError("oops")


class Exits:
    async def answer(self, question: Question) -> Answer:
        raise SystemExit(2)


class Silent:
    async def answer(self, question: Question) -> Answer:
        return None  # type: ignore[return-value]


class Plain:
    def answer(self, question: Question) -> Answer:
        return Answer(text="Backlog")


class Mute:
    async def answer(self, question: Question) -> Answer:
        return Answer(text="Backlog")

    async def opens(self, session: Opening) -> str:
        return None  # type: ignore[return-value]


async def fails(whom: str, question: Question) -> Answer:
    raise KeyError(whom)


class Partial:
    answer = partial(fails, "oops")


class Asked:
    async def __call__(self, question: Question) -> Answer:
        raise KeyError("oops")


class Whole:
    answer = Asked()


def line(function: Callable[..., Any], further: int = 0) -> str:
    return f"(tests/front/test_faults.py:{function.__code__.co_firstlineno + further})"


TELLING = [
    (Raises, f"user 'own': `answer` raised KeyError: 'oops' {line(Raises.answer, 1)}"),
    (Exits, f"user 'own': `answer` raised SystemExit: 2 {line(Exits.answer, 1)}"),
    (Silent, f"user 'own': `answer` {line(Silent.answer)} gives None, not a `servers.kernel.Answer`"),
    (Plain, f"user 'own': `answer` {line(Plain.answer)} cannot be awaited: write it as `async def`"),
    (Mute, f"user 'own': `opens` {line(Mute.opens)} gives None, not a text"),
    (Partial, f"user 'own': `answer` raised KeyError: 'oops' {line(fails, 1)}"),
    (Whole, f"user 'own': `answer` raised KeyError: 'oops' {line(Asked.__call__, 1)}"),
    (dict, "user 'own' cannot be made: `make` ({file}) gives {{}}, which has no `answer`"),
]


def _brought(made: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> str:
    """Have a package bring the user; where its entry makes it."""
    entry = UserEntry(Own, lambda *_: made())
    for module in (users, user_config):
        monkeypatch.setattr(module, "plugins", lambda: {"own": entry})
        monkeypatch.setattr(module, "brought", lambda _: entry)
    return line(entry.make)[1:-1]


@pytest.mark.parametrize(("made", "told"), TELLING, ids=[made.__name__ for made, _ in TELLING])
@pytest.mark.parametrize("asks", [{"ask": "ask_user"}, {"end_of_turn": "user"}], ids=["asked", "at the end"])
def test_a_user_that_breaks_voids_the_trial_and_is_named_with_the_place(
    made: Callable[[], Any], told: str, asks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = _brought(made, monkeypatch)

    async def agent(session: Session) -> str:
        if "ask" in asks:
            await session.call("ask_user", "ask_user", {"question": "Which list?"})
        return "Which list?"

    config = {"suite": "toy", "tasks": ["toy-0"], "conditions": {"own": {**asks, "user": {"kind": "own"}}}}
    found = evaluate(config, agent, name="mine", version="1")

    (reason,) = found.trials["reason"]
    assert found.trials["status"] == ["void"]
    assert reason.removeprefix("UserFault: ") == told.format(file=file)


@pytest.mark.parametrize(("made", "told"), TELLING, ids=[made.__name__ for made, _ in TELLING])
def test_a_user_that_breaks_is_no_refusal_of_a_tool_in_an_open_task(
    made: Callable[[], Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = _brought(made, monkeypatch)

    def asked() -> None:
        with open_task("toy", "toy-0", ask="ask_user", user={"kind": "own"}) as task:
            task.ask("Which list?")

    with pytest.raises(UserFault, match=re.escape(told.format(file=file))):
        asked()


def _break(tool: str, monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any]) -> None:
    monkeypatch.setattr(projects.app.toolsets["workbench"].tool(tool), "function", function)


def broken(state: State, **arguments: Any) -> str:
    raise ZeroDivisionError("division by zero")


def exits(state: State, **arguments: Any) -> str:
    raise SystemExit(2)


DEFECTS = [
    (broken, f"projects.update_task is defective: ZeroDivisionError: division by zero {line(broken, 1)}"),
    (exits, f"projects.update_task is defective: SystemExit: 2 {line(exits, 1)}"),
]
MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "In Review"}


@pytest.mark.parametrize(("function", "told"), DEFECTS, ids=["raises", "exits"])
def test_a_tool_that_breaks_voids_the_trial_and_is_told_with_its_place(
    function: Callable[..., Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _break("update_task", monkeypatch, function)

    async def agent(session: Session) -> None:
        await session.call("projects", "update_task", MOVE)

    found = evaluate({"suite": "toy", "tasks": ["toy-0"]}, agent, name="mine", version="1")

    assert (found.trials["status"], found.trials["reason"]) == (["void"], [told])


@pytest.mark.parametrize(("function", "told"), DEFECTS, ids=["raises", "exits"])
def test_a_tool_that_breaks_in_an_open_world_is_a_defect_with_its_place_and_cause(
    function: Callable[..., Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _break("update_task", monkeypatch, function)

    def called(world: World) -> None:
        with open_world(world, toolsets={"projects": "workbench"}) as opened:
            opened.call("projects", "update_task", MOVE)

    with pytest.raises(Defect) as caught:
        called(toy.world())

    assert str(caught.value) == told
    assert caught.value.__cause__ is not None
    assert type(caught.value.__cause__).__name__ in told


def test_a_score_after_a_tool_broke_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    _break("update_task", monkeypatch, broken)

    with open_task("toy", "toy-0") as task:
        with pytest.raises(Defect):
            task.call("projects", "update_task", MOVE)
        score = task.score()

    assert (score.label, score.reason) == ("void", f"The trial is void: {DEFECTS[0][1]}.")
