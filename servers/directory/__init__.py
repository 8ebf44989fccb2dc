"""Directory: the company's e-mail addresses, with the look-up tool of WorkBench (release of 2024).

As in the release, a name is looked for in the address as it stands, so `carlos rodriguez` finds nothing
where `rodriguez` finds carlos.rodriguez@...

Departures from the release, each where it has a defect: a name is literal text, not a regular expression,
and a missing one is refused, not a crash.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.kernel import App, Rejected, State, Table

__all__ = ("Person", "app")


class Person(Table, name="people", noun="person"):
    """Somebody in the company."""

    email_address: str


app = App("directory", "Look up the e-mail addresses of people in the company.", tables=(Person,))
workbench = app.toolset("workbench")


@workbench.reads
def find_email_address(
    state: State,
    name: Annotated[
        str,
        Field(
            description="A first name, a last name or part of one, regardless of case. Give one, not "
            "both: the text must occur literally in the address."
        ),
    ],
) -> list[str]:
    """Find the e-mail addresses that contain a name.

    Returns every match in the directory's order, an empty list if there is none.
    """
    if not name:
        raise Rejected("name must not be empty.")
    people = state.find(Person, "contains(lower(email_address), lower(?))", [name])
    return [person.email_address for person in people]
