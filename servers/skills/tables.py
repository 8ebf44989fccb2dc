"""What skills are made of: the table, the app over it, and their files as resources."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Annotated, Final, Self

from pydantic import BaseModel, Field, model_validator

from servers.kernel import App, Resource, State, Table
from servers.skills.front import front

__all__ = ("MAIN", "File", "Skill", "app", "skills")

MAIN: Final = "SKILL.md"
"""The file that makes a folder a skill."""

_MIME: Final = {".json": "application/json", ".md": "text/markdown", ".py": "text/x-python"}


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


class Skill(BaseModel):
    """A skill, and what it is for."""

    name: str
    description: str


def skills(state: State) -> dict[str, Skill]:
    """Those that have instructions, by name, in order; for `State.derived`."""
    mains = state.find(File, "path = ?", [MAIN], order="skill")
    return {each.skill: Skill(name=each.skill, description=front(each.text).description) for each in mains}


def _resources(state: State) -> Iterator[Resource]:
    """Every file of every skill, whole."""
    there = state.derived(skills)
    for file in state.find(File, order="skill, path"):
        if file.skill in there:
            name = f"{file.skill}/{file.path}"
            about = there[file.skill].description if file.path == MAIN else ""
            mime = _MIME.get(PurePosixPath(file.path).suffix, "text/plain")
            yield Resource(f"skill://{name}", name, mime, file.text, about)


app = App(
    "skills",
    "List skills, which are instructions for kinds of work, and read them.",
    tables=(File,),
    apart=True,
    resources=_resources,
)
