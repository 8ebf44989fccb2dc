"""What a sample claims, proved on the facts read back from its texts (the five proofs of the specification)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from benchmarks.probe.grammar.actions import cause_of, filled
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.facts import (
    ARGUMENTS,
    FACTS,
    KEYS,
    Chain,
    Fact,
    Remit,
    chains,
    defeated,
    joints,
    live,
    touches,
)  # fmt: skip
from benchmarks.probe.grammar.reading import shown
from benchmarks.probe.grammar.reckoning import reckoned
from benchmarks.probe.records import Detail, Sample

__all__ = ("ProofFailed", "facts_of", "leaves_open", "prove", "remit_of", "shown_of")

_ESSENTIAL = ("owner", "person", "task", "cause", "object")
_CRITICAL = ("decider", "object", "reference")
_COMPLETE = 5
_Stated = Mapping[str, Sequence[Fact]]


class ProofFailed(ValueError):
    """A sample does not hold what it claims: which proof (1 to 5), in which document where it is one, and why."""

    def __init__(self, proof: int, why: str, document: str | None = None) -> None:
        self.proof = proof
        self.document = document
        where = f", document {document}" if document else ""
        super().__init__(f"proof {proof}{where}: {why}")


def remit_of(sample: Sample) -> Remit:
    """Whose tasks count, as the world model tells it."""
    persona, organization = sample.world_model["persona"], sample.world_model["organization"]
    if not isinstance(persona, dict) or not isinstance(organization, dict):
        raise ValueError(f"sample {sample.id}: its world model has no persona and organization")
    reports = organization["direct_reports"]
    owners = [persona["name"], *(reports if isinstance(reports, list) else ())]
    return Remit(frozenset(map(str, owners)), sample.now)


def facts_of(sample: Sample) -> dict[str, tuple[Fact, ...]]:
    """What each document states, read from its text, with days and offices reckoned."""
    return reckoned(shown_of(sample), date.fromisoformat(sample.now))


def shown_of(sample: Sample) -> dict[str, tuple[Fact, ...]]:
    """What each document states as it is told, days by events and persons by offices."""
    texts = {each.id: str(each.payload[TEXT[each.type]]) for each in sample.documents}
    return shown(texts, date.fromisoformat(sample.now))


def prove(sample: Sample, stated: _Stated | None = None) -> Chain:
    """The live chain, once all five proofs hold, on what the texts state or on what somebody read in them (`stated`).

    Raises:
        ProofFailed: the first that does not.
    """
    told, remit = shown_of(sample) if stated is None else stated, remit_of(sample)
    stated = reckoned(told, date.fromisoformat(sample.now))
    chain = _one(sample, stated, remit)
    _needed(sample, (told, stated), remit, chain)
    _spread(sample, stated, chain)
    _resolved(sample, stated, remit, chain)
    shapes = len(chains(_all(stated)))
    if shapes < _COMPLETE:
        raise ProofFailed(5, f"{shapes} complete chains, so shape alone is right in 1 of {shapes}")
    return chain


def _all(stated: _Stated) -> list[Fact]:
    return [fact for facts in stated.values() for fact in facts]


def _one(sample: Sample, stated: _Stated, remit: Remit) -> Chain:
    """Proof 1: the documents hold one live chain, and it is the answer key's."""
    found = live(_all(stated), remit)
    if len(found) != 1:
        where = [next(id for id, facts in stated.items() if each.due in facts) for each in found]
        raise ProofFailed(1, f"{len(found)} live chains{' of ' + ', '.join(where) if where else ''}, expected one")
    chain, details = found[0], sample.gold.details
    told: dict[str, tuple[Detail | None, object]] = {
        "who_blocked": (details.who_blocked, chain.due["owner"]),
        "who_blocker": (details.who_blocker, chain.why["person"]),
        "what_task": (details.what_task, chain.due["task"]),
        "why_root_cause": (
            details.why_root_cause,
            {"type": causes()[chain.why["cause"]].type, "object": chain.why["object"]},
        ),
        "when_deadline": (details.when_deadline, chain.due["deadline"]),
        "where_system": (details.where_system, chain.at["system"]),
    }
    for name, (detail, value) in told.items():
        if detail is None or detail.value != value:
            raise ProofFailed(1, f"the texts give {value!r} for {name}, the answer key {detail and detail.value!r}")
    return chain


