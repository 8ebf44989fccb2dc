"""Tasks from templates: values drawn so that conditions fall both ways; slots scored by trying every other value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from benchmarks.workbench.synth.draw import keyed
from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import SlotSpec, Template
from benchmarks.workbench.synth.templates.steps import Step
from harness.suite import SuiteError
from harness.task import Brief, Compare, End, Session, Slot, Task
from servers.kernel import World

__all__ = ("APPS", "COMPARE", "build")

APPS = ("analytics", "calendar", "crm", "directory", "gmail", "projects")

_TEXT = {
    "gmail.emails": ("folder", "address", "subject", "body"),
    "calendar.events": ("event_name", "participant_email", "event_start", "duration"),
    "analytics.plots": ("file_path",),
    "projects.tasks": ("task_name", "assigned_to_email", "due_date"),
    "crm.customers": (
        "assigned_to_email", "customer_name", "customer_email", "customer_phone", "last_contact_date",
        "product_interest", "follow_up_by", "notes",
    ),
}  # fmt: skip
COMPARE = Compare(
    text=frozenset(f"{table}.{field}" for table, fields in _TEXT.items() for field in fields),
    free=frozenset({"gmail.emails.sent_datetime", "gmail.emails.thread"}),
)
"""As published: letter case counts only in status, list and board; when a mail was sent is not compared.

Nor which conversation it stands in, which not every surface says.
"""

_ATTEMPTS = 2_000
_Values = dict[str, Any]
_Domains = Mapping[str, Sequence[Any]]
_Change = tuple[object, ...]


class _Case(NamedTuple):
    """One task to be: its slot values, what doing it takes, and what its slots weigh."""

    values: _Values
    steps: Sequence[Step]
    slots: tuple[Slot, ...]


def build(world: World, templates: Sequence[Template], per_template: int = 10, seed: int = 0) -> list[Task]:
    """`per_template` tasks of each template, no two with the same request.

    Raises `SuiteError` for a template that the world cannot fill, and for a slot that changes no outcome.
    """
    office = Office(world)
    tasks: list[Task] = []
    for number, template in enumerate(templates, start=1):
        cases = _cases(office, template, per_template, seed)
        tasks.extend(
            _task(world.name, template, case, f"wb-synth-{number:02d}-{index}", index)
            for index, case in enumerate(cases)
        )
    return tasks


def _cases(office: Office, template: Template, count: int, seed: int) -> list[_Case]:
    """Draws that make a good task, as many of them idle as the template asks for.

    Where something is to be done, every slot must matter to what is done.
    """
    domains = {name: list(spec.domain(office)) for name, spec in template.slots.items()}
    idle = round(count * template.idle / 10)
    wanted = {True: idle, False: count - idle}
    cases: list[_Case] = []
    seen: set[str] = set()
    for values in _draws(template, domains, keyed(seed, template.name, "values")):
        if len(cases) == count:
            break
        steps = template.outcome(office, values)
        request = template.request(0, values)
        if not wanted[not steps] or request in seen or not _each_once(template, values):
            continue
        changes = [step.change for step in steps]
        if steps and not all(_matters(office, template, domains, values, name, changes) for name in template.slots):
            continue
        seen.add(request)
        wanted[not steps] -= 1
        slots = tuple(
            _slot(name, spec, values[name], list(_others(office, template, domains, values, name)), changes)
            for name, spec in template.slots.items()
        )
        cases.append(_Case(values, steps, slots))
    if wanted[False] and (unused := _unused(office, template, domains, seed)):
        raise SuiteError(f"template {template.name!r}: no outcome depends on the slots {unused}")
    if len(cases) < count:
        raise SuiteError(
            f"template {template.name!r}: {_ATTEMPTS} draws gave {len(cases)} of {count} tasks; "
            f"{wanted[True]} idle and {wanted[False]} others are missing"
        )
    keyed(seed, template.name, "order").shuffle(cases)
    return cases


def _draws(template: Template, domains: _Domains, rng: Random) -> Iterator[_Values]:
    for _ in range(_ATTEMPTS):
        values = {name: rng.choice(domain) for name, domain in domains.items()}
        if template.valid(values):
            yield values


def _each_once(template: Template, values: _Values) -> bool:
    """Whether every slot's text occurs exactly once in each wording, so that a variant can take it out."""
    texts = [spec.text(values[name]) for name, spec in template.slots.items()]
    requests = [template.request(wording, values) for wording in range(len(template.wordings))]
    return all(request.count(text) == 1 for request in requests for text in texts)


def _task(world: str, template: Template, case: _Case, id: str, index: int) -> Task:
    wording = index % len(template.wordings)
    request = template.request(wording, case.values)
    return Task(
        id=id,
        world=world,
        apps=APPS,
        sessions=(Session(requests={"original": request}, briefs={"original": Brief(intent=request, sent=request)}),),
        ends=(End(changes=tuple(step.expected() for step in case.steps)),),
        compare=COMPARE,
        solution=tuple(step.call() for step in case.steps),
        template=template.name,
        slots=case.slots,
        facts={
            "domains": list(template.domains),
            "actions": len(case.steps),
            "wording": wording,
            "explorable": [name for name, spec in template.slots.items() if spec.explore],
        },
    )


def _others(
    office: Office, template: Template, domains: _Domains, values: _Values, name: str
) -> Iterator[Sequence[_Change]]:
    """What would be changed for each other value of one slot, the rest fixed; worked out as it is asked for."""
    for other in domains[name]:
        changed = {**values, name: other}
        if other != values[name] and template.valid(changed):
            yield [step.change for step in template.outcome(office, changed)]


def _matters(
    office: Office, template: Template, domains: _Domains, values: _Values, name: str, changes: Sequence[_Change]
) -> bool:
    """Whether some other value of the slot, the rest fixed, leads to other changes."""
    return any(_differ(changes, other) for other in _others(office, template, domains, values, name))


def _unused(office: Office, template: Template, domains: _Domains, seed: int) -> list[str]:
    """The slots that matter in no draw at all."""
    unused = set(template.slots)
    for values in _draws(template, domains, keyed(seed, template.name, "values")):
        changes = [step.change for step in template.outcome(office, values)]
        unused -= {name for name in unused if _matters(office, template, domains, values, name, changes)}
    return sorted(unused)


def _differ(some: Sequence[_Change], others: Sequence[_Change]) -> bool:
    """Whether changes are not the same, in whatever order. To count them is what costs, and seldom needed."""
    return len(some) != len(others) or (some != others and Counter(some) != Counter(others))


def _slot(
    name: str, spec: SlotSpec, value: Any, outcomes: Sequence[Sequence[_Change]], changes: Sequence[_Change]
) -> Slot:
    """The slot with what its other values tell: how critical it is, which changes hang on it, and from when."""
    differing = sum(_differ(changes, other) for other in outcomes)
    moved = [place for place, change in enumerate(changes) if any(change not in other for other in outcomes)]
    return Slot(
        name=name,
        kind=spec.kind,
        text=spec.text(value),
        value=value,
        role=spec.role,
        dimension=spec.dimension,
        subdimension=spec.subdimension,
        criticality=0.0 if not differing else 1.0 if differing == len(outcomes) else 0.5,
        guessability=spec.guessability,
        reason=spec.why,
        complete_without=spec.complete_without,
        checkpoint_refs=tuple(moved),
        first_use_pct=moved[0] / len(changes) if moved else 0.0,
        asks=spec.asks,
    )
