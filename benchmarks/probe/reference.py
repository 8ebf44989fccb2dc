"""The reference agent: it reads everything through tools, parses it with the inverse grammar, and decides by proof.

It knows the wordings that samples are made of, and so measures whether a sample can be solved with what tools give, not
how hard that is for anybody who reads. Where the documents hold no live chain, or several, it does nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.probe.grammar.actions import ROLES
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.facts import Chain, Fact, Remit, live
from benchmarks.probe.grammar.proofs import facts_of, remit_of
from benchmarks.probe.grammar.reading import read
from benchmarks.probe.records import Sample
from benchmarks.probe.scoring.answers import Answer, Structured
from harness.core.program import ToolRefused, Worker

__all__ = ("Choice", "by_grammar", "concluded", "play", "told")

_AT_ONCE = 8
"""Documents that one query asks for: a part of its result costs as much as the whole."""
_TEXTS = {"emails": "body", "events": "description", "documents": "content"}
_ANY_TEXT = "coalesce(" + ", ".join(f"json_extract(payload, '$.{field}')" for field in _TEXTS.values()) + ")"
_MORE = re.compile(r"\nnext_offset: (\d+) \([^\n]*\)$")


class Choice(NamedTuple):
    """What was concluded: documents that state it, the bottleneck in parts, the action and its parameters."""

    evidence: tuple[str, ...]
    bottleneck: Structured
    action: str
    parameters: dict[str, Any]


class _Open(NamedTuple):
    """An action as `list_actions` tells of it."""

    id: str
    type: str
    description: str


async def play(worker: Worker) -> None:
    """Read, conclude and choose, all through tools. Whose work counts is what the request says."""
    owners = {await worker.slot("persona"), *await worker.slot("reports")}
    today = worker.now.date()
    stated = read(await _texts(worker), today)
    listed = await worker.call("actions", "list_actions")
    options = [_Open(each["id"], each["type"], each["description"]) for each in listed["items"]]
    choice = concluded(stated, Remit(frozenset(owners), today.isoformat()), options)
    if choice is None:
        return
    parts = choice.bottleneck.model_dump(exclude_defaults=True)
    given = {"action": choice.action, "parameters": choice.parameters, "evidence": [*choice.evidence]}
    try:
        await worker.call("actions", "choose_action", **given, bottleneck=parts)
    except ToolRefused:  # served where the bottleneck is told in prose
        await worker.call("actions", "choose_action", **given, bottleneck=told(choice.bottleneck))


def concluded(stated: Mapping[str, Sequence[Fact]], remit: Remit, options: Iterable[_Open]) -> Choice | None:
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
    options = [_Open(each.id, each.type, each.description) for each in sample.actions]
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
    how = f" {parts.how_mechanism}." if parts.how_mechanism else ""
    return (
        f"{parts.who_blocked} cannot finish {parts.what_task}{when}: it hangs on {parts.who_blocker}{where} "
        f"({parts.why_root_cause}).{how}"
    )


def _ends(option: _Open, cause: str) -> bool:
    one = causes()[cause]
    return one.action == option.type and option.description in one.descriptions.values()


def _parts(chain: Chain) -> Structured:
    due, why = chain.due, chain.why
    return Structured(
        who_blocked=due["owner"],
        who_blocker=why["person"],
        what_task=due["task"],
        why_root_cause=f"{causes()[why['cause']].type.replace('_', ' ')}: {why['object']}",
        when_deadline=due["deadline"],
        where_system=chain.at["system"],
        how_mechanism=f"the {chain.needs['input']} is missing and comes from the {chain.at['desk']}",
    )


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
        if not isinstance(part, str):  # a single line is JSON, and comes as that
            part = json.dumps(part, ensure_ascii=False)
        more = _MORE.search(part)
        parts.append(part[: more.start()] if more else part)
        if more is None:
            break
        offset = int(more[1])
    return [json.loads(line) for line in "".join(parts).split("\n")[1:]]
