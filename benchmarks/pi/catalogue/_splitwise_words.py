"""What the groups of a persona spend money on, in the order in which they do."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ("GROUPS", "STRANGERS", "SURNAMES", "Circle", "Item")

Who = Literal["flatmate", "friends", "colleagues", "family"]


class Item(NamedTuple):
    """An expense of between so many pounds. `kind`: how it is shared, or "settle" for a repayment."""

    text: str
    category: str = "other"
    low: int = 0
    high: int = 0
    notes: str = ""
    kind: Literal["all", "some", "uneven", "settle"] = "all"


class Circle(NamedTuple):
    """A group: so many of the cast's people and of strangers, and the days ago on which it began and last spent.

    `spends`: on which days of the week.
    """

    name: str
    description: str
    who: Who
    known: int
    strangers: int
    began: int
    ended: int
    items: tuple[Item, ...]
    spends: Literal["any day", "weekend", "working days"] = "any day"


SETTLE = Item("{payer} pays {receiver} back", kind="settle")

GROUPS = (
    Circle(
        "Climbing week, Lofoten",
        "Two weeks on granite. Fares were paid by each of us, all else is here.",
        "friends",
        2,
        2,
        260,
        236,
        (
            Item("Deposit for the fisherman's cabin", "travel", 160, 240, "The rest on arrival."),
            Item("Topo guide and map", "travel", 38, 62),
            Item("Fuel and tolls on the way north", "travel", 70, 130),
            Item("Rest of the cabin", "travel", 160, 240, "Cash, the card reader was down."),
            Item("Big shop in the harbour", "food", 90, 150),
            Item("Boat to the sea cliff", "fun", 60, 110, "Only those who went.", "some"),
            Item("New 60 m half rope", "other", 95, 150, "Two of us keep it afterwards.", "uneven"),
            Item("Fish supper on the last evening", "food", 110, 190, "", "uneven"),
            Item("Final cleaning of the cabin", "travel", 55, 80),
            SETTLE,
        ),
    ),
    Circle(
        "Flat",
        "Bills and whatever all of us use. Rent goes by standing order.",
        "flatmate",
        1,
        1,
        200,
        3,
        (
            Item("Broadband, {month}", "home", 32, 32),
            Item("Electricity, {month}", "home", 70, 120, "By the meter, not the estimate."),
            Item("Washing-up liquid, bin bags, sponges", "home", 8, 19),
            Item("Replacement for the cracked kettle", "home", 28, 45),
            Item("Broadband, {month}", "home", 32, 32),
            Item("Veg box, four weeks", "food", 44, 60, "Without whoever was away.", "some"),
            Item("Water, half-year", "home", 105, 160),
            Item("Plumber for the shower", "home", 85, 140, "He left a receipt in the drawer."),
            SETTLE,
            Item("Electricity, {month}", "home", 85, 150),
            Item("Second set of keys", "home", 12, 24, "", "some"),
            Item("Oven cleaned by a professional", "home", 55, 80),
            Item("Broadband, {month}", "home", 32, 32),
            Item(
                "Joint dinner for the neighbours",
                "food",
                48,
                90,
                "Wine not counted for those who do not drink.",
                "uneven",
            ),
            Item("Light bulbs for the hall", "home", 9, 21),
            Item("Electricity, {month}", "home", 65, 110),
            Item("Coffee beans, two kilos", "food", 30, 46, "", "some"),
            Item("Broadband, {month}", "home", 32, 32),
        ),
    ),
    Circle(
        "Climbing weekends",
        "Petrol, huts and breakfasts, whoever comes.",
        "friends",
        1,
        3,
        185,
        9,
        (
            Item("Petrol to the gritstone", "travel", 34, 58),
            Item("Bunkhouse, one night", "travel", 60, 96),
            Item("Breakfast at the corner café", "food", 28, 50, "", "uneven"),
            Item("Car park at the quarry", "travel", 6, 12),
            Item("Hut fee, two nights", "travel", 88, 130, "Member's price for one of us.", "uneven"),
            Item("Soup, bread and far too much cheese", "food", 24, 41),
            Item("Petrol to the sea cliffs", "travel", 52, 79),
            Item("Chalk and finger tape", "other", 14, 27, "", "some"),
            SETTLE,
            Item("Campsite, three pitches", "travel", 45, 72),
            Item("Rescue of the stuck cam: new sling", "other", 11, 20, "", "some"),
            Item("Curry after the rain", "food", 64, 98, "", "uneven"),
        ),
        "weekend",
    ),
    Circle(
        "Supper club",
        "Once a month or so somebody cooks, and everybody pays.",
        "friends",
        3,
        2,
        215,
        12,
        (
            Item("Lamb shoulder and a crate of lemons", "food", 58, 92),
            Item("Dumpling evening: flour, pork, chives", "food", 36, 60),
            Item("Hire of the long table", "other", 40, 65),
            Item("Mushroom risotto for all", "food", 34, 55),
            Item("Two cases of wine from the cellar sale", "food", 96, 150, "Drinkers only.", "some"),
            Item("Mezze and flatbreads", "food", 45, 70),
            Item("Replacement for the broken tagine", "home", 32, 54, "Shared by the guilty.", "some"),
            Item("Fish stew, saffron included", "food", 66, 99),
            SETTLE,
            Item("Spring lunch, cheese board", "food", 38, 62, "", "uneven"),
        ),
    ),
    Circle(
        "Quay Street lunches",
        "Team lunches that nobody may claim back.",
        "colleagues",
        4,
        0,
        150,
        6,
        (
            Item("Ramen for the new starter", "food", 56, 84),
            Item("Cake for the sign-off", "food", 18, 31),
            Item("Noodles, rainy day", "food", 44, 70, "", "uneven"),
            Item("Leaving card and plant", "gifts", 24, 40),
            Item("Pizza, late release", "food", 48, 76, "Whoever stayed.", "some"),
            Item("Tapas after the audit", "food", 88, 140, "", "uneven"),
        ),
        "working days",
    ),
    Circle(
        "Present for {recipient}",
        "A round birthday. {recipient} is not to see this.",
        "family",
        1,
        1,
        60,
        14,
        (
            Item("Restored garden bench", "gifts", 210, 320),
            Item("Delivery of the bench", "gifts", 35, 60),
            Item("Engraved plate", "gifts", 26, 48, "", "uneven"),
            Item("Flowers and a card", "gifts", 30, 55),
        ),
    ),
)

STRANGERS = (
    "Bram Ollerton",
    "Cosima Hale",
    "Dorrit Vance",
    "Emre Aslin",
    "Freya Tolland",
    "Gideon Marsh",
    "Hester Quill",
    "Ivo Banner",
    "Juno Pellew",
    "Kaspar Thorne",
)
SURNAMES = ("Ashby", "Lindley", "Doyne", "Solway", "Okell", "Brightman")
