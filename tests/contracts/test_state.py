"""What state promises, whatever is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servers.kernel import Layer, Toolset
from tests.contracts.calls import QUIET, Outcome, Step, base, play, rows, steps, surfaces

every_toolset = pytest.mark.parametrize("toolset", surfaces(), ids=lambda toolset: f"{toolset.app.name}/{toolset.name}")


@every_toolset
@QUIET
@given(data=st.data())
def test_the_same_calls_give_the_same_answers_and_digest(toolset: Toolset, data: st.DataObject) -> None:
    calls = data.draw(steps(toolset))
    first, second = _fresh(0), _fresh(1)  # two engines, as two processes would have

    assert [play(first, step) for step in calls] == [play(second, step) for step in calls]
    assert first.digest() == second.digest()
    _close(first, second)


@every_toolset
@QUIET
@given(data=st.data())
def test_restoring_a_snapshot_undoes_what_followed(toolset: Toolset, data: st.DataObject) -> None:
    before, after = data.draw(steps(toolset, most=5)), data.draw(steps(toolset, most=5))
    layer = _fresh()
    for step in before:
        play(layer, step)
    held = layer.digest(), rows(layer, toolset.app)
    snapshot = layer.fork()
    once = [play(layer, step) for step in after], layer.digest(), rows(layer, toolset.app)

    layer.restore(snapshot)

    assert (layer.digest(), rows(layer, toolset.app)) == held
    assert ([play(layer, step) for step in after], layer.digest(), rows(layer, toolset.app)) == once
    assert (snapshot.digest(), rows(snapshot, toolset.app)) == held
    _close(snapshot, layer)


@every_toolset
@QUIET
@given(data=st.data())
def test_resetting_leads_back_to_the_start(toolset: Toolset, data: st.DataObject) -> None:
    layer = _fresh()
    start = layer.digest(), rows(layer, toolset.app)
    for step in data.draw(steps(toolset)):
        play(layer, step)

    layer.reset()

    assert (layer.digest(), rows(layer, toolset.app)) == start
    _close(layer)


@every_toolset
@QUIET
@given(data=st.data())
def test_interleaved_sandboxes_never_see_each_other(toolset: Toolset, data: st.DataObject) -> None:
    calls = data.draw(st.lists(steps(toolset, most=6), min_size=2, max_size=3))
    alone = [_alone(toolset, own) for own in calls]
    turns = data.draw(st.permutations([who for who, own in enumerate(calls) for _ in own]))

    layers, left = [_fresh() for _ in calls], [iter(own) for own in calls]
    answers: list[list[Outcome]] = [[] for _ in calls]
    for who in turns:
        answers[who].append(play(layers[who], next(left[who])))

    together = [(own, layer.digest(), rows(layer, toolset.app)) for own, layer in zip(answers, layers, strict=True)]
    assert together == alone
    _close(*layers)


def _fresh(number: int = 0) -> Layer:
    return base(number).engine.layer(base(number))


def _alone(toolset: Toolset, calls: list[Step]) -> tuple[list[Outcome], str, object]:
    layer = _fresh()
    seen = [play(layer, step) for step in calls], layer.digest(), rows(layer, toolset.app)
    _close(layer)
    return seen


def _close(*layers: Layer) -> None:
    for layer in layers:
        layer.close()
