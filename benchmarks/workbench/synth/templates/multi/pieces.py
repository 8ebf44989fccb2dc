"""What templates across apps are put together from, each piece told twice: by rows, and by work with tools.

`rows` gives what is so in a world, for the expected outcome; `tools` finds it out, or does it, as an agent would.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from string import Formatter
from typing import Any, NamedTuple

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.steps import Step
from harness.agents.reference import Worker

__all__ = ("Deed", "When", "Who", "always", "rule", "said", "say")


class Who(NamedTuple):
    """Whom something concerns, by address."""

    rows: Callable[[Office, Values], str]
    tools: Callable[[Worker], Awaitable[str]]


class When(NamedTuple):
    """Whether something is to be done."""

    rows: Callable[[Office, Values], bool]
    tools: Callable[[Worker], Awaitable[bool]]


class Deed(NamedTuple):
    """Something to do."""

    rows: Callable[[Office, Values], Sequence[Step]]
    tools: Callable[[Worker], Awaitable[None]]


async def _yes(worker: Worker) -> bool:
    return True


always = When(lambda office, values: True, _yes)


def rule(*, then: Sequence[Deed], when: When = always, otherwise: Sequence[Deed] = (), **template: Any) -> Template:
    """A template that does `then` where the condition holds and `otherwise` where it does not."""

    def outcome(office: Office, values: Values) -> Sequence[Step]:
        deeds = then if when.rows(office, values) else otherwise
        return [step for deed in deeds for step in deed.rows(office, values)]

    async def program(worker: Worker) -> None:
        for deed in then if await when.tools(worker) else otherwise:
            await deed.tools(worker)

    return Template(outcome=outcome, program=program, **template)


def said(text: str, values: Values) -> str:
    """The text with slots filled in: "{title}" is the title, and words are themselves."""
    return text.format_map(values)


async def say(worker: Worker, text: str) -> str:
    """The same, with slots that the worker finds out."""
    names = [name for _, name, _, _ in Formatter().parse(text) if name]
    return text.format_map({name: await worker.slot(name) for name in names})
