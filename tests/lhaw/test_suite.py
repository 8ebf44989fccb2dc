"""The suites as they are played: what they are made of, what agents see of them, and that two runs agree."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lhaw.leaks import leaks
from benchmarks.lhaw.rewrite import GAPS
from benchmarks.lhaw.suite import short, workplace
from benchmarks.lhaw.variants import Withheld, grounded, withheld
from benchmarks.workbench.synth.suite import load
from harness.agents.reference import SlotView, question
from harness.core.config import Condition, ReferenceConfig, RunConfig
from harness.play.run import evaluate
from harness.record.scores import scores
from harness.suite import Suite
from harness.task import Brief, Segment, Session, Slot, Task
from harness.trajectory import Trajectory
from tests.cli.conftest import running
from tests.harness.wired import Over
from tests.lhaw import wordings
from tests.lhaw.scenes import NOW
from userssim.grounded import GroundedUser
from userssim.values import said
from userssim.wish import Known, Wish, holds

LACKING = "underspecified"

NEVER_WITHHELD = {
    ("compare-sources", "first"),
    ("compare-sources", "second"),
    ("chart-popular-source", "rank"),
    ("charts-between", "second"),
    ("chart-two-since", "second"),
    ("plot-if-outgrew", "second"),
}
"""Sources and figures that stand beside another of their kind: no colleague would write of one without its name."""


@pytest.fixture(scope="module")
def suite() -> Suite:
    """The short one."""
    return short()


@pytest.fixture(scope="module")
def long() -> Suite:
    return workplace()


@pytest.fixture(scope="module", params=["suite", "long"])
def either(request: pytest.FixtureRequest) -> Suite:
    found: Suite = request.getfixturevalue(request.param)
    return found


def test_a_dry_run_says_what_cannot_be_told_without_the_original_request(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    call = running(capsys)
    config = {
        "suite": "lhaw-short",
        "agents": [{"kind": "idle"}],
        "conditions": {"asking": {"prompt": LACKING, "ask": "ask_user"}, "whole": {}},
    }
    (tmp_path / "run.yaml").write_text(json.dumps(config), encoding="utf-8")
    shown = call("eval", tmp_path / "run.yaml", "--limit", 1, "--output", tmp_path / "run", "--dry-run")
    listed = json.loads(call("eval", tmp_path / "run.yaml", "--limit", 1, "--dry-run", "--json").out)

    (line,) = listed["untold"]
    assert "whether agents ask where nothing is missing cannot be told" in line
    assert shown.out.splitlines()[2] == line


def test_what_each_severity_leaves_is_as_reviewed() -> None:
    assert wordings.FILE.read_text(encoding="utf-8").splitlines() == list(wordings.lines()), (
        "phrases or wordings changed: review `python -m tests.lhaw.wordings`"
    )


def test_a_slot_is_withheld_somehow_in_every_wording_or_in_none() -> None:
    ways: Counter[tuple[str, str]] = Counter()
    wordings_of: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for line in wordings.lines():
        if line.startswith("## "):
            template, number = line.removeprefix("## ").partition(":")[0].split(" ")
        else:
            name, _, left = line.partition(": ")
            slot = template, name.partition(" ")[0]
            ways[slot] += left != "-"
            if left != "-":
                wordings_of[slot].add(number)

    assert {slot for slot, count in ways.items() if not count} == NEVER_WITHHELD
    assert all(len(found) == 3 for found in wordings_of.values())


def test_short_variants_are_many_and_balanced(suite: Suite) -> None:
    severities = Counter(task.facts["severity"] for task in suite.tasks)
    segments = Counter(task.facts["segments"] for task in suite.tasks)
    dimensions = {dimension for task in suite.tasks for dimension in task.facts["dimensions"]}

    assert len(suite.tasks) == 100
    assert max(severities.values()) <= 2 * min(severities.values())
    assert max(segments.values()) <= 1.4 * min(segments.values())
    assert dimensions == {"goal", "constraint", "input", "context"}


def test_ids_differ(either: Suite) -> None:
    assert len({task.id for task in either.tasks}) == len(either.tasks)


def test_both_together_have_sixty_triples_or_more(suite: Suite, long: Suite) -> None:
    sets = [{task.facts.get("triple") for task in each.tasks} - {None} for each in (suite, long)]

    assert sum(map(len, sets)) >= 60


def test_a_triple_withholds_the_same_segments_under_all_three_strategies(either: Suite) -> None:
    sets: defaultdict[str, list[Task]] = defaultdict(list)
    for task in either.tasks:
        if "triple" in task.facts:
            sets[task.facts["triple"]].append(task)

    assert sets
    for each in sets.values():
        assert sorted(task.facts["severity"] for task in each) == ["delete", "genericize", "vagify"]
        assert len({(task.facts["original"], frozenset(task.withheld[LACKING])) for task in each}) == 1


def test_a_pair_is_of_one_task_with_one_and_with_two_segments(either: Suite) -> None:
    matched: defaultdict[str, list[Task]] = defaultdict(list)
    for task in either.tasks:
        if "pair" in task.facts:
            matched[task.facts["pair"]].append(task)

    assert matched
    for each in matched.values():
        one, two = sorted(each, key=lambda task: int(task.facts["segments"]))
        assert set(one.withheld[LACKING]) < set(two.withheld[LACKING])
        assert (one.facts["original"], one.facts["severity"]) == (two.facts["original"], two.facts["severity"])


def test_all_that_is_benign_is_long(suite: Suite, long: Suite) -> None:
    classes = [Counter(task.facts["designed_class"] for task in each.tasks) for each in (suite, long)]

    assert classes[0]["benign"] == 0
    assert classes[1]["benign"] == 76


def test_long_variants_keep_the_calls_that_their_source_allows(long: Suite) -> None:
    assert all(task.sessions[0].limits.tool_calls == 3 * task.facts["calls"] for task in long.tasks)


def test_no_variant_says_what_it_withholds(either: Suite) -> None:
    for task in either.tasks:
        request = task.sessions[0].requests[LACKING]
        now = either.load_world(task.world).now
        for slot in task.slots:
            gone = slot.name in task.withheld[LACKING]
            assert bool(leaks(request, slot, now)) != gone, (request, slot.text)


def test_what_is_withheld_stands_word_for_word_in_what_was_meant(either: Suite) -> None:
    for brief in (task.sessions[0].briefs[LACKING] for task in either.tasks):
        assert all(holds(brief.intent, segment.value) for segment in brief.withheld)


def test_a_time_of_day_that_is_withheld_is_temporal(suite: Suite) -> None:
    times = [slot for task in suite.tasks for slot in task.slots if slot.kind == "time"]

    assert times
    assert {(slot.dimension, slot.subdimension) for slot in times} == {("constraint", "temporal")}


def test_a_share_of_a_sentence_is_withheld_with_its_unit() -> None:
    lost = [
        (slot.text, each.left.withheld[0].text)
        for task in load().tasks
        if task.id.startswith("wb-synth-65-")
        for slot in grounded(task)
        if slot.kind == "threshold" and f"{slot.text} percent" in task.sessions[0].requests["original"]
        for each in withheld(task, [slot], NOW)
        if isinstance(each, Withheld)
    ]

    assert lost
    assert any(text == f"{value} percent" for value, text in lost)


def test_variants_say_whether_their_gap_shows(suite: Suite) -> None:
    gaps = Counter(task.facts["gap"] for task in suite.tasks)

    assert set(gaps) <= set(GAPS)
    assert gaps["hidden"] + gaps["default"] < len(suite.tasks) / 2


def play(suite: Suite, folder: Path, task: Task, *, prompt: str = LACKING, ask: bool = True) -> Trajectory:
    found = Suite(
        name=suite.name, version=suite.version, description="", tasks=[task], world=suite.world, checks=suite.checks,
        programs=suite.programs, system=suite.system, toolsets=suite.toolsets,
    )  # fmt: skip
    agent = ReferenceConfig(kind="reference", explore=0.0, ask=1.0, guess=0.0)
    condition = Condition(prompt=prompt, ask="ask_user" if ask else "off")
    config = RunConfig(suite=suite.name, agents=(agent,), conditions={"only": condition}, seed=7)
    (record,) = evaluate(config, found, Over(found), folder).records()
    return record.trajectory


def twin(task: Task, value: dict[str, tuple[str, Any]]) -> Task:
    """The same variant of a request that has other values where this one's are withheld."""

    def other(slot: Slot) -> Slot:
        if slot.name not in value:
            return slot
        text, data = value[slot.name]
        return slot.model_copy(update={"text": text, "value": data})

    session = task.sessions[0]
    full = session.requests["original"]
    for slot in task.slots:
        full = full.replace(slot.text, value.get(slot.name, (slot.text, None))[0])
    withheld = tuple(Segment(id=s.id, slot=other(s.slot)) for s in session.briefs[LACKING].withheld)
    sent = session.requests[LACKING]
    changed = Session(
        requests={"original": full, LACKING: sent},
        briefs={LACKING: Brief(intent=full, sent=sent, withheld=withheld)},
    )
    return task.model_copy(update={"slots": tuple(map(other, task.slots)), "sessions": (changed,)})


