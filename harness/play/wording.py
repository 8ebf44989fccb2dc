"""Our own words to agents: the templates in `prompts/`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from harness.core.task import Trigger

if TYPE_CHECKING:
    import jinja2

__all__ = ("event_text", "template")


@cache
def template(name: str) -> jinja2.Template:
    """The template in `prompts/` of that name."""
    import jinja2  # most that open a task have no use for it

    path = Path(__file__).parent / "prompts" / f"{name}.j2"
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
    return environment.from_string(path.read_text(encoding="utf-8"))


def event_text(event: Trigger) -> str:
    """What an agent is told of an event that begins its session; the same for equal events, also in order of keys."""
    data = json.dumps(dict(event.data), indent=2, sort_keys=True, ensure_ascii=False) if event.data else ""
    return template("event").render(event=event, data=data)
