"""The rows of the table about an account: logging in, addresses, cards, visits and orders."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from servers.amazon.owning import mine, own, username
from servers.amazon.pi import ProductId, pi
from servers.amazon.shown import (
    Listed,
    Ordered,
    OrderLine,
    Rating,
    card_digits,
    line,
    listed,
    month,
    order,
    ratings,
    sellers,
    stock,
)
from servers.amazon.tables import Address, Card, Line, Order, Product, ProductType, Visit
from servers.kernel import (
    Account,
    Page,
    Ref,
    Rejected,
    Skip,
    State,
    enter,
    leave,
    one_line,
    paged,
    quoted,
    required,
    signed_in,
    to_minute,
    worded,
)

__all__ = ("AddressId", "CardId", "expired")

AddressId = Annotated[str, Ref(Address), Field(description="Id of an address (AD1), from `view_addresses`.")]
CardId = Annotated[str, Ref(Card), Field(description="Id of a card (C1), from `view_payment_cards`.")]
OrderId = Annotated[str, Ref(Order), Field(description="Id of an order (O1), as returned by `view_orders`.")]

_SHORT = 200
_BOUGHT, _VISITED = 3, 1
"""How much a purchase of a type of product counts for a recommendation, and how much a visit."""


class Profile(BaseModel):
    """An account, and how many of each thing are kept in it."""

    username: str
    name: str
    addresses: int
    cards: int
    in_cart: int
    on_wish_list: int
    orders: int


class Place(BaseModel):
    """An address."""

    id: str
    label: str | None
    recipient: str
    street: str
    city: str
    postcode: str
    country: str


class Plastic(BaseModel):
    """A card; `last_four` is the end of its number, `expires` its last month."""

    id: str
    label: str | None
    holder: str
    last_four: str
    expires: str
    expired: bool


class Seen(BaseModel):
    """A visit that was added to the history."""

    id: str
    product_id: str
    title: str
    at: str


class Purchase(OrderLine):
    """A product that was ordered, and in which order."""

    order_id: str
    placed: str


pi.writes(name="log_in", idempotent=True)(enter)
pi.writes(name="log_out", destructive=True)(leave)


@pi.reads
def view_account(state: State) -> Profile:
    """Show the account that is logged in, and how many addresses, cards, orders and items it has."""
    account = signed_in(state)
    where, params = own(account)
    counts = {
        name: state.query(f"SELECT count(*) FROM {table} WHERE {where}", params)[0][0]
        for name, table in (
            ("addresses", "addresses"),
            ("cards", "payment_cards"),
            ("in_cart", "cart_items"),
            ("on_wish_list", "wish_items"),
            ("orders", "orders"),
        )
    }
    owner = state.owner
    who = (account.username, account.name) if account else (owner.address, owner.name) if owner else ("", "")
    return Profile(username=who[0], name=who[1], **counts)


@pi.reads
def view_addresses(state: State, skip: Skip = 0) -> Page[Place]:
    """List the addresses that orders can go to."""
    where, params = own(signed_in(state))
    return paged(state.find(Address, where, params), skip, _place)


@pi.writes
def add_address(
    state: State,
    recipient: Annotated[str, Field(max_length=_SHORT, description="Who receives what goes there.")],
    street: Annotated[str, Field(max_length=_SHORT, description="Street and number.")],
    city: Annotated[str, Field(max_length=_SHORT, description="City.")],
    postcode: Annotated[str, Field(max_length=_SHORT, description="Postcode.")],
    country: Annotated[str, Field(max_length=_SHORT, description="Country.")],
    label: Annotated[str, Field(max_length=_SHORT, description="What to call it, such as home.")] = "",
) -> Place:
    """Keep an address to which orders can go."""
    account = signed_in(state)
    given = {"recipient": recipient, "street": street, "city": city, "postcode": postcode, "country": country}
    given = {name: text.strip() for name, text in given.items()}
    required(**given)
    one_line(**given, label=label)
    where, params = own(account)
    same = " AND ".join(f"lower({name}) = lower(?)" for name in given)
    if there := state.find(Address, f"{where} AND {same}", [*params, *given.values()]):
        raise Rejected(f"This address is kept already, as {there[0].id}.")
    return _place(state.add(Address(label=label.strip(), username=username(account), **given)))


@pi.reads
def view_payment_cards(state: State, skip: Skip = 0) -> Page[Plastic]:
    """List the cards that orders can be paid with."""
    where, params = own(signed_in(state))
    return paged(state.find(Card, where, params), skip, lambda row: _plastic(state, row))


@pi.reads
def view_payment_card(state: State, card_id: CardId) -> Plastic:
    """Show a card, without the whole of its number."""
    return _plastic(state, mine(state, Card, card_id))


@pi.writes
def add_to_history(state: State, product_id: ProductId) -> Seen:
    """Add a product to the browsing history, as visited now."""
    account = signed_in(state)
    product = state.get(Product, product_id)
    row = state.add(Visit(product_id=product.id, at=state.now, username=username(account)))
    return Seen(id=row.id, product_id=product.id, title=product.title, at=to_minute(row.at))


@pi.reads
def view_recommendations(state: State, skip: Skip = 0) -> Page[Listed]:
    """List products in stock and not bought yet: first of the types bought and visited most, then the best rated."""
    account = signed_in(state)
    bought, visited = _bought(state, account), _visited(state, account)
    products = state.find(Product)
    types = {product.id: product.type_id for product in products}
    weight: dict[str, int] = {}
    for ids, each in ((bought, _BOUGHT), (visited, _VISITED)):
        for id in ids:
            weight[types[id]] = weight.get(types[id], 0) + each
    rated, vendors, kinds = ratings(state), sellers(state), {row.id: row for row in state.find(ProductType)}

    def rank(product: Product) -> tuple[float, ...]:
        rating = rated.get(product.id, Rating())
        return (-weight.get(product.type_id, 0), -(rating.mean or 0), -rating.reviews)

    found = sorted((product for product in products if stock(product) and product.id not in bought), key=rank)
    return paged(
        found,
        skip,
        lambda row: listed(row, rated.get(row.id, Rating()), vendors[row.seller_id], kinds[row.type_id]),
    )


@pi.reads
def view_orders(
    state: State,
    query: Annotated[str, Field(description="Words that the title of one product has; empty for all orders.")] = "",
    skip: Skip = 0,
) -> Page[Ordered]:
    """List orders with what was bought, newest first."""
    return paged(_orders(state, query), skip, lambda row: order(state, row))


@pi.reads
def view_order(state: State, order_id: OrderId) -> Ordered:
    """Show an order. Its lines hold what `add_product_to_cart` needs to buy something again."""
    return order(state, mine(state, Order, order_id))


@pi.reads
def view_last_purchase(
    state: State,
    query: Annotated[str, Field(description="Words that the title of one product has; empty for any product.")] = "",
) -> Ordered:
    """Show the most recent order, or the most recent one with a certain product."""
    found = _orders(state, query)
    if not found:
        raise Rejected(
            f"No order has a product with the words {quoted(query)}." if query.strip() else "There is no order yet."
        )
    return order(state, found[0])


@pi.reads
def view_product_purchases(state: State, product_id: ProductId, skip: Skip = 0) -> Page[Purchase]:
    """List the user's own past purchases of a product, newest first."""
    orders = {row.id: row for row in _orders(state, "")}
    place = {id: number for number, id in enumerate(orders)}
    state.get(Product, product_id)
    lines = [row for row in state.find(Line, "product_id = ?", [product_id]) if row.order_id in orders]
    lines.sort(key=lambda row: place[row.order_id])
    return paged(
        lines,
        skip,
        lambda row: Purchase(
            **line(state, row).model_dump(), order_id=row.order_id, placed=to_minute(orders[row.order_id].placed)
        ),
    )


