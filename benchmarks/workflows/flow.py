"""What a workflow is: what lies there, what is asked in words with slots, and what doing it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any

from benchmarks.workflows.layout import Layout, office
from benchmarks.workflows.plan import Plan, facts
from harness.suite import SuiteError
from harness.task import Brief, Compare, End, Expected, Session, SessionLimits, Slot, Task

__all__ = ("BUDGET", "COMPARE", "Case", "Flow", "SlotSpec", "Unfit", "Values", "tasks")

Values = Mapping[str, Any]
"""Slot name -> value."""

BUDGET = 3
"""Calls that an agent has for each of the reference solution (a workflow's headroom is measured under it)."""


class Unfit(Exception):
    """Values that make no sense together, or nothing to do: no outcome is worked out for them."""


@dataclass(frozen=True, kw_only=True)
class SlotSpec:
    """A value that a request states, with its LHAW record (docs/benchmarks/lhaw.md, Segments).

    `kind` is what sort of thing it is in a colleague's words; of several of one kind `role` says which. `options` are
    the values that it may as well have had: for each, the outcome is worked out, and criticality is the share of
    those whose outcome differs. `text` says a value in the request. `guessability` is declared with its reason `why`:
    0 cannot be guessed, 0.5 can often be found or supposed, 1 is a matter of course. `complete_without`: the request
    still reads as a whole one without it. `asks` and `says` as in `harness.task.Slot`.
    """

    kind: str
    dimension: str
    subdimension: str
    options: tuple[Any, ...]
    why: str
    role: str = ""
    text: Callable[[Any], str] = str
    guessability: float = 0.0
    complete_without: bool = False
    asks: tuple[str, ...] = ()
    says: str = ""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One task of a flow. `wording` names each slot once in braces; `values` are among the slots' options."""

    wording: str
    values: Values


@dataclass(frozen=True, kw_only=True)
class Flow:
    """Three tasks made alike: one job, with other books, other rules and other words each time.

    `lay` lays out a case, by its number, and returns whatever `plan` needs to know of it; it may not depend on the
    values of slots, so that any value could have been asked for. `plan` gives the reference solution for those values;
    it raises `Unfit`. Neither draws anything that the number of the case does not decide. `lines` counts, in what was
    laid out, the lines that figures are worked out from.
    """

    name: str
    domain: str
    apps: tuple[str, ...]
    slots: Mapping[str, SlotSpec]
    cases: tuple[Case, ...]
    lay: Callable[[Layout, int], Any]
    plan: Callable[[Any, Values], Plan]
    lines: Callable[[Any], int] | None = None

    def __post_init__(self) -> None:
        for number, case in enumerate(self.cases):
            used = [name for _, name, _, _ in Formatter().parse(case.wording) if name is not None]
            if sorted(used) != sorted(self.slots) or case.values.keys() != self.slots.keys():
                raise ValueError(
                    f"flow {self.name!r}, case {number}: its wording and values should name each slot once"
                )
            for name, value in case.values.items():
                if value not in self.slots[name].options:
                    raise ValueError(
                        f"flow {self.name!r}, case {number}: {value!r} is not among the options of {name!r}"
                    )

    def request(self, number: int) -> str:
        """What is asked."""
        case = self.cases[number]
        return case.wording.format(**{name: spec.text(case.values[name]) for name, spec in self.slots.items()})


COMPARE = Compare(
    text=frozenset((
        "gmail.emails.subject", "gmail.emails.body", "chat.messages.text", "calendar.events.event_name",
        "calendar.events.location", "todoist.tasks.content", "filesystem.entries.text", "simple_note.notes.text",
        "simple_note.notes.title", "crm.deals.title", "crm.deals.reason", "crm.notes.text", "crm.tasks.title",
        "todoist.comments.text",
    )),
    free=frozenset(("filesystem.entries.created", "filesystem.entries.modified")),
)  # fmt: skip


_WORDED = {
    "wrong text": "some texts may be worded freely, and a word more or less leaves them saying what they have to"
}


def tasks(flow: Flow, number: int) -> list[Task]:
    """The tasks of a flow, `number` being its place among all flows. Raises `SuiteError`."""
    return [_task(flow, f"flow-{number:02d}-{case + 1}", case) for case in range(len(flow.cases))]


def _task(flow: Flow, id: str, number: int) -> Task:
    layout = Layout()
    laid = flow.lay(layout, number)
    values = flow.cases[number].values
    plan = flow.plan(laid, values)
    request = flow.request(number)
    changes = plan.changes
    return Task(
        id=id,
        world=office().name,
        apps=flow.apps,
        setup=layout.edits,
        sessions=(
            Session(
                requests={"original": request},
                briefs={"original": Brief(intent=request, sent=request)},
                limits=SessionLimits(tool_calls=BUDGET * len(plan.steps)),
            ),
        ),
        ends=(End(changes=changes),),
        compare=COMPARE,
        solution=tuple(step.call for step in plan.steps),
        template=flow.name,
        slots=tuple(_slot(flow, laid, values, name, plan, request) for name in flow.slots),
        facts={
            "domain": flow.domain,
            "calls": len(plan.steps),
            "writes": sum(step.writes for step in plan.steps),
            "depth": plan.depth,
            **({"lines": flow.lines(laid)} if flow.lines else {}),
            **({"audit": _WORDED} if any(map(_worded, changes)) else {}),
        },
    )


def _slot(flow: Flow, laid: Any, values: Values, name: str, plan: Plan, request: str) -> Slot:
    """The slot with what its other values tell: how critical it is, which changes hang on it, and from when."""
    spec = flow.slots[name]
    text = spec.text(values[name])
    if request.count(text) != 1:
        raise SuiteError(f"flow {flow.name!r}: the request should have {text!r}, the value of {name!r}, once")
    ours = [_mark(change) for change in plan.changes]
    others = [_outcome(flow, laid, {**values, name: option}) for option in spec.options if option != values[name]]
    found = [each for each in others if each is not None]
    differing = sum(each != Counter(ours) for each in found)
    moved = [n for n, mark in enumerate(ours) if any(mark not in each for each in found)]
    if differing and not moved:  # other values want all of this and more: then it is about what they want more of
        more = {_place(mark) for each in found for mark in each if mark not in ours}
        moved = [n for n, mark in enumerate(ours) if _place(mark) in more]
    about = {ours[n] for n in moved}
    first = next((n for n, step in enumerate(plan.steps) if about & set(map(_mark, step.leaves))), 0)
    return Slot(
        name=name,
        kind=spec.kind,
        text=text,
        value=values[name],
        role=spec.role,
        dimension=spec.dimension,
        subdimension=spec.subdimension,
        criticality=0.0 if not differing else 1.0 if differing == len(found) else 0.5,
        guessability=spec.guessability,
        reason=spec.why,
        complete_without=spec.complete_without,
        checkpoint_refs=tuple(moved),
        first_use_pct=first / len(plan.steps),
        asks=spec.asks,
        says=spec.says,
    )


def _place(mark: str) -> tuple[str, str, str]:
    change = Expected.model_validate_json(mark)
    return change.op, change.app, change.table


def _outcome(flow: Flow, laid: Any, values: Values) -> Counter[str] | None:
    try:
        return Counter(map(_mark, flow.plan(laid, values).changes))
    except Unfit:
        return None


def _worded(change: Expected) -> bool:
    return any(facts(value) is not None for value in change.values.values())


def _mark(change: Expected) -> str:
    return str(change.model_dump_json())
