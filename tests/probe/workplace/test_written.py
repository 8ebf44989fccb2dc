"""Whatever an agent writes into the form or into what it sends, no check breaks: what breaks one is in no mean."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import anyio
import pytest

from benchmarks.probe import worlds
from benchmarks.probe.scoring.answers import DETAILS
from benchmarks.probe.workplace.acts import FINDINGS, PLACES, SHARED, WAYS, Wanted, call, signs
from benchmarks.probe.workplace.suite import solved
from harness.audit.play import Player
from harness.record.scores import scores
from harness.task import Call
from harness.trajectory import Trajectory
from servers.kernel import refusal
from tests.probe.hostile import FORMS, TEXTS, VALUES, assert_scored
from tests.probe.workplace.scenes import suite, task


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    found = Player(suite())
    yield found
    found.close()


def played(player: Player, *calls: Call) -> Trajectory:
    async def play() -> Trajectory:
        return (await player.play(task("mail"), calls)).trajectory

    return anyio.run(play)


def filled(player: Player, text: str) -> Trajectory:
    """The right act of a trial, with that text in the form."""
    form, act = solved(task("mail"), {})
    written = form.model_copy(update={"arguments": {"path": FINDINGS, "content": text}})
    return played(player, written, act)


@pytest.mark.parametrize("value", [*TEXTS.values(), *VALUES.values()], ids=[*TEXTS, *VALUES])
def test_any_value_in_every_field_of_the_form_is_scored(player: Player, value: Any) -> None:
    trial = filled(player, json.dumps(dict.fromkeys((*DETAILS, "evidence"), value)))

    assert {change.app for change in trial.changes} == {"filesystem", "gmail"}
    assert_scored(suite(), task("mail"), trial)


@pytest.mark.parametrize("field", [*DETAILS, "evidence"])
def test_a_field_that_says_half_a_character_takes_none_of_the_others_along(player: Player, field: str) -> None:
    form = json.loads(solved(task("mail"), {})[0].arguments["content"])
    trial = filled(player, json.dumps({**form, field: "\ud83d"}))
    found = scores(suite().checks, task("mail"), trial)
    verdicts = found["strict"].detail["scored"]["identification"]["verdicts"]

    assert_scored(suite(), task("mail"), trial)
    assert {verdict for name, verdict in verdicts.items() if name != field} <= {"correct", "n/a"}
    assert found["search_f1"].value == (0.0 if field == "evidence" else 1.0)


@pytest.mark.parametrize("text", FORMS.values(), ids=[*FORMS])
def test_any_text_in_place_of_the_form_is_scored(player: Player, text: str) -> None:
    trial = filled(player, text)

    assert_scored(suite(), task("mail"), trial)
    assert scores(suite().checks, task("mail"), trial)["execution"].value == 1.0


def test_a_form_nested_too_deeply_says_nothing_and_the_reason_tells(player: Player) -> None:
    found = scores(suite().checks, task("mail"), filled(player, "[" * 3_000))

    assert (found["search_f1"].value, found["identification"].value) == (0.0, 0.0)
    assert "bottleneck.json nothing can be read: it is nested too deeply" in found["outcome"].reason


KEPT = {name: text for name, text in TEXTS.items() if not refusal(text)}
"""What a call can hold."""


@pytest.mark.parametrize("text", KEPT.values(), ids=[*KEPT])
def test_any_text_in_acts_of_every_way_is_scored(player: Player, text: str) -> None:
    sample = worlds.sample(task("mail").world)
    form, right = solved(task("mail"), {})
    (address,) = right.arguments["to"]
    types = [each.type for each in sample.actions]
    signed = {WAYS[each].place: sign for each, sign in zip(types, signs(types), strict=True)}
    signed["mail"] = right.arguments["subject"].partition(":")[0]
    wanted = Wanted(text, address, text, text, text)
    acts = [call(signed[place], wanted, date.fromisoformat(sample.now)) for place in PLACES]
    bare = Call(app="filesystem", tool="write_file", arguments={"path": f"{SHARED}/bare.txt", "content": text})

    trial = played(player, form, *acts, bare)

    assert f"{SHARED}/bare.txt" in {change.id for change in trial.changes}
    assert_scored(suite(), task("mail"), trial)
