from __future__ import annotations

from datetime import date
from typing import Annotated, Any

import anyio
import pytest
from pydantic import BaseModel, Field

from servers.kernel import (
    Answer,
    App,
    Day,
    Defect,
    Engine,
    Fault,
    InvalidArguments,
    Needs,
    NotFound,
    Question,
    Ref,
    Rejected,
    Result,
    State,
    Tool,
    Toolset,
    UnknownTool,
    User,
    World,
    overlaid,
)
from servers.kernel.errors import BrokenTool
from tests.kernel.desk import NOW, Paper, PaperId, Scene, Tray, app


def tool(name: str) -> Tool:
    return app.default.tool(name)


def test_a_result_comes_as_text_and_as_an_object() -> None:
    state = Scene().state
    paper = {"id": "0001", "tray_id": "1", "title": "paper 1", "pages": 1}
    text = '{"id": "0001", "tray_id": "1", "title": "paper 1", "pages": 1}'

    assert tool("read_paper").call(state, {"paper_id": "0001"}) == Result(text, paper)
    assert tool("find_papers").call(state, {"title": "1"}) == Result(f"[{text}]", {"result": [paper]})
    assert tool("file_paper").call(state, {"tray_id": "1", "title": "é"}) == Result("0007", {"result": "0007"})


class Slip(BaseModel):
    title: str
    due: str | None = None


def test_a_result_of_text_alone_leaves_out_what_is_null() -> None:
    desk = App("desk", "Papers in trays.", tables=(Tray, Paper))
    toolset = desk.toolset("default", structured=False)

    @toolset.reads
    def show(state: State) -> list[Slip]:
        """Show slips."""
        return [Slip(title="a"), Slip(title="b", due="2026-03-02")]

    found = toolset.tool("show").call(Scene().state, {})

    assert found.text == '[{"title": "a"}, {"title": "b", "due": "2026-03-02"}]'
    assert found.data == {"result": [{"title": "a"}, {"title": "b", "due": "2026-03-02"}]}


def test_with_text_alone_a_parameter_that_may_be_left_out_has_no_null_in_its_schema() -> None:
    def find(
        state: State,
        day: Annotated[date | None, Field(description="A day.")] = None,
        pages: int = 1,
        colour: str | None = "red",
    ) -> str:
        """Find it."""
        return f"{day} {pages} {colour}"

    short, whole = (
        Toolset(App("desk", "Papers in trays.", tables=(Tray, Paper)), "default", structured=structured)
        for structured in (False, True)
    )
    for toolset in (short, whole):
        toolset.reads(find)

    properties = short.tool("find").input_schema["properties"]
    assert properties["day"] == {"type": "string", "format": "date", "description": "A day."}
    assert {name: each for name, each in whole.tool("find").input_schema["properties"].items() if name != "day"} == {
        name: each for name, each in properties.items() if name != "day"
    }
    for given in ({}, {"day": None}):
        assert short.tool("find").call(Scene().state, given).text == "None 1 red"


def test_a_shorter_schema_keeps_the_order_of_what_it_says() -> None:
    def find(
        state: State,
        day: Annotated[date | None, Field(description="A day.", examples=["2026-03-12"], deprecated=True)] = None,
    ) -> str:
        """Find it."""
        return str(day)

    short, whole = (
        Toolset(App("desk", "Papers in trays.", tables=(Tray, Paper)), "default", structured=structured)
        for structured in (False, True)
    )
    for toolset in (short, whole):
        toolset.reads(find)
    said = [key for key in whole.tool("find").input_schema["properties"]["day"] if key not in ("anyOf", "default")]

    assert {"deprecated", "description", "examples"} <= set(said)
    assert [*short.tool("find").input_schema["properties"]["day"]] == ["format", "type", *said]


