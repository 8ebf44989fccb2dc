"""Accounts of an app that wants a login, as some published surfaces do. An app that has no account wants none."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from servers.kernel.errors import Rejected
from servers.kernel.state import State
from servers.kernel.table import Table

__all__ = ("Account", "Login", "enter", "leave", "log_in", "log_out", "signed_in")


class Account(Table, name="accounts", ids="A{}"):
    """Somebody who may log in."""

    username: str
    password: str
    name: str = ""


class Login(Table, name="logins", ids="L{}"):
    """Who is logged in: one at a time, in one app, so that there is one id."""

    id: Literal["L1"] = "L1"
    username: str


def signed_in(state: State) -> Account | None:
    """Whose data a tool may show; None in an app without accounts, where whoever calls is its user.

    A login whose account is gone is none. Raises `Rejected` where somebody has to log in first.
    """
    for login in state.find(Login):
        for account in state.find(Account, "username = ?", [login.username]):
            return account
    if state.find(Account, limit=1):
        raise Rejected("Nobody is logged in; use `log_in` with the username and password of an account first.")
    return None


def log_in(state: State, username: str, password: str) -> Account:
    """Log in, replacing whoever was. Raises `Rejected` for a wrong name or password, without telling which."""
    found = state.find(Account, "lower(username) = lower(?)", [username])
    if not found or found[0].password != password:
        raise Rejected("No account has that username and password.")
    login = Login(username=found[0].username)
    if state.find(Login):
        state.save(login)
    else:
        state.add(login)
    return found[0]


def log_out(state: State) -> None:
    """Raises `Rejected` where nobody is logged in."""
    logins = state.find(Login)
    if not logins:
        raise Rejected("Nobody is logged in.")
    state.delete(logins[0])


# The same as tools, for surfaces that offer them in these words: `pi.writes(name="log_in", idempotent=True)(enter)`.


def enter(
    state: State,
    username: Annotated[str, Field(description="Username of an account.")],
    password: Annotated[str, Field(description="Its password.")],
) -> str:
    """Log in, replacing any current login."""
    return f"Logged in as {log_in(state, username, password).username}."


def leave(state: State) -> str:
    """Log out."""
    log_out(state)
    return "Logged out."
