"""The organisation of an office: posts that stories are told about, and the people who hold them for a seed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, NamedTuple

from benchmarks.office import names
from benchmarks.office.styles import CARDS, OWNER_CARD, Style

__all__ = ("CLOSED", "HOLIDAY", "OWNER", "OWNER_ZONE", "Company", "Person", "founded")

OWNER = "owner"
OWNER_ZONE = "Europe/London"
HOLIDAY = -23
"""Founders' Day, on which nobody of the company works, whoever they are."""
_PUBLIC = (-83, -82, -76)
"""Days on which nobody works anywhere. In the office as it is (`now` is 18 March 2026) they are 25 and 26 December and
1 January; a ledger knows no dates, so that where it is moved to they are days on which all is closed, as they stand."""
CLOSED = frozenset((HOLIDAY, *_PUBLIC))
"""Days that no story of the company uses."""
_EAST, _WEST = "Europe/Helsinki", "America/Toronto"


class _Post(NamedTuple):
    key: str
    title: str
    team: str
    level: int
    zone: str = OWNER_ZONE
    away: tuple[tuple[int, int], ...] = ()
    joined: int | None = None
    left: int | None = None


_POSTS = (
    _Post("ceo", "Chief Executive", "board", 1),
    _Post("coo", "Chief Operating Officer", "operations", 2),
    _Post("cfo", "Finance Director", "finance", 2),
    _Post("cto", "Head of Engineering", "engineering", 2, _EAST),
    _Post("sales_vp", "Head of Sales", "sales", 2, _WEST),
    _Post(OWNER, "Operations Manager", "operations", 3, away=((-65, -61),)),
    _Post("planner", "Production Planner", "operations", 4),
    _Post("logistics", "Logistics Coordinator", "operations", 4),
    _Post("junior", "Operations Assistant", "operations", 4, joined=-58),
    _Post("facility", "Office Manager", "operations", 4, away=((-100, -89),)),
    _Post("am1", "Account Manager", "sales", 4, away=((-9, -5),)),
    _Post("am2", "Account Manager, North America", "sales", 4, _WEST),
    _Post("sdr", "Sales Development", "sales", 4),
    _Post("firmware", "Firmware Lead", "engineering", 3, _EAST, away=((-22, -19),)),
    _Post("dev", "Software Engineer", "engineering", 4, _EAST),
    _Post("qa", "Test Engineer", "engineering", 4, _EAST),
    _Post("product", "Product Manager", "engineering", 3, away=((-2, 2),)),
    _Post("support", "Support Lead", "support", 3),
    _Post("support1", "Support Engineer", "support", 4, _WEST),
    _Post("support2", "Support Engineer", "support", 4, left=-33),
    _Post("accounts", "Accounts Payable", "finance", 4, away=((-44, -33),)),
    _Post("controller", "Financial Controller", "finance", 3),
    _Post("hr", "People Lead", "people", 3, away=((-121, -117),)),
    _Post("recruiter", "Recruiter", "people", 4),
    _Post("marketing", "Marketing Lead", "marketing", 3),
    _Post("it", "IT Administrator", "operations", 4),
)

_OUTSIDE = (
    _Post("buyer", "Head of Cold Chain", "client", 0),
    _Post("buyer_boss", "Managing Director", "client", 0),
    _Post("buyer_it", "Systems Administrator", "client", 0),
    _Post("prospect", "Quality Manager", "prospect", 0),
    _Post("regular", "Site Manager", "regular", 0),
    _Post("regular_books", "Bookkeeper", "regular", 0),
    _Post("vendor", "Customer Success Manager", "vendor", 0),
    _Post("vendor_legal", "Contracts Specialist", "vendor", 0),
    _Post("venue", "Events Coordinator", "venue", 0),
    _Post("candidate", "", "home1", 0),
    _Post("candidate2", "", "home2", 0),
    _Post("freight", "Dispatch", "freight", 0),
    _Post("landlord", "Property Manager", "landlord", 0),
    _Post("agency", "Consultant", "agency", 0),
)

_SAME_NAME = ("support1", "agency", "dev"), ("qa", "regular")
"""Posts whose holders share a first name with each other."""

