"""What tools show of products and orders, with all that is computed: prices, ratings, stock and totals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from pydantic import BaseModel

from servers.amazon.tables import CartItem, Line, Option, Order, Product, ProductType, Seller, WishItem
from servers.kernel import Rejected, State, few_of, quoted, to_minute

__all__ = (
    "Choice",
    "Item",
    "Listed",
    "OrderLine",
    "Ordered",
    "Rating",
    "card_digits",
    "choice",
    "item",
    "line",
    "listed",
    "month",
    "option_named",
    "option_of",
    "order",
    "pounds",
    "price",
    "ratings",
    "sellers",
    "stock",
    "total",
    "ways",
)

_NAMED = 20


class Rating(NamedTuple):
    """Stars in all, and from how many reviews."""

    stars: int = 0
    reviews: int = 0

    @property
    def mean(self) -> float | None:
        """Stars on average, to one decimal; None without reviews."""
        return round(self.stars / self.reviews, 1) if self.reviews else None


class Choice(BaseModel):
    """An option of a product, at its own price."""

    option_id: str
    size: str | None
    colour: str | None
    price: str
    stock: int


class Listed(BaseModel):
    """A product in a list. `price` is that of the cheapest option that fits, `stock` that of all that fit."""

    id: str
    title: str
    brand: str
    product_type_id: str
    product_type: str
    seller_id: str
    seller: str
    price: str
    options: int | None
    rating: float | None
    reviews: int
    stock: int
    delivery_days: int


class Item(BaseModel):
    """A product in the cart or on the wish list, at today's price."""

    id: str
    product_id: str
    title: str
    option_id: str | None
    option: str | None
    seller_id: str
    seller: str
    quantity: int
    unit_price: str
    total: str
    stock: int


class OrderLine(BaseModel):
    """A product in an order, at the price that was paid."""

    id: str
    product_id: str
    title: str
    option_id: str | None
    option: str | None
    seller_id: str
    seller: str
    quantity: int
    unit_price: str
    total: str
    arrives: date
    status: Literal["on its way", "delivered"]


class Ordered(BaseModel):
    """An order; `card` are the last four digits of what paid for it."""

    id: str
    placed: str
    ship_to: str
    card: str
    lines: list[OrderLine]
    total: str


def pounds(pence: int) -> str:
    """An amount, such as 12.99."""
    return f"{'-' if pence < 0 else ''}{abs(pence) // 100}.{abs(pence) % 100:02d}"


def month(day: date) -> str:
    """The month in which a card ends, such as 2027-03."""
    return f"{day:%Y-%m}"


def card_digits(number: str) -> str:
    """The part of a card's number that may be shown."""
    return number[-4:]


def ratings(state: State) -> dict[str, Rating]:
    """Of each product that has reviews."""
    rows = state.query("SELECT product_id, CAST(sum(stars) AS BIGINT), count(*) FROM reviews GROUP BY 1")
    return {id: Rating(stars, reviews) for id, stars, reviews in rows}


def sellers(state: State) -> dict[str, Seller]:
    """All of them, by id."""
    return {seller.id: seller for seller in state.find(Seller)}


def stock(product: Product, option: Option | None = None) -> int:
    """How many are left, of an option or of all."""
    if option:
        return option.stock
    return sum(each.stock for each in product.options) if product.options else product.stock


def price(product: Product, option: Option | None = None) -> int:
    """Pence that it costs; without an option, the cheapest of them."""
    if option:
        return max(0, product.price + option.difference)
    return min((price(product, each) for each in product.options), default=product.price)


def option_of(product: Product, option_id: str) -> Option | None:
    """The option that a row names; None where there is none of that id."""
    return next((each for each in product.options if each.id == option_id), None)


def option_named(product: Product, option_id: str) -> Option | None:
    """The option that a caller names, None for a product without options. Raises `Rejected`, listing what there is."""
    if not product.options:
        if option_id:
            raise Rejected(f"option_id: {product.id} has no options; leave option_id out.")
        return None
    if found := option_of(product, option_id):
        return found
    ids = few_of((each.id for each in product.options), _NAMED)
    given = f"has no option {quoted(option_id)}" if option_id else "comes in options, and one is needed"
    raise Rejected(f"option_id: {product.id} {given}. There are: {ids}.")


def choice(product: Product, option: Option) -> Choice:
    """An option as it is shown."""
    return Choice(
        option_id=option.id,
        size=option.size or None,
        colour=option.colour or None,
        price=pounds(price(product, option)),
        stock=option.stock,
    )


def ways(product: Product) -> Sequence[Option | None]:
    """The ways to have a product: its options, or the one way to have a product without any."""
    return product.options or [None]


def listed(
    product: Product,
    rating: Rating,
    seller: Seller,
    type: ProductType,
    fitting: Sequence[Option | None] = (),
) -> Listed:
    """A product as a list shows it, at price and stock of the ways to have it that fit; of all where none are given."""
    fitting = fitting or ways(product)
    return Listed(
        id=product.id,
        title=product.title,
        brand=product.brand,
        product_type_id=type.id,
        product_type=type.name,
        seller_id=seller.id,
        seller=seller.name,
        price=pounds(min(price(product, each) for each in fitting)),
        options=len(product.options) or None,
        rating=rating.mean,
        reviews=rating.reviews,
        stock=sum(stock(product, each) for each in fitting),
        delivery_days=seller.delivery_days,
    )


def item(state: State, row: CartItem | WishItem) -> Item:
    """What is in the cart or on the wish list, as it is shown."""
    product = state.get(Product, row.product_id)
    option, seller = option_of(product, row.option_id), state.get(Seller, product.seller_id)
    return Item(
        id=row.id,
        product_id=product.id,
        title=product.title,
        option_id=row.option_id or None,
        option=_said(option),
        seller_id=seller.id,
        seller=seller.name,
        quantity=row.quantity,
        unit_price=pounds(price(product, option)),
        total=pounds(row.quantity * price(product, option)),
        stock=stock(product, option),
    )


def total(state: State, rows: Sequence[CartItem]) -> int:
    """Pence that the cart costs."""
    products = ((row, state.get(Product, row.product_id)) for row in rows)
    return sum(row.quantity * price(product, option_of(product, row.option_id)) for row, product in products)


def line(state: State, row: Line) -> OrderLine:
    """A line of an order as it is shown; what arrives today is there."""
    product, seller = state.get(Product, row.product_id), state.get(Seller, row.seller_id)
    return OrderLine(
        id=row.id,
        product_id=product.id,
        title=product.title,
        option_id=row.option_id or None,
        option=_said(option_of(product, row.option_id)),
        seller_id=seller.id,
        seller=seller.name,
        quantity=row.quantity,
        unit_price=pounds(row.unit_price),
        total=pounds(row.quantity * row.unit_price),
        arrives=row.arrives,
        status="delivered" if row.arrives <= state.now.date() else "on its way",
    )


def order(state: State, row: Order) -> Ordered:
    """An order as it is shown, with all its lines."""
    lines = state.find(Line, "order_id = ?", [row.id])
    ((number,),) = state.query("SELECT number FROM payment_cards WHERE id = ?", [row.card_id]) or [("",)]
    return Ordered(
        id=row.id,
        placed=to_minute(row.placed),
        ship_to=row.ship_to,
        card=card_digits(number),
        lines=[line(state, each) for each in lines],
        total=pounds(sum(each.quantity * each.unit_price for each in lines)),
    )


def _said(option: Option | None) -> str | None:
    return ", ".join(filter(None, (option.colour, option.size))) or None if option else None