def test_a_refusal_of_a_validator_is_told_in_its_own_words() -> None:
    desk = App("desk", "Papers in trays.", tables=(Tray, Paper))

    @desk.reads
    def due_on(state: State, day: Day) -> str:
        """Say what is due."""
        return str(day)

    with pytest.raises(InvalidArguments) as caught:
        desk.default.tool("due_on").call(Scene().state, {"day": "tomorrow"})

    assert str(caught.value) == (
        "Invalid arguments for due_on: 'day': 'tomorrow' is not a day; write YYYY-MM-DD, such as 2026-03-12."
    )


def test_a_tool_says_what_it_takes_and_gives() -> None:
    read, find = tool("read_paper"), tool("find_papers")

    assert read.input_schema == {
        "additionalProperties": False,
        "properties": {"paper_id": {"description": "Id of a paper.", "type": "string"}},
        "required": ["paper_id"],
        "type": "object",
    }
    assert read.refs == {"paper_id": Paper}
    assert read.output_schema["required"] == ["tray_id", "title"]
    assert find.output_schema == {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"$ref": "#/$defs/Paper"}}},
        "required": ["result"],
        "$defs": {"Paper": read.output_schema},
    }
    assert find.input_schema["properties"]["limit"] == {"default": 5, "type": "integer"}


