"""Arguments that do not fit, as a caller is told of them: in few words, however many and long they are."""

from __future__ import annotations

import pytest

from servers.kernel import InvalidArguments
from tests.kernel.desk import Scene, app


def test_of_very_many_problems_the_first_are_told() -> None:
    with pytest.raises(InvalidArguments) as caught:
        app.default.tool("read_paper").call(Scene().state, {"x" * 500: 1} | {f"a{n}": n for n in range(4_000)})

    *told, more = caught.value.problems
    assert more == f"and {4_002 - len(told):,} more"
    assert 20 < len(told) < 30
    assert len(str(caught.value)) < 1_000


def test_problems_that_are_long_are_told_in_a_thousand_characters_and_the_rest_counted() -> None:
    with pytest.raises(InvalidArguments) as caught:
        app.default.tool("read_paper").call(Scene().state, {"paper_id": "1"} | {f"{n:0>190}": n for n in range(16)})

    *told, more = caught.value.problems
    assert more == f"and {16 - len(told)} more"
    assert told
    assert len(str(caught.value)) < 1_000


def test_a_problem_says_how_much_of_a_long_name_it_leaves_out() -> None:
    with pytest.raises(InvalidArguments, match=r"unknown argument 'x{200} \[\.\.\. 300 more characters\]'"):
        app.default.tool("read_paper").call(Scene().state, {"paper_id": "1", "x" * 500: 1})