def _needed(sample: Sample, of: tuple[_Stated, _Stated], remit: Remit, chain: Chain) -> None:
    """Proof 2: without any one true positive there is no live chain, and what is left does not tell which was.

    `of` is what documents state as it is told, and as it is reckoned. Without one of them the rest is reckoned anew.
    """
    told, stated = of
    for id in sample.gold.true_positives:
        left = {each: facts for each, facts in told.items() if each != id}
        rest = _all(reckoned(left, date.fromisoformat(sample.now)))
        if live(rest, remit):
            raise ProofFailed(2, "a live chain is left without it", id)
        kinds = {fact.kind for fact in chain if fact in stated[id]}
        if not kinds:
            raise ProofFailed(2, "it states nothing of the live chain", id)
        if not leaves_open(rest, remit, kinds, chain):
            raise ProofFailed(2, f"without its {', '.join(sorted(kinds))} the rest tells the answer", id)


def leaves_open(facts: Sequence[Fact], remit: Remit, wild: set[str], chain: Chain) -> bool:
    """Whether facts with wildcards of these kinds allow another chain, with another answer, than this one."""
    own = _told(fact for fact in chain if fact.kind not in wild)
    segments = [list(_paths(facts, remit, kinds)) for kinds in _runs(wild)]
    return any(
        _differ(own, other, _ESSENTIAL) and _differ(own, other, _CRITICAL)
        for path in itertools.product(*segments)
        for other in [_told(itertools.chain(*path))]
    )


def _told(facts: Iterable[Fact]) -> dict[str, str]:
    return {name: value for fact in facts for name, value in zip(ARGUMENTS[fact.kind], fact.values, strict=True)}


def _differ(one: Mapping[str, str], other: Mapping[str, str], names: Sequence[str]) -> bool:
    """Whether two completions disagree in one of these; what both leave to wildcards may be anything."""
    known = [name for name in names if name in one or name in other]
    return not known or any(one.get(name) != other.get(name) for name in known)


def _runs(wild: set[str]) -> Iterator[tuple[str, ...]]:
    """The kinds that are not wild, in runs of neighbours."""
    for is_wild, kinds in itertools.groupby(FACTS, key=lambda kind: kind in wild):
        if not is_wild:
            yield tuple(kinds)


def _paths(facts: Sequence[Fact], remit: Remit, kinds: Sequence[str]) -> Iterator[tuple[Fact, ...]]:
    """Joined facts of these neighbouring kinds that nothing speaks against."""
    follow, off = joints(facts), defeated(facts)
    paths: list[tuple[Fact, ...]] = [(fact,) for fact in facts if fact.kind == kinds[0]]
    for kind in kinds[1:]:
        key = KEYS[FACTS.index(kind) - 1]
        paths = [(*path, fact) for path in paths for fact in follow.get((kind, path[-1][key]), ())]
    for path in paths:
        first = path[0]
        if first.kind == "due" and (first["owner"] not in remit.owners or first["deadline"] <= remit.now):
            continue
        if touches(path, off):
            continue
        yield path


def _spread(sample: Sample, stated: _Stated, chain: Chain) -> None:
    """Proof 3: each fact of the chain stands in one document, none holds all, and these are the true positives."""
    homes: list[str] = []
    for fact in chain:
        where = [id for id, facts in stated.items() if fact in facts]
        if len(where) != 1:
            raise ProofFailed(3, f"{fact.kind} of the live chain stands in {len(where)} documents", where[0])
        homes += where
    if len(set(homes)) == 1:
        raise ProofFailed(3, "it states the whole chain alone", homes[0])
    wrong = set(homes) ^ set(sample.gold.true_positives)
    if wrong:
        raise ProofFailed(3, "the answer key and the texts differ on whether it is a true positive", min(wrong))


def _resolved(sample: Sample, stated: _Stated, remit: Remit, chain: Chain) -> None:
    """Proof 4: of all actions with all parameters that the texts offer exactly one ends the bottleneck: the answer.

    An action deals with an object if it ends what some text says of it, and its parameters are what some text calls a
    lever; so no other parameters need a trial.
    """
    facts = _all(stated)
    wrong = {(fact["cause"], fact["object"]) for fact in facts if fact.kind == "why"}
    levers = list(dict.fromkeys(fact for fact in facts if fact.kind == "lever"))
    alive = {chain.why["object"] for chain in live(facts, remit)}
    found = [
        (action, lever)
        for action in sample.actions
        for cause in [cause_of(action, sample.difficulty)]
        for lever in levers
        if (cause, lever["object"]) in wrong and alive == {lever["object"]}
    ]
    if len(found) != 1:
        raise ProofFailed(4, f"{len(found)} actions end the bottleneck ({', '.join(each.id for each, _ in found)})")
    (action, lever), gold = found[0], sample.gold
    if action.id != gold.action or any(
        gold.parameters.get(name) != value for name, value in filled(action, lever).items()
    ):
        raise ProofFailed(
            4, f"{action.id} with {filled(action, lever)} ends the bottleneck, not the answer {gold.action}"
        )
