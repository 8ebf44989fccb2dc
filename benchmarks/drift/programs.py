"""The reference agent on Drift-Bench: it reads a request as well as can be done, and asks or guesses as its dials say.

What a request leaves open it takes from the readings that were worked out for its text; it learns of no other value
than by being told or by the tools. With an answer it says how it understood the request, where the tool asks for that:
in the words of the whole request, with the value that it took, right or wrong. Its dials make each measure of
docs/benchmarks/drift.md come out at a known value.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.drift.drawn import Drawn, drawn
from benchmarks.drift.environments import Place
from benchmarks.drift.frames import Variant
from benchmarks.drift.need import Reading, ending
from benchmarks.drift.tasks import Faulty, readings
from benchmarks.drift.template import Rows, Template, Value
from harness.agents.reference import GiveUp, ToolRefused, Worker
from servers.clarify import LEFT

__all__ = ("Dials", "Draws", "drawn_again", "programs", "settled")

MOST: Final = 200
"""Tasks that a template may have."""

_ACCOUNT: Final = "predicted_question"

_OPENING: Final = "I cannot carry this out as it stands: I find nothing that fits {mention!r}."


class Dials(BaseModel):
    """What the reference agent does about what a request leaves open.

    `ask`: `never`; `openly`, for each value by name; `after_write`, once it has changed something by a guess. `limit`
    is how often it asks for one value. `guess`: `uniform` among the readings where it was not told, or `none`, and it
    stops. `scramble`: how likely it takes another reading than the one it was told, after a reply and in `apis` alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ask: Literal["never", "openly", "after_write"] = "openly"
    limit: int = Field(default=5, ge=1)
    guess: Literal["uniform", "none"] = "none"
    scramble: float = Field(default=0.0, ge=0, le=1)
    everywhere: bool = Field(default=False, description="Scrambles in every environment, as a control.")


class Draws(Protocol):
    """What decisions are drawn from: a `Worker`, or the draws of a trial without one."""

    @property
    def settings(self) -> Any:
        """The agent's `Dials`."""

    def random(self, decision: str, purpose: str) -> Random:
        """Draws of this decision, the same whenever the trial is played."""


Program = Callable[[Worker], Awaitable[None]]


def programs(faulty: Sequence[Faulty], places: Sequence[Place]) -> dict[str, Program]:
    """A program for each template, by id."""
    index = {each.variant.text: each.variant for each in faulty}
    return {template.id: _program(place, template, index) for place in places for template in place.templates}


def _program(place: Place, template: Template, index: Mapping[str, Variant]) -> Program:
    rows = place.rows(template.world)
    known = cache(lambda id: drawn_again(place, template, id))

    def account(request: str, gone: str = "", taken: Any = None) -> str:
        """The request as it was understood: whole, with what was taken for a value that it leaves open."""
        read = index.get(request) or index.get(request.partition("\n\n")[0])  # with the truth behind it: informed
        if read is None:
            return request
        task = known(read.task)
        if not gone:
            return task.text
        values, found = dict(task.values), (each.value for each in readings(task, read))
        said = next((each for each in found if each is not None and each.value == taken), None)
        if said is None:
            return template.request(values, task.wording, {gone: ""})
        return template.request({**values, gone: said}, task.wording)

    async def play(worker: Worker) -> None:
        read = index.get(worker.request)
        gone = read.hidden[0].slot if read is not None and read.hidden else ""
        values = {slot.id: await worker.slot(slot.id) for slot in template.slots if slot.id != gone}
        if gone and read is not None:
            options = readings(known(read.task), read)
            if worker.settings.ask == "after_write" and template.kind != "read" and read.need != "discoverable":
                await _do(worker, template, rows, {**values, gone: _guess(worker, gone, options)})
                await _asked(worker, template, read, options, 1)
                return
            values[gone] = await _taken(worker, template, read, options)
        asked = template.kind == "read" and worker.takes("answer", "submit_answer", _ACCOUNT)
        await _do(worker, template, rows, values, account(worker.request, gone, values.get(gone)) if asked else "")

    return play