def seen(trajectory: Trajectory) -> Sequence[Any]:
    """What the agent had received and sent when the first answer arrived."""
    first = next((n for n, call in enumerate(trajectory.calls) if call.asked), len(trajectory.calls))
    calls = [(c.app, c.tool, c.arguments, c.status, c.text) for c in trajectory.calls[:first]]
    asked = [(c.app, c.tool, c.arguments) for c in trajectory.calls[first : first + 1]]
    messages = [(m.role, m.content) for m in trajectory.messages if m.role in ("system", "user")]
    return [trajectory.sessions[0].request, calls, asked, messages, trajectory.task, trajectory.seed]


PEOPLE = {"priya": ("Priya", "priya"), "oskar": ("Oskar", "oskar")}


def test_what_is_withheld_makes_no_difference_until_a_question_is_answered(suite: Suite, tmp_path: Path) -> None:
    tried = 0
    for task in suite.tasks:
        persons = [slot for slot in task.slots if slot.kind == "person" and slot.name in task.withheld[LACKING]]
        if len(persons) != 1 or tried == 6:
            continue
        (person,) = persons
        name = next(name for name in PEOPLE if name != person.value and name not in str(task.sessions).casefold())
        other = twin(task, {person.name: PEOPLE[name]})
        ours, theirs = (play(suite, tmp_path / f"{tried}-{n}", t) for n, t in enumerate((task, other)))
        assert other.sessions[0].requests["original"] != task.sessions[0].requests["original"]
        assert seen(ours) == seen(theirs)
        assert any(call.asked for call in ours.calls)
        assert [call.asked for call in ours.calls] != [call.asked for call in theirs.calls]
        tried += 1
    assert tried == 6


