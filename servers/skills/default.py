"""The tools: which skills there are, and what their files say. Nothing writes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from pydantic import Field

from servers.kernel import Page, Rejected, Skip, State, paged, part, quoted
from servers.skills.tables import MAIN, File, Skill, app, skills

__all__ = ("default",)

default = app.toolset(
    "default",
    "Skills: instructions for kinds of work. `list_skills` says what there is; `read_skill` the one that fits the task "
    "before you begin.",
    structured=False,
)


@default.reads
def list_skills(state: State, skip: Skip = 0) -> Page[Skill]:
    """List the skills there are and what each is for, by name, twenty at a time."""
    return paged(list(state.derived(skills).values()), skip, lambda each: each)


@default.reads
def read_skill(
    state: State,
    name: Annotated[str, Field(description="Name of a skill, as `list_skills` returns it.")],
    path: Annotated[str, Field(description="File of the skill, such as one that its SKILL.md names.")] = MAIN,
    skip: Annotated[
        int, Field(ge=0, description="Characters of a long text to skip, as the end of a cut one says.")
    ] = 0,
) -> str:
    """Read a file of a skill, by default its instructions."""
    there = state.derived(skills)
    if name not in there:
        raise Rejected(f"There is no skill {quoted(name)}; {_those(there)}.")
    files = {file.path: file for file in state.find(File, "skill = ?", [name])}
    if path not in files:
        raise Rejected(f"The skill {quoted(name)} has no file {quoted(path)}; {_those(sorted(files))}.")
    text, rest = part(files[path].text, skip)
    return text if rest is None else f"{text}\n\n[{rest}]"


def _those(names: Collection[str]) -> str:
    return f"there are: {', '.join(names)}" if names else "there are none"
