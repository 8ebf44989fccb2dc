"""JSON text is edited in place: what goes in looks like its surroundings, what goes out leaves no trace."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.connect.edit import drop, put
from harness.connect.jsontext import parse
from harness.connect.problem import NotJson

ENTRY = {"command": "/bin/harness", "args": ["serve", "crm"]}
STRICT = [
    '{\n  "mcpServers": {\n    "a": {"url": "https://a"}\n  },\n  "theme": "dark"\n}\n',
    '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "a"\n\t\t}\n\t}\n}',
    '{\r\n    "mcpServers": {\r\n        "a": 1\r\n    }\r\n}\r\n',
    '\ufeff{\n  "mcpServers": { "a": 1 }\n}\n',
    '{"mcpServers":{"a":{"args":["x","y"]}}}',
    '{"mcpServers": {"a": 1,\n                "b": {"url": "http://b//c"}}}',
    '{ "theme": "//" }',
    '{\n  "theme": "dark"\n}\n',
]
COMMENTED = [
    '{\n  // mine\n  "mcpServers": {\n    "a": 1 // the first\n    /* the end */\n  } // servers\n}\n// bye',
    '{\n  "mcpServers": {\n    "a": 1, // kept\n  },\n}\n',
    '{"mcpServers": {"a": 1, /* x */ "b": 2 /* y */, }}',
    '{\n  "mcpServers": {\n    // "old": {},\n  }\n}\n',
    '{"a": "https://x" // y\n}',
    '{"mcpServers": {"a": 1 // y\n}}',
]
TEXTS = [*((text, False) for text in STRICT), *((text, True) for text in [*STRICT, *COMMENTED])]


@pytest.mark.parametrize(("text", "comments"), TEXTS)
def test_what_is_put_in_and_dropped_again_leaves_the_same_text(text: str, comments: bool) -> None:
    had_servers = "mcpServers" in parse(text, comments=comments).value
    more = put(text, ("mcpServers", "sandbox-crm"), ENTRY, comments=comments)
    path = ("mcpServers", "sandbox-crm") if had_servers else ("mcpServers",)

    assert parse(more, comments=comments).value["mcpServers"]["sandbox-crm"] == ENTRY
    assert drop(more, path, comments=comments) == text


@pytest.mark.parametrize(("text", "comments"), TEXTS)
def test_an_edit_only_adds_characters(text: str, comments: bool) -> None:
    more = iter(put(text, ("mcpServers", "sandbox-crm"), ENTRY, comments=comments))

    assert all(letter in more for letter in text)


@pytest.mark.parametrize(("text", "comments"), TEXTS)
def test_putting_the_same_twice_changes_nothing(text: str, comments: bool) -> None:
    once = put(text, ("mcpServers", "sandbox-crm"), ENTRY, comments=comments)

    assert put(once, ("mcpServers", "sandbox-crm"), dict(ENTRY), comments=comments) == once


def test_a_new_entry_takes_the_line_ending_and_indentation_of_its_neighbours() -> None:
    assert put(STRICT[2], ("mcpServers", "b"), {"command": "c"}, comments=False) == (
        '{\r\n    "mcpServers": {\r\n        "a": 1,\r\n        "b": {\r\n            "command": "c"\r\n        }\r\n'
        "    }\r\n}\r\n"
    )


def test_a_new_entry_follows_the_comments_of_the_last_and_its_trailing_comma() -> None:
    assert put(COMMENTED[1], ("mcpServers", "b"), 2, comments=True) == (
        '{\n  "mcpServers": {\n    "a": 1, // kept\n    "b": 2,\n  },\n}\n'
    )


def test_an_entry_in_one_line_stays_in_one_line() -> None:
    assert put('{"mcpServers": {}}', ("mcpServers", "b"), ENTRY, comments=False) == (
        '{"mcpServers": {"b": {"command": "/bin/harness", "args": ["serve", "crm"]}}}'
    )


def test_a_value_is_replaced_and_nothing_else() -> None:
    text = '{\n  "s": {\n    "a": {"args": ["x"], "env": {"K": "v"}}, // c\n    "b": 2\n  }\n}'

    assert put(text, ("s", "a", "args"), ["y", "z"], comments=True) == text.replace('["x"]', '["y", "z"]')


def test_dropping_never_lets_a_comment_swallow_what_follows() -> None:
    text = '{\n  "a": 1, // note\n  "b": 2, "c": 3\n}'

    assert parse(drop(text, ("b",), comments=True), comments=True).value == {"a": 1, "c": 3}


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("{", 1, 2, "the end of the file"),
        ('{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, "expected ',' or '}'"),
        ('{"a": 1,}', 1, 8, "a comma before '}'"),
        ('{"a": [1,]}', 1, 9, "a comma before ']'"),
        ('\ufeff{"a": 01}', 1, 7, "expected"),
        ('{"a": NaN}', 1, 7, "expected a value"),
        ('{"a": truely}', 1, 7, "expected a value"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ('{"a" 1}', 1, 6, "expected ':'"),
        ('{"a": "x\ny"}', 1, 7, "never closed"),
        ('{\n  // c\n}', 2, 3, "cannot hold comments"),
        ("{} {}", 1, 4, "expected the end of the file"),
        ("[" * 9999, 1, 102, "deep"),
    ],
)  # fmt: skip
def test_text_that_is_not_json_is_refused_with_its_place(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(NotJson, match=re.escape(words)) as caught:
        parse(text, comments=False)

    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("text", ["{/* never", "/", '{"a": 1,,}', "// only a comment"])
def test_text_that_is_no_commented_json_either_is_refused(text: str) -> None:
    with pytest.raises(NotJson, match="Line 1"):
        parse(text, comments=True)


@pytest.mark.parametrize(
    ("text", "what"),
    [("[]", "the file must be an object"), ('{"s": []}', "'s' must be an object"), ('{"s": {}, "s": {}}', "twice")],
)
def test_what_stands_in_the_way_is_named(text: str, what: str) -> None:
    with pytest.raises(NotJson, match=what):
        put(text, ("s", "a"), 1, comments=False)


names = st.text(max_size=4)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
layouts = st.sampled_from([None, 2, "\t"])


@given(tree=st.dictionaries(names, values, max_size=4), name=names, value=values, indent=layouts)
def test_any_object_gains_and_loses_a_member_without_a_trace(tree: Any, name: str, value: Any, indent: Any) -> None:
    text = json.dumps({"s": {"first": 1, **tree}}, indent=indent, ensure_ascii=False)
    before = json.loads(text)["s"]
    more = put(text, ("s", name), value, comments=False)

    assert json.loads(more)["s"] == {**before, name: value}
    assert json.loads(drop(more, ("s", name), comments=False))["s"] == {k: v for k, v in before.items() if k != name}
    if name not in before:
        assert drop(more, ("s", name), comments=False) == text


fillers = st.sampled_from(["", " ", "\n  ", "\r\n", "// a, {b}\n", " /* } */ ", "\n// c\n\t"])


@given(tree=st.dictionaries(names, values, min_size=1, max_size=3), data=st.data())
def test_comments_anywhere_survive_an_edit_and_its_undoing(tree: Any, data: st.DataObject) -> None:
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', json.dumps({"s": tree}))
    text = "".join(data.draw(fillers) + token for token in tokens) + data.draw(fillers)
    name = data.draw(names)
    more = put(text, ("s", name), 1, comments=True)
    rest = {key: value for key, value in tree.items() if key != name}

    assert parse(more, comments=True).value == {"s": {**rest, name: 1}}
    assert parse(drop(more, ("s", name), comments=True), comments=True).value == {"s": rest}
    if name not in tree:
        assert drop(more, ("s", name), comments=True) == text


@given(text=st.text(alphabet='{}[]",:/*\n\\ abc019.eE-+tru\ufeff', max_size=12))
def test_the_reader_agrees_with_the_standard_librarys(text: str) -> None:
    try:
        expected = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        with pytest.raises(NotJson, match="column"):
            parse(text, comments=False)
    else:
        assert parse(text, comments=False).value == expected
