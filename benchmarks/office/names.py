"""What people, companies and products are called; all invented, all addresses in reserved domains."""

from __future__ import annotations

import unicodedata

__all__ = ("BRANCHES", "COMPANIES", "CUSTOMERS", "DEALS", "FIRST", "LAST", "PRODUCTS", "SUPPLIERS", "ascii_of")

COMPANIES = ("Veldhaven", "Ostrabury", "Kestrelby", "Marnfield", "Thornwick", "Lindqvale", "Pellowe", "Brackenholt")
PRODUCTS = ("Rimebird", "Frostline", "Thermark", "Coldwren", "Hoarling", "Nivalis")
CUSTOMERS = (
    "Ashdown Dairies", "Brightwater Foods", "Calder Pharma", "Dunmore Fisheries", "Elmsett Produce", "Fenwick Vaccines",
    "Grantley Seafood", "Harrowgate Creamery", "Inglewood Berries", "Jessop Logistics",
)  # fmt: skip
BRANCHES = dict(
    zip(
        CUSTOMERS,
        ("Dairy", "Food", "Pharma", "Seafood", "Produce", "Pharma", "Seafood", "Dairy", "Produce", "Logistics"),
        strict=True,
    )
)
"""What each customer deals in."""
DEALS = {
    "Dairy": ("Ripening rooms, pilot", "Milk lorries", "Farm tanks"),
    "Food": ("Central kitchen, pilot", "Chilled vans", "School kitchens"),
    "Pharma": ("Vaccine depot, pilot", "Courier boxes", "Hospital stores"),
    "Seafood": ("Auction hall, pilot", "Ice houses", "Smokehouse"),
    "Produce": ("Ripening cellar, pilot", "Field chillers", "Apple store"),
    "Logistics": ("Cross dock, pilot", "Mobile chillers", "Reefer yard"),
}
"""What customers of a branch ask for, besides what any might."""
SUPPLIERS = (
    ("Plannora", "Stockwise", "Rotamill", "Ledgerline"),
    ("Mill House", "The Old Brewery", "Harbour Rooms", "Quarry Barn"),
    ("Swiftlane", "Northbound", "Merrow Freight", "Tidewell"),
    ("Castlegate Estates", "Rowan Property", "Bellweather Lettings"),
    ("Juniper Search", "Talentry", "Oak and Ivy"),
)
FIRST = (
    "Aino", "Amara", "Anselm", "Beatriz", "Callum", "Chidi", "Clara", "Dafydd", "Delphine", "Devika", "Elif", "Emeka",
    "Esther", "Farah", "Fergus", "Fiona", "Gareth", "Giulia", "Hana", "Hamish", "Ilse", "Imogen", "Ivo", "Jarek",
    "Joan",
    "Kaisa", "Kieran", "Laleh", "Leander", "Lotte", "Magnus", "Marisol", "Mateo", "Mireille", "Nadia", "Niamh", "Oisin",
    "Olga", "Paavo", "Petra", "Priya", "Quentin", "Ravi", "Rosalind", "Rufus", "Saskia", "Selin", "Sven", "Tamsin",
    "Tobias", "Ursula", "Vikram", "Wanda", "Wilhelm", "Xenia", "Yannick", "Yusuf", "Zofia", "Zubair", "Morwenna",
)  # fmt: skip
LAST = (
    "Adeyemi", "Ahlgren", "Barrow", "Bianchi", "Castell", "Cheung", "Cowley", "Dlamini", "Drummond", "Eklund", "Falk",
    "Fairweather", "Garside", "Goh", "Haldane", "Hollis", "Ibarra", "Iqbal", "Jansson", "Jessup", "Kaur", "Kettle",
    "Kowalski", "Lacey", "Lindgren", "Marchetti", "Mbeki", "Moreau", "Nakamura", "Nyberg", "Oduya", "Okafor", "Pascoe",
    "Penhale", "Quigley", "Rahimi", "Reyes", "Rostami", "Saarinen", "Sharma", "Stanhope", "Sutcliffe", "Takala",
    "Tremaine", "Uddin", "Valente", "Varga", "Wadsworth", "Weir", "Yilmaz", "Yorke", "Zielinski",
)  # fmt: skip


def ascii_of(name: str) -> str:
    """A name without accents, as in addresses."""
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
