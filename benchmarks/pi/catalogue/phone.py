"""What is on a persona's phone whoever they are: people of the cast, tradespeople and services, and what these text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Any, Final, NamedTuple

from benchmarks.pi.cast import Cast, keyed, password

__all__ = ("rows",)

Row = dict[str, Any]


class Somebody(NamedTuple):
    """A contact, and texts with it: days before now, who writes (`<` to the persona, `>` from them), and what."""

    name: str
    number: str
    relation: str
    texts: tuple[tuple[int, str], ...] = ()
    note: str = ""


OTHERS: Final[tuple[Somebody, ...]] = (
    Somebody("Mark Tully", "+44 7700 900201", "plumber", (
        (141, ">The boiler drops out whenever two taps run. Could you have a look this week?"),
        (141, "<Thursday after four? Card or cash, eighty for the call-out."),
        (140, ">Thursday at half past four is fine."),
        (137, "<Valve was stuck, not the board. Invoice is in the post, 134 all in."),
        (96, "<Yearly service is due in March if you want the same slot."),
        (95, ">Yes please, any Thursday."),
    ), "Do not confuse with Marc Tull."),
    Somebody("Marc Tull", "+44 7700 900202", "window cleaner", (
        (75, "<We are in your street on Tuesday between nine and one, back gate open please."),
        (19, "<Tuesday again, same as last time. Rain moves it to Wednesday."),
    )),
    Somebody("Marc Tulloch", "+44 20 5550 0203", "accountant for the building", (
        (58, "<The service charge letter went out today, second half is payable by the end of next month."),
    )),
    Somebody("Building office", "+44 20 5550 0204", "management of the building", (
        (120, "<Water off on Wednesday from ten to noon, all floors. Fill a kettle."),
        (62, "<The lift engineer comes on Monday at eight. Expect the stairs until ten."),
        (8, "<A parcel that was too big for the boxes is with us, office hours nine to five."),
        (7, ">Thank you, I will fetch it tomorrow at lunch."),
    )),
    Somebody("Dentist, Leman Street", "+44 20 5550 0205", "dentist", (
        (48, "<Reminder of your appointment. Reply STOP to end reminders."),
        (35, "<We have sent the X-ray to your email address as agreed."),
    )),
    Somebody("Dr Amara Nwosu", "+44 20 5550 0206", "general practitioner"),
    Somebody("Larder Box", "+44 7700 900207", "groceries", (
        (40, "<Your box comes between 18:00 and 19:00. Change it until noon."),
        (26, "<Sorry, no leeks today, we packed chard and took 40p off."),
        (12, "<Your box comes between 18:00 and 19:00. Change it until noon."),
        (5, "<Your box comes between 19:00 and 20:00. Change it until noon."),
    )),
    Somebody("Parcel Line", "+44 7700 900208", "deliveries", (
        (66, "<Your parcel is with a neighbour, flat 7."),
        (21, "<We missed you. Next try tomorrow before noon."),
        (9, "<Left with the building office."),
    )),
    Somebody("The Brickworks", "+44 20 5550 0209", "climbing wall", (
        (52, "<The lead wall is closed for setting on Thursday until six."),
        (13, "<Your annual pass ends next month. Renewals before that keep the old price."),
    )),
    Somebody("Northside Taxis", "+44 20 5550 0210", "taxis", (
        (110, "<Your car is a blue estate, three minutes away."),
        (110, ">I am at the side entrance."),
    )),
    Somebody("Cycle Surgery Joan", "+44 7700 900211", "bicycle repairs", (
        (84, "<Headset is done, the chain is at its end too. Change it for 22?"),
        (84, ">Please do, I come by on Saturday."),
        (82, "<Ready. We close at five."),
    )),
    Somebody("Flat 7 Agnes", "+44 7700 900212", "neighbour", (
        (66, "<I have a parcel of yours. It ticks, I hope it is a clock."),
        (66, ">It is a metronome. I am home at eight, may I ring then?"),
        (66, "<Ring, I am up until ten."),
        (17, ">I am away over the weekend, could you take in the post?"),
        (17, "<Of course. The key is still the one with the red tag?"),
        (17, ">That one, thank you."),
    )),
    Somebody("Hal Osei", "+44 7700 900213", "piano teacher", (
        (33, "<Can we move to Wednesday at seven? The hall is let on Tuesday."),
        (33, ">Wednesday at seven is fine."),
    )),
    Somebody("Library, Quay Street", "+44 20 5550 0214", "library", (
        (29, "<A book that you reserved waits for you until Saturday."),
    )),
    Somebody("Ines at Tidewater", "+44 20 5550 0215", "travel agent", (
        (44, "<The early flight is 38 cheaper and leaves at 6:50. Shall I hold it?"),
        (44, ">No, I need the sleep. The later one, please."),
        (43, "<Booked, seat 14A, papers by mail."),
    )),
    Somebody("Bank card line", "+44 20 5550 0216", "bank", (
        (102, "<We declined 412.00 at an online shop. Was that you? Reply YES or NO."),
        (102, ">NO"),
        (102, "<Thank you. The card is blocked, a new one comes within four days."),
    )),
    Somebody("Optician, Cable Lane", "+44 20 5550 0217", "optician", (
        (73, "<Your glasses are ready. No appointment needed."),
    )),
    Somebody("Theo Marchetti", "+44 7700 900218", "upholsterer"),
    Somebody("Rosa Adeyemi", "+44 7700 900219", "cleaner", (
        (70, "<Is it all right if I come on Friday this week, my son has a match on Thursday."),
        (70, ">Friday is fine, the alarm is off."),
        (6, "<We are out of the floor soap and nearly of bags."),
        (6, ">I will order both tonight."),
    )),
    Somebody("Jon at the garage", "+44 7700 900220", "garage"),
    Somebody("Alumni office", "+44 1865 555 0221", "university", (
        (50, "<Dinner in June: tell us by the end of April whether you come."),
    )),
    Somebody("Vet, Lantern Row", "+44 20 5550 0222", "vet of the flatmate's cat", (
        (31, "<Booster for the cat is due."),
    )),
    Somebody("Choir, Beatrix", "+44 7700 900223", "choir", (
        (24, "<Rehearsal is in the small hall on Monday, the piano is being tuned."),
        (3, "<Bring the green folder on Monday, not the blue one."),
    )),
    Somebody("Nils at customs", "+47 555 01 224", "shipping"),
    Somebody("Locksmith, all hours", "+44 20 5550 0225", "locksmith"),
)  # fmt: skip
"""Around any persona, with names that are easily taken for one another."""

_ALARMS: Final[tuple[tuple[str, str, tuple[str, ...], bool], ...]] = (
    ("06:40", "Up", ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"), True),
    ("08:30", "Up, slowly", ("Saturday", "Sunday"), True),
    ("13:55", "Stand up and look out of the window", ("Monday", "Wednesday", "Friday"), False),
    ("18:20", "Leave for choir", ("Monday",), True),
    ("21:30", "Plants", ("Sunday",), True),
    ("05:15", "Early flight", (), False),
)
"""Time, label, days and whether it is on; the one without days rang once, long ago."""


def rows(
    seed: int, now: datetime, cast: Cast, threads: Sequence[tuple[str, Sequence[Row]]] = ()
) -> dict[str, list[Row]]:
    """Rows of `phone` by table, all from before `now`; the persona has the one account, and is not logged in.

    `threads` are the persona's own: the address of somebody of the cast, and texts with `at`, `text` and `mine`.
    """
    now, own = now.replace(second=0, microsecond=0), cast.self
    texts = [*_texts(seed, now, cast), *_own(cast, threads)]
    found: dict[str, list[Row]] = {
        "lines": [{"number": own.phone}],
        "contacts": [*_contacts(seed, cast)],
        "alarms": [*_alarms(now)],
        "accounts": [{"password": password(seed, cast, "phone"), "name": own.name}],
    }
    ids = {"lines": "N", "contacts": "C", "alarms": "A", "accounts": "A"}
    for table, made in found.items():
        found[table] = [{"id": f"{ids[table]}{n}", "username": own.address, **row} for n, row in enumerate(made, 1)]
    found["messages"] = [
        {"id": f"T{n}", "sender": sender, "recipient": recipient, "text": text, "sent": at.isoformat()}
        for n, (at, sender, recipient, text) in enumerate(sorted(texts), 1)
    ]
    return found


Text = tuple[datetime, str, str, str]
"""When, from which number, to which one, and what."""


def _contacts(seed: int, cast: Cast) -> Iterator[Row]:
    """The cast's people and the others, in no order of theirs."""
    people = [(each.name, each.phone, each.address, each.role, "") for each in cast.people]
    people += [(each.name, each.number, "", each.relation, each.note) for each in OTHERS]
    keyed(seed, cast.key, "phone", "contacts").shuffle(people)
    for name, number, email, relation, note in people:
        yield {"name": name, "number": number, "email": email, "relation": relation, "note": note}


