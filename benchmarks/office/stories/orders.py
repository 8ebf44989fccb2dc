"""Smaller orders of customers: what else is in the CRM of a larger office."""

from __future__ import annotations

from benchmarks.office.ledger import BACK, DealStep
from benchmarks.office.stage import Stage

__all__ = ("orders",)

_WHAT = (
    "gateways", "door sensors", "transport loggers", "spare batteries", "wall brackets", "display units",
    "probe cables", "service year", "calibration round", "trial set",
)  # fmt: skip
_WHERE = (
    "goods in", "the freezer aisle", "the loading bay", "the new hall", "the vans", "the packing line",
    "the old cellar", "the laboratory", "the canteen", "the rooftop plant", "the returns desk", "the sample room",
)  # fmt: skip
_WAYS = (
    ("Lead",),
    ("Lead", "Qualified"),
    ("Lead", "Qualified", "Proposal"),
    ("Lead", "Proposal", "Won"),
    ("Lead", "Qualified", "Proposal", "Negotiation", "Won"),
    ("Lead", "Qualified", "Lost"),
    ("Lead", "Proposal", "Negotiation", "Lost"),
)
_LOST = ("No budget this year", "Went with what they have", "Site is closing", "No answer after three calls")
_BUYERS = (("client", "buyer", "am1"), ("prospect", "prospect", "am2"), ("regular", "regular", "am1"))


def orders(stage: Stage, number: int) -> None:
    """So many orders, each at its own step. Those that were settled long ago stay in the CRM, as they do."""
    rng = stage.rng("orders")
    titles = [f"{what.capitalize()} for {where}" for what in _WHAT for where in _WHERE]
    for n, title in enumerate(rng.sample(titles, number)):
        key, (company, contact, who) = f"order{n}", rng.choice(_BUYERS)
        begun, steps = -BACK + 12 + (n * (BACK - 30)) // number + rng.randint(0, 12), rng.choice(_WAYS)
        stage.fact(f"{key}.sum", "money", rng.randrange(600, 9800, 20))
        stage.date(f"{key}.close", begun + 50)
        for step, name in enumerate(steps):
            day = begun + 8 * step + rng.randint(0, 4)
            stage.add(
                DealStep,
                stage.moment(f"d{day}", who),
                who,
                deal=key,
                stage=name,
                amount=f"{stage.story}.{key}.sum",
                reason=rng.choice(_LOST) if name == "Lost" else "",
            )
        stage.ledger.deals[key] = {
            "title": title,
            "company": company,
            "contact": contact,
            "owner": who,
            "close": f"{stage.story}.{key}.close",
        }
