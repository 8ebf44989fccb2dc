"""The shop at which a persona shops: its catalogue, what strangers say there, and what the persona did so far."""

from __future__ import annotations

import random
import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import product
from typing import Any

from benchmarks.pi.cast import Cast, keyed, password
from benchmarks.pi.catalogue._amazon_goods import BRANDS, KINDS, SELLERS, Kind

__all__ = ("rows",)

Row = dict[str, Any]

_FIRST = (
    "Ada",
    "Ben",
    "Carys",
    "Dina",
    "Ewan",
    "Faye",
    "Gus",
    "Hollis",
    "Imke",
    "Jory",
    "Kit",
    "Lorna",
    "Milo",
    "Nadia",
    "Otis",
    "Pia",
    "Quentin",
    "Rhona",
    "Sol",
    "Tess",
)
_LAST = (
    "Abery",
    "Birkin",
    "Coote",
    "Dray",
    "Elsom",
    "Farrow",
    "Gantley",
    "Hesk",
    "Ibbot",
    "Jarrold",
    "Keld",
    "Lowther",
    "Mabb",
    "Nunn",
    "Orrell",
)

_SAID = (
    "In this version: {first}, {second}. Good to know: {one}, {two}.",
    "What sets it apart: {one}, {two}. This one is {first}, {second}.",
    "Comes as {first}, {second}; besides: {one}, {two}.",
    "Our take on a classic, {first} and {second}. Details: {one}, {two}.",
)
_PRAISING = (
    "Bought for {who} in {month}: {said}.",
    "After {weeks} weeks, {said}.",
    "I was in two minds, but {said}.",
    "Replaces one that lasted {years} years, and {said}.",
    "In short, {said}; {who} agrees.",
    "Used daily since {month}, and {said}.",
    "{Who} borrowed it within {weeks} days. I see why: {said}.",
    "Third one that I tried in {years} years, and the first that I keep: {said}.",
)
_BLAMING = (
    "Bought for {who} in {month}, and sadly {said}.",
    "After {weeks} weeks, {said}.",
    "I had read good things, but {said}.",
    "Replaces one that lasted {years} years. This one will not: {said}.",
    "In short, {said}; {who} says so too.",
    "It was fine until {month}. Since then, {said}.",
    "{Who} noticed within {weeks} days that {said}.",
)

_TURNS = (
    "That said, {said}.",
    "My one reservation: {said}.",
    "Only, {said}.",
    "Worth knowing that {said}.",
    "On the other side, {said}.",
)
_FAIR = ("At least {said}.", "To be fair, {said}.", "Two stars, since {said}.", "In its favour: {said}.")
_GOES = ("Also, {said}.", "And {said}, too.", "What is more, {said}.", "Besides, {said}.")
_WHO = ("my sister", "a colleague", "my father", "my aunt", "a friend", "my neighbour", "my partner", "my manager")
_MONTHS = ("January", "March", "April", "June", "July", "September", "October", "November")
_TITLES = {
    5: ("Would buy again", "Just right", "Better than hoped", "Very pleased", "A keeper", "No complaints"),
    4: ("Good, nearly very good", "Does what it should", "Solid", "Happy with one caveat", "Well made"),
    3: ("Fair for the price", "Mixed", "So-so", "It will do", "Good and bad"),
    2: ("Not for me", "Expected more", "Second thoughts", "Would not again"),
    1: ("Sent it back", "Poor", "Regret it", "Avoid"),
}
_SELLERS_SAY = ("{said}", "{said}", "Thank you for asking. {said}", "{said} Write to us if in doubt.", "Hello. {said}")
_USERS_SAY = ("On mine: {said}", "I asked the same. {said}", "From using it: {said}", "As far as I see: {said}")


def rows(seed: int, now: datetime, cast: Cast) -> dict[str, list[Row]]:
    """Rows of `amazon` by table, all from before `now`; the persona has the one account, and is not logged in."""
    now = now.replace(second=0, microsecond=0)
    sellers = list(_sellers(seed, now))
    products = list(_products(seed))
    addresses, cards = _addresses(cast), _cards(seed, now, cast)
    orders, lines = _orders(seed, now, cast, sellers, products, addresses, cards)
    questions, answers = _questions(seed, now, cast, sellers, products)
    bought = [line["product_id"] for line in lines]
    return {
        "product_types": [
            {"id": f"PT{place}", "name": kind.name, "department": kind.department}
            for place, kind in enumerate(KINDS, 1)
        ],
        "sellers": sellers,
        "products": products,
        "reviews": _reviews(seed, now, cast, products, lines, orders),
        "questions": questions,
        "answers": answers,
        "addresses": addresses,
        "payment_cards": cards,
        "orders": orders,
        "order_lines": lines,
        "cart_items": _kept(seed, now, cast, "cart", "CI", 2, products, bought),
        "wish_items": _kept(seed, now, cast, "wish", "W", 5, products, bought),
        "visits": _visits(seed, now, cast, products),
        "accounts": [
            {
                "id": "A1",
                "username": cast.self.address,
                "password": password(seed, cast, "amazon"),
                "name": cast.self.name,
            }
        ],
    }


