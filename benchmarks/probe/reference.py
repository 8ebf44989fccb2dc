"""The reference agent: it reads everything through tools, parses it with the inverse grammar, and decides by proof.

It knows the wordings that samples are made of, and so measures whether a sample can be solved with what tools give, not
how hard that is for anybody who reads. Where the documents hold no live chain, or several, it does nothing. Set to, it
errs at known rates, acts at random or declares everything: scores that can be worked out beforehand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from random import Random
from typing import Any, Literal, NamedTuple

from pydantic import Field

from benchmarks.probe.grammar.actions import ROLES
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.facts import Chain, Fact, Remit, live
from benchmarks.probe.grammar.proofs import facts_of, remit_of
from benchmarks.probe.grammar.reading import read
from benchmarks.probe.records import Sample
from benchmarks.probe.scoring.answers import Answer, Structured
from benchmarks.probe.scoring.dials import Dials
from benchmarks.probe.single_shot import shown
from harness.core.program import ToolRefused, Worker

__all__ = ("Choice", "Open", "Settings", "by_grammar", "concluded", "confused", "play", "told")

_AT_ONCE = 8
"""Documents that one query asks for: a part of its result costs as much as the whole."""
_TEXTS = {"emails": "body", "events": "description", "documents": "content"}
_DATES = {"emails": "date", "events": "start", "documents": "date"}
_ANY_TEXT = "coalesce(" + ", ".join(f"json_extract(payload, '$.{field}')" for field in _TEXTS.values()) + ")"
_MORE = re.compile(r"\nnext_offset: (\d+) \([^\n]*\)$")


class Settings(Dials):
    """How the agent plays and how it errs.

    `hasty` takes any action where the documents hold no live chain, instead of none; `waits` leaves a live one alone
    until its newest document is so many days old. Both are about tasks of several days.

    `policy`: `grammar` reads and concludes, `random` takes any action on no evidence, `everything` any action on all
    documents. `mode`: through tools, or from the one text that a single call is shown. The dials are of `grammar`.
    """

    policy: Literal["grammar", "random", "everything"] = "grammar"
    mode: Literal["agentic", "single_shot"] = "agentic"
    hasty: bool = False
    waits: int = Field(default=0, ge=0)


class Choice(NamedTuple):
    """What was concluded: documents that state it, the bottleneck in parts, the action and its parameters."""

    evidence: tuple[str, ...]
    bottleneck: Structured
    action: str
    parameters: dict[str, Any]


class Open(NamedTuple):
    """An action as the agent is told of it; `blank` are parameters that it takes, and which mean nothing."""

    id: str
    type: str
    description: str
    blank: Mapping[str, Any] = {}


class _Known(NamedTuple):
    """What there is: texts by the ids of their documents, in the order of ids, and actions."""

    texts: Mapping[str, str]
    options: Sequence[Open]


async def play(worker: Worker) -> None:
    """Read, conclude and choose, all through tools or from one text. Whose work counts is what the request says."""
    settings: Settings = worker.settings
    known = _given(worker) if settings.mode == "single_shot" else await _looked_up(worker, settings.policy != "random")
    if settings.policy != "grammar":
        evidence = known.texts if settings.policy == "everything" else ()
        await _choose(worker, _anything(worker, known.options, evidence))
        return
    owners = {await worker.slot("persona"), *await worker.slot("reports")}
    today = worker.now.date()
    stated = read(known.texts, today)
    choice = concluded(stated, Remit(frozenset(owners), today.isoformat()), known.options)
    if choice is None and settings.hasty:
        await _choose(worker, _anything(worker, known.options, ()))
    elif choice is not None and await _rested(worker, choice.evidence, settings.waits):
        await _choose(worker, _erring(worker, settings, known, choice, stated))


async def _rested(worker: Worker, evidence: Sequence[str], days: int) -> bool:
    """Whether the newest of these documents is at least so many days old."""
    if not days:
        return True
    ids = ", ".join(f"'{id}'" for id in evidence)
    dated = [f"SELECT {column} FROM {table} WHERE id IN ({ids})" for table, column in _DATES.items()]
    newest = max(row[0] for row in await _rows(worker, " UNION ALL ".join(dated)))
    return (worker.now.date() - date.fromisoformat(newest[:10])).days >= days


async def _choose(worker: Worker, choice: Choice) -> None:
    parts = choice.bottleneck.model_dump(exclude_defaults=True)
    given = {"action": choice.action, "parameters": choice.parameters, "evidence": [*choice.evidence]}
    try:
        await worker.call("actions", "choose_action", **given, bottleneck=parts)
    except ToolRefused:  # served where the bottleneck is told in prose
        prose = told(choice.bottleneck) if parts else "I cannot tell."
        await worker.call("actions", "choose_action", **given, bottleneck=prose)


def _anything(worker: Worker, options: Sequence[Open], evidence: Iterable[str]) -> Choice:
    """Any of these actions, on that evidence, for no reason."""
    option = worker.random("action", "any").choice(options)
    return Choice(tuple(evidence), Structured(), option.id, dict(option.blank))


def _erring(
    worker: Worker, settings: Settings, known: _Known, choice: Choice, stated: Mapping[str, Sequence[Fact]]
) -> Choice:
    """The choice with the errors that the dials say, each drawn by itself.

    Tools take evidence only with an action. So where one true positive is gone, what is left is declared with an action
    that is not the right one, and nothing is said of the bottleneck: search has its score, the rest has none.
    """

    def chance(decision: str, purpose: str) -> float:
        return worker.random(decision, purpose).random()

    kept = [id for id in choice.evidence if chance(id, "recall") < settings.recall]
    others = (id for id in known.texts if id not in choice.evidence)
    evidence = (*kept, *(id for id in others if chance(id, "noise") < settings.noise))
    if len(kept) < len(choice.evidence):
        return _anything(worker, [each for each in known.options if each.id != choice.action], evidence)
    facts = list(dict.fromkeys(fact for each in stated.values() for fact in each))
    bottleneck, parameters = choice.bottleneck, choice.parameters
    if chance("bottleneck", "confusion") < settings.confusion:
        bottleneck = confused(worker.random("bottleneck", "what is confused"), bottleneck, facts)
    if chance("action", "parameter error") < settings.parameter_error:
        parameters = _mistaken(worker.random("action", "what is mistaken"), parameters, facts)
    return Choice(evidence, bottleneck, choice.action, parameters)


def confused(draw: Random, parts: Structured, facts: Sequence[Fact]) -> Structured:
    """One essential detail as some other statement has it."""
    mine = parts.why_root_cause.partition(": ")[2]
    instead = {
        "who_blocked": [fact["owner"] for fact in facts if fact.kind == "due"],
        "who_blocker": [fact["person"] for fact in facts if fact.kind == "why"],
        "what_task": [fact["task"] for fact in facts if fact.kind == "due"],
        "why_root_cause": [_cause(fact) for fact in facts if fact.kind == "why" and fact["object"] != mine],
    }
    name = draw.choice([*instead])
    return parts.model_copy(
        update={name: draw.choice([each for each in instead[name] if each != getattr(parts, name)])}
    )


def _mistaken(draw: Random, parameters: Mapping[str, Any], facts: Sequence[Fact]) -> dict[str, Any]:
    """One critical parameter as some other lever has it."""
    levers = [fact for fact in facts if fact.kind == "lever"]
    names = [name for name in parameters if name != "message"]
    place = draw.randrange(len(names))
    slot = ("decider", "object", "reference")[place]
    others = [fact[slot] for fact in levers if fact[slot] != parameters[names[place]]]
    return {**parameters, names[place]: draw.choice(others)}


def concluded(stated: Mapping[str, Sequence[Fact]], remit: Remit, options: Iterable[Open]) -> Choice | None:
    """The choice that follows from what documents state; None unless one chain is live and one act ends it."""
    found = live([fact for facts in stated.values() for fact in facts], remit)
    if len(found) != 1:
        return None
    chain = found[0]
    ways = [each for each in options if _ends(each, chain.why["cause"])]
    if len(ways) != 1:
        return None
    lever = chain.lever
    values = (lever["decider"], lever["object"], lever["reference"], f"The {chain.due['task']} waits for this.")
    return Choice(
        evidence=tuple(id for id, facts in stated.items() if any(fact in facts for fact in chain)),
        bottleneck=_parts(chain),
        action=ways[0].id,
        parameters=dict(zip((*ROLES[ways[0].type], "message"), values, strict=True)),
    )


def by_grammar(sample: Sample) -> Answer | None:
    """What the inverse grammar makes of a sample's texts without any tool."""
    options = [Open(each.id, each.type, each.description) for each in sample.actions]
    choice = concluded(facts_of(sample), remit_of(sample), options)
    if choice is None:
        return None
    return Answer(
        retrieved=choice.evidence, bottleneck=choice.bottleneck, action=choice.action, parameters=choice.parameters
    )