_CHANNELS = {
    "general": "",
    "operations": "operations",
    "incidents": "owner coo cto firmware dev qa support support1 support2 product am2",
    "offsite": "owner coo facility hr marketing ceo cto sales_vp support",
    "sales": "owner coo sales_vp am1 am2 sdr",
}


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody. `away` are spans of days on leave, first and last; outsiders have level 0."""

    key: str
    name: str
    address: str
    title: str
    team: str
    level: int
    zone: str
    style: Style
    phones: tuple[str, str]
    """In the signature before and from `signature_changes` on."""
    signature_changes: int
    hours: tuple[int, int]
    away: tuple[tuple[int, int], ...] = ()
    joined: int | None = None
    left: int | None = None

    @property
    def first(self) -> str:
        """The first name."""
        return self.name.partition(" ")[0]

    @property
    def inside(self) -> bool:
        """Whether they are of the company."""
        return self.level > 0

    def works(self, day: int) -> bool:
        """Whether they are there that day, weekends apart."""
        if day in _PUBLIC or (self.inside and day == HOLIDAY):
            return False
        if (self.joined is not None and day < self.joined) or (self.left is not None and day > self.left):
            return False
        return not any(first <= day <= last for first, last in self.away)


@dataclass(frozen=True, kw_only=True)
class Company:
    """The company, who is in it and around it, and what things are called there."""

    name: str
    domain: str
    product: str
    outside: dict[str, str]
    people: dict[str, Person]
    channels: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def person(self, key: str) -> Person:
        """Who holds that post."""
        return self.people[key]

    def team(self, name: str) -> list[Person]:
        """A team of the company."""
        return [person for person in self.people.values() if person.team == name]

    def to_json(self) -> dict[str, Any]:
        """As JSON values; days are numbers, as everywhere in a ledger."""
        people = [
            {**asdict(person), "style": {**asdict(person.style), "habits": sorted(person.style.habits)}}
            for person in self.people.values()
        ]
        return {"name": self.name, "domain": self.domain, "product": self.product, "people": people}


def founded(seed: int, rng: Random) -> Company:
    """The company of a seed: its name, its people, who writes how."""
    company = rng.choice(names.COMPANIES)
    outside = dict(
        zip(
            ("client", "prospect", "regular", "vendor", "venue", "freight", "landlord", "agency"),
            (*rng.sample(names.CUSTOMERS, 3), *(rng.choice(some) for some in names.SUPPLIERS)),
            strict=True,
        )
    )
    firsts, lasts = rng.sample(names.FIRST, len(_POSTS + _OUTSIDE)), rng.sample(names.LAST, len(_POSTS + _OUTSIDE))
    cards = rng.sample(CARDS, len(CARDS))
    phones = _phones(rng)
    called = dict(zip((post.key for post in _POSTS + _OUTSIDE), firsts, strict=True))
    for keys in _SAME_NAME:
        called.update(dict.fromkeys(keys, called[keys[0]]))
    domain = f"{company.lower()}.example"
    people = {}
    for post, last, card in zip(_POSTS + _OUTSIDE, lasts, cards, strict=False):
        name = f"{called[post.key]} {last}"
        home = f"{outside[post.team].lower().replace(' ', '')}.example" if post.team in outside else "postbox.example"
        people[post.key] = Person(
            key=post.key,
            name=name,
            address=f"{names.ascii_of(name).lower().replace(' ', '.')}@{domain if post.level else home}",
            title=post.title,
            team=post.team,
            level=post.level,
            zone=post.zone,
            style=_style(card, post),
            phones=(phones[post.zone].pop(), phones[post.zone].pop()),
            signature_changes=rng.randint(-120, -30),
            hours=(8 * 60 + 30 + rng.choice((0, 0, 30)), 17 * 60 + rng.choice((30, 60, 60))),
            away=post.away,
            joined=post.joined,
            left=post.left,
        )
    inside = tuple(post.key for post in _POSTS)
    channels = {
        name: inside
        if not who
        else tuple(p.key for p in _POSTS if p.team == who)
        if " " not in who
        else tuple(who.split())
        for name, who in _CHANNELS.items()
    }
    return Company(
        name=company,
        domain=domain,
        product=rng.choice(names.PRODUCTS),
        outside=outside,
        people=people,
        channels=channels,
    )


def _style(card: Style, post: _Post) -> Style:
    from dataclasses import replace

    if post.key == OWNER:
        return OWNER_CARD
    return replace(card, dates="wd m/d") if post.zone == _WEST else card


def _phones(rng: Random) -> dict[str, list[str]]:
    """Numbers by zone, none of them twice: of ranges kept for fiction, and for Helsinki of a plainly invented one."""
    return {
        OWNER_ZONE: [f"020 7946 0{n:03d}" for n in rng.sample(range(1000), 2 * len(_POSTS + _OUTSIDE))],
        _WEST: [f"+1 416 555 0{n}" for n in rng.sample(range(100, 200), 40)],
        _EAST: [f"+358 9 5550 {n:04d}" for n in rng.sample(range(10_000), 40)],
    }
