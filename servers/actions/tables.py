"""What a person could do, and what was decided; the app whose surfaces are made over both."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from servers.kernel import App, Dated, Ref, Table

__all__ = ("Action", "Decision", "Kind", "Parameter", "Schema", "app")

Kind = Literal["person", "people", "date", "id", "enum", "amount", "text"]


class Parameter(BaseModel):
    """What an action takes: of what kind it is, and for an enum the choices."""

    model_config = ConfigDict(extra="forbid")

    kind: Kind = "text"
    description: str = ""
    choices: list[str] = []


class Schema(BaseModel):
    """The parameters of an action by name, and those that it cannot go without."""

    model_config = ConfigDict(extra="forbid")

    required: list[str] = []
    properties: dict[str, Parameter] = {}

    def known(self) -> dict[str, Parameter]:
        """All parameters by name; one that is required and described nowhere is a text."""
        return {**{name: Parameter() for name in self.required}, **self.properties}


class Action(Table, name="actions", ids="A{:02d}"):
    """Something that the person could do."""

    type: str
    description: str
    constraints: list[str] = Field(default=[])
    params_schema: Schema = Field(default_factory=Schema)


class Decision(Table, name="decisions", ids="DEC{}"):
    """An action that was chosen: what with, on what evidence, and against what bottleneck.

    The bottleneck is in prose in `bottleneck`, or in its parts in `details`.
    """

    made: datetime
    action: Annotated[str, Ref(Action)]
    parameters: dict[str, Any | Dated] = Field(default={})
    evidence: list[str] = Field(default=[])
    bottleneck: Dated = ""
    details: dict[str, Dated] = Field(default={})


app = App("actions", "Choose among the actions that are open to {owner}.", tables=(Action, Decision), apart=True)