def told(parts: Structured) -> str:
    """A bottleneck in its parts as one sentence or two."""
    where = f" in {parts.where_system}" if parts.where_system else ""
    when = f" by {parts.when_deadline}" if parts.when_deadline else ""
    how = f", and {parts.how_mechanism}." if parts.how_mechanism else "."
    return (
        f"{parts.who_blocked} cannot finish {parts.what_task}{when}: {parts.who_blocker} is stuck{where} "
        f"({parts.why_root_cause}){how}"
    )


def _ends(option: Open, cause: str) -> bool:
    one = causes()[cause]
    return one.action == option.type and option.description in one.descriptions.values()


def _cause(why: Fact) -> str:
    return f"{causes()[why['cause']].type.replace('_', ' ')}: {why['object']}"


def _parts(chain: Chain) -> Structured:
    due, why = chain.due, chain.why
    return Structured(
        who_blocked=due["owner"],
        who_blocker=why["person"],
        what_task=due["task"],
        why_root_cause=_cause(why),
        when_deadline=due["deadline"],
        where_system=chain.at["system"],
        how_mechanism=f"the {chain.needs['input']} is missing and comes from the {chain.at['desk']}",
    )


async def _looked_up(worker: Worker, reading: bool) -> _Known:
    listed = await worker.call("actions", "list_actions")
    options = [
        Open(each["id"], each["type"], each["description"], _blank(worker, each["parameters"]))
        for each in listed["items"]
    ]
    return _Known(await _texts(worker) if reading else {}, options)


