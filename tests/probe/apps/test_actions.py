"""Actions: listed with their parameters, chosen by id, once a day on the paper's surface."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from servers.actions import Decision, app
from servers.kernel import Engine, Failure, Layer, NotFound, World

ACTIONS: list[dict[str, Any]] = [
    {
        "id": "ask_decider",
        "type": "request_approval",
        "description": "Ask whoever decides.",
        "constraints": ["In writing."],
        "params_schema": {
            "required": ["decider", "reference"],
            "properties": {
                "decider": {"kind": "person", "description": "Who decides"},
                "reference": {"kind": "id"},
                "cc": {"kind": "people"},
                "by": {"kind": "date"},
                "urgency": {"kind": "enum", "choices": ["low", "high"]},
                "sum": {"kind": "amount"},
                "message": {"kind": "text"},
            },
        },
    },
    {"id": "wait", "type": "update_task_status", "description": "Wait.", "params_schema": {"required": ["note"]}},
]
RIGHT = {"decider": "Ada Berg", "reference": "AB-12"}


class Choices:
    """Calls tools of one surface."""

    def __init__(self, layer: Layer, toolset: str) -> None:
        self.layer, self.toolset = layer, app.toolsets[toolset]

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.toolset.tool(tool).call(self.layer.state(app), arguments).data

    def choose(self, action: str = "ask_decider", **given: Any) -> Any:
        rest = {"parameters": RIGHT, "evidence": ["D001"], "bottleneck": "Cem waits for Ada.", **given}
        return self.call("choose_action", action=action, **rest)

    def refusal(self, **given: Any) -> str:
        before = self.layer.digest()
        with pytest.raises(Failure) as refused:
            self.choose(**given)
        assert self.layer.digest() == before
        return str(refused.value)

    def decisions(self) -> list[Decision]:
        return self.layer.state(app).find(Decision)


@pytest.fixture
def layer() -> Iterator[Layer]:
    engine = Engine()
    yield engine.layer(engine.load(World("w", datetime(2025, 3, 5, 9), {"actions": {"actions": ACTIONS}})))
    engine.close()


@pytest.fixture
def choices(layer: Layer) -> Choices:
    return Choices(layer, "open")


def test_it_is_served_to_those_alone_who_name_it_and_open_unless_another_surface_is_named() -> None:
    assert (app.apart, app.default.name, sorted(app.toolsets)) == (True, "open", ["open", "paper", "structured"])


@pytest.mark.parametrize("toolset", app.toolsets)
def test_actions_are_listed_with_their_parameters(layer: Layer, toolset: str) -> None:
    found = Choices(layer, toolset).call("list_actions")

    assert found["shown"] == "1 to 2 of 2"
    assert found["items"] == [
        {
            "id": "ask_decider",
            "type": "request_approval",
            "description": "Ask whoever decides.",
            "constraints": ["In writing."],
            "parameters": {
                "decider": "person, required: Who decides",
                "reference": "id, required",
                "cc": "people, may be left out",
                "by": "date, may be left out",
                "urgency": "one of low, high, may be left out",
                "sum": "amount, may be left out",
                "message": "text, may be left out",
            },
        },
        {
            "id": "wait",
            "type": "update_task_status",
            "description": "Wait.",
            "constraints": [],
            "parameters": {"note": "text, required"},
        },
    ]


def test_a_choice_is_entered_whole(choices: Choices) -> None:
    given: dict[str, Any] = {**RIGHT, "cc": ["Eva Fox"], "sum": 12.5, "by": "2025-03-07"}

    assert choices.choose(parameters=given) == {"decision": "DEC1", "action": "ask_decider", "parameters": given}
    assert choices.decisions() == [
        Decision(
            id="DEC1", made=datetime(2025, 3, 5, 9), action="ask_decider", parameters=given, evidence=["D001"],
            bottleneck="Cem waits for Ada.",
        )
    ]  # fmt: skip


def test_a_second_choice_is_entered_on_the_open_surface(choices: Choices) -> None:
    choices.choose()
    choices.choose("wait", parameters={"note": "Later."})

    assert [(each.id, each.action) for each in choices.decisions()] == [("DEC1", "ask_decider"), ("DEC2", "wait")]


def test_a_second_choice_is_refused_on_the_surface_of_the_paper_until_the_next_day(layer: Layer) -> None:
    choices = Choices(layer, "paper")
    choices.choose()

    refusal = choices.refusal(action="wait", parameters={"note": "Later."})
    assert refusal == "ask_decider was chosen already (DEC1); only one action can be taken a day."
    layer.now = datetime(2025, 3, 6, 9)
    assert choices.choose("wait", parameters={"note": "Later."})["decision"] == "DEC2"


def test_the_bottleneck_is_told_in_its_parts_on_the_structured_surface(layer: Layer) -> None:
    choices = Choices(layer, "structured")
    choices.choose(bottleneck={"who_blocked": "Cem Dal", "when_deadline": "2025-03-10"})

    (decision,) = choices.decisions()
    assert (decision.details, decision.bottleneck) == ({"who_blocked": "Cem Dal", "when_deadline": "2025-03-10"}, "")
    told = choices.refusal(bottleneck={"whom": "Cem Dal"})
    assert "unknown argument 'bottleneck.whom' (there are who_blocked, who_blocker, " in told


EXAMPLE = 'For example: action=\'ask_decider\', parameters={"decider": "Name Surname", "reference": "AB-1234"}'
TAKES = (
    "It takes decider (person), reference (id), cc (people), by (date), urgency (enum), sum (amount), message (text)."
)


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({**RIGHT, "desider": "x"}, "it has no parameter 'desider'"),
        ({"decider": "Ada Berg"}, "it needs reference"),
        ({"decider": "", "reference": None}, "it needs decider; it needs reference"),
        ({**RIGHT, "decider": ["Ada"]}, "decider must be a text"),
        ({**RIGHT, "cc": [1]}, "cc must be a list of names or addresses"),
        ({**RIGHT, "urgency": "huge"}, 'urgency must be one of low, high, not "huge"'),
        ({**RIGHT, "sum": True}, "sum must be a number or a text"),
        ({**RIGHT, "by": 3}, "by must be a day, such as 2025-06-13"),
        ({**RIGHT, "by": "2026-02-29"}, "by must be a day, such as 2025-06-13"),
        ({**RIGHT, "by": " "}, "by must be a day, such as 2025-06-13"),
        ({**RIGHT, "reference": {}}, "reference must be a text"),
    ],
)
def test_parameters_that_do_not_fit_are_refused_by_name_with_a_right_example(
    choices: Choices, parameters: dict[str, Any], problem: str
) -> None:
    assert choices.refusal(parameters=parameters) == f"ask_decider: {problem}. {TAKES} {EXAMPLE}"


@pytest.mark.parametrize("day", ["2024-02-29", "2025-06-13T17:00", "13 June 2025", "next Thursday", None])
def test_a_day_may_be_told_in_words_or_left_out(choices: Choices, day: str | None) -> None:
    assert choices.choose(parameters={**RIGHT, "by": day})["parameters"]["by"] == day


def test_an_example_of_a_choice_is_a_right_one(choices: Choices) -> None:
    example = choices.refusal(parameters={}).partition("parameters=")[2]

    assert choices.choose(parameters=json.loads(example))["decision"] == "DEC1"


def test_an_unknown_action_is_refused_with_those_there_are(choices: Choices) -> None:
    refusal = choices.refusal(action="ask_anybody")

    assert refusal == f"No action has the id 'ask_anybody'. There are ask_decider, wait. {EXAMPLE}"
    with pytest.raises(NotFound):
        choices.choose("ask_anybody")


def test_what_is_too_much_is_refused(choices: Choices) -> None:
    assert "'bottleneck': string should have at most 10000 characters" in choices.refusal(bottleneck="x" * 10_001)
    assert "'evidence'" in choices.refusal(evidence=["D001"] * 201)
