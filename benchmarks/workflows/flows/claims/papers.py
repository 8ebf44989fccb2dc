"""What is written about a round: the house's rules, the bench, terms, counts, and what only looks like it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from benchmarks.workflows.flows.claims.rounds import MOST_FREIGHT, ROUNDS, Claim, Line, Round
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import spoken

__all__ = ("OTHER_RATES", "letters", "old", "rules")

OTHER_RATES: Final = {("GBP", "2026-01"): "1.135", ("CAD", "2026-01"): "0.623"}
"""What rates.csv has, where it is wrong."""
_FEE: Final = (
    "Gareth,\n\nwe sold {name} the wrong thing this winter and I will not charge them for saying so. Their fee is "
    "{fee} percent from now on, your round included, whatever the year of the invoice. The days stay as they "
    "are.\n\nGiulia",
    "Gareth,\n\n{name} signed for another two years. In return their fee goes down to {fee} percent, starting "
    "with the current round, for invoices of either year. Nothing else in the terms changes.\n\nGiulia",
    "Gareth,\n\n{name} order, have a look and send it back, every month. As of this round their fee is {fee} percent, "
    "for invoices of either year. The time they have and the rest of our rules stay as they are.\n\nGiulia",
)
_ASKED: Final = (
    "could we not waive the fee for {name} as well? they have been lovely on the phone. just an idea",
    "I would love to let {name} off the fee this once, the winter was hard on them. Giulia, what do you think?",
    "{name} asked me whether the fee is really necessary. I would say no, but it isn't my call",
)
_LEAST: Final = """
   If goods and freight of a claim come to less than {least} EUR together, both are 0. A replacement still goes out."""
_HALF: Final = """
   Unwanted goods that are back in the first half of those days (the middle day included) are charged half the fee."""
_RECALL: Final = """
   Lot {lot} has been recalled: whatever comes back from it is a defect, no matter what the bench found."""
_WHOLE: Final = "all pieces of a line if that many are free; otherwise none, and the line is credited"
_PART: Final = "as many pieces of a line as are free, and only the rest is credited"
_RULES: Final = """\
# How we settle claims

1. A round has a folder, named after its last day, with a register for each customer; a claim has several lines,
   numbered from 1. What came back after that day waits for the next round: no line, and nobody is told. A claim that
   is in the register twice (same customer, products, pieces; invoice numbers get mistyped) is settled once, under the
   lower number.
2. We settle the pieces that the hall counted (goods_in_*.csv), not those that the customer wrote down. If Tamsin
   recounts and says so in #operations, her count applies; if she recounts twice, the later one.
3. The reason for a line is what the customer says, unless Farah's bench found another; her last word counts.{recall}
4. What a piece cost is its price on the invoice (invoice_lines.csv) less the rebate of the invoice (invoices.csv).
   Rebates agreed after an invoice was printed are in the notes to the customer in the CRM.
5. Defect, transit and wrong item are our fault: the full cost. Unwanted: the cost less the fee, if the goods were back
   within the days to return, counted from the day of the invoice; nothing if they were not. If Giulia gave somebody
   more time for an invoice, it is in Gareth's calendar as "More time: CUSTOMER". Misuse: nothing at all.{half}
6. The terms for the year of the invoice apply (terms_2025.csv, terms_2026.csv). Only Giulia changes terms, and her last
   word counts. What others write about terms is wishful thinking.
7. Customers who want a replacement get the lines that are our fault from the exchange stock (exchange_stock.csv):
   {stock}. Free means on the shelf and not
   promised. First back, first served; on the same day the lower claim comes first, and within a claim line by line.
   Replaced pieces are not credited.
