"""Surfaces on which the bottleneck is told in prose: `open`, where one may choose again, and the paper's."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.actions.choosing import TEXT, ActionId, Chosen, Evidence, Given, Listed, chosen, listed
from servers.actions.tables import Decision, app
from servers.kernel import Page, Skip, State

__all__ = ("open_", "paper")

open_ = app.toolset(
    "open",
    "What {owner} could do now. `list_actions` lists the possible actions, `choose_action` takes one, which cannot be "
    "undone.",
    structured=False,
)
paper = app.toolset(
    "paper",
    "What {owner} could do now. `list_actions` lists the possible actions, `choose_action` takes one; only one can be "
    "taken per day.",
    structured=False,
)

Bottleneck = Annotated[
    str,
    Field(
        max_length=TEXT,
        description="What is in the way: whose work is blocked, which work, who is holding it up and why, and when, "
        "where and how, as far as the documents say.",
    ),
]


@open_.reads(name="list_actions")
@paper.reads(name="list_actions")
def _list_actions(state: State, skip: Skip = 0) -> Page[Listed]:
    """List the actions that can be taken, with the parameters of each."""
    return listed(state, skip)


@open_.writes(name="choose_action")
def _choose_action(
    state: State, action: ActionId, parameters: Given, evidence: Evidence, bottleneck: Bottleneck
) -> Chosen:
    """Take an action. It takes effect immediately."""
    return chosen(state, _decision(state, action, parameters, evidence, bottleneck), once=False)


@paper.writes(name="choose_action")
def _choose_one_action(
    state: State, action: ActionId, parameters: Given, evidence: Evidence, bottleneck: Bottleneck
) -> Chosen:
    """Take an action. Only one can be taken per day."""
    return chosen(state, _decision(state, action, parameters, evidence, bottleneck), once=True)


def _decision(state: State, action: str, parameters: Given, evidence: list[str], bottleneck: str) -> Decision:
    return Decision(made=state.now, action=action, parameters=parameters, evidence=evidence, bottleneck=bottleneck)
