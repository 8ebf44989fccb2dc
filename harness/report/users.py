"""Whom agents could ask in the trials that a table is made from: part of its title, so that users are not mixed up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from harness.core.config import Condition, RunConfig
from harness.core.suite import Table
from harness.report import words

__all__ = ("labels", "named", "titled", "user_of")


def user_of(condition: Condition | None) -> str:
    """The label of the user who can be asked, "" where nobody can."""
    return condition.user.label if condition is not None and condition.asks else ""


def labels(config: RunConfig) -> dict[str, str]:
    """Condition -> `user_of` it."""
    return {name: user_of(condition) for name, condition in config.conditions.items()}


def titled(title: str, users: Iterable[str]) -> str:
    """A title that names each of these users once, as it is where there are none (`harness.report.words.joined`)."""
    names = [name for name in dict.fromkeys(users) if name]
    return f"{title}, user{'s' * (len(names) > 1)} {words.joined(names)}" if names else title


def named(table: Table, users: Mapping[str, str], among: Iterable[str] | None = None) -> Table:
    """A table whose title names the users of the conditions in its column `condition`; without one it stays as it is.

    `users` maps conditions to labels, in the order in which they are named. `among` are the conditions that it is
    about, where it may have rows of some of them only.
    """
    if "condition" not in table.columns:
        return table
    told = {str(row.get("condition")) for row in table.rows} if among is None else set(among)
    title = titled(table.title, (label for condition, label in users.items() if condition in told))
    return table._replace(title=title)