def test_ids_are_known_alone_and_in_lists_wherever_their_mark_stands() -> None:
    desk = App("desk", "Papers.", (Paper, Tray))

    @desk.reads
    def look(
        state: State,
        one: Annotated[str, Ref(Paper)],
        some: Annotated[list[str], Ref(Paper), Field(min_length=1)],
        trays: list[Annotated[str, Ref(Tray)]],
        perhaps: Annotated[str, Ref(Tray)] | None = None,
        several: Annotated[list[str] | None, Ref(Paper)] = None,
        loose: Annotated[list[str] | str, Ref(Paper)] = "",
        named: dict[Annotated[str, Ref(Paper)], str] = {},  # noqa: B006
        title: str = "",
    ) -> str:
        """Look."""
        return ""

    found = desk.default.tool("look")

    assert found.refs == {
        "one": Paper, "some": Paper, "trays": Tray, "perhaps": Tray, "several": Paper, "loose": Paper
    }  # fmt: skip
    assert [name for name in found.refs if found.lists(name)] == ["some", "trays", "several"]
    assert found.without({"some", "perhaps"}).refs.keys() == {"one", "trays", "several", "loose"}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"paper_id": "0001", "colour": "red"}, "unknown argument 'colour' (there are paper_id)"),
        ({}, "'paper_id' is required"),
        ({"paper_id": 7}, "'paper_id': input should be a valid string"),
        ({"paper_id": "a\udc80"}, "'paper_id' holds an unpaired surrogate (U+DC80), which is not text"),
    ],
)
def test_arguments_that_do_not_fit_are_named(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        tool("read_paper").call(Scene().state, arguments)

    assert caught.value.problems == (problem,)
    assert str(caught.value) == f"Invalid arguments for read_paper: {problem}."


def test_an_unknown_tool_lists_those_there_are() -> None:
    with pytest.raises(UnknownTool, match=r"no tool 'burn'\. Available: read_paper, find_papers"):
        app.default.tool("burn")


def test_a_failed_call_changes_nothing_and_takes_no_ids() -> None:
    scene = Scene()
    tool("rename_paper").call(scene.state, {"paper_id": "0002", "title": "before"})
    digest, written = scene.layer.digest(), list(scene.layer.written)
    with pytest.raises(Rejected):
        tool("file_many").call(scene.state, {"titles": ["a", "b", ""]})

    assert scene.layer.digest() == digest
    assert scene.layer.written == written
    assert scene.titles() == ["paper 1", "before", "paper 3", "paper 4", "paper 5", "paper 6"]
    assert tool("file_many").call(scene.state, {"titles": ["c"]}).data == {"result": ["0007"]}


def test_what_a_call_wrote_is_listed() -> None:
    scene = Scene()
    tool("file_paper").call(scene.state, {"tray_id": "2", "title": "new", "pages": 3})
    tool("shred_paper").call(scene.state, {"paper_id": "0001"})

    assert scene.layer.written == [
        ("desk", "papers", "0007", {"tray_id": "2", "title": "new", "pages": 3}),
        ("desk", "papers", "0001", None),
    ]


def test_a_deliberate_failure_reaches_the_caller_as_it_is() -> None:
    with pytest.raises(NotFound, match=r"No tray has the id '9'\."):
        tool("file_paper").call(Scene().state, {"tray_id": "9", "title": "x"})


odd = App("odd", "Tools that break promises.", tables=(Tray, Paper))


@odd.reads
def sneak(state: State) -> str:
    """Say one reads, and write."""
    state.add(Paper(tray_id="1", title="sneaked"))
    return "ok"


@odd.writes
def crash(state: State) -> str:
    """Write, then fall over."""
    state.add(Paper(tray_id="1", title="half done"))
    raise KeyError("oops")


@odd.writes
def nest(state: State) -> str:
    """Open a second transaction."""
    state.add(Paper(tray_id="1", title="outer"))
    with state.transaction():
        return "ok"


@odd.writes
def lie(state: State) -> Paper:
    """Give back something else than declared."""
    state.add(Paper(tray_id="1", title="x"))
    return "not a paper"  # type: ignore[return-value]


class Box(BaseModel):
    inside: list[Box] = []


@odd.writes
def pack(state: State, times: int) -> Box:
    """Put a box into a box, so many times."""
    state.add(Paper(tray_id="1", title="packed"))
    box = Box()
    for _ in range(times):
        box = Box(inside=[box])
    return box


@odd.writes
def divide(state: State) -> float:
    """Give back what JSON cannot hold."""
    state.add(Paper(tray_id="1", title="divided"))
    return float("nan")


@odd.writes
def halve(state: State) -> Any:
    """Give back half of a pair."""
    state.add(Paper(tray_id="1", title="halved"))
    return {"half": ["\ud83d"]}


@odd.writes
def overflow(state: State, pages: int) -> str:
    """Keep a number."""
    return state.add(Paper(tray_id="1", title="x", pages=pages)).id


@odd.reads
def shadow(state: State, copy: bool = False, json: str = "", model_dump: int = 0, schema: str = "s") -> list[Any]:
    """Take arguments named as a model's methods are."""
    return [copy, json, model_dump, schema]


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("pack", {"times": 40}, "is nested more than 64 levels deep"),
        ("pack", {"times": 5_000}, "is nested more than 64 levels deep"),
        ("divide", {}, "holds a number that JSON does not have"),
        ("halve", {}, r"holds an unpaired surrogate \(U\+D83D\)"),
    ],
)
def test_a_result_that_no_record_could_keep_is_refused_and_changes_nothing(
    name: str, arguments: dict[str, Any], why: str
) -> None:
    scene = Scene()
    with pytest.raises(Rejected, match=f"The result {why}"):
        odd.default.tool(name).call(scene.layer.state(odd), arguments)

    assert scene.layer.changes() == []


def test_a_result_as_deep_as_a_record_can_keep_is_given() -> None:
    result = odd.default.tool("pack").call(Scene().layer.state(odd), {"times": 31})

    assert result.text.count("[") == 32


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("sneak", "TypeError: a tool declared with `reads` tried to write"),
        ("crash", "KeyError: 'oops'"),
        ("nest", "RuntimeError: transactions do not nest"),
        ("lie", "PydanticSerializationError"),
    ],
)
def test_a_broken_promise_is_a_defect_and_changes_nothing(name: str, cause: str) -> None:
    scene = Scene()
    state = scene.layer.state(odd)
    with pytest.raises(Defect) as caught:
        odd.default.tool(name).call(state, {})

    assert caught.value.cause.startswith(cause)
    assert (caught.value.app, caught.value.tool) == ("odd", name)
    assert scene.layer.changes() == []


