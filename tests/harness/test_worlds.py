"""A run is over the worlds that its suite declares, or had when it was begun; over no others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from harness import wiring
from harness.audit import audit
from harness.live import Workplace
from harness.play.fork import go_on
from harness.play.replay import replay_run
from harness.play.run import evaluate, plan, score_run
from harness.record.files import RunError
from harness.record.store import Run
from harness.service.models import NewSandbox
from harness.service.sandboxes import Sandboxes, Sources
from harness.suite import Suite, SuiteEntry, SuiteError
from harness.wiring import world_named
from servers.kernel import Engine, World
from tests.cli.conftest import offer
from tests.harness import toy
from tests.harness.test_belonging import first
from tests.service.scenes import APPS

Use = Callable[[Suite, Run], object]


def emptied(name: str = "toy") -> World:
    """The toy world with every row deleted."""
    return replace(toy.world(), rows={"projects": {"tasks": []}})


def elsewhere() -> Suite:
    return replace(toy.suite(), world=emptied)


def declared(world: World, found: Callable[[str], World] | None = None) -> Suite:
    """The toy suite, declaring that world; what it finds may be another."""
    return replace(toy.suite(), worlds={"toy": world.digest}, world=found or (lambda _: world))


def unread(name: str) -> World:
    raise AssertionError(f"nobody needs the world {name!r}")


class Counted:
    """The toy world, and how often it was made."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, name: str) -> World:
        self.times += 1
        return toy.world()


class Wiring(toy.Wiring):
    """Hands out that suite."""

    def __init__(self, suite: Suite) -> None:
        super().__init__()
        self._suite = suite


def wrong_in_a_worker() -> Wiring:
    return Wiring(declared(toy.world(), emptied))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")


def test_the_same_tasks_over_other_rows_are_another_suite() -> None:
    assert [task.hash for task in elsewhere().tasks] == [task.hash for task in toy.suite().tasks]
    assert elsewhere().digest != toy.suite().digest
    assert plan(toy.config(), elsewhere()).head.identity != plan(toy.config(), toy.suite()).head.identity


def test_a_run_is_not_gone_on_with_over_other_rows(run: Run) -> None:
    with pytest.raises(RunError, match=r"give another --output$"):
        evaluate(toy.config(), elsewhere(), Wiring(elsewhere()), run.folder)


def test_declaring_worlds_changes_no_digest_and_makes_none() -> None:
    assert declared(toy.world(), unread).digest == toy.suite().digest


def test_a_world_is_made_once_for_all_that_is_done_with_a_suite(run: Run, tmp_path: Path) -> None:
    suite = replace(toy.suite(), world=(world := Counted()))

    evaluate(toy.config(trials=2), suite, Wiring(suite), run.folder)
    score_run(run, suite)
    replay_run(run, suite, Wiring(suite))

    assert world.times == 1


def test_a_world_that_tasks_start_from_and_the_suite_does_not_declare_is_named() -> None:
    suite = replace(toy.suite(), worlds={"another": "0" * 64})

    with pytest.raises(SuiteError, match=rf"task toy-0 .* world 'toy', .* declare it .*{toy.world().digest}"):
        _ = suite.digest


FOUND = f"of world 'toy' it declares {toy.world().digest[:12]}.* is {emptied().digest[:12]}.*{emptied().digest}"


def audited(suite: Suite, run: Run) -> None:
    audit(suite, task="toy-0")


def opened(suite: Suite, run: Run) -> None:
    with Workplace() as workplace:
        workplace.task("toy", "toy-0")


def served(wanted: NewSandbox) -> Use:
    def use(suite: Suite, run: Run) -> None:
        sources = Sources(apps=APPS, world=toy.world(), suite=lambda _: suite, user=Wiring(suite).user)
        engine = Engine()
        try:
            anyio.run(Sandboxes(engine, sources).create, wanted)
        finally:
            engine.close()

    return use


LOADS: dict[str, Use] = {
    "played": lambda suite, run: evaluate(toy.config(seed=1), suite, Wiring(suite), run.folder / "other"),
    "replayed": lambda suite, run: replay_run(run, suite, Wiring(suite)),
    "forked": lambda suite, run: go_on(
        run.head.config, suite, Wiring(suite), run, first(run).stem, 0, run.folder / "fork"
    ),
    "audited": audited,
    "opened": opened,
    "served for a task": served(NewSandbox(suite="toy", task="toy-0")),
    "served": served(NewSandbox(world="toy")),
    "named": lambda suite, run: world_named("toy", lambda _: suite),
}


@pytest.mark.parametrize("use", LOADS.values(), ids=LOADS)
def test_a_world_other_than_declared_is_refused_wherever_it_is_loaded(
    run: Run, monkeypatch: pytest.MonkeyPatch, use: Use
) -> None:
    wrong = declared(toy.world(), emptied)
    offer(monkeypatch, SuiteEntry("toy", "", lambda: wrong), where="toy")
    monkeypatch.setattr("harness.front.workplace._suite", wiring.suite)

    with pytest.raises(SuiteError, match=FOUND):
        use(wrong, run)


def test_a_world_that_cannot_be_loaded_is_named() -> None:
    none: dict[str, World] = {}
    suite = replace(toy.suite(), world=none.__getitem__)

    with pytest.raises(SuiteError, match="suite toy: world 'toy' cannot be loaded: KeyError"):
        suite.load_world("toy")


def test_no_trial_is_played_over_a_world_other_than_declared(run: Run, tmp_path: Path) -> None:
    wrong = declared(toy.world(), emptied)

    with pytest.raises(SuiteError):
        evaluate(toy.config(), wrong, Wiring(wrong), tmp_path / "other")

    assert list(Run.open(tmp_path / "other").records()) == []


def test_a_worker_refuses_a_world_other_than_declared(tmp_path: Path) -> None:
    suite = declared(toy.world())

    with pytest.raises(RunError, match=f"a worker process failed: SuiteError: .*{FOUND}"):
        evaluate(
            toy.config(), suite, Wiring(suite), tmp_path / "run",
            workers=2, wiring_factory="tests.harness.test_worlds:wrong_in_a_worker",
        )  # fmt: skip


def test_scoring_again_needs_no_world_where_the_suite_declares_it(run: Run) -> None:
    before = [path.read_bytes() for path in sorted((run.folder / "trials").iterdir())]

    score_run(run, declared(toy.world(), unread))

    assert [path.read_bytes() for path in sorted((run.folder / "trials").iterdir())] == before


def test_a_suite_without_tasks_says_itself_which_worlds_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = SuiteEntry("toy", "", lambda: replace(toy.suite(), tasks=(), world={"": toy.world()}.__getitem__))
    monkeypatch.setattr(wiring.suites, "_sources", lambda: iter([("toy", lambda: [bare])]))

    assert world_named("toy").digest == toy.world().digest
    with pytest.raises(SuiteError, match="'x'"):
        world_named("toy:x")
