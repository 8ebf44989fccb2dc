"""What a run of LHAW comes to, in a table and a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.lhaw.headline import headline
from harness.core.config import Condition, LlmConfig, RunConfig
from harness.score import outcome
from harness.suite import Headline, Scored, Suite
from servers.kernel import World
from tests.lhaw.scenes import NOW, trial, variant

CONDITIONS = ("original", "original+ask", "underspecified", "underspecified+ask")
TASKS = [variant(f"v{n}", template=f"t{n}") for n in range(6)]
SUITE = Suite(
    name="toy", version="1", description="", tasks=TASKS, world=lambda name: World(name, NOW, {}),
    checks={"outcome": outcome},
)  # fmt: skip
Right = Callable[[int, str], bool]


def run(rights: dict[str, Right], conditions: tuple[str, ...] = CONDITIONS) -> tuple[RunConfig, list[Scored]]:
    """The run of agents that are right where their function of variant and condition says so."""
    asks: dict[str, Condition] = {
        name: Condition(prompt=name.removesuffix("+ask"), ask="ask_user" if name.endswith("+ask") else "off")
        for name in conditions
    }
    agents = tuple(LlmConfig(kind="llm", model=name) for name in rights)
    trials: list[Scored] = [
        trial(task.id, condition, 0, right(n, condition), agent=agent,
              questions=[["recipient"]] * condition.endswith("d+ask"))
        for agent, right in rights.items() for condition in conditions for n, task in enumerate(TASKS)
    ]  # fmt: skip
    return RunConfig(suite="toy", agents=agents, conditions=asks), trials


def said(rights: dict[str, Right], conditions: tuple[str, ...] = CONDITIONS) -> Headline | None:
    config, trials = run(rights, conditions)
    return headline(config, SUITE, trials)


def sentence(rights: dict[str, Right], conditions: tuple[str, ...] = CONDITIONS) -> str:
    found = said(rights, conditions)
    assert found is not None
    return found.sentence


def test_rows_are_conditions_and_questions_stand_where_somebody_can_be_asked() -> None:
    found = said({"m": lambda n, condition: condition != "underspecified"})

    assert found is not None
    assert [(row["condition"], row["accuracy"][:4], row["questions a trial"]) for row in found.table.rows] == [
        ("original", "1.00", None),
        ("original+ask", "1.00", "0.00"),
        ("underspecified", "0.00", None),
        ("underspecified+ask", "1.00", "1.00"),
    ]


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        (
            lambda n, condition: condition != "underspecified",
            "Removing information cost m 100 points of accuracy (8 to 100), and asking won back 100 (8 to 100).",
        ),
        (
            lambda n, condition: condition.startswith("original") or (condition.endswith("+ask") and n == 0),
            "Removing information cost m 100 points of accuracy (8 to 100), "
            "and asking won back 17, which may be chance.",
        ),
        (
            lambda n, condition: True,
            "Removing information cost m 0 points of accuracy (-46 to 46), and asking won back 0 (-46 to 46).",
        ),
    ],
    ids=["all of it", "one of six", "nothing"],
)
def test_a_sentence_says_what_was_lost_what_was_won_back_and_what_may_be_chance(right: Right, expected: str) -> None:
    assert sentence({"m": right}) == expected


def test_without_the_whole_request_it_says_what_asking_won_back() -> None:
    won = sentence({"m": lambda n, condition: condition.endswith("+ask")}, CONDITIONS[2:])

    assert won == "Asking won m back 100 points of accuracy (8 to 100)."


def silent(rights: dict[str, Right], conditions: tuple[str, ...] = CONDITIONS, *mute: str) -> str:
    """What is said where these agents ask nothing."""
    config, trials = run(rights, conditions)
    trials = [
        trial(t.task, t.condition, 0, rights[t.agent](n % len(TASKS), t.condition), agent=t.agent)
        if t.agent in mute
        else each
        for n, each in enumerate(trials)
        for t in [each.trajectory]
    ]
    found = headline(config, SUITE, trials)
    assert found is not None
    return found.sentence


def test_what_an_agent_gained_that_asked_nothing_is_not_said_to_be_won_back_by_asking() -> None:
    assert silent({"m": lambda n, condition: condition != "underspecified"}, CONDITIONS, "m") == (
        "Removing information cost m 100 points of accuracy (8 to 100), and it asked nothing."
    )
    assert silent({"m": lambda n, condition: condition.endswith("+ask")}, CONDITIONS[2:], "m") == (
        "Nothing was asked by m."
    )


def test_of_many_agents_those_that_asked_nothing_are_told_apart() -> None:
    rights: dict[str, Right] = {f"m{k}": lambda n, condition: condition != "underspecified" for k in range(4)}

    assert silent(rights, CONDITIONS, "m1", "m3") == (
        "In points of accuracy, removing information cost 100 (m0 and 3 more); asking won back 100 (m0 and 1 more); "
        "nothing was asked by m1 and 1 more."
    )


def test_of_many_agents_it_tells_the_ends() -> None:
    rights: dict[str, Right] = {
        f"m{k}": lambda n, condition, k=k: condition.startswith("original") or (condition.endswith("+ask") and n < k)  # type: ignore[misc]
        for k in (1, 2, 3, 6)
    }

    assert sentence(rights) == (
        "In points of accuracy, removing information cost 100 (m1 and 3 more); "
        "asking won back from 17 (m1) to 100 (m6)."
    )


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        (("original", "underspecified"), "In points of accuracy, removing information cost 100 (m1 and 3 more)."),
        (CONDITIONS[2:], "In points of accuracy, asking won back from 17 (m1) to 100 (m6)."),
    ],
    ids=["nobody could be asked", "no whole request"],
)
def test_of_many_agents_what_was_not_played_is_not_said_to_be_nothing(
    conditions: tuple[str, ...], expected: str
) -> None:
    rights: dict[str, Right] = {
        f"m{k}": lambda n, condition, k=k: condition.startswith("original") or (condition.endswith("+ask") and n < k)  # type: ignore[misc]
        for k in (1, 2, 3, 6)
    }

    assert sentence(rights, conditions) == expected


def test_without_arms_to_hold_against_each_other_it_has_nothing_to_say() -> None:
    assert said({"m": lambda n, condition: True}, ("original",)) is None


def test_of_a_sample_it_says_so() -> None:
    config, trials = run({"m": lambda n, condition: condition != "underspecified"})
    found = headline(config, SUITE, [each for each in trials if each.trajectory.task in ("v0", "v1")])

    assert found is not None
    assert found.sentence.startswith("On a sample, 2 of 6 variants: removing information cost m 100 points")


def test_tasks_that_the_config_names_are_no_sample() -> None:
    config, trials = run({"m": lambda n, condition: condition != "underspecified"})
    chosen = config.model_copy(update={"tasks": ("v0", "v1")})
    found = headline(chosen, SUITE, [each for each in trials if each.trajectory.task in ("v0", "v1")])

    assert found is not None
    assert found.sentence.startswith("On 2 of 6 variants: removing information cost m 100 points")


def test_three_templates_are_said_to_be_too_few_for_an_interval() -> None:
    config, trials = run(
        {"m": lambda n, condition: condition.startswith("original") or (condition.endswith("+ask") and n > 0)}
    )
    found = headline(config, SUITE, [each for each in trials if each.trajectory.task in ("v0", "v1", "v2")])

    assert found is not None
    # All three lose alike, so that 1 - .025^(1/3) = .708 of all may be otherwise; not all win back.
    assert found.sentence == (
        "On a sample, 3 of 6 variants: removing information cost m 100 points of accuracy, which may be chance, "
        "and asking won back 67; 3 templates are too few for an interval."
    )


def test_a_note_says_how_many_templates_intervals_are_over() -> None:
    found = said({"m": lambda n, condition: condition != "underspecified"})

    assert found is not None
    assert "In brackets: 95% interval, by template, of which there are 6." in found.table.notes


def test_conditions_are_found_by_what_they_are() -> None:
    names = {condition: f"cell {n}" for n, condition in enumerate(CONDITIONS)}
    config, trials = run({"m": lambda n, condition: condition != "underspecified"})
    renamed = config.model_copy(update={"conditions": {names[n]: each for n, each in config.conditions.items()}})
    moved = [
        each._replace(trajectory=each.trajectory.model_copy(update={"condition": names[each.trajectory.condition]}))
        for each in trials
    ]
    plain, other = headline(config, SUITE, trials), headline(renamed, SUITE, moved)

    assert plain is not None
    assert other is not None
    assert plain.sentence == other.sentence


def test_of_several_ways_to_ask_it_tells_of_the_one_without_a_persona() -> None:
    config, trials = run({"m": lambda n, condition: condition != "underspecified"})
    boss = Condition(prompt="underspecified", ask="ask_user", persona="supervisor")
    several = config.model_copy(update={"conditions": {"underspecified+boss": boss, **config.conditions}})
    found = headline(several, SUITE, trials)

    assert found is not None
    assert found.sentence == (
        "Removing information cost m 100 points of accuracy (8 to 100), and asking won back 100 (8 to 100)."
    )
    assert "The sentence is of: underspecified, may ask." in found.table.notes