8. Everything is settled in EUR: goods at the rate for the month of the invoice, freight at that for the month of the
   waybill (rates.csv; Wanda posts corrections to it in #general). The goods of each line, after the fee and in EUR, are
   rounded to cents, halves up, and then added up; nothing is rounded before that.
9. Of its freight (freight_back.csv) a claim gets the share of its pieces that are our fault, replaced ones included,
   among all its pieces: in EUR, rounded to cents once, and at most {most} EUR a claim.{least}
10. `settlement.csv` in the folder of the round: claim, pieces, goods EUR, freight EUR, credit EUR; by claim, all that
    are settled, those that get nothing with 0. Pieces are all that were settled, replaced ones included; credit is
    goods plus freight.
11. `replacements.csv` beside it: claim, line, product, pieces; by claim and line, only what goes out.
12. Each customer in the round gets one mail, to its contact in the CRM, subject "Your claims". It gives the number of
    each settled claim and its credit in EUR, 0.00 if there is none, and how many pieces we are sending for it, if any.
    If a contact has written to us from another address since, put that in the CRM first.
13. The company's record in the CRM gets a note, word for word "Round MMDD: N EUR", N being the sum of its credits with
    two decimals, no thousands separator (Round 0227: 81.50 EUR).
14. We talk about a round at 10:00, unless Gareth wants another time.
"""


def rules(of: Round) -> str:
    """The house's page, as it is for a round."""
    return _RULES.format(
        half=_HALF if of.half else "",
        recall=_RECALL.format(lot=of.recall) if of.recall else "",
        stock=_PART if of.part else _WHOLE,
        least=_LEAST.format(least=of.least) if of.least != "0" else "",
        most=MOST_FREIGHT,
    )


def old(of: Round, firm: int) -> str:
    """Where a customer's contact was written to until now."""
    return f"{of.firms[firm].contact.lower().replace(' ', '.')}@{of.firms[firm].domain}"


class _Place(NamedTuple):
    """A line of a claim, and what the papers say of it at first."""

    claim: Claim
    number: int
    line: Line

    @property
    def name(self) -> str:
        return f"{self.claim.number} line {self.number}"


def letters(layout: Layout, of: Round, companies: Mapping[int, str]) -> tuple[str, ...]:
    """Lay out all that was said; the mails that count. `companies` are the customers' ids in the CRM."""
    number = next(n for n, each in enumerate(ROUNDS) if each.tag == of.tag)
    places = [
        _Place(claim, n, line)
        for claim in sorted(of.claims, key=lambda claim: claim.number)
        if not claim.state
        for n, line in enumerate(claim.lines, 1)
    ]
    found = [place for place in places if place.line.seen != place.line.reason]
    counted = [place for place in places if place.line.came != place.line.hall]
    plain = [place for place in places if place not in found and place not in counted and place.number > 1]
    ((favoured, fee),) = of.fees.items()
    name = of.firms[favoured].name
    first, *rest = found
    second = rest.pop()
    said = "\n".join(f"{place.name}: {place.line.seen}" for place in rest)
    wrong = "misuse" if first.line.seen != "misuse" else "transit"
    mails = [
        layout.mail(
            "qa", f"On the bench: claims of round {of.tag}",
            f"Hi Gareth,\n\nI have opened everything from this round that was said to be broken or that rattled. "
            f"Where I differ from the register:\n\n{first.name}: {wrong}\n{said}\n\nThe rest is what the customer says "
            "it is, as far as I have seen it.\n\nFarah", at="2026-03-16 15:12",
        ),
        layout.mail(
            "qa", "Two more from the bench",
            f"Hi Gareth,\n\nI looked at {first.name} again with better light: it is {first.line.seen}, and I take "
            f"back what I said. And {second.name}, which I had overlooked in its box, is {second.line.seen}.\n\nFarah",
            at="2026-03-17 16:34",
        ),
        layout.mail("sales_vp", f"{name}: fee", _FEE[number].format(name=name, fee=max(of.first_word, 0) or fee),
                    at="2026-03-12 16:40"),
    ]  # fmt: skip
    layout.mail(
        "sales_vp", "Terms for 2027", "Gareth,\n\nfor next year I am thinking of ten days less to return and five "
        "percent "
        f"more for everybody, {of.firms[0].name} included. We'll discuss it in the autumn; it doesn't affect you "
        "now.\n\nGiulia", at="2026-03-13 11:05",
    )  # fmt: skip
    layout.mail(
        "support", "Help desk claims", "Hi Gareth,\n\nwe had two claims of our own this week, both about "
        f"passwords. Nothing came back, nothing is owed. {of.firms[1].name} were one of them.\n\nKieran",
        at="2026-03-16 10:20",
    )  # fmt: skip
    talk = [
        ("sales", of.author, "2026-03-17 15:20", _ASKED[number].format(name=of.firms[of.asked].name)),
        ("general", "controller", "2026-03-11 09:48", "rates.csv, for whoever settles claims: January is 1.153 for the "
         "pound and 0.632 for the Canadian dollar, I swapped digits in both"),
        ("general", "marketing", "2026-03-12 14:30", "the open rate of our newsletter was 31 percent in "
         "February, thank you all"),
        ("operations", "facility", "2026-03-17 17:02", f"{plain[3].name} looked more like "
         f"{plain[3].line.came + 2} to me when it went past"),
        ("operations", "junior", "2026-03-17 17:35", f"{plain[8].name} is one short if you ask me, but I didn't "
         "open the small box"),
    ]  # fmt: skip
    if of.first_word >= 0:
        talk.append(("sales", "sales_vp", "2026-03-16 17:05", f"{name} again: I was too quick on the 12th. The fee is "
                     f"{fee} percent, for this round too."))  # fmt: skip
    for n, place in enumerate(counted):
        if not n:
            talk.append(("operations", "logistics", "2026-03-17 08:50", f"{place.name} counted again: "
                         f"{place.line.came + 3} pieces"))  # fmt: skip
        talk.append(("operations", "logistics", f"2026-03-17 17:2{n}", f"{place.name} counted again, every box opened "
                     f"this time: {place.line.came} pieces"))  # fmt: skip
    for channel, author, at, text in sorted(talk, key=lambda each: each[2]):
        layout.message(channel, author, text, at=at)
    mails += [
        layout.mail(
            firm.moved, "New address for returns",
            f"Dear Mr Rahimi,\n\nplease use this address from 1 March 2026; {old(of, n)} is closed and nothing sent "
            f"there arrives.\n\n{firm.contact}\n{firm.name}", at="2026-03-02 09:30",
        )
        for n, firm in enumerate(of.firms) if firm.moved
    ]  # fmt: skip
    invoice, until = of.grace
    graced = of.firms[of.invoices[invoice].firm].name
    layout.event(
        f"More time: {graced}", start=f"{until} 09:00", minutes=15, people=("sales_vp",),
        description=f"Goods from {invoice} may come back until {spoken(until)}, Giulia says. Only those",
    )  # fmt: skip
    for each in of.invoices.values():
        if each.rebate != each.printed:
            layout.about(
                companies[each.firm], f"{each.number}: {each.rebate} percent rebate agreed after it was printed, on "
                "all of it; the invoice shows none", author=of.firms[each.firm].owner, day="2026-03-03",
            )  # fmt: skip
    layout.about(companies[of.asked], "Would like a rebate of 8 percent on everything from April, wait for Giulia",
                 author="sdr", day="2026-03-10")  # fmt: skip
    return tuple(mails)