def test_an_agent_that_always_asks_gets_every_variant_right(suite: Suite, tmp_path: Path) -> None:
    for n, task in enumerate(suite.tasks[::6]):
        trajectory = play(suite, tmp_path / str(n), task)
        score = scores(suite.checks, task, trajectory)["outcome"]
        assert score.value == 1.0, (task.sessions[0].requests[LACKING], score.reason)
        assert trajectory.questions


def test_an_agent_that_neither_asks_nor_finds_nor_guesses_gets_none_right(suite: Suite, tmp_path: Path) -> None:
    for n, task in enumerate(suite.tasks[::9]):
        trajectory = play(suite, tmp_path / str(n), task, ask=False)
        assert scores(suite.checks, task, trajectory)["outcome"].value == 0.0, task.sessions[0].requests[LACKING]


def test_on_the_original_request_there_is_nothing_to_ask(suite: Suite, tmp_path: Path) -> None:
    for n, task in enumerate(suite.tasks[::12]):
        trajectory = play(suite, tmp_path / str(n), task, prompt="original")
        assert (scores(suite.checks, task, trajectory)["outcome"].value, trajectory.questions) == (1.0, [])


@pytest.mark.parametrize("severity", ["delete", "vagify", "genericize"])
def test_the_grounded_user_answers_the_plain_question_for_each_slot_and_gives_no_other_away(
    suite: Suite, severity: str
) -> None:
    for task in (task for task in suite.tasks if task.facts["severity"] == severity):
        brief = task.sessions[0].briefs[LACKING]
        wish = Wish(
            full=brief.intent,
            sent=brief.sent,
            withheld=tuple(Known(id=s.id, kind=s.slot.kind, role=s.slot.role, value=s.value) for s in brief.withheld),
        )
        for segment in brief.withheld:
            slot = segment.slot
            answer = GroundedUser(wish).reply(question(SlotView(slot.name, slot.kind, slot.role)))
            assert answer.revealed == answer.targets == (segment.id,)
            assert said(answer.text, Known(id=segment.id, kind=slot.kind, value=segment.value))
