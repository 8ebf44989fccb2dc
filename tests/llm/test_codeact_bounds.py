"""Code that tries to get out of its interpreter, or to take more than it may: it is told so, and that is all."""

from __future__ import annotations

import os
from pathlib import Path

import anyio
import psutil
import pytest

from harness.agents.codeact import Interpreter, spelled
from harness.core.agent_config import CodeAct
from harness.core.config import Limits
from tests.llm.scenes import trial
from tests.llm.support import FakeDesk, run
from tests.llm.test_codeact import CODING, block

SMALL = CodeAct(seconds=0.5, memory_mb=16, output=1000)


def told(*codes: str, settings: CodeAct = SMALL, desk: FakeDesk | None = None) -> list[str]:
    """What blocks of one session come to."""

    async def scene() -> list[str]:
        interpreter = Interpreter(desk or FakeDesk(), settings)
        return [await interpreter.run(code) for code in codes]

    return run(scene)


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("open('/etc/passwd').read()", "PermissionError"),
        ("import pathlib\npathlib.Path('/etc/passwd').read_text()", "PermissionError"),
        ("import pathlib\nlist(pathlib.Path('/').iterdir())", "Error"),
        ("import os\nos.environ", "RuntimeError"),
        ("import os\nos.getenv('HOME')", "RuntimeError"),
        ("import os\nos.system('id')", "AttributeError"),
        ("import os\nos.urandom(4)", "RuntimeError"),
        ("import subprocess", "ModuleNotFoundError"),
        ("import socket", "ModuleNotFoundError"),
        ("import harness", "ModuleNotFoundError"),
        ("import ctypes", "ModuleNotFoundError"),
        ("().__class__.__bases__[0].__subclasses__()", "AttributeError"),
        ("print.__globals__", "AttributeError"),
        ("gmail_search.__globals__", "AttributeError"),
        ("gmail_search.__code__", "AttributeError"),
        ("__import__('os').listdir('/')", "NameError"),
        ('eval(\'__import__("os").listdir("/")\')', "NameError"),
        ("exec('open(\"/etc/passwd\")')", "PermissionError"),
        ("breakpoint()", "NameError"),
        ("compile('1', 'x', 'eval')", "NameError"),
    ],
)
def test_nothing_of_the_host_can_be_reached(code: str, problem: str) -> None:
    (text,) = told(code)

    assert problem in text.splitlines()[-1]


def test_a_file_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    (text,) = told(f"with open({str(path)!r}, 'w') as file:\n    file.write('x')")

    assert "PermissionError" in text
    assert not path.exists()


def test_what_eval_computes_is_computed_inside() -> None:
    assert told("eval('1 + 1')", "exec('y = 5')", "y") == ["2", "(nothing was printed)", "5"]


TIME = "The block was stopped: it computed for more than 0.5 s. Variables are what they were before it"
ENDED = "The block was stopped: it ended. Variables are what they were before it"
ROOM = "The block was stopped: it took more than 16 MB of memory. Variables are what they were before it"


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("x = 2\nwhile True:\n    pass", TIME),
        (
            "while True:\n    try:\n        while True: x = 2\n    except BaseException:\n        x = 3",
            TIME,
        ),
        ("x = 2\nsum(range(10 ** 12))", TIME),
        ("x = [0] * 10 ** 9", ROOM),
        ("x = []\nwhile True:\n    x.append('abcdefgh' * 100)", ROOM),
        ("x = 'a' * 10 ** 9", ROOM),
        ("x = 10 ** 10 ** 8", ROOM),
        # On a busy machine the process may be out of memory before it has counted what it took.
        ("x = ['a']\nfor _ in range(9):\n    x = [x] * 10\nprint(x)", (ROOM, ENDED)),
        ("x = 'a' * 15_000_000", ROOM),
    ],
)
def test_a_block_that_takes_too_much_is_stopped_and_leaves_what_was_there(
    code: str, problem: str | tuple[str, ...]
) -> None:
    _, text, after = told("x = 1", code, "x")

    assert text.startswith(problem)
    assert after == "1"


