"""The surface on which the bottleneck is told in its parts."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from servers.actions.choosing import TEXT, ActionId, Chosen, Evidence, Given, Listed, chosen, listed
from servers.actions.tables import Decision, app
from servers.kernel import Page, Skip, State

__all__ = ("Parts", "structured")

structured = app.toolset(
    "structured",
    "What {owner} could do now. `list_actions` lists the possible actions, `choose_action` takes one, which cannot be "
    "undone.",
    structured=False,
)


class Parts(BaseModel):
    """What is in the way, part by part; empty for what no document says."""

    model_config = ConfigDict(extra="forbid")

    who_blocked: str = Field(default="", max_length=TEXT, description="Who owes the work that is blocked, by name.")
    who_blocker: str = Field(default="", max_length=TEXT, description="Who is holding it up, by name.")
    what_task: str = Field(default="", max_length=TEXT, description="The piece of work that is blocked.")
    why_root_cause: str = Field(default="", max_length=TEXT, description="The actual cause, and what it concerns.")
    when_deadline: str = Field(default="", max_length=TEXT, description="When the work is due.")
    where_system: str = Field(default="", max_length=TEXT, description="The system or place where it is stuck.")
    how_mechanism: str = Field(default="", max_length=TEXT, description="How the cause blocks the work.")
    impact_scope: str = Field(default="", max_length=TEXT, description="What else is affected.")


@structured.reads
def list_actions(state: State, skip: Skip = 0) -> Page[Listed]:
    """List the actions that can be taken, with the parameters of each."""
    return listed(state, skip)


@structured.writes
def choose_action(
    state: State,
    action: ActionId,
    parameters: Given,
    evidence: Evidence,
    bottleneck: Annotated[Parts, Field(description="What is in the way.")],
) -> Chosen:
    """Take an action. It takes effect immediately."""
    details = bottleneck.model_dump(exclude_defaults=True)
    return chosen(
        state,
        Decision(made=state.now, action=action, parameters=parameters, evidence=evidence, details=details),
        once=False,
    )