def _blank(worker: Worker, parameters: Mapping[str, str]) -> dict[str, Any]:
    """Values of the right form for what `list_actions` says is required."""
    found: dict[str, Any] = {}
    for name, told in parameters.items():
        kind, *choices = told.partition(": ")[0].split(", ")
        if "required" in choices:
            found[name] = _of_kind(worker, kind, kind.removeprefix("one of "))
    return found


def _of_kind(worker: Worker, kind: str, first: str) -> Any:
    """A value of the right form; `first` of the choices where there are some."""
    return {"amount": 1, "people": ["nobody"], "date": worker.now.date().isoformat()}.get(kind, first)


def _given(worker: Worker) -> _Known:
    """What the one text says."""
    everything = shown(worker.whole())
    texts = {
        each["id"]: next((each["payload"][name] for name in _TEXTS.values() if name in each["payload"]), "")
        for each in everything.documents
    }
    options = []
    for each in everything.actions:
        schema = each["params_schema"]
        blank = {
            name: _of_kind(worker, one["kind"], next(iter(one["choices"]), "unknown"))
            for name in schema["required"]
            for one in [schema["properties"][name]]
        }
        options.append(Open(each["id"], each["type"], each["description"], blank))
    return _Known(dict(sorted(texts.items())), options)


async def _texts(worker: Worker) -> dict[str, str]:
    """The text of every document by its id, in the order of ids."""
    tables = await worker.call("datastore", "sql_reader", query="")
    queries = (
        [f"SELECT id, {_ANY_TEXT} FROM documents"]
        if "payload" in tables
        else [f"SELECT id, {field} FROM {table}" for table, field in _TEXTS.items()]
    )
    found: dict[str, str] = {}
    for query in queries:
        at = 0
        while rows := await _rows(worker, f"{query} ORDER BY id LIMIT {_AT_ONCE} OFFSET {at}"):
            found.update((id, text or "") for id, text in rows)
            at += len(rows)
            if len(rows) < _AT_ONCE:
                break
    return dict(sorted(found.items()))


async def _rows(worker: Worker, query: str) -> list[list[Any]]:
    """The rows of a query, however many parts they come in."""
    parts: list[str] = []
    offset = 0
    while True:
        part = await worker.call("datastore", "sql_reader", query=query, offset=offset)
        more = _MORE.search(part)
        parts.append(part[: more.start()] if more else part)
        if more is None:
            break
        offset = int(more[1])
    return [json.loads(line) for line in "".join(parts).split("\n")[1:]]
