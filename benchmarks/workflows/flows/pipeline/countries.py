"""The book of one who no longer sells, handed over by country."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from benchmarks.workflows.flows.pipeline.book import TAKER, Book

__all__ = ("BOOK",)

_FIRMS: Final = """\
thornbury | Thornbury Dairies | thornburydairies | Gloucester, United Kingdom | UK | Una Pemberton | u.pemberton
ossaart | Brouwerij Ossaart | ossaart | Breda, Netherlands | Netherlands | Klaas Ossaart | klaas
nordvik | Nordvik Sjømat | nordviksjomat | Ålesund, Norway | Norway | Solveig Aune | solveig.aune
lisnagry | Lisnagry Clinic Supplies | lisnagry | Limerick, Ireland | Ireland | Declan Roche | droche
harbour | Harbour & Vale Air Cargo | harbourvale | Manchester, United Kingdom | UK | Petra Sandford | petra.sandford
meerwijk | Apotheek Meerwijk | meerwijk | Ghent, Belgium | Belgium | Joris Claeys | j.claeys
kjeldsen | Kjeldsen Arena | kjeldsenarena | Aarhus, Denmark | Denmark | Bodil Kjeldsen | bodil
wexcombe | Wexcombe Growers | wexcombe | Hereford, United Kingdom | UK | Alec Trow | alec.trow
diaries | Thornbury Diaries |  | Gloucester | UK | U. Pemberton | una@thornburydairies.example
tidewell | Tidewell Marine | tidewell | Plymouth, United Kingdom | Ireland | Maeve Costello | maeve.costello
"""

_DEALS: Final = """\
# Milk round sensors | thornbury | Proposal | 18400 EUR | 2026-04-24
+ call 2025-12-09 Una on the phone for half an hour. Wants an offer for all nine lorries.
- email 2026-01-13 Sent the offer. Nothing back.
# Cellar loggers | ossaart | Qualified | 7200 EUR | 2026-02-27
+ meeting 2025-11-27 Saw the cellars with Klaas. Low ceilings, good beer.
+ call 2026-02-05 Klaas rang: budget is there, the architect is not.
# Fish hall retrofit | nordvik | Negotiation | 412000 NOK | 2026-04-10
+ call 2026-01-08 Solveig wants the price per hall, not per sensor. Will write.
- call 2026-02-11 Voicemail. She has not rung back.
+ mail 2026-02-26 Fish halls|Good morning Mr Rahimi, || I had your name from Delphine. The drawings of hall two are
  with our builder until Easter; after that we can agree on a week for the fitting. || Solveig Aune / Nordvik Sjømat
# Blood bank pilot | lisnagry | Proposal | 23600 EUR | 2026-05-15
+ meeting 2026-03-03 Limerick. Declan liked the alarm on the phone, his matron did not.
# Apron loggers | harbour | Lead | 9800 GBP | 2026-05-29
+ call 2026-01-12 Petra asked whether they survive de-icing fluid. They do.
- email 2026-02-03 Data sheet sent, with a question about numbers. No reply so far.
- note 2026-03-05 Read that they have opened a second apron. Worth a call some day.
- mail 2026-03-06 Automatic reply: Your loggers on the apron|I am out of the office until Monday 30 March. For urgent
  freight matters ring the duty desk. || Petra Sandford
# Pharmacy vans | meerwijk | Qualified | 12750 EUR | 2026-01-30 | spared
+ email 2025-12-04 Joris writes that the tender is out and he may not talk until it is decided.
# Ice rink plant room | kjeldsen | Lead | 5400 EUR | 2026-04-17
+ meeting 2026-01-15 Bodil came to the stand in Copenhagen and left a card.
- email 2026-01-28 Brochure sent, no answer.
- call 2026-03-04 Rang the arena. A machine.
# Orchard cold rooms | wexcombe | Proposal | 15300 GBP | 2026-03-13
+ call 2026-01-20 Alec: the offer is fine, his brother has to nod as well.
- note 2026-02-12 Try the brother?
# Sensors for the milk round | diaries | Qualified | 16900 EUR | 2026-05-08 | twin=1
+ meeting 2026-02-17 Met Una at the dairy. Eight lorries now, one has been sold.
# Container probes | tidewell | Qualified | 11200 EUR | 2026-06-12
+ call 2026-01-06 Maeve would like a sample. Sent the same day.
+ mail 2026-03-09 Invoices from now on|Hello Gareth, || the sample probes did well on the crossing, thank you. One for
  your books: we gave up the Plymouth office at the end of February; all of us are in Cork now, and so is the company.
  The invoice for the samples should say so. || Maeve Costello / Tidewell Marine
# Service, second year | nordvik | Proposal | 3900 EUR | 2026-02-20 | apart
+ call 2025-11-19 Solveig asks what a second year would cost.
# Bottling line loggers | ossaart | Lead | 6100 EUR | 2026-05-22
+ call 2026-03-04 Klaas again, about another building: the bottling line gets too warm.
"""

_PAPERS: Final = (
    (
        "/workspace/sales/handing_over.md",
        "2026-01-09 11:40",
        """\
# Handing over a book of deals

Giulia Cheung. I decide on everything on this page and in the lists it names. What I say later, wherever it is
written down, overrides it; what others suggest is a suggestion until I say yes.