def _sellers(seed: int, now: datetime) -> Iterator[Row]:
    for place, (name, city, about, _) in enumerate(SELLERS, 1):
        chance = keyed(seed, "amazon", "seller", name)
        yield {
            "id": f"S{place}",
            "name": name,
            "city": city,
            "about": about,
            "since": (now.date() - timedelta(days=chance.randrange(400, 5_000))).isoformat(),
            "delivery_days": chance.choice((1, 2, 2, 3, 3, 4, 5, 7)),
        }


def _products(seed: int) -> Iterator[Row]:
    """Seven or eight of each type, of different brands, no two with the same pair of what sets them apart."""
    number = 0
    for place, kind in enumerate(KINDS, 1):
        chance = keyed(seed, "amazon", "products", kind.name)
        many = 7 + place % 2
        pairs = chance.sample(list(product(kind.first, kind.second)), many)
        vendors = [
            number for number, each in enumerate(SELLERS, 1) if kind.department in (each.departments or kind.department)
        ]
        for brand, (first, second) in zip(chance.sample(BRANDS, many), pairs, strict=True):
            number += 1
            features = chance.sample(kind.features, min(3, len(kind.features)))
            noun = chance.choice(kind.nouns)
            yield {
                "id": f"P{number}",
                "title": f"{brand} {noun}, {first}, {second}",
                "brand": brand,
                "type_id": f"PT{place}",
                "seller_id": f"S{chance.choice(vendors)}",
                "description": f"{noun.capitalize()} by {brand}. "
                + chance.choice(_SAID).format(first=first, second=second, one=features[0], two=features[1]),
                "features": [first, second, *features],
                "price": round(kind.low + (kind.high - kind.low) * chance.random() ** 1.7) // 50 * 50 + 49,
                "stock": 0 if kind.sizes or kind.colours else _left(chance),
                "options": list(_options(chance, kind)),
            }


def _options(chance: random.Random, kind: Kind) -> Iterator[Row]:
    if not kind.sizes and not kind.colours:
        return
    colours = chance.sample(kind.colours, max(2, len(kind.colours) - 1)) if kind.colours else [""]
    for colour, (place, size) in product(colours, enumerate(kind.sizes or ("",))):
        larger = 100 * place if kind.colours else 0
        yield {
            "id": "-".join(filter(None, (colour, size.lower()))),
            "size": size,
            "colour": colour,
            "difference": larger + (250 if colour == colours[-1] else 0),
            "stock": _left(chance),
        }


def _left(chance: random.Random) -> int:
    return chance.choice((0, 1, 2, 3, 5, 8, 12, 17, 24, 40, 65, 90))


def _person(chance: random.Random) -> str:
    return f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"


def _ago(chance: random.Random, now: datetime, least: int, most: int) -> datetime:
    """A time by day, so many days before now."""
    day = now - timedelta(days=chance.randrange(least, most))
    return day.replace(hour=chance.randrange(8, 22), minute=chance.randrange(60))


def _opinion(chance: random.Random, kind: Kind, stars: int) -> str:
    """A text that fits the stars: from three on, what is good comes first."""
    good, bad = chance.sample(kind.good, 2), chance.sample(kind.bad, 2)
    begin, then = {
        5: (good[0], (_GOES, good[1])),
        4: (good[0], (_TURNS, bad[0])),
        3: (good[0], (_TURNS, bad[0])),
        2: (bad[0], (_FAIR, good[0])),
        1: (bad[0], (_GOES, bad[1])),
    }[stars]
    who = chance.choice(_WHO)
    opening = chance.choice(_PRAISING if stars > 2 else _BLAMING).format(
        who=who,
        Who=who[0].upper() + who[1:],
        month=chance.choice(_MONTHS),
        weeks=chance.randrange(2, 12),
        years=chance.randrange(2, 15),
        said=begin,
    )
    return f"{opening} {chance.choice(then[0]).format(said=then[1])}"