def test_what_was_printed_before_it_was_stopped_is_shown() -> None:
    (text,) = told("print('so far')\nwhile True:\n    pass")

    assert text.startswith(f"so far\n{TIME}")


def test_printing_for_ever_ends_and_shows_no_more_than_it_may() -> None:
    (text,) = told("while True:\n    print('y' * 99)")

    assert text.startswith(("y" * 99 + "\n") * 10 + "\n[... cut: 1000 characters are shown of a block]")
    assert len(text) < 1300


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("def deeper(n):\n    return deeper(n + 1)\ndeeper(0)", "RecursionError: maximum recursion depth exceeded"),
        ("(" * 5000 + "1" + ")" * 5000, "SyntaxError"),
        ("[" * 100_000, "SyntaxError"),
    ],
)
def test_depth_is_bounded_too(code: str, problem: str) -> None:
    (text,) = told(code)

    assert problem in text
    assert len(text) < 2200


def test_an_error_with_a_long_text_is_cut() -> None:
    (text,) = told("raise ValueError('a' * 100_000)")

    assert text.startswith("ValueError: aaaa")
    assert text.endswith(" [... cut]")
    assert len(text) < 1100


def test_calls_for_ever_are_bounded_whatever_the_code_catches() -> None:
    desk = FakeDesk()
    (text,) = told(
        "while True:\n    try:\n        gmail_search(query='a')\n    except BaseException:\n        pass",
        settings=CodeAct(seconds=60),
        desk=desk,
    )

    assert "RuntimeError: suspension limit 1000 exceeded" in text
    assert len(desk.made) <= 1000


ENDLESS = "x = ['a']\nfor _ in range(40):\n    x = [x] * 10\n"


def test_a_value_that_is_endless_when_written_out_is_shown_as_far_as_it_may() -> None:
    (text,) = told(f"{ENDLESS}x")

    assert text.startswith("[" * 20)
    assert len(text) < 1100


def test_a_value_that_is_endless_when_written_out_is_no_argument() -> None:
    desk = FakeDesk()
    (text,) = told(f"{ENDLESS}gmail_search(x)", desk=desk)

    assert "more than 10,000 values" in text
    assert desk.made == []


def test_a_value_that_holds_itself_is_shown_and_ends() -> None:
    assert told("x = [1]\nx.append(x)\nx") == ["[1, '[...]']"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, 2.5, None, True, "a'b"], '[1, 2.5, None, True, "a\'b"]'),
        ({"a": (1,), 2: set()}, "{'a': (1,), 2: set()}"),
        (frozenset({3}), "{3}"),
        (b"x", "b'x'"),
        pytest.param(10**5000, "(a number of too many digits to be written)", id="digits"),
        (object(), "<object>"),
    ],
)
def test_a_value_is_written_as_python_writes_it(value: object, text: str) -> None:
    assert spelled(value, 1000) == text


def test_no_process_is_left_when_time_of_the_trial_is_up_in_the_middle_of_a_block() -> None:
    limits = Limits(seconds=1)
    record, _ = trial([block("while True:\n    pass")], **CODING, codeact={"seconds": 30}, limits=limits)

    assert (record.trajectory.status, record.trajectory.reason) == ("limit", "limit reached: seconds")
    assert _gone()


def test_no_process_is_left_after_a_block() -> None:
    told("x = 1", "while True:\n    pass")

    assert _gone()


def _gone() -> bool:
    """Whether no interpreter runs below this process, given a moment to end."""

    async def scene() -> bool:
        with anyio.move_on_after(20):
            while _running():
                await anyio.lowlevel.checkpoint()
        return not _running()

    return run(scene)


def _running() -> bool:
    children = psutil.Process(os.getpid()).children(recursive=True)
    return any(child.name() == "monty" and child.status() != psutil.STATUS_ZOMBIE for child in children)
