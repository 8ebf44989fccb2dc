"""What state promises, whatever is called: replays, snapshots, resets, sandboxes apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.contracts.ground import QUIET, Ground, Outcome, Step, must, play, rows
from servers.kernel import Layer, Toolset

__all__ = (
    "interleaved_sandboxes_never_see_each_other",
    "resetting_leads_back_to_the_start",
    "restoring_a_snapshot_undoes_what_followed",
    "the_same_calls_give_the_same_answers_and_digest",
)


def the_same_calls_give_the_same_answers_and_digest(ground: Ground, toolset: Toolset) -> None:
    @QUIET
    @given(calls=ground.steps(toolset))
    def promise(calls: list[Step]) -> None:
        first, second = ground.layer(0), ground.layer(1)  # two engines, as two processes would have
        for step in calls:
            must(play(first, step) == play(second, step), f"{step.tool.name} answers differently the second time")
        must(first.digest() == second.digest(), f"the same calls to {toolset.app.name} left other rows")
        _close(first, second)

    promise()


def restoring_a_snapshot_undoes_what_followed(ground: Ground, toolset: Toolset) -> None:
    @QUIET
    @given(before=ground.steps(toolset, most=5), after=ground.steps(toolset, most=5))
    def promise(before: list[Step], after: list[Step]) -> None:
        layer = ground.layer()
        for step in before:
            play(layer, step)
        held = _seen(layer, toolset)
        snapshot = layer.fork()
        once = [play(layer, step) for step in after], _seen(layer, toolset)
        layer.restore(snapshot)
        must(_seen(layer, toolset) == held, "restoring a snapshot did not bring its rows back")
        again = [play(layer, step) for step in after], _seen(layer, toolset)
        must(again == once, "the same calls after a restore answer differently")
        must(_seen(snapshot, toolset) == held, "calls reached a snapshot")
        _close(snapshot, layer)

    promise()


def resetting_leads_back_to_the_start(ground: Ground, toolset: Toolset) -> None:
    @QUIET
    @given(calls=ground.steps(toolset))
    def promise(calls: list[Step]) -> None:
        layer = ground.layer()
        start = _seen(layer, toolset)
        for step in calls:
            play(layer, step)
        layer.reset()
        must(_seen(layer, toolset) == start, "a reset left something behind")
        _close(layer)

    promise()


def interleaved_sandboxes_never_see_each_other(ground: Ground, toolset: Toolset) -> None:
    several = st.lists(ground.steps(toolset, most=6), min_size=2, max_size=3)

    @QUIET
    @given(data=st.data())
    def promise(data: st.DataObject) -> None:
        calls = data.draw(several)
        alone = [_alone(ground, toolset, own) for own in calls]
        turns = data.draw(st.permutations([who for who, own in enumerate(calls) for _ in own]))
        layers, left = [ground.layer() for _ in calls], [iter(own) for own in calls]
        answers: list[list[Outcome]] = [[] for _ in calls]
        for who in turns:
            answers[who].append(play(layers[who], next(left[who])))
        together = [(own, _seen(layer, toolset)) for own, layer in zip(answers, layers, strict=True)]
        must(together == alone, "calls in one sandbox showed in another")
        _close(*layers)

    promise()


def _seen(layer: Layer, toolset: Toolset) -> tuple[str, object]:
    return layer.digest(), rows(layer, toolset.app)


def _alone(ground: Ground, toolset: Toolset, calls: list[Step]) -> tuple[list[Outcome], tuple[str, object]]:
    layer = ground.layer()
    seen = [play(layer, step) for step in calls], _seen(layer, toolset)
    _close(layer)
    return seen


def _close(*layers: Layer) -> None:
    for layer in layers:
        layer.close()
