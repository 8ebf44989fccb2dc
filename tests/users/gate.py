"""`python -m tests.users.gate`: measure the users that need no model, and write what reports print of them.

    python -m tests.users.gate            # writes userssim/questions/figures.json
    python -m tests.users.gate --page     # the lines of docs/clarification.md for what the file has
    python -m tests.users.gate --misses grounded@2   # of the half to tune on: what was not answered as it should be

Of the frozen half nothing is ever printed but sums.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path

import anyio

import userssim
from harness.report.heard import table
from servers.kernel import User
from userssim.first.grounded import GroundedUser as First
from userssim.grounded import NAME, GroundedUser
from userssim.heard import HALVES, Half, Heard, figures, heard, scenes, sums
from userssim.wish import Wish

FILE = Path(userssim.__file__).parent / "questions" / "figures.json"

USERS: Mapping[str, Callable[[Wish], User]] = {"grounded@1": First, NAME: GroundedUser}


def measured(
    templates: Mapping[Half, Collection[str]] | None = None,
) -> dict[str, dict[Half, dict[str, dict[str, int]]]]:
    """What the file should have: user -> half -> template -> sums; of each half these templates, or all."""

    def of(make: Callable[[Wish], User], half: Half) -> dict[str, dict[str, int]]:
        return sums(anyio.run(partial(heard, make, half, templates=templates and templates[half])))

    return {name: {half: of(make, half) for half in HALVES} for name, make in USERS.items()}


_FIRM = ("recall", "precision", "precision, first told")
_REST = (
    "leaks", "assent to a wrong value", "right values denied", "told to decide", "not understood", "contradictions",
)  # fmt: skip


def page() -> list[str]:
    """The lines of the page's table of figures."""
    rows = {(row["user"], row["half"], row["figure"]): row for row in table(figures()).rows}

    def line(user: str, half: Half) -> str:
        firm = (rows[user, half, name] for name in _FIRM)
        shown = (f"{row['%']:.1f} ({row['low']:.1f} to {row['high']:.1f})" for row in firm)
        rest = (f"{rows[user, half, name]['%']:.1f}" for name in _REST)
        return f"| `{user}` | {half} | {' | '.join((*shown, *rest))} |"

    return [line(user, half) for user in figures() for half in HALVES]


def _missed(each: Heard) -> bool:
    amiss = (each.leaks, each.assents, each.declined, each.lost, each.contradicts, each.probed, each.denied)
    return each.got < each.wanted or each.rightly < each.told or any(amiss)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.users.gate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--misses", choices=USERS, help="print what this user makes of the half to tune on")
    parser.add_argument("--page", action="store_true", help="print the page's table of what the file has")
    options = parser.parse_args()
    if options.page:
        sys.stdout.write("\n".join((*page(), "")))
        return
    if not options.misses:
        FILE.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
        return
    for each in anyio.run(heard, USERS[options.misses], "tuned"):
        if _missed(each):
            held = {item.id: item.value for item in scenes()[each.put.scene].wish.withheld}
            sys.stdout.write(
                f"{each.put.kind}: {each.put.question}\n    {dict(each.put.items)} of {held}\n    {each.said}\n"
            )


if __name__ == "__main__":
    main()
