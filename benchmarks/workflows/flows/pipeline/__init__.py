"""A book of deals tidied and handed over: doubles, quiet deals, wrong sums and owners, and a list of what is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.pipeline import countries, fair, west
from benchmarks.workflows.flows.pipeline.book import TAKER, Book, Deal
from benchmarks.workflows.layout import TODAY, Layout, address, person
from benchmarks.workflows.plan import Plan, amount, cents, says, spoken

__all__ = ("FLOW",)


@dataclass(frozen=True, kw_only=True)
class _Laid:
    """A book with its ids."""

    book: Book
    ids: tuple[str, ...]
    mails: tuple[str, ...]
    notes: tuple[str, ...]
    count: int


def _lay(layout: Layout, number: int) -> _Laid:
    book = _BOOKS[number]
    companies, contacts = {}, {}
    for key, firm in book.firms.items():
        companies[key] = layout.customer(
            firm.name, domain=firm.domain, description=firm.told, owner=firm.owner or book.giver
        )
        contacts[firm.contact, key] = layout.contact(
            firm.contact, email=firm.email, owner=firm.owner or book.giver, company_id=companies[key],
            **({"last_contact_date": f"2026-03-{2 + len(companies):02d}"} if book.double == "both" else {}),
        )  # fmt: skip
    ids, mails, notes = [], [], 0
    for deal in book.deals:
        firm = book.firms[deal.firm]
        who = deal.contact or firm.contact
        if (who, deal.firm) not in contacts:
            contacts[who, deal.firm] = layout.contact(
                who, email="", owner=firm.owner or book.giver, company_id=companies[deal.firm]
            )
        owner = deal.owner or book.giver
        id = layout.add(
            "crm", "deals", "D", title=deal.title, owner=address(owner), amount=deal.amount, currency=deal.currency,
            stage=deal.stage, close_date=deal.close, company_id=companies[deal.firm],
            contact_id=contacts[who, deal.firm], description=deal.description,
        )  # fmt: skip
        ids.append(id)
        before = None
        for touch in deal.touches:
            if touch.kind == "step":
                layout.add(
                    "crm", "stage_changes", "H", deal_id=id, before=before, after=touch.text, day=touch.day,
                    by=address(owner),
                )  # fmt: skip
                before = touch.text
            elif touch.kind == "mail":
                subject, _, body = touch.text.partition("|")
                mails.append(layout.mail(firm.email, subject, body, at=f"{touch.day} 10:20"))
            else:
                notes += 1
                layout.about(id, touch.text, author=owner, day=touch.day, type=touch.kind)
    for path, at, text in book.papers:
        layout.file(path, text, at=at)
    mails += [layout.mail(who, subject, text, at=at) for who, subject, at, text in book.mails]
    for who, at, text in book.chat:
        layout.message("sales", who, text, at=at)
    own = tuple(layout.note(title, text, at=at) for title, at, text in book.notes)
    return _Laid(book=book, ids=tuple(ids), mails=tuple(mails), notes=own, count=notes)


def _plan(laid: _Laid, values: Values) -> Plan:
    book, taker = laid.book, values["taker"]
    if taker == book.giver:
        raise Unfit("they are whom it is taken from")
    lost, left = _settled(book, values["quiet"])
    if not any(why == book.quiet for why in lost.values()):
        raise Unfit("no deal is quiet for so long")
    owners = {place: _owner(book, book.deals[place], taker) for place in left}
    mine = [place for place in left if owners[place] == taker]
    if not mine:
        raise Unfit("nothing is left to take over")

    plan = Plan()
    look = plan.read("filesystem", "directory_tree", path="/workspace/sales")
    rules = plan.open(book.to_read[0], after=look)
    papers = [plan.open(path, after=rules) for path in book.to_read[1:]]
    deals = plan.read("crm", "find_records", kind="deal", stage="Open", detail="detailed", after=rules)
    firms = plan.read("crm", "find_records", kind="company", detail="detailed", after=deals)
    logged = [
        plan.read("crm", "find_records", kind="note", detail="detailed", after=deals, loop="notes", skip=skip)
        for skip in range(0, laid.count + 4, 20)
    ]
    if book.double == "ahead":
        logged += [plan.read("crm", "get_record", record_id=id, after=deals, loop="deals") for id in laid.ids]
    else:
        for place, deal in enumerate(book.deals):
            if deal.twin:
                logged += [
                    plan.read("crm", "get_record", record_id=laid.ids[each], after=deals, loop="deals")
                    for each in (deal.twin - 1, place)
                ]
    found = plan.read("gmail", "find_emails", query=book.search, after=deals)
    mails = [plan.conversation(id, after=found, loop="mails") for id in laid.mails]
    talk = plan.read("chat", "get_messages", channel="#sales", after=rules)
    listed = plan.read("simple_note", "find_notes", query="", after=rules)
    notes = [plan.read("simple_note", "get_note", note_id=id, after=listed, loop="own notes") for id in laid.notes]
    known = (*papers, firms, *logged, *mails, talk, *notes)

    gone: list[int] = []
    for why in dict.fromkeys(sorted(lost.values(), key=lambda each: each == book.quiet)):
        for place in sorted(place for place, reason in lost.items() if reason == why):
            gone.append(
                plan.change(
                    "crm", "move_deal", "deals", laid.ids[place], {"stage": "Lost", "closed": TODAY, "reason": why},
                    deal_id=laid.ids[place], stage="Lost", reason=why, after=(*gone[-1:], *known),
                    loop="quiet" if why == book.quiet else "doubles",
                )
            )  # fmt: skip
    saved = []
    for place in left:
        deal = book.deals[place]
        change: dict[str, Any] = {}
        given: dict[str, Any] = {}
        if owners[place] != (deal.owner or book.giver):
            change["owner"] = given["owner"] = address(owners[place])
        if left[place] != deal.amount:
            change["amount"] = given["amount"] = left[place]
        if deal.close < TODAY:
            change["close_date"] = given["close_date"] = values["closing"]
        if change:
            saved.append(
                plan.change(
                    "crm", "save_deal", "deals", laid.ids[place], change, deal_id=laid.ids[place],
                    after=(*gone, *known), loop="kept", **given,
                )
            )  # fmt: skip
    rows, total = _sheet(book, laid.ids, left, owners)
    sheet = plan.save_sheet(book.sheet, rows, after=(*gone, *saved))
    share = sum((_euros(book, book.deals[place], left[place]) for place in mine), Decimal(0))
    titles = [book.deals[place].title for place in mine]
    told = plan.mail(
        taker,
        f"Hello {person(taker).first},\n\nthese are yours now: {'; '.join(titles)}. They come to {share} EUR."
        f"\n\n{person('owner').first}",
        subject=book.subject,
        expects=says(*titles, amount(share)),
        after=sheet,
    )
    plan.book(
        book.event, start=f"{values['meeting']} 16:00", minutes=values["minutes"], people=(taker,), after=(told, talk)
    )
    plan.say(
        "sales",
        "C005",
        f"Tidied: {total} EUR are left, the list is {book.sheet.removeprefix('/workspace/')}",
        expects=says(amount(total), book.sheet.rpartition("/")[2]),
        after=sheet,
    )
    return plan


def _settled(book: Book, limit: int) -> tuple[dict[int, str], dict[int, int]]:
    """Places of the deals that are lost, with the reason, and of those that stay open, with the amount."""
    last = [max(touch.day for touch in deal.touches if touch.counts) if deal.touches else "" for deal in book.deals]
    sums = [deal.right or deal.amount for deal in book.deals]
    lost = {place: deal.lost for place, deal in enumerate(book.deals) if deal.lost and not deal.apart}
    for place, deal in enumerate(book.deals):
        if not deal.twin:
            continue
        stays = deal.twin - 1
        lost[place] = _DOUBLE[book.double]
        if book.double == "both":
            if last[place] > last[stays]:
                sums[stays], last[stays] = sums[place], last[place]
        elif book.double == "cards":
            last[stays] = max(last[stays], last[place])
    for place, deal in enumerate(book.deals):
        days = (date.fromisoformat(TODAY) - date.fromisoformat(last[place])).days
        if not deal.apart and place not in lost and not deal.spared and days > limit + deal.longer:
            lost[place] = book.quiet
    left = {place: sums[place] for place, deal in enumerate(book.deals) if not deal.apart and place not in lost}
    return lost, left


def _owner(book: Book, deal: Deal, taker: str) -> str:
    firm = book.firms[deal.firm]
    if book.double == "ahead" and not firm.truth:
        big = _euros(book, deal, deal.right or deal.amount) >= 12000
        return taker if big else book.owners["small"]
    found = book.owners.get(firm.truth, firm.truth)
    return taker if found == TAKER else found


def _sheet(
    book: Book, ids: tuple[str, ...], left: Mapping[int, int], owners: Mapping[int, str]
) -> tuple[list[tuple[Any, ...]], Decimal]:
    """The list that a book's rules want, and the sum that is told of it."""
    euros = {place: _euros(book, book.deals[place], left[place]) for place in left}
    if book.double == "both":
        weighted = {place: cents(euros[place] * _WEIGHTS[book.deals[place].stage] / 100) for place in left}
        rows: list[tuple[Any, ...]] = [
            (ids[place], book.deals[place].title, person(owners[place]).first, book.deals[place].stage, euros[place],
             weighted[place])
            for place in left
        ]  # fmt: skip
        return [("number", "deal", "owner", "stage", "EUR", "weighted"), *rows], sum(weighted.values(), Decimal(0))
    total = sum(euros.values(), Decimal(0))
    if book.double == "ahead":
        names = sorted({person(who).name for who in owners.values()})
        rows = []
        for name in names:
            theirs = [euros[place] for place in left if person(owners[place]).name == name]
            rows.append((name, len(theirs), sum(theirs, Decimal(0))))
        return [("owner", "deals", "EUR"), *rows], total
    rows = []
    cards = _trades(book)
    for trade in sorted(set(cards.values())):
        theirs = [euros[place] for place in left if cards[book.deals[place].description] == trade]
        rows.append((trade, list(cards.values()).count(trade), len(theirs), sum(theirs, Decimal("0.00"))))
    return [("trade", "cards", "open", "EUR"), *rows], total


