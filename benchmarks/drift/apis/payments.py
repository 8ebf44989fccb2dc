"""Tasks over invoices and payments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Taken, change, changes, insert, template, told, where
from benchmarks.drift.apis.mentions import Way, amount, choice, day, item
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import CHRISTMAS, orders_billed
from benchmarks.drift.apis.worlds import TODAY, days
from benchmarks.drift.template import Outcome, Rows, Template, Values

__all__ = ("TEMPLATES",)


def _amount_truth(rows: Rows, taken: Taken) -> Outcome | None:
    return told((row["amount"] for row in where(rows, "invoices", order_id=taken["order"])), "number")


def _amount(play: Play, v: Mapping[str, Any]) -> None:
    play.answer(play("payments", "get_invoice", invoice_id=finding.invoice(play, v["order"]))["amount"])


INVOICE_AMOUNT: Final = template(
    "invoice-amount",
    "apis-brisa",
    (item("order", "order", "order", lambda rows, values: orders_billed(rows, "open"), past=CHRISTMAS),),
    ("How much is the invoice for {order}, in euros?", "What does the invoice for {order} come to in euros?"),
    _amount_truth,
    _amount,
    kind="read",
)


def _pay_truth(rows: Rows, taken: Taken) -> Outcome | None:
    (invoice,) = where(rows, "invoices", order_id=taken["order"])
    if invoice["status"] == "paid":
        return None
    paid = {"invoice_id": invoice["id"], "amount": invoice["amount"], "method": taken["method"]}
    return changes(change("invoices", invoice["id"], status="paid"), insert("payments", **paid, made=TODAY.isoformat()))


def _pay(play: Play, v: Mapping[str, Any]) -> None:
    play("payments", "pay_invoice", invoice_id=finding.invoice(play, v["order"]), method=v["method"])


def _method_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("E1", "with plastic", ["card"])
    yield Way("E1", "in notes and coins", ["cash"])
    yield Way("E1", "through the bank", ["transfer"])
    yield Way("A2", "without cash", ["card", "transfer"])
    yield Way("A2", "some way other than by transfer", ["card", "cash"])
    (invoice,) = where(rows, "invoices", order_id=values["order"].value)
    others = [row["id"] for row in where(rows, "invoices", customer_id=invoice["customer_id"], status="paid")]
    last = {row["method"] for row in rows["payments"] if row["invoice_id"] in others}
    if len(last) == 1:
        yield Way("A2", "the way they have paid before", ["card", "transfer", "cash"], left=list(last))
    yield Way("P1", "by the cheque they sent", ["card", "transfer", "cash"], "No cheque was sent.")


PAY_INVOICE: Final = template(
    "pay-invoice",
    "apis-harwick",
    (
        item(
            "order",
            "order",
            "order",
            lambda rows, values: orders_billed(rows, "open"),
            past=CHRISTMAS,
            already=lambda rows, values: orders_billed(rows, "paid"),
            state="is paid for",
        ),
        choice(
            "method",
            "value",
            "way of paying",
            " {value}",
            {"card": "by card", "transfer": "by transfer", "cash": "in cash"},
            _method_ways,
        ),
    ),
    ("Pay the invoice for {order}{method}.", "The invoice for {order} is to be paid{method}. Please do that."),
    _pay_truth,
    _pay,
    kind="insert",
    risky=True,
)


def _due_truth(rows: Rows, taken: Taken) -> Outcome | None:
    (invoice,) = where(rows, "invoices", order_id=taken["order"])
    if invoice["status"] == "paid" or taken["due"] < TODAY.isoformat() or invoice["due"] == taken["due"]:
        return None
    return changes(change("invoices", invoice["id"], due=taken["due"]))


def _due(play: Play, v: Mapping[str, Any]) -> None:
    play("payments", "set_due_date", invoice_id=finding.invoice(play, v["order"]), due=v["due"])


def _dues(rows: Rows, values: Values) -> Sequence[str]:
    return [each.isoformat() for each in days(8, 28)]


def _past_due(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("P4", "19 March", list(_dues(rows, values)), "19 March has passed.")


DUE_DATE: Final = template(
    "due-date",
    "apis-tallen",
    (
        item(
            "order",
            "order",
            "order",
            lambda rows, values: orders_billed(rows, "open"),
            past=CHRISTMAS,
            already=lambda rows, values: orders_billed(rows, "paid"),
            state="is paid for",
        ),
        day("due", "day by which it is to be paid", " to {value}", _dues, _past_due),
    ),
    ("Move the due date of the invoice for {order}{due}.", "Set the due date of the invoice for {order}{due}."),
    _due_truth,
    _due,
    kind="change",
)


def _refund_truth(rows: Rows, taken: Taken) -> Outcome | None:
    (invoice,) = where(rows, "invoices", order_id=taken["order"])
    for payment in where(rows, "payments", invoice_id=invoice["id"]):
        if taken["amount"] <= payment["amount"] - payment["refunded"]:
            return changes(change("payments", payment["id"], refunded=payment["refunded"] + taken["amount"]))
    return None


def _refund(play: Play, v: Mapping[str, Any]) -> None:
    (payment,) = play.items("payments", "find_payments", invoice_id=finding.invoice(play, v["order"]))
    play("payments", "refund_payment", payment_id=payment["payment_id"], amount=v["amount"])


def _refunds(rows: Rows, values: Values) -> Sequence[int]:
    (invoice,) = where(rows, "invoices", order_id=values["order"].value)
    return [euros for euros in (5, 8, 10, 12, 15, 20, 25, 30, 40) if euros < invoice["amount"]]


def _refund_ways(rows: Rows, values: Values) -> Iterable[Way]:
    (invoice,) = where(rows, "invoices", order_id=values["order"].value)
    sums = list(_refunds(rows, values))
    yield Way("E4", "a small sum", sums[: len(sums) // 2])
    yield Way("E4", "a decent sum", sums[len(sums) // 2 :])
    much = invoice["amount"] + 50
    yield Way("P4", f"{much} euros", sums, f"They did not even pay {much} euros.")


REFUND: Final = template(
    "refund",
    "apis-brisa",
    (
        item("order", "order", "order", lambda rows, values: orders_billed(rows, "paid"), past=CHRISTMAS),
        amount("amount", "euros to refund", "{value} of", _refunds, _refund_ways, unit=" euros", without="some of"),
    ),
    ("Refund {amount} what was paid for {order}.", "Please give back {amount} the payment for {order}."),
    _refund_truth,
    _refund,
    kind="change",
    risky=True,
)


TEMPLATES: Final[tuple[Template, ...]] = (
    INVOICE_AMOUNT,
    PAY_INVOICE,
    DUE_DATE,
    REFUND,
)
