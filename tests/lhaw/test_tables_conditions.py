"""Which conditions of a run are held against each other."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.lhaw.conditions import USUAL, Pairing, described, pairings, untold

LACKING: dict[str, Any] = {"prompt": "underspecified"}
ABLE: dict[str, Any] = {**LACKING, "ask": "ask_user"}


def test_an_arm_is_held_against_the_one_that_differs_in_asking_alone() -> None:
    conditions = {"w": ABLE, "x": {"ask": "ask_user"}, "y": LACKING, "z": {}}

    assert pairings(conditions) == [Pairing("z", "x", "y", "w")]


def test_being_answered_at_the_end_of_a_turn_is_asking() -> None:
    conditions = {"lacking": LACKING, "turns": {**LACKING, "end_of_turn": "user"}}

    assert pairings(conditions) == [Pairing("", "", "lacking", "turns")]


def test_arms_with_other_tools_are_not_held_against_each_other() -> None:
    conditions = {"few": {**LACKING, "tools": "required"}, "asking": ABLE}

    assert pairings(conditions) == [Pairing("", "", "", "asking")]


@pytest.mark.parametrize(
    "more",
    [
        {"ask": "clarify", "rounds": 1},
        {"overlays": {"ask_user": {"describe": {"ask_user": "Ask."}}}},
        {"toolsets": {"ask_user": "default"}},
        {"ask": "off", "end_of_turn": "user"},
        {"notice": "may-be-missing", "persona": "executive", "user": {"kind": "grounded", "manner": "terse"}},
    ],
    ids=lambda more: " and ".join(more),
)
def test_no_setting_of_asking_takes_the_other_arms_away(more: dict[str, Any]) -> None:
    conditions: dict[str, dict[str, Any]] = {"whole": {}, "lacking": LACKING, "asking": {**ABLE, **more}}

    assert pairings(conditions) == [Pairing("whole", "", "lacking", "asking")]
    assert len(untold(conditions)) == 1


def test_of_several_arms_that_may_ask_the_one_that_asks_in_the_same_way_goes_first() -> None:
    few = {"ask": "clarify", "rounds": 1}
    conditions: dict[str, dict[str, Any]] = {"many": {"ask": "clarify"}, "few": few, "asking": {**LACKING, **few}}

    assert pairings(conditions) == [Pairing("", "few", "", "asking")]


def test_a_persona_is_held_against_the_arm_without_one_which_the_main_pairing_has() -> None:
    conditions = {"boss": {**ABLE, "persona": "supervisor"}, "plain": ABLE, "lacking": LACKING}

    assert pairings(conditions) == [Pairing("", "", "lacking", "plain"), Pairing("", "", "lacking", "boss")]


def test_the_same_notice_goes_first_then_do_not_ask_with_may_be_missing() -> None:
    told = {**ABLE, "notice": "may-be-missing"}
    quiet = {**LACKING, "notice": "do-not-ask"}
    alike = {**LACKING, "notice": "may-be-missing"}

    (paper,) = pairings({"none": LACKING, "quiet": quiet, "told": told})
    (same,) = pairings({"none": LACKING, "quiet": quiet, "alike": alike, "told": told})

    assert paper.lacking == "quiet"
    assert paper.published({"quiet": quiet, "told": told})
    assert same.lacking == "alike"


def test_without_anybody_to_ask_there_is_a_pairing_all_the_same() -> None:
    assert pairings({"whole": {}, "lacking": LACKING}) == [Pairing("whole", "", "lacking", "")]
    assert pairings({}) == [Pairing("", "", "", "")]


def test_of_the_original_request_it_is_said_what_cannot_be_told_without_it() -> None:
    asking = {"lacking": LACKING, "asking": ABLE}
    baseline, over_asking = untold(asking)

    assert "`prompt: original`" in baseline
    assert "`prompt: original, ask: ask_user`" in over_asking
    assert untold({**asking, "whole": {}}) == [over_asking]
    assert untold({**asking, "whole, asking": {"ask": "ask_user"}}) == [baseline]
    assert untold(USUAL) == []


def test_a_condition_is_described_by_what_it_is_and_by_its_name_only_beside_its_like() -> None:
    scripted = {**ABLE, "user": {"kind": "scripted"}}
    boss = {
        **ABLE,
        "persona": "supervisor",
        "notice": "may-be-missing",
        "user": {"kind": "grounded", "manner": "terse"},
    }
    conditions = {"one": ABLE, "two": scripted, "boss": boss, "lacking": LACKING}

    assert [described(name, conditions) for name in conditions] == [
        "underspecified, may ask (one)",
        "underspecified, may ask (two)",
        "underspecified, may ask, supervisor, may-be-missing, terse",
        "underspecified",
    ]
