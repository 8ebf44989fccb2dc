"""What is on the web: the table, and the app over it."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from servers.kernel import App, Dated, Table

__all__ = ("WebPage", "app")


class WebPage(Table, name="pages", ids="W{}", noun="page"):
    """A page as it was from `published` on. Of several at one address the last holds, at any time, that is out by then.

    Hosts end in `.example`, so that no address here is one of the web outside.
    """

    address: Annotated[str, Field(pattern=r"^https://([a-z0-9-]+\.)+example(/[^\s#]*)?$")]
    title: Dated
    published: date
    text: Dated


app = App("web", "Search the web, and read its pages.", tables=(WebPage,), apart=True)
