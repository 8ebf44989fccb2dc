"""What an app has for clients to read as it is, beside what its tools answer: a resource of MCP."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ("Resource",)


class Resource(NamedTuple):
    """What is at a URI: a text, or bytes of the media type `mime`. `name` and `description` are for who chooses."""

    uri: str
    name: str
    mime: str
    data: str | bytes
    description: str = ""
