"""The shop: products with their types and sellers, what people say of them, and what belongs to whoever shops.

Money is in whole pence. Ratings, totals and how many are left of a product with options are computed.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from pydantic import BaseModel, Field

from servers.kernel import Account, App, Dated, Login, Ref, Table

__all__ = (
    "Address",
    "Answer",
    "Card",
    "CartItem",
    "Line",
    "Option",
    "Order",
    "Product",
    "ProductType",
    "Question",
    "Review",
    "Seller",
    "Visit",
    "WishItem",
    "app",
)

Quantity = Annotated[int, Field(ge=1, le=999)]


class Option(BaseModel):
    """One way to have a product, such as blue in medium. `difference`: pence that it costs more than the product."""

    id: str
    size: str = ""
    colour: str = ""
    difference: int = Field(default=0, ge=-1_000_000, le=1_000_000)
    stock: int = Field(ge=0, le=1_000_000)


class ProductType(Table, name="product_types", ids="PT{}"):
    """What kind of thing a product is."""

    name: str
    department: str


class Seller(Table, name="sellers", ids="S{}"):
    """Who sells products; `delivery_days` after an order they arrive."""

    name: str
    city: str
    about: Dated = ""
    since: date
    delivery_days: int = Field(default=3, ge=0, le=60)


class Product(Table, name="products", ids="P{}"):
    """Something that one seller sells. `stock` counts where it has no options, each of which has its own."""

    title: str
    brand: str
    type_id: Annotated[str, Ref(ProductType)]
    seller_id: Annotated[str, Ref(Seller)]
    description: Dated = ""
    features: list[str] = Field(default=[])
    price: int = Field(ge=0, le=100_000_000)
    stock: int = Field(default=0, ge=0, le=1_000_000)
    options: list[Option] = Field(default=[])


class Review(Table, name="reviews", ids="R{}"):
    """What somebody thinks of a product. `username` is "" for people without an account here."""

    product_id: Annotated[str, Ref(Product)]
    stars: int = Field(ge=1, le=5)
    title: Dated
    text: Dated = ""
    author: str
    written: datetime
    username: str = ""


class Question(Table, name="questions", ids="Q{}"):
    """What somebody asks about a product."""

    product_id: Annotated[str, Ref(Product)]
    text: Dated
    author: str
    asked: datetime
    username: str = ""


class Answer(Table, name="answers", ids="AN{}"):
    """An answer to a question, by the seller or another customer."""

    question_id: Annotated[str, Ref(Question)]
    text: Dated
    author: str
    by_seller: bool = False
    answered: datetime


class Address(Table, name="addresses", ids="AD{}", noun="address"):
    """Where orders can go. `username`, here and below: whose account it is in, "" for no account in particular."""

    label: str = ""
    recipient: str
    street: str
    city: str
    postcode: str
    country: str
    username: str = ""


class Card(Table, name="payment_cards", ids="C{}"):
    """What orders are paid with, up to its last day. No tool shows more than the last four digits of its number."""

    label: str = ""
    holder: str
    number: str = Field(pattern=r"^[0-9]{12,19}$")
    expires: date
    username: str = ""


class CartItem(Table, name="cart_items", ids="CI{}"):
    """A product in the cart; `option_id` is "" for one without options."""

    product_id: Annotated[str, Ref(Product)]
    option_id: str = ""
    quantity: Quantity = 1
    added: datetime
    username: str = ""


class WishItem(Table, name="wish_items", ids="W{}"):
    """A product on the wish list, and how many."""

    product_id: Annotated[str, Ref(Product)]
    option_id: str = ""
    quantity: Quantity = 1
    added: datetime
    username: str = ""


class Order(Table, name="orders", ids="O{}"):
    """What was ordered at once. `ship_to` is the address as it was then."""

    placed: datetime
    address_id: Annotated[str, Ref(Address)]
    card_id: Annotated[str, Ref(Card)]
    ship_to: str
    username: str = ""


class Line(Table, name="order_lines", ids="OL{}"):
    """A product in an order, with its seller and price as they were. `arrives` is the day of its delivery."""

    order_id: Annotated[str, Ref(Order)]
    product_id: Annotated[str, Ref(Product)]
    option_id: str = ""
    seller_id: Annotated[str, Ref(Seller)]
    quantity: Quantity
    unit_price: int = Field(ge=0, le=101_000_000)
    arrives: date


class Visit(Table, name="visits", ids="V{}"):
    """That somebody looked at a product."""

    product_id: Annotated[str, Ref(Product)]
    at: datetime
    username: str = ""


app = App(
    "amazon",
    "Search an online shop, compare products, and buy as the user.",
    tables=(
        ProductType,
        Seller,
        Product,
        Review,
        Question,
        Answer,
        Address,
        Card,
        CartItem,
        WishItem,
        Order,
        Line,
        Visit,
        Account,
        Login,
    ),
)
