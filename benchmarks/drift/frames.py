"""Frame, strategy, variant: what the pipeline hands from one phase to the next, one JSON object a line.

The three phases of the paper (section 3.1): a *frame* says what a request is made of, a *strategy* how it is to be
faulty and what telling the truth about it takes, a *variant* is the faulty text with what it costs. Values that a
request no longer gives are in `hidden`; the file is for builders and scorers, and no agent sees it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.drift.need import Need
from benchmarks.drift.template import Category, Fault, SlotKind
from harness.core.lines import read_lines
from harness.suite import SuiteError

__all__ = (
    "Frame",
    "FrameSlot",
    "Hidden",
    "Line",
    "Prerequisite",
    "Reveal",
    "Route",
    "Strategy",
    "Variant",
    "read",
    "write",
    "written",
)

Route = Literal["slots", "model", "hand"]


class Line(BaseModel):
    """What the pipeline hands on: one JSON object, no field unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Prerequisite(Line):
    """Something that a request takes for granted."""

    claim: str = Field(description="What is taken for granted, in a sentence.")
    query: str = Field(description="How to find out in the world, in words or as a statement.")
    holds: bool = Field(description="Whether it is so.")


class FrameSlot(Line):
    """A value of a request."""

    id: str = Field(description="The slot's name within its template.")
    kind: SlotKind = Field(description="What sort of value it is.")
    value: Any = Field(description="The value as tools take it.")
    span: str = Field(description="The words that give it in the request.")
    domain_query: str = Field(description="How to find the values that it could have.")


class Frame(Line):
    """Phase 1: what a request is made of."""

    task: str = Field(description="Id of the clean task.")
    action: str = Field(description="What is to be done: read, insert or change, or the action slot's words.")
    prerequisites: tuple[Prerequisite, ...] = Field(default=(), description="What it takes for granted.")
    slots: tuple[FrameSlot, ...] = Field(description="Its values.")
    expected_output: str = Field(description="What right work comes to, in words.")


class Reveal(Line):
    """What the user says when asked about it: the truth about a slot, or about a claim of the request."""

    slot: str = Field(default="", description="The slot that it is about.")
    claim: str = Field(default="", description="What is wrong with the request, as the user says it.")
    truth: str = Field(description="What was meant, word for word as in the full request.")


class Strategy(Line):
    """Phase 2: how the request is to be faulty."""

    id: Fault = Field(description="The fault.")
    slots: tuple[str, ...] = Field(default=(), description="The slots that it touches; none where it adds words.")
    licence_query: str = Field(default="", description="How to find the values that the faulty words fit.")
    reveals: tuple[Reveal, ...] = Field(default=(), description="What the user can clear up.")


class Hidden(Line):
    """A value that the faulty request no longer gives."""

    slot: str = Field(description="The slot's name.")
    text: str = Field(description="The value as the full request says it.")
    value: Any = Field(default=None, description="The same as tools take it.")


class Variant(Line):
    """Phase 3: a faulty request, and what it costs."""

    id: str = Field(description="Id of the task that has it; it says nothing of the fault.")
    task: str = Field(description="Id of the clean task.")
    strategy: Strategy = Field(description="How it was made faulty.")
    category: Category = Field(description="The fault's kind.")
    text: str = Field(description="The faulty request.")
    added: str = Field(default="", description="The words that were only added, where that is the fault.")
    mention: str = Field(default="", description="The words that took a value's place.")
    hidden: tuple[Hidden, ...] = Field(default=(), description="Values that it no longer gives.")
    k: int = Field(ge=1, description="Number of distinct outcomes of what its readers may take.")
    luck: float = Field(ge=0, le=1, description="Share of these that are right.")
    need: Need = Field(description="Whether the user is needed.")
    severity: int = Field(ge=0, le=3, description="0 robust, then by `k`; 3 where nothing is licensed.")
    route: Route = Field(default="slots", description="How the text was made: from slots, by a model, by hand.")
    checks: tuple[str, ...] = Field(default=(), description="The validators that it passed.")


L = TypeVar("L", bound=BaseModel)


def written(lines: Iterable[BaseModel]) -> str:
    """One JSON object a line, in this order."""
    return "".join(f"{line.model_dump_json()}\n" for line in lines)


def write(lines: Iterable[BaseModel], path: Path) -> None:
    """The same into a file."""
    path.write_text(written(lines), encoding="utf-8")


def read(path: Path, of: type[L]) -> list[L]:
    """The lines of a file. Raises `SuiteError`."""
    return read_lines(path, of, SuiteError)
