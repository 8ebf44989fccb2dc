"""What the faults are called, and which of the five ways to clarify goes with each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.drift.template import CATEGORY, Category, Draw, Environment, Fault
from servers.kernel import own_yaml

__all__ = ("ABOUT", "ANSWERED_BY", "NAMES", "additions", "category", "chosen", "placed")

NAMES: Final[Mapping[Fault, str]] = {
    "I1": "irrelevance", "I2": "bare-purpose", "I3": "unserved-goal", "I4": "weak-verb",
    "P1": "false-presupposition", "P2": "ghost-entity", "P3": "wrong-state", "P4": "broken-rule",
    "A1": "omission", "A2": "widening", "A3": "conflict", "A4": "pollution",
    "E1": "lexical", "E2": "syntactic", "E3": "referential", "E4": "vague-degree",
}  # fmt: skip

ABOUT: Final[Mapping[Fault, str]] = {
    "I1": "it starts with a remark on another topic altogether, which changes nothing about what is asked",
    "I2": "it says what the person is unhappy with or would like to be so, and not what is to be done about it",
    "I3": "it goes on to ask for something else that none of the tools could do, an errand in the real world say",
    "I4": "the verb is one that could mean several actions: deal with, see to, sort out",
    "P1": "it takes for granted something that is true of nothing there is",
    "P2": "it gives a name that nothing has, close to names that there are",
    "P3": "it asks for something to be done to a thing that is in that state already, or claims another state of it",
    "P4": "it gives a value that a rule forbids",
    "A1": "it leaves the value out, without announcing that something is missing",
    "A2": "it gives a wider class that the value belongs to in place of the value",
    "A3": "it speaks of the same thing twice, in ways that contradict each other",
    "A4": "it has a detail or two that look like data and belong to nothing in the request",
    "E1": "it uses an informal or figurative word for the value",
    "E2": "a part of it can be attached in two ways, and the sentence does not tell which is meant",
    "E3": "it refers to the thing by words that fit several of those there are",
    "E4": "it has a word of degree in place of a definite value",
}
"""What a faulty request is like, for whoever writes one."""

ANSWERED_BY: Final[Mapping[Fault, frozenset[str]]] = {
    "I1": frozenset(),
    "I2": frozenset({"ask_parameter", "disambiguate", "propose_solution"}),
    "I3": frozenset({"report_blocker"}),
    "I4": frozenset({"ask_parameter", "disambiguate", "propose_solution", "confirm_risk"}),
    "P1": frozenset({"report_blocker", "propose_solution"}),
    "P2": frozenset({"report_blocker", "propose_solution", "disambiguate"}),
    "P3": frozenset({"report_blocker", "propose_solution", "confirm_risk"}),
    "P4": frozenset({"report_blocker", "propose_solution"}),
    "A1": frozenset({"ask_parameter"}),
    "A2": frozenset({"ask_parameter", "disambiguate"}),
    "A3": frozenset({"disambiguate", "report_blocker"}),
    "A4": frozenset(),
    "E1": frozenset({"ask_parameter", "disambiguate"}),
    "E2": frozenset({"disambiguate"}),
    "E3": frozenset({"disambiguate", "ask_parameter"}),
    "E4": frozenset({"ask_parameter", "disambiguate"}),
}
"""Strategies that are listed for a fault; our own reading of the paper's definitions (section 3.2), none where there is
nothing to ask. What counts as *fit*."""


def category(fault: Fault) -> Category:
    """The kind of a fault."""
    return CATEGORY[fault[0]]


@cache
def additions(environment: Environment, fault: Fault) -> tuple[str, ...]:
    """The sentences that a fault may add there. Raises KeyError for a fault that adds none."""
    return tuple(_additions()[environment][fault])


@cache
def _additions() -> Mapping[str, Mapping[str, Sequence[str]]]:
    found: Mapping[str, Mapping[str, Sequence[str]]] = own_yaml(
        Path(__file__).with_name("additions.yaml").read_text(encoding="utf-8")
    )
    return found


def placed(fault: Fault, request: str, sentence: str) -> str:
    """The request with a sentence before it, or, where it asks for more (I3), behind it."""
    return f"{request} {sentence}" if fault == "I3" else f"{sentence} {request}"


def chosen(environment: Environment, fault: Fault, task: str) -> str:
    """The sentence that is added to a task, by hash."""
    return Draw(task, fault).one("addition", additions(environment, fault))