def drawn_again(place: Place, template: Template, id: str) -> Drawn:
    """The template's task of that id, drawn again. Raises KeyError where it draws none such."""
    for task in drawn(place, template, MOST):
        if task.id == id:
            return task
    raise KeyError(f"{template.id} draws no task {id}: release it anew")


async def _taken(worker: Worker, template: Template, read: Variant, options: Sequence[Reading]) -> Any:
    """What it takes for the value that the request leaves open. Raises `GiveUp`."""
    dials, gone = worker.settings, read.hidden[0].slot
    if read.need == "discoverable":
        return read.hidden[0].value  # what looking it up leaves
    told = await _asked(worker, template, read, options, dials.limit) if dials.ask != "never" else None
    return settled(worker, template, gone, options, told)


def settled(draws: Draws, template: Template, slot: str, options: Sequence[Reading], told: Value | None) -> Any:
    """What it takes for a slot, by what it was told; None where it was not. Raises `GiveUp`."""
    if told is not None:
        return _other(draws, slot, options, told) if _scrambles(draws, template) else told.value
    if draws.settings.guess == "uniform":
        return _guess(draws, slot, options)
    raise GiveUp(f"I do not know which {template.slot(slot).role or slot} is meant.")


def _scrambles(draws: Draws, template: Template) -> bool:
    here = draws.settings.everywhere or template.environment == "apis"
    return bool(here and draws.random("arguments", "scramble").random() < draws.settings.scramble)


def _guess(draws: Draws, slot: str, options: Sequence[Reading]) -> Any:
    return draws.random(slot, "guess").choice([_value(reading) for reading in options])


def _other(draws: Draws, slot: str, options: Sequence[Reading], told: Value) -> Any:
    """Another reading with another outcome, where there is one."""
    meant = next((ending(each.outcome) for each in options if _value(each) == told.value), b"")
    others = [_value(each) for each in options if ending(each.outcome) != meant]
    return draws.random(slot, "scrambled value").choice(others) if others else told.value


def _value(reading: Reading) -> Any:
    return None if reading.value is None else reading.value.value


async def _asked(
    worker: Worker, template: Template, read: Variant, options: Sequence[Reading], limit: int
) -> Value | None:
    """The value that the user tells when asked for it up to so often, None where they do not."""
    slot = template.slot(read.hidden[0].slot)
    known = [reading.value for reading in options if reading.value]
    for n in range(limit):
        blocked = read.need == "blocked" and n == 0
        what = f"What is the {slot.role or slot.id}?"
        if blocked:
            what = f"{_OPENING.format(mention=read.mention.strip())} {what}"
        strategy = "report_blocker" if blocked else "ask_parameter"
        try:
            reply = await worker.call("clarify", "clarify", strategy=strategy, content=what)
        except ToolRefused:
            return None
        said = str(reply).partition(LEFT)[0]
        found = [value for value in known if _ends_at(said, value.text)]
        if found:  # what is wrong with the request is said before what is meant, and may name other values
            return max(found, key=lambda value: (_ends_at(said, value.text), len(value.text)))
    return None


def _ends_at(text: str, value: str) -> int:
    """Where a value is said last in a text, 0 where it is not."""
    told = re.finditer(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", text.casefold())
    return max((each.end() for each in told), default=0)


async def _do(worker: Worker, template: Template, rows: Rows, values: Mapping[str, Any], account: str = "") -> None:
    """The calls that carry it out. An answer is handed in with an `account` of what was asked, if there is one."""
    bound: dict[str, Any] = {}
    for call in template.solve(rows, values):
        arguments = _filled(call.arguments, bound)
        if account and call.app == "answer":
            arguments[_ACCOUNT] = account
        result = await worker.call(call.app, call.tool, **arguments)
        if call.bind:
            bound[call.bind] = result["id"] if isinstance(result, dict) else result


def _filled(value: Any, bound: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"ref"}:
            return bound[value["ref"]]
        return {key: _filled(item, bound) for key, item in value.items()}
    return [_filled(item, bound) for item in value] if isinstance(value, list) else value
