"""A stub model that speaks for a user: what it hears and says is scripted, and what it was asked is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from anyio.from_thread import start_blocking_portal

from harness.core.config import LlmUserConfig
from harness.stub import Reply, StubServer
from harness.task import Brief, Segment, Slot

__all__ = ("BRIEF", "Speaker", "heard", "settings", "speaking")


def segment(id: str, kind: str, value: str, role: str = "", says: str = "") -> Segment:
    return Segment(id=id, slot=Slot(name=id, kind=kind, text=value, role=role, says=says))


BRIEF = Brief(
    intent="Reassign the open tasks of Fergus to Bjorn and book a 30-minute talk with Greta on March 11.",
    sent="Reassign the open tasks of Fergus to a colleague and book a talk with Greta on March 11.",
    withheld=(
        segment("new_owner", "person", "Bjorn", "new owner", says="to {value}"),
        segment("length", "duration", "30-minute"),
    ),
    stated=(segment("old_owner", "person", "Fergus", "old owner"), segment("day", "date", "March 11")),
)


def heard(*asked: str, **more: Any) -> str:
    """A reply of the first stage; `proposed` maps facts to words."""
    proposed = [{"fact": fact, "words": words} for fact, words in more.pop("proposed", {}).items()]
    return json.dumps({"asked": asked, "proposed": proposed, "leave": False, "other": False, "sense": "clear", **more})


class Speaker:
    """Replies in order, one list for each stage; the last of a list is said from then on."""

    def __init__(self, hears: Sequence[str], says: Sequence[str]) -> None:
        self._hears, self._says = list(hears), list(says)
        self.requests: list[dict[str, Any]] = []
        self.base_url = ""

    def __call__(self, request: dict[str, Any]) -> Reply:
        self.requests.append(request)
        replies = self._hears if self.hearing(request) else self._says
        return Reply(text=replies.pop(0) if len(replies) > 1 else replies[0])

    @staticmethod
    def hearing(request: dict[str, Any]) -> bool:
        return str(request["messages"][0]["content"]).startswith("You judge what a question asks for.")

    def asked(self, *, hearing: bool) -> list[str]:
        """The texts of all requests of one stage, each with all its messages."""
        return [
            "\n".join(message["content"] for message in request["messages"])
            for request in self.requests
            if self.hearing(request) == hearing
        ]


@contextmanager
def speaking(hears: Sequence[str] = (), says: Sequence[str] = ()) -> Iterator[Speaker]:
    speaker = Speaker(hears, says)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(speaker)) as stub:
        speaker.base_url = stub.base_url
        yield speaker


def settings(speaker: Speaker, **more: Any) -> LlmUserConfig:
    price = {"prompt": 1_000_000, "completion": 1_000_000}
    model = {"model": "openai/stub", "api_base": speaker.base_url, "price": price, **more.pop("model", {})}
    return LlmUserConfig.model_validate({"kind": "llm", "model": model, **more})
