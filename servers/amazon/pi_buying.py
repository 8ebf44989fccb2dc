"""The rows of the table about buying: the cart, the wish list, and the order that both lead to."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, TypeVar

from pydantic import Field

from servers.amazon.owning import mine, own, username
from servers.amazon.pi import OptionId, ProductId, pi
from servers.amazon.pi_account import AddressId, CardId, expired
from servers.amazon.shown import (
    Item,
    Ordered,
    card_digits,
    item,
    month,
    option_named,
    order,
    pounds,
    price,
    stock,
    total,
)
from servers.amazon.tables import Address, Card, CartItem, Line, Option, Order, Product, Seller, WishItem
from servers.kernel import Account, Page, Ref, Rejected, Skip, State, paged, signed_in

__all__ = ()

T = TypeVar("T", CartItem, WishItem)

_MOST = 999
Quantity = Annotated[int, Field(ge=1, le=_MOST, description=f"How many, from 1 to {_MOST}.")]
CartItemId = Annotated[str, Ref(CartItem), Field(description="Id of an item in the cart (CI1), from `view_cart`.")]
WishItemId = Annotated[str, Ref(WishItem), Field(description="Id of an item (W1), from `view_wish_list`.")]


class Cart(Page[Item]):
    """What is in the cart: items of a page, and `total` of all."""

    total: str


@pi.reads
def view_cart(state: State, skip: Skip = 0) -> Cart:
    """Show the cart at today's prices."""
    rows = _in_cart(state, signed_in(state))
    return Cart(**dict(paged(rows, skip, lambda row: item(state, row))), total=pounds(total(state, rows)))


@pi.writes
def add_product_to_cart(state: State, product_id: ProductId, option_id: OptionId = "", quantity: Quantity = 1) -> Item:
    """Put a product into the cart, also one that was bought before."""
    account = signed_in(state)
    product = state.get(Product, product_id)
    option = option_named(product, option_id)
    return item(state, _put(state, account, product, option, quantity))


@pi.writes(idempotent=True)
def update_cart_quantity(state: State, cart_item_id: CartItemId, quantity: Quantity) -> Item:
    """Change how many of an item are in the cart. `move_cart_item_to_wish_list` takes one out, `clear_cart` all."""
    row = mine(state, CartItem, cart_item_id)
    product = state.get(Product, row.product_id)
    _enough(product, option_named(product, row.option_id), quantity)
    row.quantity = quantity
    return item(state, state.save(row))


@pi.writes(destructive=True)
def clear_cart(state: State) -> str:
    """Take everything out of the cart."""
    rows = _in_cart(state, signed_in(state))
    for row in rows:
        state.delete(row)
    return f"Items taken out of the cart: {len(rows)}."


@pi.reads
def view_wish_list(state: State, skip: Skip = 0) -> Page[Item]:
    """List what is on the wish list, at today's prices."""
    where, params = own(signed_in(state))
    return paged(state.find(WishItem, where, params), skip, lambda row: item(state, row))


@pi.writes
def add_product_to_wish_list(
    state: State, product_id: ProductId, option_id: OptionId = "", quantity: Quantity = 1
) -> Item:
    """Put a product on the wish list, even one that is out of stock."""
    account = signed_in(state)
    product = state.get(Product, product_id)
    option = option_named(product, option_id)
    return item(state, _wish(state, account, product, option.id if option else "", quantity))


@pi.writes(destructive=True)
def move_cart_item_to_wish_list(state: State, cart_item_id: CartItemId) -> Item:
    """Move an item from the cart to the wish list, with its quantity, which adds to that of the same item there."""
    row = mine(state, CartItem, cart_item_id)
    account = signed_in(state)
    if there := _wished(state, account, row.product_id, row.option_id):
        moved = state.save(_more(there, row.quantity))
    else:
        moved = _wish(state, account, state.get(Product, row.product_id), row.option_id, row.quantity)
    state.delete(row)
    return item(state, moved)


@pi.writes(destructive=True)
def move_wish_list_item_to_cart(state: State, wish_item_id: WishItemId) -> Item:
    """Move an item from the wish list to the cart, with its quantity, which adds to that of the same item there."""
    row = mine(state, WishItem, wish_item_id)
    account = signed_in(state)
    product = state.get(Product, row.product_id)
    option = option_named(product, row.option_id)
    if there := _carted(state, account, product.id, row.option_id):
        more = _more(there, row.quantity)
        _enough(product, option, more.quantity)
        moved = state.save(more)
    else:
        moved = _put(state, account, product, option, row.quantity)
    state.delete(row)
    return item(state, moved)