def _reviews(
    seed: int, now: datetime, cast: Cast, products: list[Row], lines: list[Row], orders: list[Row]
) -> list[Row]:
    """Up to seven of each product by strangers, and two by the persona, of the first two that came."""
    found, texts = list[Row](), set[str]()

    def add(chance: random.Random, item: Row, stars: int, author: str, written: datetime, username: str = "") -> None:
        kind = _kind(item)
        while (text := _opinion(chance, kind, stars)) in texts:
            pass
        texts.add(text)
        found.append(
            {
                "id": f"R{len(found) + 1}",
                "product_id": item["id"],
                "stars": stars,
                "title": chance.choice(_TITLES[stars]),
                "text": text,
                "author": author,
                "written": written.isoformat(),
                "username": username,
            }
        )

    for item in products:
        chance = keyed(seed, "amazon", "reviews", item["id"])
        quality = chance.choice((0, 0, 1, 1, 2))
        weights = ((5, 10, 20, 35, 30), (3, 5, 12, 35, 45), (18, 25, 27, 20, 10))[quality]
        for _ in range(chance.randrange(8)):
            (stars,) = chance.choices((1, 2, 3, 4, 5), weights)
            add(chance, item, stars, _person(chance), _ago(chance, now, 3, 900))
    by_id, placed = {item["id"]: item for item in products}, {row["id"]: row["placed"] for row in orders}
    for line in lines[:2]:
        chance = keyed(seed, cast.key, "amazon", "own review", line["product_id"])
        written = datetime.fromisoformat(placed[line["order_id"]]) + timedelta(days=20)
        add(chance, by_id[line["product_id"]], chance.choice((3, 4, 5)), cast.self.name, written, cast.self.address)
    return found


def _questions(
    seed: int, now: datetime, cast: Cast, sellers: list[Row], products: list[Row]
) -> tuple[list[Row], list[Row]]:
    """Up to two of each product; most are answered by the seller, some by another customer, one is the persona's."""
    questions, answers = list[Row](), list[Row]()
    names = {seller["id"]: seller["name"] for seller in sellers}
    own = keyed(seed, cast.key, "amazon", "own question").randrange(len(products))
    for place, item in enumerate(products):
        chance = keyed(seed, "amazon", "questions", item["id"])
        chosen = chance.sample(_kind(item).asked, max(chance.randrange(3), place == own))
        for number, (text, said) in enumerate(chosen):
            mine = place == own and number == 0
            asked = _ago(chance, now, 15, 700)
            question = {
                "id": f"Q{len(questions) + 1}",
                "product_id": item["id"],
                "text": text,
                "author": cast.self.name if mine else _person(chance),
                "asked": asked.isoformat(),
                "username": cast.self.address if mine else "",
            }
            questions.append(question)
            words = chance.choice(_SELLERS_SAY).format(said=said)
            replies = [(words, names[item["seller_id"]], True)] if chance.random() < 0.75 else []
            if chance.random() < 0.3:
                replies.append((chance.choice(_USERS_SAY).format(said=said), _person(chance), False))
            for days, (reply, author, by_seller) in enumerate(replies, 1):
                answers.append(
                    {
                        "id": f"AN{len(answers) + 1}",
                        "question_id": question["id"],
                        "text": reply,
                        "author": author,
                        "by_seller": by_seller,
                        "answered": (asked + timedelta(days=days, minutes=chance.randrange(300))).isoformat(),
                    }
                )
    return questions, answers


def _addresses(cast: Cast) -> list[Row]:
    """Home and office, as the cast has them in one line: street, then city with postcode."""
    found = []
    for number, (label, written) in enumerate((("home", cast.home), ("office", cast.office)), 1):
        street, _, place = written.rpartition(", ")
        split = re.fullmatch(r"(.+?) (\S*\d.*)", place)
        city, postcode = split.groups() if split else (place, "-")
        found.append(
            {
                "id": f"AD{number}",
                "label": label,
                "recipient": cast.self.name,
                "street": street,
                "city": city,
                "postcode": postcode,
                "country": "United Kingdom",
                "username": cast.self.address,
            }
        )
    return found


