"""Invented names: of people, shops, goods, books, hotels and places. Nobody and nothing real is meant."""

from __future__ import annotations

from typing import Final

__all__ = (
    "AIRLINES", "BOOKS", "CARRIERS", "DESKS", "FIRST", "GHOSTS", "GOODS", "HOTELS", "POINTS", "ROUTES", "SHOPS",
    "STREETS", "SURNAMES", "VEHICLES",
)  # fmt: skip

FIRST: Final = (
    "Ines", "Omar", "Mirela", "Tomasz", "Adaeze", "Kenji", "Lotte", "Rafael", "Sunniva", "Dragan", "Amina", "Piet",
    "Chiara", "Yusuf", "Greta", "Nikhil", "Solveig", "Bashir", "Helena", "Matteo", "Freya", "Anselm", "Thandi", "Joren",
)  # fmt: skip

SURNAMES: Final = (
    "Berg", "Bern", "Lund", "Lunde", "Okafor", "Okoro", "Novak", "Nowak", "Haas", "Hass", "Moreno", "Morano", "Tanaka",
    "Tanabe", "Silvan", "Silva", "Kaya", "Kayar",
)  # fmt: skip
"""In pairs that are easily taken for each other."""

GHOSTS: Final = {
    "Berg": "Ber", "Bern": "Ber", "Lund": "Lundt", "Lunde": "Lundt", "Okafor": "Okofo", "Okoro": "Okofo",
    "Novak": "Novac", "Nowak": "Novac", "Haas": "Has", "Hass": "Has", "Moreno": "Moremo", "Morano": "Moremo",
    "Tanaka": "Tanako", "Tanabe": "Tanako", "Silvan": "Silvas", "Silva": "Silvas", "Kaya": "Kayra", "Kayar": "Kayra",
}  # fmt: skip
"""A surname that nobody has, near both of a pair."""

STREETS: Final = (
    "Rope Walk", "Tanner Lane", "Quay Street", "Chapel Rise", "Millrace Road", "Orchard Close", "Signal Hill",
    "Weaver Street", "Lantern Row", "Ferry Road", "Kiln Lane", "Saddler Street",
)  # fmt: skip

SHOPS: Final = ("Fenwright", "Copper & Pine", "The Oil Lamp", "Marram", "Holt and Daughters", "Little Anvil")

GOODS: Final = {
    "lamps": (("floor lamp", 89), ("desk lamp", 34), ("reading lamp", 42), ("storm lantern", 27), ("wall light", 58)),
    "chairs": (("oak chair", 120), ("folding chair", 36), ("rocking chair", 210), ("bar stool", 64), ("bench", 145)),
    "kettles": (("copper kettle", 75), ("enamel kettle", 38), ("travel kettle", 24), ("stove kettle", 52)),
    "blankets": (("wool blanket", 95), ("picnic blanket", 29), ("cotton throw", 44), ("felt blanket", 61)),
    "toolboxes": (("steel toolbox", 68), ("tool roll", 33), ("cantilever toolbox", 112), ("tool crate", 19)),
    "clocks": (("wall clock", 47), ("alarm clock", 22), ("mantel clock", 134), ("kitchen clock", 31)),
}  # fmt: skip
"""Category -> what is sold under it, with a price in euros about which a shop sets its own."""

CARRIERS: Final = (
    ("Kestrel", 1, 14, 10),
    ("Oxbow Freight", 4, 6, 60),
    ("Tandem Post", 2, 8, 20),
    ("Nightline", 1, 19, 25),
)
"""Name, days, price, most weight."""

POINTS: Final = (
    "Bellweather Kiosk", "Harbour Newsagent", "Dyers' Bakery", "Station Flowers", "Old Mint Tobacconist",
    "Lakeside Garage",
)  # fmt: skip

AIRLINES: Final = ("Aurel Air", "Borealis", "Skerry Wings")
ROUTES: Final = (("Harwick", "Tallen"), ("Harwick", "Porto Brisa"), ("Tallen", "Harwick"), ("Harwick", "Sankt Elm"))
HOTELS: Final = ("The Gannet", "Hotel Meridian", "Villa Asmara")

VEHICLES: Final = (
    ("Heron", "van"), ("Badger", "van"), ("Otter", "van"), ("Swift", "car"), ("Linnet", "car"), ("Plover", "car"),
    ("Wren", "bike"), ("Finch", "bike"), ("Hopper", "bike"), ("Bison", "van"), ("Magpie", "car"), ("Robin", "bike"),
)  # fmt: skip
"""The town calls its vehicles by name."""

BOOKS: Final = (
    ("The Salt Ledger", "M. Adeyemi-Holt"), ("Winter Ferries", "Tove Lindqvar"),
    ("A Year of Small Repairs", "Paul Ondrej"),
    ("The Cartographer's Niece", "Irena Vasko"), ("Letters to a Lighthouse", "Tove Lindqvar"),
    ("Seven Kinds of Bread", "Hana Mirov"), ("The Quiet Signal", "D. K. Amory"), ("Bees of the Estuary", "Lucan Ferro"),
    ("Night Market", "Suri Pennathur"), ("The Glass Orchard", "Irena Vasko"), ("Harbour Lights", "D. K. Amory"),
    ("On Knots", "Lucan Ferro"),
)  # fmt: skip

DESKS: Final = ("passport", "parking permit", "building permit", "registry", "tax")
"""What a desk of the town hall is for."""
