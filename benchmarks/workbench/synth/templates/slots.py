"""Slots by kind: how a value is said, and what people call the values there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.office import METRICS, Office
from benchmarks.workbench.synth.templates.base import SlotSpec
from harness.agents.reference import Words, Worker

__all__ = (
    "BOARDS", "MORE_OR_LESS", "OPEN_LISTS", "PLOT_TYPES", "PRODUCTS", "STATUSES", "choice", "clock",
    "colleague", "count", "customer", "day", "duration", "metric", "number", "period", "person", "quoted", "source",
    "subject",
)  # fmt: skip


MORE_OR_LESS: Mapping[str, str] = {"more": "more", "less": "less", "above": "more", "below": "less", "fewer": "less"}
PLOT_TYPES: Mapping[str, str] = {
    "bar chart": "bar",
    "line plot": "line",
    "scatter plot": "scatter",
    "histogram": "histogram",
    "bar": "bar",
    "line": "line",
    "scatter": "scatter",
    "line chart": "line",
}
BOARDS: Mapping[str, str] = {name: name for name in names.BOARDS}
OPEN_LISTS: Mapping[str, str] = {name: name for name in names.LISTS[:3]}
PRODUCTS: Mapping[str, str] = {name.lower(): name for name in names.PRODUCTS}
STATUSES: Mapping[str, str] = {name: name for name in names.STATUSES}


def _among(words: Mapping[str, Any]) -> Words:
    """Words that the tools themselves document."""

    async def known(worker: Worker) -> Mapping[str, Any]:
        return words

    return known


async def _colleagues(worker: Worker) -> Mapping[str, str]:
    """Everybody's first name, from the directory."""
    addresses = await worker.call("directory", "find_email_address", name="@")
    firsts = [address.partition(".")[0] for address in addresses]
    return {first: first for first in firsts}


async def _recent_subjects(worker: Worker) -> Mapping[str, str]:
    """Subjects of the latest mails."""
    mails = await worker.call("gmail", "search_emails", query="robin")
    return {mail["subject"]: mail["subject"] for mail in mails}


def person(role: str, domain: Callable[[Office], Sequence[str]], **record: Any) -> SlotSpec:
    """Somebody by first name; the value is in lower case."""
    return SlotSpec(kind="person", role=role, domain=domain, text=str.title, words=_colleagues, **record)


def colleague(role: str, **record: Any) -> SlotSpec:
    """Anybody in the company."""
    return person(role, lambda office: list(office.people), **record)


def quoted(
    kind: str, dimension: str, subdimension: str, options: Sequence[str], *, why: str, **record: Any
) -> SlotSpec:
    """A text given word for word; the wording puts it in quotation marks."""
    return SlotSpec(
        kind=kind, dimension=dimension, subdimension=subdimension, domain=lambda _: options, text=str, why=why, **record
    )


def subject(**record: Any) -> SlotSpec:
    """The subject line of mails that somebody sent."""
    return SlotSpec(
        kind="subject",
        domain=lambda office: sorted({mail["subject"] for mail in office.mails}),
        text=str,
        words=_recent_subjects,
        **record,
    )


def choice(kind: str, words: Mapping[str, str], **record: Any) -> SlotSpec:
    """One of a few values; `words` maps what people say to it, the first said being how requests say it."""
    said: dict[str, str] = {}
    for word, value in words.items():
        said.setdefault(value, word)
    return SlotSpec(
        kind=kind,
        domain=lambda _: list(said),
        text=said.__getitem__,
        words=_among(words),
        **record,
    )


def metric(**record: Any) -> SlotSpec:
    """A website figure; the value is what `create_plot` takes."""
    return choice("metric", {said: key for key, said in METRICS.items()}, **record)


def source(role: str, **record: Any) -> SlotSpec:
    """A traffic source, as the analytics app names it."""
    words = {"direct traffic": "direct", "referrals": "referral", "search engines": "search engine"}
    more = {name: name for name in names.SOURCES}
    return choice("traffic_source", {**words, **more}, role=role, **record)


def day(kind: str, domain: Callable[[Office], Sequence[str]], **record: Any) -> SlotSpec:
    """A date, said as month and day."""
    return SlotSpec(kind=kind, domain=domain, text=_said_day, **record)


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _said_day(value: str) -> str:
    when = date.fromisoformat(value)
    return f"{when:%B} {when.day}"


def duration(options: Sequence[int], **record: Any) -> SlotSpec:
    """A length in minutes, said before the thing that has it: a 30-minute meeting."""
    return SlotSpec(kind="duration", domain=lambda _: options, text=lambda value: f"{value}-minute", **record)


def period(options: Sequence[int], **record: Any) -> SlotSpec:
    """A stretch of days, said in weeks where it is whole weeks."""
    return SlotSpec(kind="period", domain=lambda _: options, text=_said_period, **record)


def _said_period(days: int) -> str:
    return f"{days} days" if days % 7 or days == 7 else f"{days // 7} weeks"


def number(options: Sequence[int], **record: Any) -> SlotSpec:
    """A threshold, in digits."""
    return SlotSpec(kind="threshold", domain=lambda _: options, text=str, **record)


def count(options: Sequence[int], **record: Any) -> SlotSpec:
    """A threshold that counts things, in words."""
    return SlotSpec(kind="threshold", domain=lambda _: options, text=_WORDS.__getitem__, **record)


def clock(options: Sequence[str], **record: Any) -> SlotSpec:
    """A time of day, said as hours and minutes."""
    return SlotSpec(kind="time", domain=lambda _: options, text=lambda value: value[:5], **record)


async def _some_customers(worker: Worker) -> Mapping[str, str]:
    """Names of a few customers, enough to guess from."""
    found = await worker.call("crm", "search_customers", customer_name="e")
    return {row["customer_name"]: row["customer_name"] for row in found}


def customer(**record: Any) -> SlotSpec:
    """A customer by full name."""
    return SlotSpec(
        kind="customer",
        domain=lambda office: [row["customer_name"] for row in office.customers],
        text=str,
        words=_some_customers,
        **record,
    )
