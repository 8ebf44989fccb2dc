"""The rows of the table about what people say of a product: reviews, questions and answers. Reading needs no login."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from servers.amazon.owning import author
from servers.amazon.pi import ProductId, Query, pi
from servers.amazon.tables import Answer, Product, Question, Review
from servers.kernel import Account, Page, Rejected, Skip, State, one_line, paged, required, signed_in, to_minute, worded

__all__ = ()

_SHORT, _LONG = 200, 5_000

_QuestionQuery = Annotated[
    str,
    Field(description="Words that all occur in the question or its answers, case-insensitive; empty for all."),
]


class Opinion(BaseModel):
    """A review."""

    id: str
    stars: int
    title: str
    text: str | None
    author: str
    written: str


class Reviewed(Opinion):
    """A review that was written."""

    product_id: str


class Asked(BaseModel):
    """A question, and how many answers it has."""

    id: str
    text: str
    author: str
    asked: str
    answers: int


class Reply(BaseModel):
    """An answer."""

    text: str
    author: str
    by_seller: bool
    answered: str


class Answered(BaseModel):
    """A question with its answers, oldest first."""

    id: str
    text: str
    author: str
    asked: str
    answers: list[Reply]


class Posted(BaseModel):
    """A question that was posted."""

    id: str
    product_id: str
    text: str
    author: str
    asked: str


@pi.reads
def view_product_reviews(
    state: State,
    product_id: ProductId,
    stars: Annotated[int | None, Field(ge=1, le=5, description="Only reviews with this many stars.")] = None,
    query: Query = "",
    sort: Annotated[Literal["newest", "best", "worst"], Field(description="Which come first.")] = "newest",
    skip: Skip = 0,
) -> Page[Opinion]:
    """List the reviews of a product."""
    state.get(Product, product_id)
    where, params = worded(query, "title", "text")
    order = {"newest": "", "best": "stars DESC, ", "worst": "stars, "}[sort]
    found = state.find(
        Review,
        f"product_id = ? AND (? IS NULL OR stars = ?) AND {where}",
        [product_id, stars, stars, *params],
        order=f"{order}written DESC, _ord DESC",
    )
    return paged(found, skip, _opinion)


@pi.reads
def view_product_questions(
    state: State, product_id: ProductId, query: _QuestionQuery = "", skip: Skip = 0
) -> Page[Asked]:
    """List the questions about a product, newest first. `view_product_qa` has the answers."""
    found = _questions(state, product_id, query)
    return paged(
        found,
        skip,
        lambda row: Asked(
            id=row.id, text=row.text, author=row.author, asked=to_minute(row.asked), answers=len(_answers(state, row))
        ),
    )


@pi.reads
def view_product_qa(state: State, product_id: ProductId, query: _QuestionQuery = "", skip: Skip = 0) -> Page[Answered]:
    """List the questions about a product with their answers, newest question first."""
    found = _questions(state, product_id, query)
    return paged(
        found,
        skip,
        lambda row: Answered(
            id=row.id,
            text=row.text,
            author=row.author,
            asked=to_minute(row.asked),
            answers=[
                Reply(text=each.text, author=each.author, by_seller=each.by_seller, answered=to_minute(each.answered))
                for each in _answers(state, row)
            ],
        ),
    )


@pi.writes
def post_product_question(
    state: State, product_id: ProductId, question: Annotated[str, Field(max_length=_LONG, description="The question.")]
) -> Posted:
    """Ask a question about a product, for all to see."""
    account = signed_in(state)
    product, text = state.get(Product, product_id), question.strip()
    required(question=text)
    if there := state.find(Question, "product_id = ? AND lower(text) = lower(?)", [product.id, text]):
        raise Rejected(
            f"This was asked about {product.id} already, as {there[0].id}; `view_product_qa` has the answers."
        )
    row = state.add(
        Question(
            product_id=product.id,
            text=text,
            author=author(state, account),
            asked=state.now,
            username=_writer(state, account),
        )
    )
    return Posted(id=row.id, product_id=product.id, text=text, author=row.author, asked=to_minute(row.asked))


@pi.writes
def write_product_review(
    state: State,
    product_id: ProductId,
    stars: Annotated[int, Field(ge=1, le=5, description="From 1, bad, to 5, very good.")],
    title: Annotated[str, Field(max_length=_SHORT, description="Title, in one line.")],
    text: Annotated[str, Field(max_length=_LONG, description="The review.")] = "",
) -> Reviewed:
    """Review a product, for all to see; one review a product."""
    account = signed_in(state)
    product, head = state.get(Product, product_id), title.strip()
    required(title=head)
    one_line(title=head)
    writer = _writer(state, account)
    if writer and (there := state.find(Review, "product_id = ? AND username = ?", [product.id, writer])):
        raise Rejected(f"You have reviewed {product.id} already, in {there[0].id}.")
    row = state.add(
        Review(
            product_id=product.id,
            stars=stars,
            title=head,
            text=text,
            author=author(state, account),
            written=state.now,
            username=writer,
        )
    )
    return Reviewed(**dict(_opinion(row)), product_id=product.id)


def _opinion(row: Review) -> Opinion:
    """A review as it is shown."""
    return Opinion(
        id=row.id,
        stars=row.stars,
        title=row.title,
        text=row.text or None,
        author=row.author,
        written=to_minute(row.written),
    )


def _questions(state: State, product_id: str, query: str) -> list[Question]:
    """Those with each word in the question or an answer, newest first."""
    state.get(Product, product_id)
    where, params = worded(query, "q.text", "coalesce(a.said, '')")
    rows = state.query(
        "SELECT q.id FROM questions q LEFT JOIN (SELECT question_id, string_agg(text, ' ') AS said FROM answers "
        f"GROUP BY 1) a ON a.question_id = q.id WHERE q.product_id = ? AND {where} ORDER BY q.asked DESC, q._ord DESC",
        [product_id, *params],
    )
    return [state.get(Question, id) for (id,) in rows]


def _answers(state: State, question: Question) -> list[Answer]:
    return state.find(Answer, "question_id = ?", [question.id], order="answered")


def _writer(state: State, account: Account | None) -> str:
    """Who writes in public: reviews of no account are strangers', so without accounts it is the owner."""
    return account.username if account else state.address
