"""Six small organisations, invented: what their folders speak of. `worlds` makes the files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ("PLACES", "Config", "Party", "Place", "Service")


class Party(NamedTuple):
    """Somebody who gets invoices: name, what kind of customer, town."""

    name: str
    kind: str
    town: str


class Service(NamedTuple):
    """Something that writes logs: its name in file names, what people call it, and what it reports by severity."""

    name: str
    known: str
    lines: Mapping[str, tuple[str, ...]]


class Config(NamedTuple):
    """A configuration file: key -> value at the start, least, most, unit, and what people call it."""

    name: str
    keys: Mapping[str, tuple[int, int, int, str, str]]


class Place(NamedTuple):
    """An organisation. Names come so that some share a word, and some are near to others that are not there."""

    name: str
    about: str
    owner: str
    parties: tuple[Party, ...]
    services: tuple[Service, ...]
    configs: tuple[Config, ...]
    people: tuple[str, ...]
    tasks: tuple[str, ...]
    events: tuple[str, ...]
    backups: tuple[str, ...]
    items: tuple[tuple[str, str], ...]
    topics: tuple[str, ...]
    sayings: tuple[str, ...]

    @property
    def short(self) -> str:
        """Its name in ids of templates."""
        return self.name.removeprefix("terminal-")


def _lines(error: str, warning: str, info: str) -> dict[str, tuple[str, ...]]:
    return {
        "ERROR": tuple(error.split("; ")),
        "WARN": tuple(warning.split("; ")),
        "INFO": tuple(info.split("; ")),
    }


PLACES: tuple[Place, ...] = (
    Place(
        "terminal-bakery",
        "Okonedo Bakery",
        "Ada Okonedo",
        (
            Party("Berg Hotel", "hotel", "Ormsby"),
            Party("Berg Joinery", "workshop", "Tarn"),
            Party("Halloran's Café", "café", "Tarn"),
            Party("Lindqvist Deli", "shop", "Ormsby"),
            Party("Mbeki Catering", "caterer", "Saltby"),
            Party("Tanaka Tea Room", "café", "Saltby"),
            Party("Quayside Hotel", "hotel", "Saltby"),
        ),
        (
            Service(
                "oven-a",
                "the deck oven",
                _lines(
                    "thermostat lost; door did not close", "slow to heat; steam low", "batch in; batch out; cleaned"
                ),
            ),
            Service(
                "oven-b",
                "the convection oven",
                _lines("fan stopped; heating failed", "filter due; temperature drifts", "preheated; tray in; tray out"),
            ),
            Service(
                "till",
                "the shop till",
                _lines("card refused twice; printer offline", "drawer open; paper low", "sale; refund; shift closed"),
            ),
        ),
        (
            Config(
                "oven-timer",
                {
                    "interval": (15, 5, 60, "minutes", "how often it checks"),
                    "alarm": (240, 180, 300, "degrees", "when it rings"),
                },
            ),
            Config(
                "shop-timer",
                {
                    "interval": (30, 10, 90, "minutes", "how often it checks"),
                    "dim": (40, 0, 100, "percent", "how dark it gets"),
                },
            ),
            Config("newsletter", {"pause": (7, 1, 28, "days", "the gap between letters")}),
        ),
        ("Sam Okafor", "Sam Lund", "Ada Okonedo", "Ruth Castel"),
        ("Order rye flour", "Ring the mill", "Descale oven B", "Print price tags", "Book the health check"),
        ("spring-fair", "harvest-fair", "shop-opening", "school-visit"),
        ("recipes", "till-data", "till-prices"),
        (
            ("rye flour", "kg"),
            ("wheat flour", "kg"),
            ("spelt flour", "kg"),
            ("walnuts", "kg"),
            ("hazelnuts", "kg"),
            ("sea salt", "kg"),
            ("butter", "kg"),
            ("baking paper", "rolls"),
            ("paper bags", "packs"),
            ("cake boxes", "packs"),
            ("honey", "jars"),
            ("plum jam", "jars"),
        ),
        ("Marek Dudek", "Marek Sato", "the delivery van", "the rye starter", "Sunday opening", "the mill contract"),
        ("agreed to look again next month", "costs went up a little", "nobody objected", "wants an answer soon"),
    ),
    Place(
        "terminal-choir",
        "the Harbour Choir",
        "Noor Haddad",
        (
            Party("Nielsen Trust", "foundation", "Elsing"),
            Party("Nielsen Organs", "workshop", "Vik"),
            Party("St Brannock's School", "school", "Elsing"),
            Party("Ferro Concert Hall", "venue", "Vik"),
            Party("Iwu Printing", "shop", "Marsh"),
            Party("Old Mill Stage", "venue", "Marsh"),
            Party("Castle Road School", "school", "Vik"),
        ),
        (
            Service(
                "mailer-news",
                "the newsletter mailer",
                _lines("address bounced; server refused", "queue long; retry later", "sent; opened; queued"),
            ),
            Service(
                "mailer-tickets",
                "the ticket mailer",
                _lines(
                    "ticket without seat; server refused", "late delivery; attachment large", "sent; seat confirmed"
                ),
            ),
            Service(
                "website",
                "the website",
                _lines("page not found; form failed", "slow page; old browser", "visit; sign-up; download"),
            ),
        ),
        (
            Config(
                "mail-news",
                {
                    "batch": (50, 10, 200, "letters", "how many go at once"),
                    "wait": (20, 5, 120, "seconds", "the pause"),
                },
            ),
            Config(
                "mail-tickets",
                {
                    "batch": (25, 5, 100, "letters", "how many go at once"),
                    "keep": (90, 30, 365, "days", "how long it keeps"),
                },
            ),
            Config("rehearsals", {"reminder": (48, 12, 168, "hours", "how early it reminds")}),
        ),
        ("Ines Moreau", "Ines Halvorsen", "Noor Haddad", "Pavel Novotny"),
        ("Copy the tenor parts", "Book the church", "Collect the scarves", "Write to the soloist", "Tune the piano"),
        ("summer-concert", "winter-concert", "rehearsal-weekend", "picnic"),
        ("scores", "members-list", "members-photos"),
        (
            ("folders", "pieces"),
            ("black scarves", "pieces"),
            ("pencils", "boxes"),
            ("music stands", "pieces"),
            ("stand lights", "pieces"),
            ("programme paper", "packs"),
            ("envelopes", "packs"),
            ("name badges", "pieces"),
            ("folding chairs", "pieces"),
            ("tea", "packs"),
            ("coffee", "packs"),
            ("paper cups", "packs"),
        ),
        ("Anna Keller", "Anna Osei", "the piano tuner", "the summer concert", "the church heating", "new scarves"),
        ("left open until the next meeting", "three were in favour", "somebody will ring", "there is money for it"),
    ),
    Place(
        "terminal-cycles",
        "Ravel Cycles",
        "Jules Ravel",
        (
            Party("Dunmore Couriers", "courier", "Leam"),
            Party("Dunmore College", "school", "Asker"),
            Party("Petrov Rentals", "rental firm", "Leam"),
            Party("Bluebird Couriers", "courier", "Stow"),
            Party("Hassan Deliveries", "courier", "Asker"),
            Party("Lakeside Rentals", "rental firm", "Stow"),
            Party("Town Library", "library", "Leam"),
        ),
        (
            Service(
                "door-front",
                "the front door",
                _lines("lock jammed; alarm without cause", "left open; battery low", "opened; closed; card read"),
            ),
            Service(
                "door-back",
                "the yard door",
                _lines("lock jammed; motor stopped", "left open; wind", "opened; closed; delivery"),
            ),
            Service(
                "compressor",
                "the air compressor",
                _lines("pressure lost; overheated", "oil low; noisy", "started; stopped; drained"),
            ),
        ),
        (
            Config(
                "door-front",
                {"delay": (10, 2, 60, "seconds", "how long it stays open"), "volume": (6, 0, 10, "steps", "how loud")},
            ),
            Config(
                "door-back",
                {
                    "delay": (20, 2, 90, "seconds", "how long it stays open"),
                    "battery": (15, 5, 50, "percent", "when it warns"),
                },
            ),
            Config("bookings", {"slots": (8, 2, 16, "bookings", "how many a day")}),
        ),
        ("Kit Abara", "Kit Larsen", "Jules Ravel", "Mina Oh"),
        ("True the courier wheels", "Order brake pads", "Sweep the yard", "Ring the insurer", "Label the hooks"),
        ("spring-ride", "night-ride", "workshop-day", "stall"),
        ("bookings", "prices-parts", "prices-rental"),
        (
            ("brake pads", "pairs"),
            ("brake cables", "pieces"),
            ("inner tubes", "pieces"),
            ("road tyres", "pieces"),
            ("winter tyres", "pieces"),
            ("chains", "pieces"),
            ("chain oil", "bottles"),
            ("grease", "tins"),
            ("spokes", "packs"),
            ("bells", "pieces"),
            ("front lights", "pieces"),
            ("rear lights", "pieces"),
        ),
        ("Omar Said", "Omar Pinto", "the yard gate", "the courier contract", "winter hours", "the new stand"),
        ("to be tried for a month", "was moved to spring", "the price is fair", "needs two people"),
    ),
    Place(
        "terminal-clinic",
        "Pinewood Vets",
        "Dr Hanne Vik",
        (
            Party("Moss Farm", "farm", "Upper Dell"),
            Party("Moss Stables", "stables", "Dell"),
            Party("Greyfriars Kennels", "kennels", "Dell"),
            Party("Adeyemi Dairy", "farm", "Fenby"),
            Party("Riverside Stables", "stables", "Fenby"),
            Party("Cat Shelter North", "shelter", "Upper Dell"),
            Party("Castro Kennels", "kennels", "Fenby"),
        ),
        (
            Service(
                "fridge-vaccines",
                "the vaccine fridge",
                _lines("too warm; sensor lost", "door open; ice", "in range; opened; defrosted"),
            ),
            Service(
                "fridge-samples",
                "the sample fridge",
                _lines("too cold; sensor lost", "door open; shelf full", "in range; sample in; sample out"),
            ),
            Service(
                "xray",
                "the X-ray machine",
                _lines("exposure failed; plate jammed", "tube hot; dose high", "image taken; image sent"),
            ),
        ),
        (
            Config(
                "fridge-vaccines",
                {
                    "limit": (8, 2, 12, "degrees", "when it rings"),
                    "interval": (10, 5, 60, "minutes", "how often it looks"),
                },
            ),
            Config(
                "fridge-samples",
                {"limit": (5, 1, 9, "degrees", "when it rings"), "delay": (15, 5, 45, "minutes", "how long it waits")},
            ),
            Config("reminders", {"ahead": (14, 3, 60, "days", "how early it writes")}),
        ),
        ("Jo Mercer", "Jo Ferreira", "Hanne Vik", "Tomasz Zielak"),
        ("Ring Moss Farm", "Order syringes", "Clean the X-ray plate", "File the lab results", "Change the bulb"),
        ("open-day", "puppy-day", "new-ward", "staff-outing"),
        ("patients", "lab-results", "lab-orders"),
        (
            ("syringes 2 ml", "boxes"),
            ("syringes 5 ml", "boxes"),
            ("bandages", "rolls"),
            ("gauze", "packs"),
            ("gloves small", "boxes"),
            ("gloves large", "boxes"),
            ("flea drops", "packs"),
            ("worm tablets", "packs"),
            ("ear cleaner", "bottles"),
            ("disinfectant", "bottles"),
            ("collars", "pieces"),
            ("pet carriers", "pieces"),
        ),
        ("Lena Arias", "Lena Duong", "the night rota", "the lab contract", "the car park", "Saturday surgery"),
        ("everybody agreed", "to be settled by phone", "a leaflet would help", "it has waited long enough"),
    ),
    Place(
        "terminal-museum",
        "Tidewater Museum",
        "Elif Aksoy",
        (
            Party("Hale Primary School", "school", "Wick"),
            Party("Hale Travel", "travel agency", "Port Ames"),
            Party("Kimura Tours", "travel agency", "Wick"),
            Party("Ames Grammar School", "school", "Port Ames"),
            Party("Rotary Wick", "club", "Wick"),
            Party("Sailing Club", "club", "Port Ames"),
            Party("Duarte Films", "film company", "Sund"),
        ),
        (
            Service(
                "gate-main",
                "the main gate",
                _lines("barcode unreadable; barrier stuck", "tailgating; slow reader", "visitor in; visitor out"),
            ),
            Service(
                "gate-garden",
                "the garden gate",
                _lines("barrier stuck; network lost", "left open; rain", "visitor in; visitor out; locked"),
            ),
            Service(
                "climate",
                "the climate control",
                _lines("too damp; pump stopped", "drifting; filter due", "in range; adjusted"),
            ),
        ),
        (
            Config(
                "climate-hall",
                {
                    "humidity": (50, 40, 60, "percent", "how damp it may be"),
                    "interval": (10, 5, 30, "minutes", "how often it looks"),
                },
            ),
            Config(
                "climate-store",
                {
                    "humidity": (45, 35, 55, "percent", "how damp it may be"),
                    "fan": (3, 1, 5, "steps", "how hard it blows"),
                },
            ),
            Config("tickets", {"group": (12, 8, 40, "people", "from when a group is one")}),
        ),
        ("Robin Tate", "Robin Eze", "Elif Aksoy", "Greta Holm"),
        ("Hang the harbour map", "Replace the labels", "Ring the framer", "Dust the ship models", "Update the leaflet"),
        ("harbour-night", "museum-night", "ship-models", "flood-1953"),
        ("catalogue", "tickets-day", "tickets-group"),
        (
            ("postcards", "packs"),
            ("harbour maps", "pieces"),
            ("ship posters", "pieces"),
            ("guide books", "pieces"),
            ("pencils", "boxes"),
            ("wrist bands", "rolls"),
            ("ticket rolls", "rolls"),
            ("hangers", "pieces"),
            ("light bulbs", "pieces"),
            ("silica gel", "bags"),
            ("acid-free boxes", "pieces"),
            ("cotton gloves", "pairs"),
        ),
        ("Hugo Brandt", "Hugo Nakata", "the flood exhibition", "the lift", "school visits", "the roof"),
        ("the council has been told", "is on the list for autumn", "was praised", "an offer has come in"),
    ),
    Place(
        "terminal-growers",
        "Maru Growers",
        "Peter Maru",
        (
            Party("Stone Kitchen", "restaurant", "Byford"),
            Party("Stone Grocers", "shop", "Lowick"),
            Party("Amara's Table", "restaurant", "Lowick"),
            Party("Corner Greens", "shop", "Byford"),
            Party("Jensen Canteens", "caterer", "Hythe"),
            Party("Lotus Bistro", "restaurant", "Hythe"),
            Party("Hill Nursery", "school", "Byford"),
        ),
        (
            Service(
                "pump-north",
                "the north field pump",
                _lines("dry run; motor stopped", "pressure low; valve slow", "started; stopped; tank full"),
            ),
            Service(
                "pump-south",
                "the south field pump",
                _lines("no power; motor stopped", "pressure low; leak suspected", "started; stopped"),
            ),
            Service(
                "coldroom",
                "the cold room",
                _lines("too warm; door alarm", "door open; fan noisy", "in range; defrosted; crate in"),
            ),
        ),
        (
            Config(
                "pump-north",
                {"runtime": (40, 10, 120, "minutes", "how long it waters"), "pause": (6, 1, 24, "hours", "the gap")},
            ),
            Config(
                "pump-south",
                {
                    "runtime": (30, 10, 90, "minutes", "how long it waters"),
                    "pressure": (4, 2, 8, "bar", "how hard it pumps"),
                },
            ),
            Config("boxes", {"limit": (60, 20, 150, "boxes", "how many a week")}),
        ),
        ("Alex Boateng", "Alex Rivas", "Peter Maru", "Sunniva Dahl"),
        ("Mend the north hose", "Order seed potatoes", "Print box labels", "Ring Stone Kitchen", "Move the hives"),
        ("spring-market", "winter-market", "harvest-day", "farm-tour"),
        ("orders", "plan-fields", "plan-staff"),
        (
            ("seed potatoes", "kg"),
            ("onion sets", "kg"),
            ("broad beans", "kg"),
            ("compost", "bags"),
            ("potting soil", "bags"),
            ("fleece", "rolls"),
            ("netting", "rolls"),
            ("twine", "rolls"),
            ("crates", "pieces"),
            ("box labels", "packs"),
            ("work gloves", "pairs"),
            ("hose clips", "packs"),
        ),
        ("Tess Murray", "Tess Wong", "the polytunnel", "the beehives", "box prices", "the water licence"),
        ("left for the winter", "more people than last year", "to be paid from the fund", "two offers are in"),
    ),
)
