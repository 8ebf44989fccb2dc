"""Whatever an agent writes into its choice, no check breaks: what breaks one is in no mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import anyio
import pytest

from benchmarks.probe import worlds
from benchmarks.probe.records import Action, Parameter, ParamsSchema, Sample
from benchmarks.probe.scoring.answers import DETAILS, Answer, answered
from benchmarks.probe.scoring.scored import questions, score
from benchmarks.probe.suite import act, load
from harness.audit.play import Player
from harness.suite import Suite
from harness.task import Call
from harness.trajectory import Trajectory
from servers.kernel import refusal
from tests.probe.hostile import TEXTS, VALUES, assert_scored
from tests.probe.scoring.toys import PARAMETERS, answer, sample
from tests.sampling import sampled

HELD = {name: value for name, value in (TEXTS | VALUES).items() if not refusal(value)}
"""What a call can hold: no other reaches a tool."""

KINDS = ("person", "people", "date", "id", "enum", "amount", "text")


@pytest.fixture(scope="module", params=["open", "structured"])
def player(request: pytest.FixtureRequest) -> Iterator[Player]:
    suite = load(total=1, controls=0)
    found = Player(replace(suite, toolsets={**suite.toolsets, "actions": request.param}))
    yield found
    found.close()


def played(player: Player, call: Call) -> Trajectory:
    async def play() -> Trajectory:
        return (await player.play(player.suite.tasks[0], [call])).trajectory

    return anyio.run(play)


def chosen(suite: Suite) -> Call:
    """The right choice."""
    (call,) = act(worlds.sample(suite.tasks[0].world), suite.toolsets)
    return call


def changed(call: Call, **arguments: Any) -> Call:
    return call.model_copy(update={"arguments": {**call.arguments, **arguments}})


SOME = sampled(TEXTS, 14)
"""What is put through the tools, which take it or do not; what they take is scored below, all of it in each field."""


@pytest.mark.parametrize("text", [TEXTS[name] for name in SOME], ids=SOME)
def test_any_text_in_every_field_of_a_choice_is_scored(player: Player, text: str) -> None:
    call = chosen(player.suite)
    parts = player.suite.toolsets["actions"] == "structured"
    other = changed(
        call,
        parameters=dict.fromkeys(call.arguments["parameters"], text or "-"),
        evidence=[text, *call.arguments["evidence"]],
        bottleneck=dict.fromkeys(DETAILS, text) if parts else text,
    )

    trial = played(player, other)

    # Half a character is in no call that can be kept, and refused; everything else is entered.
    assert bool(trial.changes) is not bool(refusal(text))
    assert_scored(player.suite, player.suite.tasks[0], trial)


@pytest.mark.parametrize("field", ["parameters", "evidence", "bottleneck"])
@pytest.mark.parametrize("value", VALUES.values(), ids=[*VALUES])
def test_any_value_in_place_of_a_part_of_a_choice_is_scored(player: Player, field: str, value: Any) -> None:
    trial = played(player, changed(chosen(player.suite), **{field: value}))

    if trial.changes:  # else it was refused, and nothing is done
        assert_scored(player.suite, player.suite.tasks[0], trial)


def of_kind(kind: Any, gold: Any) -> Sample:
    """A sample, as others may have made it, that asks for one parameter of that kind."""
    schema = ParamsSchema(properties={"it": Parameter(kind=kind, critical=True)})
    action = Action(id="ask", type="request_access", description="Ask.", params_schema=schema)
    return sample(parameters={"it": gold}, mentions={}).model_copy(update={"actions": (action,)})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", HELD.values(), ids=[*HELD])
def test_any_value_of_a_parameter_that_a_call_can_hold_is_scored(kind: str, value: Any) -> None:
    key = of_kind(kind, {"people": ["Ada Berg", "Cem Dal"], "amount": 12}.get(kind, "Ada Berg"))
    row = {"action": "ask", "parameters": {"it": value}, "evidence": [], "bottleneck": "", "details": {}}
    given = answered([row])

    assert score(key, given, {}, paper=True).model_dump_json()
    assert all(each.model_dump_json() for each in questions(key, given, paper=True))


@pytest.mark.parametrize("field", DETAILS)
@pytest.mark.parametrize(
    "text", [HELD[name] for name in TEXTS if name in HELD], ids=[name for name in TEXTS if name in HELD]
)
def test_any_text_in_one_field_of_an_answer_leaves_the_verdicts_on_the_others(field: Any, text: str) -> None:
    whole, other = score(sample(), answer(), {}), score(sample(), answer(details={field: text}), {})

    assert {**other.identification.verdicts, field: None} == {**whole.identification.verdicts, field: None}


def test_the_start_of_a_very_long_text_is_read() -> None:
    long = "x " * 5_000
    row = {"action": "ask", "evidence": [], "bottleneck": "", "details": {"who_blocked": f"{long}Cem Dal"}}
    given = answered([{**row, "parameters": {**PARAMETERS, "message": f"{long}Cem Dal", "object": ["a"] * 300}}])

    assert isinstance(given, Answer)
    assert given.bottleneck.who_blocked == given.parameters["message"] == long  # type: ignore[union-attr]
    assert given.parameters["object"] == ["a"] * 200