def _cards(seed: int, now: datetime, cast: Cast) -> list[Row]:
    """Two that are good, of which one soon ends, and one that has expired."""
    chance = keyed(seed, cast.key, "amazon", "cards")
    return [
        {
            "id": f"C{number}",
            "label": label,
            "holder": cast.self.name,
            "number": "9" + "".join(chance.choices("0123456789", k=15)),
            "expires": _month_end(now.date(), months).isoformat(),
            "username": cast.self.address,
        }
        for number, (label, months) in enumerate((("old card", -4), ("everyday", 29), ("travel", 1)), 1)
    ]


def _month_end(day: date, months: int) -> date:
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])


def _orders(
    seed: int,
    now: datetime,
    cast: Cast,
    sellers: list[Row],
    products: list[Row],
    addresses: list[Row],
    cards: list[Row],
) -> tuple[list[Row], list[Row]]:
    """Ten orders, oldest first, paid with the card of the time, in the persona's sizes; one coffee again and again."""
    orders, lines = list[Row](), list[Row]()
    days = {seller["id"]: seller["delivery_days"] for seller in sellers}
    coffee = [item for item in products if _kind(item).name == "Coffee beans"]
    favourite = keyed(seed, cast.key, "amazon", "favourite").choice(coffee)
    draw = keyed(seed, cast.key, "amazon", "sizes")
    sizes = (draw.choice(("S", "M", "L")), draw.choice(("38", "39", "40", "41")))
    for number, ago in enumerate((460, 391, 333, 270, 214, 160, 97, 58, 24, 2), 1):
        chance = keyed(seed, cast.key, "amazon", "order", number)
        placed = _ago(chance, now, ago, ago + 5)
        address = addresses[chance.random() < 0.3]
        chosen = chance.sample([item for item in products if item not in coffee], chance.randrange(1, 4))
        if number % 3 == 0:
            chosen.append(favourite)
        orders.append(
            {
                "id": f"O{number}",
                "placed": placed.isoformat(),
                "address_id": address["id"],
                "card_id": cards[placed.date() > date.fromisoformat(cards[0]["expires"])]["id"],
                "ship_to": "{recipient}, {street}, {city} {postcode}, {country}".format(**address),
                "username": cast.self.address,
            }
        )
        for item in chosen:
            fitting = [each for each in item["options"] if each["size"] in ("", *sizes)]
            option = chance.choice(fitting) if fitting else {"id": "", "difference": 0}
            now_asked = item["price"] + option["difference"]
            lines.append(
                {
                    "id": f"OL{len(lines) + 1}",
                    "order_id": f"O{number}",
                    "product_id": item["id"],
                    "option_id": option["id"],
                    "seller_id": item["seller_id"],
                    "quantity": 2 if item is favourite else 1,
                    "unit_price": round(now_asked * chance.choice((90, 95, 100, 100, 105)) / 100),
                    "arrives": (placed.date() + timedelta(days=days[item["seller_id"]])).isoformat(),
                }
            )
    return orders, lines


def _kept(
    seed: int, now: datetime, cast: Cast, where: str, letters: str, many: int, products: list[Row], bought: list[str]
) -> list[Row]:
    """Things that are in stock and were never bought, in the cart or on the wish list."""
    chance = keyed(seed, cast.key, "amazon", where)
    halves = [item for item in products if item["id"] not in bought and (int(item["id"][1:]) % 2 == (where == "cart"))]
    there = [(item, [each for each in item["options"] if each["stock"]]) for item in halves]
    chosen = chance.sample([(item, options) for item, options in there if options or item["stock"]], many)
    added = sorted(_ago(chance, now, 1, 60) for _ in chosen)
    return [
        {
            "id": f"{letters}{number}",
            "product_id": item["id"],
            "option_id": chance.choice(options)["id"] if options else "",
            "quantity": 1,
            "added": moment.isoformat(),
            "username": cast.self.address,
        }
        for number, ((item, options), moment) in enumerate(zip(chosen, added, strict=True), 1)
    ]


def _visits(seed: int, now: datetime, cast: Cast, products: list[Row]) -> list[Row]:
    chance = keyed(seed, cast.key, "amazon", "visits")
    interests = chance.sample(range(1, len(KINDS) + 1), 6)
    liked = [item for item in products if item["type_id"] in {f"PT{place}" for place in interests}]
    times = sorted(_ago(chance, now, 1, 120) for _ in range(30))
    return [
        {
            "id": f"V{number}",
            "product_id": chance.choice(liked)["id"],
            "at": moment.isoformat(),
            "username": cast.self.address,
        }
        for number, moment in enumerate(times, 1)
    ]


def _kind(item: Row) -> Kind:
    return KINDS[int(item["type_id"][2:]) - 1]
