"""The front matter of a skill's main file: YAML between two lines of `---` at its beginning."""

from __future__ import annotations

import re
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

__all__ = ("Front", "front")

_FILE: Final = re.compile(r"---\n(.*?\n)---\n", re.DOTALL)


class Front(BaseModel):
    """What a skill is called, as its folder is, and what it is for, in one sentence."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)
    description: str = Field(pattern=r"^\S.*\.$", max_length=300)


def front(text: str) -> Front:
    """The front matter of a text. Raises `ValueError`, saying what is wrong with it."""
    found = _FILE.match(text)
    if not found:
        raise ValueError("it does not begin with front matter: name and description between two lines of ---")
    try:
        return Front.model_validate(yaml.safe_load(found[1]))
    except yaml.YAMLError as error:
        raise ValueError(f"its front matter is no YAML: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, each['loc'])) or 'front matter'}: {each['msg']}" for each in error.errors())
        raise ValueError(f"its front matter is wrong: {'; '.join(problems)}") from None
