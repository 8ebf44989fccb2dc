"""A few tasks of many: which ones, and that they lead into the whole."""

from __future__ import annotations

from itertools import pairwise

from harness.play.sampling import few
from harness.task import Session, Task


def _tasks() -> list[Task]:
    """Three templates of 5, 3 and 1 tasks."""
    counts = {"a": 5, "b": 3, "c": 1}
    return [
        Task(
            id=f"{name}{n}",
            world="w",
            apps=("gmail",),
            sessions=(Session(requests={"explicit": "Do."}),),
            template=name,
        )
        for name, count in counts.items()
        for n in range(count)
    ]


def _names(sample: int, seed: int = 0) -> list[str]:
    return [task.id for task in few(_tasks(), None, sample, seed)]


def test_a_limit_takes_the_first_tasks() -> None:
    assert [task.id for task in few(_tasks(), 3, None, 0)] == ["a0", "a1", "a2"]


def test_a_sample_has_each_template_before_a_second_task_of_any() -> None:
    assert [name[0] for name in _names(3)] == ["a", "b", "c"]
    assert sorted(name[0] for name in _names(5)) == ["a", "a", "b", "b", "c"]


def test_a_larger_sample_holds_every_smaller_one() -> None:
    whole = [set(_names(size)) for size in range(1, 10)]

    assert all(smaller < larger for smaller, larger in pairwise(whole))


def test_a_sample_larger_than_the_suite_is_the_suite() -> None:
    assert _names(50) == [task.id for task in _tasks()]


def test_a_sample_takes_the_values_of_a_fact_in_turn_where_it_is_told_which() -> None:
    facts = {"a": "shell", "b": "shell", "c": "services"}
    tasks = [task.model_copy(update={"facts": {"place": facts[task.template]}}) for task in _tasks()]
    for seed in range(9):
        one, two, three, five = (
            [task.template for task in few(tasks, None, size, seed, "place")] for size in (1, 2, 3, 5)
        )

        assert len({facts[name] for name in two}) == 2
        assert sorted(three) == ["a", "b", "c"]
        assert sorted(five) == ["a", "a", "b", "b", "c"]
        assert set(one) < set(two)


def test_another_seed_draws_other_tasks() -> None:
    assert len({tuple(_names(4, seed)) for seed in range(10)}) > 1
