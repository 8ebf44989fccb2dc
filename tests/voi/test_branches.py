"""How branches are played: what each is led by, what it leaves alone, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from harness.core.config import ConfigProblem, FunctionConfig, RunConfig, UserConfig
from harness.core.desk import Agent, Desk
from harness.play.branching.plan import Planned
from harness.play.branching.play import missing, play_branches
from harness.play.branching.terms import DEFERRALS
from harness.play.replay import replay_run
from harness.play.run import Progress, evaluate
from harness.record.files import RunError
from harness.record.store import Run
from harness.report.voi import valued
from harness.suite import Suite
from harness.trajectory import ModelCall, Trajectory, Usage
from servers.kernel import Fault
from tests.voi.scene import ASKS, BOTH, EITHER, LIST, OWNER, Asker, Scene, config, planned_of, suite


class Again(Asker):
    """Asks for the list, for both at once, and for the list again."""

    def __init__(self) -> None:
        super().__init__(BOTH, ["What is the list?", "Who is the owner, and what is the list?", "Which list?"])


def scene(make: Callable[[], Agent], folder: Path, tasks: int = 1, **condition: object) -> tuple[Planned, Scene, Suite]:
    over = suite(tasks)
    wiring = Scene(over, make)
    parent = evaluate(config(**condition), over, wiring, folder / "parent")  # type: ignore[arg-type]
    return planned_of(parent, over), wiring, over


def by_kind(run: Run, question: int = 0) -> Mapping[str, Trajectory]:
    """The branches of a question, by what their condition adds to its name."""
    found = {}
    for record in run.records():
        then = record.trajectory
        if then.parent and then.trial == question * 1000:
            found[then.condition.removeprefix("asking, ")] = then
    return found


def answers(then: Trajectory) -> list[str]:
    return [asked.answer for asked in then.questions]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_branches_leave_their_parent_untouched(tmp_path: Path) -> None:
    planned, wiring, over = scene(lambda: Asker(BOTH), tmp_path)
    before = bytes_of(tmp_path / "parent")

    play_branches(planned, over, wiring, tmp_path / "voi")

    assert bytes_of(tmp_path / "parent") == before
    assert len(before) >= 2


def test_each_branch_leaves_its_parent_at_the_question(tmp_path: Path) -> None:
    planned, wiring, over = scene(lambda: Asker(BOTH), tmp_path)

    run = play_branches(planned, over, wiring, tmp_path / "voi")

    first, second = by_kind(run, 0), by_kind(run, 1)
    left = DEFERRALS["best_judgment"]
    assert {kind: len(answers(then)) for kind, then in first.items()} == {"answered": 2, "deferred": 2, "not asked": 0}
    assert answers(first["deferred"]) == [left, f"{OWNER}."]
    assert answers(second["deferred"]) == [f"{LIST}.", left]
    assert answers(second["not asked"]) == [f"{LIST}."]
    assert {kind: then.parent.step for kind, then in second.items() if then.parent} == {
        "answered": 2, "deferred": 1, "not asked": 1,
    }  # fmt: skip


def test_what_was_deferred_on_is_deferred_when_asked_for_again_and_others_are_told(tmp_path: Path) -> None:
    planned, wiring, over = scene(Again, tmp_path)

    run = play_branches(planned, over, wiring, tmp_path / "voi")

    left = DEFERRALS["best_judgment"]
    first, both, again = answers(by_kind(run)["deferred"])
    assert (first, again) == (left, left)
    assert OWNER in both
    assert LIST not in both
    assert answers(by_kind(run)["answered"])[0] == f"{LIST}."


def test_who_does_not_know_defers_in_those_words(tmp_path: Path) -> None:
    planned, wiring, over = scene(lambda: Asker(EITHER), tmp_path, user=UserConfig(deferral="dont_know"))

    run = play_branches(planned, over, wiring, tmp_path / "voi")

    assert answers(by_kind(run)["deferred"])[0] == DEFERRALS["dont_know"]


def test_where_nobody_can_be_asked_a_call_by_name_is_refused_and_goes_on_record(tmp_path: Path) -> None:
    class Insisting:
        async def turn(self, desk: Desk, message: str) -> str:
            await desk.call("ask_user_ask_user", {"question": ASKS[0]})
            return "Done."

    planned, wiring, over = scene(Insisting, tmp_path)

    run = play_branches(planned, over, wiring, tmp_path / "voi")

    (call,) = by_kind(run)["not asked"].calls
    assert (call.status, call.text) == (
        "garbled", "The call to 'ask_user_ask_user' could not be taken: there is no such tool.",
    )  # fmt: skip


def test_segments_that_are_told_stand_behind_the_request(tmp_path: Path) -> None:
    heard: list[str] = []

    class Listening(Asker):
        async def turn(self, desk: Desk, message: str) -> str:
            heard.append(message)
            return await super().turn(desk, message)

    planned, wiring, over = scene(lambda: Listening(BOTH), tmp_path)
    heard.clear()
    play_branches(planned, over, wiring, tmp_path / "voi", concurrency=1)

    told = "Move job 0.\n\nWhat this leaves open:\n"
    assert set(heard) == {
        "Move job 0.", f"{told}- list: {LIST}", f"{told}- owner: {OWNER}", f"{told}- list: {LIST}\n- owner: {OWNER}"
    }  # fmt: skip


def test_branches_are_a_run_that_can_be_replayed(tmp_path: Path) -> None:
    planned, wiring, over = scene(lambda: Asker(BOTH), tmp_path)

    run = play_branches(planned, over, wiring, tmp_path / "voi")

    replayed = replay_run(Run.open(run.folder), over, wiring)
    assert len(replayed) == len(planned.branches) == 2 * 3 + 4 * 2
    assert [each for each in replayed if not each.equal] == []


def test_the_same_command_goes_on_where_it_was(tmp_path: Path) -> None:
    planned, wiring, over = scene(lambda: Asker(BOTH), tmp_path)
    run = play_branches(planned, over, wiring, tmp_path / "voi")
    kept = bytes_of(run.folder / "trials")
    gone = sorted(kept)[::3]
    for name in gone:
        (run.folder / "trials" / name).unlink()

    left = missing(planned, over, run.folder)
    play_branches(planned, over, wiring, tmp_path / "voi")

    assert len(left) == len(gone)
    assert sorted(bytes_of(run.folder / "trials")) == sorted(kept)
    assert missing(planned, over, run.folder) == []


def test_more_continuations_keep_those_that_are_there(tmp_path: Path) -> None:
    planned, wiring, over = scene(lambda: Asker(BOTH), tmp_path)
    run = play_branches(planned, over, wiring, tmp_path / "voi")

    more = planned_of(planned.parent, over, continuations=4)

    assert len(missing(more, over, run.folder)) == 4 * 2


def test_branches_of_a_trial_that_was_played_anew_are_refused(tmp_path: Path) -> None:
    planned, wiring, over = scene(lambda: Asker(BOTH), tmp_path)
    play_branches(planned, over, wiring, tmp_path / "voi")
    other, _, _ = scene(lambda: Asker(BOTH, ASKS[::-1]), tmp_path / "anew")

    with pytest.raises(RunError, match="that no longer exists: remove the folder"):
        missing(other, over, tmp_path / "voi")


def test_a_question_with_a_void_continuation_is_tried_twice_and_then_incomplete(tmp_path: Path) -> None:
    tries: list[str] = []

    class Down(Asker):
        """Breaks whenever it was told to decide by itself."""

        async def turn(self, desk: Desk, message: str) -> str:
            said = await super().turn(desk, message)
            if DEFERRALS["best_judgment"] in self.heard:
                tries.append(message)
                raise Fault("the provider is down")
            return said

    planned, wiring, over = scene(lambda: Down(BOTH, ASKS[:1]), tmp_path)
    run = play_branches(planned, over, wiring, tmp_path / "voi", concurrency=1)
    (question,) = valued(planned, over, run.records()).questions

    assert len(tries) == 2
    assert (question.value, question.lacking) == (None, "a continuation is void")
    assert [branch.kind for branch in missing(planned, over, run.folder)] == ["deferred"]


def test_what_a_void_continuation_took_counts_when_the_others_are_played(tmp_path: Path) -> None:
    class Dear(Asker):
        """Breaks whenever it was told to decide by itself, after a call that was paid for."""

        async def turn(self, desk: Desk, message: str) -> str:
            said = await super().turn(desk, message)
            if DEFERRALS["best_judgment"] in self.heard:
                spent = Usage(prompt_tokens=1, completion_tokens=1, cost_usd=1.0)
                desk.spend(ModelCall(session=0, turn=0, purpose="agent", request={}, response={}, usage=spent))
                raise Fault("the provider is down")
            return said

    planned, wiring, over = scene(lambda: Dear(BOTH, ASKS[:1]), tmp_path)
    play_branches(planned, over, wiring, tmp_path / "voi")
    standing: list[Progress] = []
    play_branches(planned, over, wiring, tmp_path / "voi", listener=standing.append)

    left = len(planned.branches) - standing[0].done
    assert (left, standing[0].void, standing[0].spent_usd) == (1, 0, 1.0)


@pytest.mark.parametrize("budget", [8, 20, 40, 63])
def test_a_sample_fits_its_budget_and_a_larger_one_holds_it(tmp_path: Path, budget: int) -> None:
    planned, _, over = scene(lambda: Asker(BOTH), tmp_path, tasks=4)

    small = planned_of(planned.parent, over, max_trials=budget)
    large = planned_of(planned.parent, over, max_trials=budget + 10)

    def trials(sample: Planned) -> list[tuple[str, int]]:
        return [(each.trial, each.number) for each in sample.questions]

    assert 0 < len(small.branches) <= budget
    assert trials(large)[: len(small.questions)] == trials(small)
    assert (small.questions_there, small.cases_there) == (8, 4)


def test_each_question_is_drawn_as_often_as_any_other(tmp_path: Path) -> None:
    planned, _, over = scene(lambda: Asker(BOTH), tmp_path, tasks=2)
    drawn = [planned_of(planned.parent, over, max_trials=7, seed=seed).questions for seed in range(400)]

    times = [sum(any(each.trial == q.trial and each.number == q.number for each in sample) for sample in drawn)
             for q in planned.questions]  # fmt: skip

    assert {len(sample) for sample in drawn} == {1}
    assert all(70 <= each <= 130 for each in times)


def test_an_agent_that_follows_no_record_is_refused(tmp_path: Path) -> None:
    over = suite(1)
    wiring = Scene(over, lambda: Asker(BOTH))
    mine = FunctionConfig(kind="function", name="mine", version="1")
    asking: RunConfig = config().model_copy(update={"agents": (mine,)})
    parent = evaluate(asking, over, wiring, tmp_path / "parent")

    with pytest.raises(ConfigProblem, match=r"^mine \(function\) cannot be branched: [^\n]*$"):
        planned_of(parent, over)


def test_a_run_in_which_nobody_was_asked_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigProblem, match=r"nobody was asked anything [^\n]*$"):
        scene(lambda: Asker(EITHER, ()), tmp_path)


def test_a_question_at_the_end_of_a_turn_is_valued_too(tmp_path: Path) -> None:
    class Talking:
        """Ends its turn with a question, and moves the job if its answer has the list."""

        async def turn(self, desk: Desk, message: str) -> str:
            if LIST in message:
                arguments = {"task_id": "00000000", "field": "list_name", "new_value": LIST}
                await desk.call("projects_update_task", arguments)
            return ASKS[0] if message.startswith("Move") else "That is all."

    planned, wiring, over = scene(Talking, tmp_path, ask="off", end_of_turn="user")
    run = play_branches(planned, over, wiring, tmp_path / "voi")
    (question,) = valued(planned, over, run.records()).questions

    assert question.lacking == ""
    assert (question.value, question.asking) == (1, 1)
    assert answers(by_kind(run)["deferred"]) == [DEFERRALS["best_judgment"]]
    assert by_kind(run)["not asked"].status == "finished"