def test_rows_that_do_not_fit_are_no_defect_of_the_tool_that_meets_them() -> None:
    engine = Engine()
    broken = engine.layer(engine.load(World("broken", NOW, {"desk": {"papers": [{"id": "1"}]}})))

    with pytest.raises(Fault, match=r"^world 'broken': desk\.papers, row 0, does not fit") as caught:
        tool("rename_paper").call(broken.state(app), {"paper_id": "1", "title": "x"})

    assert not isinstance(caught.value, Defect)


def test_a_number_too_large_is_the_agents_mistake() -> None:
    with pytest.raises(Rejected, match="pages is 36893488147419103232, which is beyond the 64 bits"):
        odd.default.tool("overflow").call(Scene().layer.state(odd), {"pages": 2**65})


def test_arguments_may_be_named_as_anything() -> None:
    tool, state = odd.default.tool("shadow"), Scene().layer.state(odd)

    assert tool.call(state, {"copy": True, "schema": "x"}).data == {"result": [True, "", 0, "x"]}
    assert list(tool.input_schema["properties"]) == ["copy", "json", "model_dump", "schema"]
    with pytest.raises(InvalidArguments, match="'copy'"):
        tool.call(state, {"copy": "perhaps"})


class Script:
    """Answers once everybody is waiting, so that two questions are surely open together."""

    def __init__(self, text: str, others: anyio.Event, here: anyio.Event) -> None:
        self.text, self.others, self.here = text, others, here

    async def answer(self, question: Question) -> Answer:
        self.here.set()
        await self.others.wait()
        return Answer(text=self.text)


def test_two_sandboxes_ask_at_once_while_others_write() -> None:
    scene = Scene()
    states = [scene.engine.layer(scene.base).state(app) for _ in range(2)]
    ask = tool("ask_title")

    async def main() -> list[Result]:
        waiting, results = [anyio.Event(), anyio.Event()], []

        async def one(n: int) -> None:
            user = Script(f"answer {n}", waiting[1 - n], waiting[n])
            results.append(await ask.ask(states[n], user, {"paper_id": "0001"}))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(one, 0)
            await waiting[0].wait()
            tool("rename_paper").call(states[0], {"paper_id": "0002", "title": "meanwhile"})
            tasks.start_soon(one, 1)
        return results

    results = anyio.run(main)

    assert sorted(result.text for result in results) == ["answer 0", "answer 1"]
    assert [[p.title for p in state.find(Paper, limit=2)] for state in states] == [
        ["answer 0", "meanwhile"],
        ["answer 1", "paper 2"],
    ]


def test_what_an_answer_led_to_is_undone_when_it_fails() -> None:
    class Quick:
        async def answer(self, question: Question) -> Answer:
            return Answer(text="x")

    scene = Scene()
    with pytest.raises(NotFound, match="'9'"):
        anyio.run(tool("ask_title").ask, scene.state, Quick(), {"paper_id": "9"})

    assert scene.layer.changes() == []


def test_a_tool_that_says_too_little_is_refused_when_declared() -> None:
    def silent(state: State) -> str:
        return ""

    def untyped(state: State, thing) -> str:  # type: ignore[no-untyped-def]
        """Take anything."""
        return ""

    def spread(state: State, *things: str) -> str:
        """Take many."""
        return ""

    def endless(state: State):  # type: ignore[no-untyped-def]
        """Give anything."""

    async def waits(state: State) -> str:
        """Wait."""
        return ""

    for function, problem in (
        (silent, "no docstring"),
        (untyped, "parameter thing needs a type"),
        (spread, r"parameter \*things"),
        (endless, "no return type"),
        (waits, "plain `def`"),
    ):
        with pytest.raises(TypeError, match=problem):
            App("new", "").writes(function)


class Odd:
    """No type of pydantic's."""


def test_a_type_that_clients_cannot_be_told_of_names_its_tool() -> None:
    def takes(state: State, thing: Odd) -> str:
        """Take it."""
        return ""

    def gives(state: State) -> Odd:
        """Give it."""
        return Odd()

    for function, problem in ((takes, "new.takes: a parameter has"), (gives, "new.gives: its result has")):
        new = App("new", "")
        new.reads(function)
        with pytest.raises(BrokenTool, match=problem):
            new.default.prepare()