1. A book is all open deals that the CRM has under somebody's name on the day. Titles that begin with "Service" are
   the support team's business: they stay as they are and are left out of everything below.
2. Duplicates first. Two deals with one customer about the same thing are one deal that was entered twice, however the
   name is spelt (the domain of the mail addresses tells). The lower number stays, the other one goes to Lost with
   the reason "Entered twice". What was logged with either counts for the one that stays, and it takes over the
   amount of the one with the later contact.
3. Then the quiet ones. A contact is a day on which the customer said something to us: they talked to us on the
   phone or face to face, or they wrote, and the mail may be in the CRM or in a mailbox. Voicemails, automatic
   replies, our own mails and notes to ourselves do not count. The CRM's own field for the last contact came with the
   import and means nothing. Whoever asks for the handover says how many days; a deal whose last contact is longer ago
   goes to Lost, with the reason "Went quiet".
4. What is still open goes to the account manager of the customer's country in territories_2026.csv. The country is
   where the customer is based today. If the list names the person who hands over, the deal goes to whoever takes over
   the book.
5. Open deals whose close date is in the past get the new close date that is set for all of them. The others keep
   theirs.
6. The list: sales/lists/handover_YYYYMMDD.csv, by the day it is drawn up, with the columns number, deal, owner,
   stage, EUR, weighted. It has the deals of the book that are still open, by number; the owner is the first name.
   Sums are converted to EUR at the rate of the current month (finance/rates_2026.csv) and rounded to cents, and
   weighted is that figure times the weight of the stage, rounded to cents again. No line for the total.
   Weights: Lead 10%, Qualified 25%, Proposal 50%, Negotiation 75%.
7. Companies and contacts keep their owners. A hand-over talk is 45 minutes, unless somebody says otherwise.
""",
    ),
    (
        "/workspace/sales/handing_over_2025.md",
        "2025-01-14 10:05",
        """\
# Handing over a book of deals (2025)

1. Deals without any entry for a quarter are deleted.
2. Of two that are alike the higher number stays, being the fresher one.
3. The list has the columns deal, owner, EUR and a total.
Weights: Lead 5%, Qualified 20%, Proposal 50%, Negotiation 80%.
""",
    ),
    (
        "/workspace/sales/lists/handover_20250214.csv",
        "2025-02-14 16:20",
        "deal,owner,EUR\nNight buses,Devika,8400\nHerring hall,Devika,11900\ntotal,,20300\n",
    ),
    (
        "/workspace/sales/territories_2026.csv",
        "2026-01-09 11:55",
        """\
country,account manager
United Kingdom,Devika
Ireland,Devika
Netherlands,Delphine
Belgium,Delphine
Denmark,Delphine
Norway,Delphine
United States,Laleh
Canada,Laleh
""",
    ),
    (
        "/workspace/finance/rates_2026.csv",
        "2026-03-02 09:15",
        """\
currency,month,rate,quoted as
GBP,2026-01,1.1475,EUR for 1 GBP
GBP,2026-02,1.1530,EUR for 1 GBP
GBP,2026-03,1.1582,EUR for 1 GBP
NOK,2026-01,11.7100,NOK for 1 EUR
NOK,2026-02,11.5600,NOK for 1 EUR
NOK,2026-03,11.4800,NOK for 1 EUR
""",
    ),
)

_MAILS: Final = (
    (
        "sales_vp",
        "Ireland",
        "2026-03-11 16:40",
        "Gareth, as you look after the lists: from this month Ireland is Laleh's. The flights from Toronto "
        "are better than Devika's from here, believe it or not. I have not touched the file.\n\nGiulia",
    ),
)

_CHAT: Final = (
    (
        "am1",
        "2026-03-12 11:20",
        "should Negotiation not count 90% in the lists? most of mine sign",
    ),
    (
        "sales_vp",
        "2026-03-16 15:05",
        "after the winter we have had: Proposal counts 40% from now on in every list, not 50",
    ),
)

_NOTES: Final = (
    (
        "Giulia on the phone",
        "2026-03-10 17:20",
        "- forecast moves to the afternoon\n- Meerwijk stays open until their tender is decided, however quiet"
        " they are. Her words, not mine\n- wants the lists short",
    ),
)
_RATES: Final = {"EUR": Decimal(1), "GBP": Decimal("1.1582"), "NOK": 1 / Decimal("11.48")}

BOOK: Final = Book.told(
    _FIRMS,
    _DEALS,
    giver="sdr",
    papers=_PAPERS,
    to_read=(
        "/workspace/sales/handing_over.md",
        "/workspace/sales/territories_2026.csv",
        "/workspace/finance/rates_2026.csv",
    ),
    mails=_MAILS,
    chat=_CHAT,
    notes=_NOTES,
    owners={"UK": "am1", "Ireland": "am2", "Netherlands": TAKER, "Belgium": TAKER, "Denmark": TAKER, "Norway": TAKER},
    rates=_RATES,
    double="both",
    quiet="Went quiet",
    sheet="/workspace/sales/lists/handover_20260318.csv",
    subject="Your new deals",
    event="Hand-over talk",
    search="Ireland OR Tidewell OR Nordvik OR Apron after:2026/02/01",
)
