"""The web of every persona: dated pages of made-up houses, as Markdown files in `pages`, a folder a host.

A file is front matter in YAML, between two lines of `---`, and the text. Its address is the host and `path`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.suite import SuiteError
from servers.kernel import Day

__all__ = ("PAGES", "rows")

Row = dict[str, Any]

PAGES: Final = Path(__file__).parent / "pages"

_FILE: Final = re.compile(r"---\n(.*?\n)---\n(.*)", re.DOTALL)
_HOST: Final = re.compile(r"([a-z0-9-]+\.)+example")


class _Front(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1)
    published: Day
    path: str = Field(pattern=r"^/[^\s#?]*$")


@cache
def rows(folder: Path = PAGES) -> dict[str, list[Row]]:
    """Rows of `web` by table: a page for each file in the folders of the hosts, in the order of their paths.

    Which of them are out is for the app to tell, by its time. Raises `SuiteError` with what is wrong in any file.
    """
    found: list[Row] = []
    problems: list[str] = []
    for path in sorted(folder.glob("*/*.md"), key=lambda path: path.relative_to(folder).as_posix()):
        try:
            found.append({"id": f"W{len(found) + 1}", **_page(path)})
        except SuiteError as error:
            problems.append(str(error))
    if problems:
        raise SuiteError("\n".join(problems))
    return {"pages": found}


def _page(path: Path) -> Row:
    host = path.parent.name
    if not _HOST.fullmatch(host):
        raise SuiteError(f"{path}: {host!r} is no host of ours; name the folder such as bank.example")
    parts = _FILE.fullmatch(path.read_text(encoding="utf-8"))
    if parts is None:
        raise SuiteError(f"{path}: begin with a line of ---, then title, published and path, then a line of ---")
    try:
        front = _Front.model_validate(yaml.load(parts[1], yaml.BaseLoader))
    except yaml.YAMLError as error:
        raise SuiteError(f"{path}: the front matter is no YAML: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        said = (f"{'.'.join(map(str, each['loc'])) or 'front matter'}: {each['msg']}" for each in error.errors())
        raise SuiteError("\n".join(f"{path}: {each}" for each in said)) from None
    if not (text := parts[2].strip()):
        raise SuiteError(f"{path}: text: there is none below the front matter")
    address = f"https://{host}{front.path.rstrip('/')}"
    return {"address": address, "title": front.title, "published": front.published.isoformat(), "text": text}
