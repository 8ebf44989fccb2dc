"""Rows of a shop for the contract tests: lamps, shirts in options, and what Ines and Mei do with them."""

from __future__ import annotations

from typing import Any

__all__ = ("AMAZON",)

INES, MEI = "ines.okafor@harbor.example", "mei.novak@harbor.example"

AMAZON: dict[str, list[dict[str, Any]]] = {
    "product_types": [
        {"id": "PT1", "name": "Desk lamps", "department": "Lighting"},
        {"id": "PT2", "name": "Shirts", "department": "Clothing"},
    ],
    "sellers": [
        {"id": "S1", "name": "Brightside", "city": "Porto", "about": "Lamps since 2012.", "since": "2012-04-01"},
        {"id": "S2", "name": "Loom & Co", "city": "Braga", "since": "2019-09-10", "delivery_days": 5},
    ],
    "products": [
        {
            "id": "P1",
            "title": "Folding desk lamp",
            "brand": "Lumo",
            "type_id": "PT1",
            "seller_id": "S1",
            "description": "Dimmable, 40 cm (folded: 12 cm).",
            "features": ["dimmable", "USB"],
            "price": 2999,
            "stock": 8,
        },
        {
            "id": "P2",
            "title": "Clamp lamp",
            "brand": "Lumo",
            "type_id": "PT1",
            "seller_id": "S2",
            "price": 1850,
            "stock": 3,
        },
        {
            "id": "P3",
            "title": "Linen shirt",
            "brand": "Très",
            "type_id": "PT2",
            "seller_id": "S2",
            "price": 4000,
            "options": [
                {"id": "blue-m", "size": "M", "colour": "blue", "stock": 2},
                {"id": "blue-l", "size": "L", "colour": "blue", "difference": 250, "stock": 0},
                {"id": "white-m", "size": "M", "colour": "white", "difference": -500, "stock": 5},
            ],
        },
        {
            "id": "P4",
            "title": "Banker's lamp",
            "brand": "Oldham",
            "type_id": "PT1",
            "seller_id": "S1",
            "price": 7000,
            "stock": 0,
        },
        {
            "id": "P5",
            "title": "Flannel shirt",
            "brand": "Oldham",
            "type_id": "PT2",
            "seller_id": "S2",
            "price": 3500,
            "stock": 4,
        },
    ],
    "reviews": [
        {
            "id": "R1",
            "product_id": "P1",
            "stars": 5,
            "title": "Bright",
            "text": "100% what I wanted.",
            "author": "Sam Lund",
            "written": "2023-10-01T10:00:00",
        },
        {
            "id": "R2",
            "product_id": "P1",
            "stars": 2,
            "title": "Wobbles",
            "author": "Mei Novak",
            "written": "2023-10-05T10:00:00",
            "username": MEI,
        },
        {
            "id": "R3",
            "product_id": "P2",
            "stars": 4,
            "title": "Holds on",
            "author": "Tariq Lund",
            "written": "2023-09-01T10:00:00",
        },
    ],
    "questions": [
        {
            "id": "Q1",
            "product_id": "P1",
            "text": "Is a bulb included?",
            "author": "Sam Lund",
            "asked": "2023-09-20T10:00:00",
        },
        {
            "id": "Q2",
            "product_id": "P1",
            "text": "How long is the cable?",
            "author": "Mei Novak",
            "asked": "2023-10-20T10:00:00",
            "username": MEI,
        },
    ],
    "answers": [
        {
            "id": "AN1",
            "question_id": "Q1",
            "text": "Yes, an LED.",
            "author": "Brightside",
            "by_seller": True,
            "answered": "2023-09-21T10:00:00",
        },
        {
            "id": "AN2",
            "question_id": "Q1",
            "text": "Mine came with one.",
            "author": "Tariq Lund",
            "answered": "2023-09-22T10:00:00",
        },
    ],
    "addresses": [
        {
            "id": "AD1",
            "label": "home",
            "recipient": "Ines Okafor",
            "street": "Rua Nova 4",
            "city": "Lisbon",
            "postcode": "1100-001",
            "country": "Portugal",
            "username": INES,
        },
        {
            "id": "AD2",
            "recipient": "Mei Novak",
            "street": "Quay 2",
            "city": "Lisbon",
            "postcode": "1100-009",
            "country": "Portugal",
            "username": MEI,
        },
    ],
    "payment_cards": [
        {
            "id": "C1",
            "label": "everyday",
            "holder": "Ines Okafor",
            "number": "4000111122223333",
            "expires": "2028-05-31",
            "username": INES,
        },
        {
            "id": "C2",
            "holder": "Ines Okafor",
            "number": "4000999988887777",
            "expires": "2023-10-31",
            "username": INES,
        },
        {"id": "C3", "holder": "Mei Novak", "number": "5000111122224444", "expires": "2029-01-31", "username": MEI},
    ],
    "cart_items": [
        {"id": "CI1", "product_id": "P1", "quantity": 2, "added": "2023-11-28T10:00:00", "username": INES},
        {
            "id": "CI2",
            "product_id": "P3",
            "option_id": "white-m",
            "added": "2023-11-28T10:05:00",
            "username": INES,
        },
        {"id": "CI3", "product_id": "P2", "added": "2023-11-28T11:00:00", "username": MEI},
    ],
    "wish_items": [
        {"id": "W1", "product_id": "P2", "quantity": 3, "added": "2023-11-01T10:00:00", "username": INES},
        {"id": "W2", "product_id": "P4", "added": "2023-11-02T10:00:00", "username": INES},
        {"id": "W3", "product_id": "P1", "added": "2023-11-03T10:00:00", "username": MEI},
    ],
    "orders": [
        {
            "id": "O1",
            "placed": "2023-10-10T10:00:00",
            "address_id": "AD1",
            "card_id": "C2",
            "ship_to": "Ines Okafor, Rua Nova 4, Lisbon 1100-001, Portugal",
            "username": INES,
        },
        {
            "id": "O2",
            "placed": "2023-11-29T09:00:00",
            "address_id": "AD1",
            "card_id": "C1",
            "ship_to": "Ines Okafor, Rua Nova 4, Lisbon 1100-001, Portugal",
            "username": INES,
        },
        {
            "id": "O3",
            "placed": "2023-11-29T12:00:00",
            "address_id": "AD2",
            "card_id": "C3",
            "ship_to": "Mei Novak, Quay 2, Lisbon 1100-009, Portugal",
            "username": MEI,
        },
    ],
    "order_lines": [
        {
            "id": "OL1",
            "order_id": "O1",
            "product_id": "P1",
            "seller_id": "S1",
            "quantity": 1,
            "unit_price": 2599,
            "arrives": "2023-10-13",
        },
        {
            "id": "OL2",
            "order_id": "O2",
            "product_id": "P3",
            "option_id": "blue-m",
            "seller_id": "S2",
            "quantity": 2,
            "unit_price": 4000,
            "arrives": "2023-12-04",
        },
        {
            "id": "OL3",
            "order_id": "O3",
            "product_id": "P1",
            "seller_id": "S1",
            "quantity": 4,
            "unit_price": 2999,
            "arrives": "2023-12-02",
        },
    ],
    "visits": [
        {"id": "V1", "product_id": "P2", "at": "2023-11-20T10:00:00", "username": INES},
        {"id": "V2", "product_id": "P5", "at": "2023-11-21T10:00:00", "username": MEI},
    ],
    "accounts": [
        {"id": "A1", "username": INES, "password": "kelp-77", "name": "Ines Okafor"},
        {"id": "A2", "username": MEI, "password": "tin-drum", "name": "Mei Novak"},
    ],
    "logins": [{"id": "L1", "username": INES}],
}
"""Rows by table. Ines is logged in."""
