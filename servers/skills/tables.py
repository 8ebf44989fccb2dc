"""What skills are made of: the table, and the app over it."""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from servers.kernel import App, Table
from servers.skills.front import front

__all__ = ("MAIN", "File", "app")

MAIN: Final = "SKILL.md"
"""The file that makes a folder a skill."""


class File(Table, name="files", ids="F{}"):
    """A file of a skill; `path` is relative to its folder. The one at `MAIN` begins with what the skill is called."""

    skill: Annotated[str, Field(min_length=1)]
    path: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$")]
    text: str

    @model_validator(mode="after")
    def _named(self) -> Self:
        if self.path == MAIN:
            try:
                name = front(self.text).name
            except ValueError as error:
                raise ValueError(f"{self.skill}/{MAIN}: {error}") from None
            if name != self.skill:
                raise ValueError(f"{self.skill}/{MAIN}: its name is {name!r}; name it as its folder, {self.skill!r}")
        return self


app = App("skills", "List skills, which are instructions for kinds of work, and read them.", tables=(File,), apart=True)