def _trades(book: Book) -> dict[str, str]:
    """Of each card, as deals name it, the trade."""
    (text,) = (text for path, _, text in book.papers if path.endswith("/cards.csv"))
    lines = (line.split(",") for line in text.splitlines()[1:])
    return {f"Card {number}": trade for number, _, trade, *_ in lines}


def _euros(book: Book, deal: Deal, value: int) -> Decimal:
    return cents(value * book.rates[deal.currency])


_BOOKS: Final = (countries.BOOK, west.BOOK, fair.BOOK)
_DOUBLE: Final = {"both": "Entered twice", "ahead": "Same site", "cards": "Card typed twice"}
_WEIGHTS: Final = {"Lead": 10, "Qualified": 25, "Proposal": 40, "Negotiation": 75}


FLOW: Final = Flow(
    name="pipeline",
    domain="sales",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "quiet": SlotSpec(
            kind="period", dimension="constraint", subdimension="numeric_bound", options=(45, 60, 90),
            text=lambda value: f"{value} days", why="The rules leave it to whoever orders the tidying.",
        ),
        "taker": SlotSpec(
            kind="person", role="who takes over", dimension="goal", subdimension="target",
            options=("am1", "am2", "sales_vp", "sdr"), text=lambda post: person(post).first,
            why="The rules say that this is told each time; all of them sell.",
        ),
        "closing": SlotSpec(
            kind="date", role="new close date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-04-30", "2026-06-30", "2026-07-31"), why="The rules say that somebody sets it.",
        ),
        "meeting": SlotSpec(
            kind="date", role="day of the talk", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-25", "2026-03-27", "2026-03-31"), why="Nothing says when.",
        ),
        "minutes": SlotSpec(
            kind="duration", dimension="context", subdimension="conventions", options=(45, 30, 60),
            text=lambda value: f"{value} minutes", guessability=1.0, why="The rules say how long such talks take.",
        ),
    },
    cases=(
        Case(
            wording=(
                "Delphine is going back to finding new customers, so her book of deals has to be handed over. "
                "Please follow handing_over.md in the sales folder, from the duplicates to the list. Anything "
                "without a contact for more than {quiet} is quiet. {taker} takes over the book, and close dates in "
                "the past become {closing}. When the CRM is right and the list is there, write a mail \"Your new "
                "deals\" to whoever takes over: the titles of all deals in the book that are theirs now, and what "
                "they come to in EUR, unweighted. Put \"Hand-over talk\" in my calendar with them, just the two of "
                "us, {minutes} on {meeting} at four in the afternoon. And tell #sales the weighted total of the "
                "list and what the file is called."
            ),
            values={"quiet": 60, "taker": "sales_vp", "closing": "2026-06-30", "meeting": "2026-03-25", "minutes": 45},
        ),
        Case(
            wording=(
                "Time to sort out North America. How it's done is described in sales/west, and I'd like all of it "
                "done today, CRM and list both. A deal without progress for more than {quiet} is asleep. The big "
                "ones go to {taker}, and close dates in the past move to {closing}. Whoever gets the big ones "
                "should have a mail from me, subject \"The big ones in the west\", with the titles of all deals "
                "they now have there and their total in EUR. I want {minutes} with that person on {meeting}, 4 pm, "
                "\"North America, who has what\", just the two of us. In #sales say how many EUR are left in the "
                "west altogether, with the name of the list."
            ),
            values={"quiet": 45, "taker": "am1", "closing": "2026-07-31", "meeting": "2026-03-27", "minutes": 45},
        ),
        Case(
            wording=(
                "We never cleared up after the fair in Antwerp, and it shows in the CRM. The page is "
                "sales/fair/after_the_fair.md; please follow it to the letter, up to and including result.csv. For "
                "amber cards, quiet means more than {quiet} without an answer. Trades that trades.csv lists as "
                "open go to {taker}, and close dates in the past move to {closing}. Then mail the new owner of "
                "these trades, \"What Antwerp left you\", naming every deal from the fair that is now theirs and "
                "their total in EUR. I'd like to talk to them for {minutes}, just the two of us, at 16:00 on "
                "{meeting}; call it \"After Antwerp\". Finally, a line in #sales with the amount in EUR still open "
                "from the fair, and the file that has it."
            ),
            values={"quiet": 60, "taker": "sales_vp", "closing": "2026-04-30", "meeting": "2026-03-31", "minutes": 45},
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