def _alarms(now: datetime) -> Iterator[Row]:
    for at, label, days, on in _ALARMS:
        once = {} if days else {"day": (now.date() - timedelta(days=110)).isoformat()}
        yield {"time": at, "label": label, "days": list(days), "on": on, **once}


def _own(cast: Cast, threads: Sequence[tuple[str, Sequence[Row]]]) -> Iterator[Text]:
    """The persona's own threads."""
    numbers = {each.address: each.phone for each in cast.people}
    for address, said in threads:
        for each in said:
            ends = _ends(cast.self.phone, numbers[address], mine=bool(each.get("mine")))
            yield datetime.fromisoformat(str(each["at"])), *ends, each["text"]


def _texts(seed: int, now: datetime, cast: Cast) -> Iterator[Text]:
    """What others text, at times of their days; those of one day follow each other."""
    for each in OTHERS:
        drawn = keyed(seed, cast.key, "phone", each.number)
        at = now - timedelta(days=400)
        for before, said in each.texts:
            day = now.date() - timedelta(days=before)
            later = at + timedelta(minutes=drawn.randint(1, 25))
            first = datetime.combine(day, time(drawn.randint(8, 17), drawn.randint(0, 59)))
            at = later if later.date() == day else first
            yield at, *_ends(cast.self.phone, each.number, mine=said[0] == ">"), said[1:]


def _ends(own: str, other: str, *, mine: bool) -> tuple[str, str]:
    """Sender and recipient."""
    return (own, other) if mine else (other, own)