@pi.writes(destructive=True)
def place_order(state: State, address_id: AddressId, card_id: CardId) -> Ordered:
    """Order and pay for all that is in the cart, which is empty afterwards. There is no tool to cancel an order."""
    account = signed_in(state)
    address, card = mine(state, Address, address_id), mine(state, Card, card_id)
    rows = _in_cart(state, account)
    if not rows:
        raise Rejected("The cart is empty; `add_product_to_cart` puts something into it.")
    if expired(state, card):
        raise Rejected(
            f"Card {card.id}, ending in {card_digits(card.number)}, expired in {month(card.expires)}; "
            "`view_payment_cards` shows those that have not."
        )
    parts = (address.recipient, address.street, f"{address.city} {address.postcode}", address.country)
    made = state.add(
        Order(
            placed=state.now,
            address_id=address.id,
            card_id=card.id,
            ship_to=", ".join(parts),
            username=username(account),
        )
    )
    for row in rows:
        product = state.get(Product, row.product_id)
        option = option_named(product, row.option_id)
        _enough(product, option, row.quantity)
        seller = state.get(Seller, product.seller_id)
        state.add(
            Line(
                order_id=made.id,
                product_id=product.id,
                option_id=row.option_id,
                seller_id=seller.id,
                quantity=row.quantity,
                unit_price=price(product, option),
                arrives=state.now.date() + timedelta(days=seller.delivery_days),
            )
        )
        state.save(_fewer(product, option, row.quantity))
        state.delete(row)
    return order(state, made)


def _in_cart(state: State, account: Account | None) -> list[CartItem]:
    where, params = own(account)
    return state.find(CartItem, where, params)


def _carted(state: State, account: Account | None, product_id: str, option_id: str) -> CartItem | None:
    """The item in the cart that is the same."""
    same = (row for row in _in_cart(state, account) if (row.product_id, row.option_id) == (product_id, option_id))
    return next(same, None)


def _wished(state: State, account: Account | None, product_id: str, option_id: str) -> WishItem | None:
    """The item on the wish list that is the same."""
    where, params = own(account)
    same = [*params, product_id, option_id]
    return next(iter(state.find(WishItem, f"{where} AND product_id = ? AND option_id = ?", same)), None)


def _more(row: T, quantity: int) -> T:
    """The item with so many more. Raises `Rejected` for more than an item may have."""
    total = row.quantity + quantity
    if total > _MOST:
        raise Rejected(f"{row.id} would have quantity {total} with these; it may have {_MOST}.")
    return row.model_copy(update={"quantity": total})


def _put(state: State, account: Account | None, product: Product, option: Option | None, quantity: int) -> CartItem:
    """A new item in the cart. Raises `Rejected` for what is there already, and for more than there are."""
    id = option.id if option else ""
    if there := _carted(state, account, product.id, id):
        raise Rejected(
            f"This is in the cart already, as {there.id} with quantity {there.quantity}; "
            "`update_cart_quantity` changes that."
        )
    _enough(product, option, quantity)
    return state.add(
        CartItem(product_id=product.id, option_id=id, quantity=quantity, added=state.now, username=username(account))
    )


def _wish(state: State, account: Account | None, product: Product, option_id: str, quantity: int) -> WishItem:
    """A new item on the wish list. Raises `Rejected` for what is there already."""
    if there := _wished(state, account, product.id, option_id):
        raise Rejected(f"This is on the wish list already, as {there.id} with quantity {there.quantity}.")
    return state.add(
        WishItem(
            product_id=product.id,
            option_id=option_id,
            quantity=quantity,
            added=state.now,
            username=username(account),
        )
    )


def _enough(product: Product, option: Option | None, quantity: int) -> None:
    left = stock(product, option)
    if quantity > left:
        named = f"{product.id} ({product.title}{f', {option.id}' if option else ''})"
        raise Rejected(
            f"{named} is out of stock."
            if not left
            else f"{named}: {left} {'is' if left == 1 else 'are'} left, not {quantity}."
        )


def _fewer(product: Product, option: Option | None, quantity: int) -> Product:
    """The product with so many taken off its stock."""
    if option is None:
        return product.model_copy(update={"stock": product.stock - quantity})
    left = option.model_copy(update={"stock": option.stock - quantity})
    return product.model_copy(update={"options": [left if each.id == left.id else each for each in product.options]})
