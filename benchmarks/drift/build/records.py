"""What the phases of a build hand on, one JSON object a line, besides frames, strategies and variants."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field

from benchmarks.drift.frames import Line, Route, Strategy
from benchmarks.drift.need import Need
from benchmarks.drift.template import Category, Environment

__all__ = ("HandText", "Listing", "Place", "Plan", "Refusal", "Source")

Place: TypeAlias = tuple[str, Category]
"""Where a faulty request belongs: a task, and the kind of its fault. There is one in each at most."""


class Source(Line):
    """A clean task that faulty requests are made of."""

    task: str = Field(description="Id of the clean task.")
    environment: Environment = Field(description="Where it is played.")
    template: str = Field(description="The template that it was drawn from.")
    released: bool = Field(description="Whether it is in the released set, or only in the pool.")
    text: str = Field(description="The whole request.")


class Plan(Line):
    """A strategy for one kind of fault of a task, and what it costs."""

    task: str = Field(description="Id of the clean task.")
    category: Category = Field(description="The fault's kind.")
    strategy: Strategy = Field(description="How the request is to be made faulty.")
    words: str = Field(default="", description="The template's words for it: a mention, or a sentence to be added.")
    k: int = Field(ge=1, description="Number of distinct outcomes of what its readers may take.")
    luck: float = Field(ge=0, le=1, description="Share of these that are right.")
    need: Need = Field(description="Whether the user is needed.")
    route: Route = Field(description="Who words it.")
    reason: str = Field(default="", description="Why it was chosen, where a model chose it.")


class HandText(Line):
    """A faulty request that somebody wrote, as a file of `benchmarks/drift/hand` has it; the rest is worked out."""

    task: str = Field(description="Id of the clean task.")
    strategy: Strategy = Field(description="The strategy that it was written for, without what it reveals.")
    words: str = Field(default="", description="Which of its words were added, or took the value's place.")
    text: str = Field(description="The faulty request.")


class Listing(Line):
    """The values that a faulty request lets its reader take, slot by slot."""

    id: str = Field(description="Id of the variant.")
    by: Literal["computed", "model"] = Field(description="Worked out from the world, or listed by a second model.")
    values: dict[str, tuple[str, ...]] = Field(description="Slot -> what it may be, as requests say it.")
    expected: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="What a model had to list, where it listed something else."
    )


class Refusal(Line):
    """A faulty request that did not come through."""

    phase: str = Field(description="The phase that refused it.")
    task: str = Field(description="Id of the clean task.")
    fault: str = Field(default="", description="The fault, where one had been chosen.")
    validator: str = Field(default="", description="The validator that refused it; none where a precondition failed.")
    reason: str = Field(description="What was wrong.")
