"""Results with a picture: what a tool may give beside its value, for clients that show images."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

__all__ = ("Illustrated", "Image", "Picture")

T = TypeVar("T")


class Image(NamedTuple):
    """A picture as bytes of the media type `mime`, such as image/png."""

    data: bytes
    mime: str


Picture = Callable[[], Image | str]
"""Draws when called; a text says in one sentence why there is nothing to show."""


@dataclass(frozen=True)
class Illustrated(Generic[T]):
    """A tool's value with a picture of it.

    Schema, text and structured content are those of `value`. `picture` is called outside the
    transaction, at once or never: only whoever serves pictures asks for it. It has to be a pure function
    of rows and arguments, since records do not keep it and a replay draws it again.
    """

    value: T
    picture: Picture