def test_names_that_clash_or_are_too_long_are_refused() -> None:
    def twice(state: State, paper_id: PaperId) -> str:
        """Do it."""
        return ""

    new = App("new", "")
    new.reads(twice)
    with pytest.raises(TypeError, match="two tools named 'twice'"):
        new.reads(twice)
    with pytest.raises(TypeError, match="64 characters"):
        App("n" * 60, "").reads(twice)
    with pytest.raises(TypeError, match="not lower_case"):
        App("Desk", "")


def test_an_app_may_have_several_surfaces() -> None:
    new = App("new", "", tables=(Paper,))
    other = new.toolset("other")

    @other.asks
    async def wonder(state: State, user: User) -> str:
        """Wonder."""
        return ""

    assert new.default is other
    assert new.toolset("other") is other
    assert list(new.default.tools) == ["wonder"]


def test_two_surfaces_of_one_file_may_have_tools_of_one_name() -> None:
    new = App("new", "", tables=(Paper,))

    @new.toolset("plain").reads(name="find")
    def find_plainly(state: State) -> str:
        """Find."""
        return "plain"

    @new.toolset("rich").reads(name="find")
    def find_richly(state: State) -> str:
        """Find more."""
        return "rich"

    state = Scene().state
    assert [new.toolset(name).tool("find").call(state, {}).text for name in ("plain", "rich")] == ["plain", "rich"]
    assert (find_plainly(state), find_richly(state)) == ("plain", "rich")


def test_every_kind_of_tool_may_be_named_apart_from_its_function() -> None:
    new = App("new", "")

    def do(state: State) -> str:
        """Do it."""
        return ""

    async def ask(state: State, user: User) -> str:
        """Ask it."""
        return ""

    new.reads(name="look")(do)
    new.writes(name="change", idempotent=True)(do)
    new.asks(name="wonder")(ask)
    new.reads(do)

    assert list(new.default.tools) == ["look", "change", "wonder", "do"]
    assert new.default.tool("change").idempotent


def test_a_name_that_models_do_not_allow_is_refused() -> None:
    def look(state: State) -> str:
        """Look."""
        return ""

    with pytest.raises(TypeError, match=r"new_look here is not a name that models allow"):
        App("new", "").reads(name="look here")(look)


def test_a_surface_has_the_instructions_of_its_app_unless_it_has_its_own() -> None:
    new = App("new", "Of the app.")

    assert new.toolset("plain").instructions == "Of the app."
    assert new.toolset("rich", "Of its own.").instructions == "Of its own."
    assert new.toolset("rich").instructions == "Of its own."


def test_a_toolset_says_which_library_it_lacks() -> None:
    new = App("thing", "Of the app.")
    there, missing = Needs("json", "thing[json]"), Needs("no_such_library", "thing[more]")

    assert new.toolset("plain").lacking == ""
    assert new.toolset("there", needs=there).lacking == ""
    assert new.toolset("missing", needs=missing).lacking == (
        "thing/missing needs no_such_library, which is not installed: pip install 'thing[more]'"
    )


def test_a_toolset_under_an_overlay_needs_what_it_needed() -> None:
    needs = Needs("no_such_library", "thing[more]")
    toolset = App("thing", "Of the app.").toolset("missing", needs=needs)

    @toolset.reads
    def look(state: State) -> str:
        """Look."""
        return ""

    assert overlaid(toolset, {"look": "see"}, {}, ()).needs == needs


def test_an_id_that_no_row_has_is_not_repeated_at_any_length() -> None:
    assert str(NotFound("task", "T1")) == "No task has the id 'T1'."
    assert str(NotFound("task", "x" * 5_000)) == f"No task has the id '{'x' * 200} [... 4,800 more characters]'."
