"""What a suite's author gets wrong in Python is told in one line, with the suite and the place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from enum import Enum
from itertools import count
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from harness import report
from harness.core.config import ConfigProblem
from harness.play.opening import begun
from harness.play.run import plan
from harness.suite import Scored, Suite, SuiteError, Table
from harness.task import Call, Expected
from servers.kernel import Edit
from tests.harness import toy

HERE = __file__


def made(**fields: Any) -> Suite:
    usual: dict[str, Any] = {"name": "mine", "version": "1", "description": "", "checks": {}, "world": _nothing}
    return Suite(**usual | fields)


def _nothing(*_: Any) -> Any:
    return None


def _breaks(*_: Any) -> Any:
    raise KeyError("colour")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"tasks": (toy.task(0), toy.task(1), toy.task(0))}, "`tasks[0]` and `tasks[2]` have one id, 'toy-0': give"),
        ({"tasks": [toy.task(0), {"id": "a"}]}, "`tasks[1]` is a dict, not a `harness.task.Task`: make it one with"),
        ({"tasks": {"a": toy.task(0)}}, "`tasks` is a dict, and it is a list or tuple of `Task`"),
        ({"tasks": (), "checks": {"outcome": 1.0}}, "`checks['outcome']` is a float, not a function"),
    ],
)
def test_a_suite_that_is_no_suite_is_refused_where_it_is_made(fields: dict[str, Any], problem: str) -> None:
    line = made.__code__.co_firstlineno + 2

    with pytest.raises(SuiteError) as refused:
        made(**fields)

    assert str(refused.value).startswith(f"suite mine ({HERE}:{line}): {problem}")


@pytest.mark.parametrize(
    ("world", "problem"),
    [
        (_nothing, f"`world` ({HERE}:{_nothing.__code__.co_firstlineno}) gives None, not a `servers.kernel.World`"),
        (_breaks, f"KeyError: 'colour' ({HERE}:{_breaks.__code__.co_firstlineno + 1})"),
    ],
)
def test_a_world_that_is_none_is_refused_with_the_function(world: Callable[..., Any], problem: str) -> None:
    with pytest.raises(SuiteError) as refused:
        made(tasks=[toy.task(0)], world=world).load_world("toy")

    assert str(refused.value) == f"suite mine: world 'toy' cannot be loaded: {problem}"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"x": 1}, "{'x': 1}, and it gives a list of `harness.suite.Table`, whose rows have a value for each column"),
        (Table("Mine", ["x"], []), "Table(title='Mine', columns=['x'], rows=[]"),
        (["Mine"], "['Mine']"),
        ([Table("Mine", ["x"], [(1,)])], "[Table(title='Mine', columns=['x'], rows=[(1,)]"),  # type: ignore[list-item]
    ],
)
def test_tables_of_a_suite_that_are_none_are_refused_with_the_function(given: Any, shown: str) -> None:
    def tables(*_: Any) -> Any:
        return given

    with pytest.raises(SuiteError) as refused:
        report.tables(toy.config(), made(tasks=[], report=tables), [])

    place = f"{HERE}:{tables.__code__.co_firstlineno}"
    assert str(refused.value).startswith(f"suite mine: its `report` ({place}) gave {shown}")


def test_a_report_that_raises_is_named_with_the_line() -> None:
    with pytest.raises(SuiteError) as refused:
        report.tables(toy.config(), made(tasks=[], report=_breaks), [])

    line = _breaks.__code__.co_firstlineno + 1
    assert str(refused.value) == f"suite mine: its `report` raised KeyError: 'colour' ({HERE}:{line})"


def test_what_a_suite_refuses_is_said_before_the_first_trial_in_its_words() -> None:
    with pytest.raises(ConfigProblem, match=r"^not on a Monday$"):
        plan(toy.config(), replace(toy.suite(), refused=lambda *_: "not on a Monday"))
    assert plan(toy.config(), replace(toy.suite(), refused=lambda *_: "")).jobs


def test_a_refusal_that_raises_is_named_with_the_line() -> None:
    with pytest.raises(SuiteError, match=r"^suite toy: its `refused` raised KeyError: 'colour'"):
        plan(toy.config(), replace(toy.suite(), refused=_breaks))


def test_a_headline_that_is_none_is_refused_with_the_function() -> None:
    suite = replace(toy.suite(), headline=lambda *_: "good")  # type: ignore[arg-type]
    trial = begun("toy", toy.task(0), prompt="original", agent="oracle", condition="default", trial=0, run_seed=0)

    with pytest.raises(SuiteError, match=rf"suite toy: its `headline` \({HERE}:\d+\) gave 'good', and it gives a `Hea"):
        report.headline(toy.config(), suite, [Scored(trial, {})])


class Tin(BaseModel):
    colours: set[str]


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    "made",
    [
        lambda value: Expected(op="insert", app="a", table="b", values={"x": [value]}).values,
        lambda value: Call(app="a", tool="b", arguments={"x": [value]}).arguments,
        lambda value: Edit(op="add", app="a", table="b", id="1", values={"x": [value]}).values,
    ],
)
def test_a_value_of_a_task_is_what_it_is_as_json(made: Callable[[object], dict[str, Any]]) -> None:
    assert made(date(2025, 3, 20)) == {"x": ["2025-03-20"]}
    assert made(Colour.RED) == {"x": ["red"]}
    with pytest.raises(ValidationError, match=r"values\.x|arguments\.x") as refused:
        made(object())

    assert "is nothing that JSON has: write text, a number, a list or an object" in str(refused.value)


def values(value: object) -> dict[str, Any]:
    return Expected(op="insert", app="a", table="b", values={"x": value}).values


@pytest.mark.parametrize(
    "value", [{"red", "blue"}, frozenset({1}), [{"deep": {1}}], {"a": 1}.keys(), Tin(colours={"red"})]
)
def test_a_set_in_a_task_is_refused_since_its_order_would_be_part_of_the_task(value: object) -> None:
    with pytest.raises(ValidationError, match="or holds a set, whose order differs between processes: write a list"):
        values(value)


@pytest.mark.parametrize("value", [iter([1]), [count()], (each for each in "ab")])
def test_an_iterator_in_a_task_is_refused(value: object) -> None:
    with pytest.raises(ValidationError, match="or holds an iterator, which can be read but once: write a list"):
        values(value)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "nan holds a number that JSON does not have"),
        ({"a": [float("-inf")]}, "holds a number that JSON does not have"),
        (["\ud800"], r"holds an unpaired surrogate \(U\+D800\)"),
        ({frozenset({1}): 1}, "is nothing that JSON has"),
    ],
)
def test_what_no_file_could_hold_is_refused_where_the_task_is_made(value: object, problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        values(value)