def expired(state: State, card: Card) -> bool:
    """Whether its last day is over."""
    return card.expires < state.now.date()


def _place(row: Address) -> Place:
    return Place(**row.model_dump(exclude={"label", "username"}), label=row.label or None)


def _plastic(state: State, row: Card) -> Plastic:
    return Plastic(
        id=row.id,
        label=row.label or None,
        holder=row.holder,
        last_four=card_digits(row.number),
        expires=month(row.expires),
        expired=expired(state, row),
    )


def _bought(state: State, account: Account | None) -> list[str]:
    """Products, each as often as it is in an order."""
    where, params = own(account, "o.username")
    sql = f"SELECT l.product_id FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE {where}"
    return [id for (id,) in state.query(sql, params)]


def _visited(state: State, account: Account | None) -> list[str]:
    where, params = own(account)
    return [row.product_id for row in state.find(Visit, where, params)]


def _orders(state: State, query: str) -> list[Order]:
    where, params = own(signed_in(state))
    found = state.find(Order, where, params, order="placed DESC, _ord DESC")
    if not query.strip():
        return found
    has, words = worded(query, "p.title")
    sql = f"SELECT l.order_id FROM order_lines l JOIN products p ON p.id = l.product_id WHERE {has}"
    fitting = {id for (id,) in state.query(sql, words)}
    return [row for row in found if row.id in fitting]
