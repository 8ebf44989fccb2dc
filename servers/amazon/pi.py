"""The rows of pi-Bench's table of tools that show the catalogue; nobody has to log in.

`pi_saying`, `pi_account` and `pi_buying` have the rest. Nothing that shows a product counts as a visit.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from servers.amazon.shown import (
    Choice,
    Listed,
    Rating,
    choice,
    listed,
    price,
    ratings,
    sellers,
    stock,
    ways,
)
from servers.amazon.tables import Option, Product, ProductType, Question, Seller, app
from servers.kernel import Page, Ref, Rejected, Skip, State, items_of, paged, worded

__all__ = ("OptionId", "ProductId", "Query", "pi")

pi = app.toolset(
    "pi",
    "An online shop, at which {owner} ({address}) shops. Prices are in pounds. Begin with `search_products`; if a "
    "tool says so, `log_in` first.",
    structured=False,
)

ProductId = Annotated[str, Ref(Product), Field(description="Id of a product (P12), as returned by `search_products`.")]
SellerId = Annotated[str, Ref(Seller), Field(description="Id of a seller (S3), as returned by `search_sellers`.")]
OptionId = Annotated[
    str, Field(description="Option, as returned by `view_product_options`; leave out for a product without options.")
]
Query = Annotated[str, Field(description="Words that all occur, in any order, case-insensitive; empty for all.")]
Pounds = Annotated[float | None, Field(ge=0, le=1_000_000)]


class Kind(BaseModel):
    """A product type, and how many products are of it."""

    id: str
    name: str
    department: str
    products: int


class Vendor(BaseModel):
    """A seller; `rating` is that of all reviews of what they sell."""

    id: str
    name: str
    city: str
    delivery_days: int
    products: int
    rating: float | None
    reviews: int


class Shop(Vendor):
    """A seller, in full."""

    about: str
    since: date


class Whole(Listed):
    """A product in full."""

    description: str
    features: list[str] | None
    questions: int


@pi.reads
def search_product_types(state: State, query: Query = "", skip: Skip = 0) -> Page[Kind]:
    """Find types of products by name or department."""
    where, params = worded(query, "name", "department")
    counts = dict(state.query("SELECT type_id, count(*) FROM products GROUP BY 1"))
    found = state.find(ProductType, where, params, order="name")
    return paged(
        found,
        skip,
        lambda row: Kind(id=row.id, name=row.name, department=row.department, products=counts.get(row.id, 0)),
    )


@pi.reads
def search_products(
    state: State,
    query: Query = "",
    product_type_id: Annotated[
        str | None, Ref(ProductType), Field(description="Only of this type (PT4), from `search_product_types`.")
    ] = None,
    seller_id: Annotated[
        str | None, Ref(Seller), Field(description="Only by this seller (S3), from `search_sellers`.")
    ] = None,
    min_price: Annotated[Pounds, Field(description="Only at this price in pounds or more.")] = None,
    max_price: Annotated[Pounds, Field(description="Only at this price in pounds or less.")] = None,
    min_rating: Annotated[float | None, Field(ge=1, le=5, description="Only with this rating or a better one.")] = None,
    in_stock: Annotated[bool, Field(description="Only what is in stock.")] = False,
    sort: Annotated[
        Literal["relevance", "cheapest", "dearest", "rating", "reviews"],
        Field(description="Order. relevance: those with more of the words in the title first."),
    ] = "relevance",
    skip: Skip = 0,
) -> Page[Listed]:
    """Find products by words in title, brand, type, description or features.

    Prices and stock are of the options that meet these conditions; `price` is that of the cheapest.
    """
    kinds = {row.id: row for row in state.find(ProductType)}
    where, params = worded(query, "title", "brand", "description", items_of("features"), "type_name")
    rows = state.query(
        "SELECT id FROM (SELECT p.*, coalesce(t.name, '') AS type_name, p._ord AS place FROM products p "
        f"LEFT JOIN product_types t ON t.id = p.type_id) WHERE {where} ORDER BY place",
        params,
    )
    if product_type_id is not None:
        state.get(ProductType, product_type_id)
    if seller_id is not None:
        state.get(Seller, seller_id)
    if min_price is not None and max_price is not None and min_price > max_price:
        raise Rejected(f"min_price, {min_price:g}, is above max_price, {max_price:g}.")
    wanted, rated, vendors = {id for (id,) in rows}, ratings(state), sellers(state)
    least, most = round((min_price or 0) * 100), None if max_price is None else round(max_price * 100)

    def fits(product: Product, option: Option | None) -> bool:
        costs = price(product, option)
        return costs >= least and (most is None or costs <= most) and (not in_stock or stock(product, option) > 0)

    found = [
        (product, fitting)
        for product in state.find(Product)
        if product.id in wanted
        and product_type_id in (None, product.type_id)
        and seller_id in (None, product.seller_id)
        and (min_rating is None or (_rating(rated, product).mean or 0) >= min_rating)
        and (fitting := [option for option in ways(product) if fits(product, option)])
    ]
    words = [word.lower() for word in query.split()]

    def rank(each: tuple[Product, list[Option | None]]) -> tuple[float, ...]:
        product, fitting = each
        rating = _rating(rated, product)
        if sort == "relevance":
            return (-sum(word in product.title.lower() for word in words),)
        if sort == "rating":
            return (-(rating.mean or 0), -rating.reviews)
        costs = min(price(product, option) for option in fitting)
        return ({"cheapest": costs, "dearest": -costs, "reviews": -rating.reviews}[sort],)

    return paged(
        sorted(found, key=rank),
        skip,
        lambda each: listed(
            each[0], _rating(rated, each[0]), vendors[each[0].seller_id], kinds[each[0].type_id], each[1]
        ),
    )


@pi.reads
def search_sellers(state: State, query: Query = "", skip: Skip = 0) -> Page[Vendor]:
    """Find sellers by name, city or what they say about themselves."""
    where, params = worded(query, "name", "city", "about")
    return paged(state.find(Seller, where, params, order="name"), skip, lambda row: Vendor(**_vendor(state, row)))


@pi.reads
def view_seller(state: State, seller_id: SellerId) -> Shop:
    """Show a seller."""
    row = state.get(Seller, seller_id)
    return Shop(**_vendor(state, row), about=row.about, since=row.since)


@pi.reads
def view_product(state: State, product_id: ProductId) -> Whole:
    """Show a product in full; `view_product_options` shows sizes and colours."""
    row = state.get(Product, product_id)
    kind, seller = state.get(ProductType, row.type_id), state.get(Seller, row.seller_id)
    return Whole(
        **listed(row, _rating(ratings(state), row), seller, kind).model_dump(),
        description=row.description,
        features=row.features or None,
        questions=len(state.find(Question, "product_id = ?", [row.id])),
    )


@pi.reads
def view_product_options(
    state: State,
    product_id: ProductId,
    in_stock: Annotated[bool, Field(description="Only what is in stock.")] = False,
    skip: Skip = 0,
) -> Page[Choice]:
    """List the options of a product, such as sizes and colours, with the price and stock of each."""
    product = state.get(Product, product_id)
    found = [option for option in product.options if option.stock or not in_stock]
    return paged(found, skip, lambda option: choice(product, option))


def _rating(rated: dict[str, Rating], product: Product) -> Rating:
    return rated.get(product.id, Rating())


def _vendor(state: State, row: Seller) -> dict[str, Any]:
    ((products,),) = state.query("SELECT count(*) FROM products WHERE seller_id = ?", [row.id])
    ((stars, reviews),) = state.query(
        "SELECT CAST(coalesce(sum(r.stars), 0) AS BIGINT), count(*) FROM reviews r "
        "JOIN products p ON p.id = r.product_id WHERE p.seller_id = ?",
        [row.id],
    )
    return {
        "id": row.id,
        "name": row.name,
        "city": row.city,
        "delivery_days": row.delivery_days,
        "products": products,
        "rating": Rating(stars, reviews).mean,
        "reviews": reviews,
    }
