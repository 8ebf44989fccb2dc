"""What a call may hold: what JSON can say and a record can keep."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json, to_json

from servers.kernel import SIZE, excerpt, quoted, refusal, refused, tidied, whole


def nested(depth: int, core: Any = 1, *, name: str = "") -> Any:
    for _ in range(depth):
        core = {name: core} if name else [core]
    return core


def doubled(times: int) -> Any:
    """A list that holds the same list twice, that holds the same list twice..."""
    value: Any = ["x"]
    for _ in range(times):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -(2**70), 1.7e308, "", "\x00", "é€😀", [], {}, {"a": [1, {"b": None}]}, nested(64), ["x" * SIZE]],
)
def test_what_json_can_say_is_taken(value: Any) -> None:
    assert refusal(value) == ""


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("a\ud800", "holds an unpaired surrogate (U+D800), which is not text"),
        ({"é\udfff": 1}, "holds an unpaired surrogate (U+DFFF), which is not text"),
        ([[float("nan")]], "holds a number that JSON does not have, or one beyond 1.8e308"),
        (float("-inf"), "holds a number that JSON does not have, or one beyond 1.8e308"),
        (10**309, "holds a number that JSON does not have, or one beyond 1.8e308"),
        (10**5_000, "holds a number that JSON does not have, or one beyond 1.8e308"),
        (nested(65), "is nested more than 64 levels deep"),
        (nested(100_000, name="a"), "is nested more than 64 levels deep"),
        (list(range(10_001)), "holds more than 10,000 values"),
        ({str(n): n for n in range(5_001)}, "holds more than 10,000 values"),
        (doubled(60), "holds more than 10,000 values"),
        (["x" * SIZE, "x"], "holds more than 5,242,880 bytes of text"),
        ("€" * (SIZE // 3 + 1), "holds more than 5,242,880 bytes of text"),
        ({1: "a"}, "holds an object with a field whose name is not a text"),
        ([{1, 2}], "holds a value of type set, which JSON does not have"),
    ],
    ids=range(15),
)
def test_what_no_record_could_keep_is_refused_with_the_reason(value: Any, why: str) -> None:
    assert refusal(value) == why


def test_the_argument_at_fault_is_named() -> None:
    assert refused({"a": 1, "b": ["\ud800"]}) == "'b' holds an unpaired surrogate (U+D800), which is not text"
    assert refused({"\ud800": 1}).startswith("the name of an argument holds an unpaired surrogate")
    assert refused({"x" * 201: "\ud800"}) == "the name of an argument has 201 characters, where 200 are the limit"
    assert refused({"a": nested(64)}) == "the object of arguments is nested more than 64 levels deep"
    assert refused({"a": nested(63)}) == ""


def test_an_excerpt_is_short_and_whole_whatever_it_is_of() -> None:
    assert excerpt("a\ud800") == r"a\ud800"
    assert excerpt({"a": ["\ud800", float("nan")]}) == r'{"a": ["\ud800", NaN]}'
    assert excerpt("x" * 3_000) == "x" * 2_000 + " [... 1,000 more characters]"
    for value in (nested(100_000), doubled(1_000), 10**5_000, {"a": {1, 2}}, ["x" * 10**6], {(1, 2): 1}):
        assert len(excerpt(value).encode()) < 2_100


def test_an_error_repeats_a_text_in_quotes_and_of_a_long_one_the_start() -> None:
    assert quoted("it's") == '"it\'s"'
    assert quoted("x" * 300) == f"'{'x' * 200} [... 100 more characters]'"


def test_an_error_repeats_of_many_values_the_first_and_counts_the_rest() -> None:
    assert quoted("a", "b") == "'a', 'b'"
    assert quoted(*["x" * 300] * 1_000) == ", ".join([quoted("x" * 300)] * 5) + " and 995 more"


def test_an_error_repeats_all_the_ids_that_a_call_may_have() -> None:
    ids = [f"mail-{number:08}" for number in range(50)]

    assert quoted(*ids) == ", ".join(map(repr, ids))


def test_an_error_repeats_what_is_no_text_as_json_has_it() -> None:
    assert quoted(True) == "true"
    assert quoted({"a": [None]}) == '{"a": [null]}'


texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)
hostile = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.just(10**400),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(texts, inner, max_size=4)
        | inner.map(lambda value: nested(40, value))
    ),
    max_leaves=20,
)


@given(hostile)
def test_what_is_taken_reads_back_and_the_rest_does_once_tidied(value: Any) -> None:
    kept = tidied(value) if refusal(value) else value

    assert from_json(to_json(kept)) == kept
    assert refusal(value) or tidied(value) == value


@given(texts)
def test_a_whole_text_can_be_written_and_is_changed_only_where_it_could_not_be(text: str) -> None:
    assert whole(text).encode().decode() == whole(text)
    assert (whole(text) == text) is (refusal(text) == "")
