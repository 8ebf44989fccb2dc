"""Fair ways to do the financier's sessions count, and what only looks like them does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pi.auditing import End
from benchmarks.pi.personas.financier import world as financier
from benchmarks.pi.predicates import holds
from benchmarks.pi.session import episode

SESSIONS = {each.id: each for each in episode(Path(financier.__file__).parent).sessions}

IDRIS = "/workspace/market/for-idris.csv"


def met(session: str, item: str, view: End) -> bool:
    """Whether that session's item is met in the view, by its check."""
    check = next(each.check for each in SESSIONS[session].checklist if each.id == item)
    assert check is not None
    return holds(check, view)


def says(text: str) -> End:
    return End({}, {}, [text])


def wrote(path: str, text: str) -> End:
    return End({}, {path: text})


def sent(address: str, *, to: Sequence[str] = (), cc: Sequence[str] = (), **fields: Any) -> End:
    """A mail in the outbox, with its envelope where it is for several."""
    row: Mapping[str, Any] = {"id": "1", "folder": "outbox", "address": address, "cc": list(cc), **fields}
    envelopes = [{"id": "1", "to": [address, *to]}] if to else []
    return End({("gmail", "emails"): [row], ("gmail", "envelopes"): envelopes}, {})


@pytest.mark.parametrize("move", ["5.3 basis points", "5.3bp", "5.3 bps", "-5.3bp", "-5.3bps", "\u22125.3 bp",
                                  "a 5.3-basis-point fall", "5.3 b.p."])  # fmt: skip
def test_a_move_in_basis_points_is_heard_in_each_of_its_forms(move: str) -> None:
    assert met("s1", "c3", says(f"The five-year has moved by {move} since March."))


REJECTS = """day,tenor,reason
2026-03-31,2Y,in the file twice
2026-04-01,4Y,slipped
2026-04-03,all,London holiday
2026-04-08,9Y,stale
2026-04-10,3Y,early
2026-04-10,7Y,crossed
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("London holiday", "Good Friday"),
        ("08,9Y", "08,9"),
        ("08,9Y", "08,nine years"),
        ("08,9Y", "08,16:30,9Y,3.9,4.0"),
    ],
)
def test_a_list_of_rejects_may_write_tenors_in_its_own_way(old: str, new: str) -> None:
    assert met("s1", "c4", wrote(IDRIS, REJECTS.replace(old, new)))


@pytest.mark.parametrize(("old", "new"), [("9Y,stale", "9Y"), ("London holiday", "a day off"), ("08,9Y", "08,7Y")])
def test_a_list_of_rejects_wants_tenor_and_reason(old: str, new: str) -> None:
    assert not met("s1", "c4", wrote(IDRIS, REJECTS.replace(old, new)))


IDRIS_ADDRESS = "idris.whitlow@halldata.example"


@pytest.mark.parametrize(
    "mail",
    [sent(IDRIS_ADDRESS), sent("a@b.example", cc=[IDRIS_ADDRESS]), sent("a@b.example", to=[IDRIS_ADDRESS])],
)
def test_a_mail_reaches_the_vendor_in_whatever_place_he_stands(mail: End) -> None:
    assert holds(SESSIONS["s1"].guards[0], mail)
    assert not holds(SESSIONS["s1"].guards[0], sent("oona.bracken@client.example"))
