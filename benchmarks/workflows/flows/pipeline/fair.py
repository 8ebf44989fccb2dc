"""What a fair left in the CRM, by card and trade."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from benchmarks.workflows.flows.pipeline.book import TAKER, Book

__all__ = ("BOOK",)

_FIRMS: Final = """\
zeldenrust | Bakkerij Zeldenrust | zeldenrust | Bakery, Antwerp | Bakery | Femke Zeldenrust | femke
zanden | Van der Zanden Bloemen | vdzbloemen | Flowers, Aalsmeer | Florist | Marijke van der Zanden | marijke
aubrelle | Fromagerie Aubrelle | aubrelle | Cheese, Lille | Dairy | Luc Aubrelle | luc
rijnmond | Hogeschool Rijnmond | rijnmond | A school, Rotterdam |  | Tim Baert | t.baert
delvaux | Officine Delvaux | delvaux | Pharmacies, Namur | Pharmacy | Anne Delvaux | anne.delvaux
rowse | Rowse & Talbot Haulage | rowsetalbot | Lorries, Dover | Transport | Gil Talbot | gil.talbot
kellner | Kellner Spedition | kellner | Customer since 2023. Lorries, Aachen | am1 | Uwe Kellner | uwe | am1
wael | Bloemenveiling Wael | wael | Flower auction, Ghent | Florist | Ria Wael | ria
lorenzi | Gelateria Lorenzi | lorenzi | Ice cream, Liège | Dairy | Carla Lorenzi | carla
lindqvist | Apotek Lindqvist | lindqvist | Pharmacies, Malmö | Pharmacy | Nils Lindqvist | nils
gazette | The Cold Gazette | coldgazette | A trade paper |  | Hester Vine | hester
"""

_DEALS: Final = """\
# Proofing cellars | zeldenrust | Qualified | 6400 EUR | 2026-04-30 | description=Card 101
+ call 2026-01-21 Femke is keen, her accountant less so.
# Tulip halls | zanden | Proposal | 18900 EUR | 2026-05-15 | twin=9; contact=Bert van der Zanden; description=Card 102
+ meeting 2026-01-08 Walked all four halls with Bert, who is Marijke's cousin.
# Curd rooms | aubrelle | Lead | 7700 EUR | 2026-05-22 | owner=am1; description=Card 103
+ email 2026-01-09 Luc answers: interesting, but let him get through the winter.
- email 2026-02-10 Reminded him. Nothing.
# Thesis on cold air | rijnmond | Lead | 500 EUR | 2026-06-30 | lost=No customer; owner=am1; description=Card 104
+ email 2026-03-02 Tim writes that his professor would like a free set.
# Vaccine cabinets | delvaux | Qualified | 12300 EUR | 2026-04-17 | description=Card 105
+ call 2026-02-26 Anne wants them before the summer, eleven shops.
# Night lorries | rowse | Negotiation | 21500 GBP | 2026-04-24 | description=Card 106
+ call 2025-12-16 Gil: send the contract, we are nearly there.
+ mail 2026-03-10 Contract for the night lorries|Gareth, our solicitor has your contract since Monday and wants
  paragraph four in plainer words. Otherwise good to go from here. || Gil Talbot
# Chiller vans | kellner | Qualified | 9900 EUR | 2026-02-27 | description=Card 107
+ meeting 2026-02-03 Uwe had us over. The vans are older than he says.
# Auction hall clocks | wael | Lead | 15600 EUR | 2026-05-29 | spared; description=Card 108
- email 2025-12-03 Thanked Ria for the visit. No reply.
+ step 2025-11-20 Lead
# Sensors for the tulips | zanden | Qualified | 17400 EUR | 2026-03-06 | longer=30; owner=am1; description=Card 102
+ call 2025-12-10 Marijke would rather have five small offers than a large one.
# Ice cream parlours | lorenzi | Qualified | 5200 EUR | 2026-03-12 | owner=am1; description=Card 110
+ call 2026-03-02 Carla opens two more in May and wants the same there.
# Insulin lockers | lindqvist | Lead | 8300 EUR | 2026-05-08 | description=Card 111
+ email 2026-01-07 Nils asks for a price list in kronor.
- email 2026-01-09 Price list sent.
- mail 2026-03-03 Away: Insulin lockers|Thank you for your mail. I am on parental leave until August. || Nils
  Lindqvist
# Reader offer | gazette | Lead | 2000 EUR | 2026-05-15 | lost=No customer; description=Card 112
+ call 2026-03-06 Hester would like to write about us, in exchange for an advertisement.
# Sourdough laboratory | zeldenrust | Lead | 3100 EUR | 2026-01-30 | apart; description=Rang us
+ call 2025-11-05 Femke's brother, about a laboratory of his own. Nothing to do with the fair.
"""

_PAPERS: Final = (
    (
        "/workspace/sales/fair/after_the_fair.md",
        "2025-11-24 12:00",
        """\
# After the fair

Cold Chain Days, Antwerp, 18 to 20 November 2025. Giulia Cheung wrote this and may change it, anywhere. Only
Delphine Cowley, who ran the stand, may correct what the cards say (cards.csv).

a. A deal is from the fair if its description names a card. No other deal is touched.
b. A card is one deal. If it was typed twice, the deal whose contact is the visitor named on the card stays, with its
   own details; the other one goes to Lost with the reason "Card typed twice". Whatever was logged with the other
   still counts for d.
c. Red cards are students, rivals and the press. Their deals go to Lost with the reason "No customer", no matter
   how often they ring.
d. Quiet: how long ago the visitor, or somebody of theirs, last answered us by voice or in writing, in the CRM or in
   somebody's mailbox. What we sent is not an answer, and an automatic reply is not one either. For anyone
   who has never answered, count from the last day of the fair. Amber cards get as many days as whoever clears up
   says, green cards 30 more. If it is longer ago than that, the deal goes to Lost with the reason
   "No answer".
e. Whose they are: deals with a company that was a customer before the fair go to the owner of the company. All
   others go by trade, trades.csv. If that says "open", they go to whoever is named when the fair is cleared up.
f. Close dates of open deals that are in the past change to the date that is given then.
g. Result: sales/fair/result.csv with the columns trade, cards, open, EUR; every trade on the cards, in alphabetical
   order; cards is how many were collected, whatever became of them (each once); open is how many deals in the trade
   are left, and EUR what these come to. Pounds at the rate of the month of the fair, finance/rates_2025.csv, each deal
   rounded to cents.
h. If there is a talk about it, 45 minutes are enough as a rule.
""",
    ),
    (
        "/workspace/sales/fair/cards.csv",
        "2025-11-21 17:10",
        """\
card,colour,trade,company,visitor
101,amber,Bakery,Bakkerij Zeldenrust,Femke Zeldenrust
102,green,Florist,Van der Zanden Bloemen,Marijke van der Zanden
103,amber,Dairy,Fromagerie Aubrelle,Luc Aubrelle
104,red,Other,Hogeschool Rijnmond,Tim Baert
105,green,Pharmacy,Officine Delvaux,Anne Delvaux
106,red,Transport,Rowse & Talbot Haulage,Gil Talbot
107,amber,Transport,Kellner Spedition,Uwe Kellner
108,amber,Florist,Bloemenveiling Wael,Ria Wael
110,amber,Dairy,Gelateria Lorenzi,Carla Lorenzi
111,green,Pharmacy,Apotek Lindqvist,Nils Lindqvist
112,red,Other,The Cold Gazette,Hester Vine
""",
    ),
    (
        "/workspace/sales/fair/trades.csv",
        "2025-11-24 12:05",
        """\
trade,owner
Bakery,Delphine
Dairy,Devika
Florist,open
Pharmacy,Laleh
Transport,open
""",
    ),
    (
        "/workspace/sales/fair_2024/trades.csv",
        "2024-11-25 10:00",
        """\
trade,owner
Bakery,Devika
Florist,Devika
Pharmacy,Devika
Transport,Laleh
""",
    ),
    (
        "/workspace/finance/rates_2025.csv",
        "2026-01-05 09:30",
        """\
currency,month,EUR for 1
GBP,2025-10,1.1480
GBP,2025-11,1.1365
GBP,2025-12,1.1410
USD,2025-11,0.8640
""",
    ),
    (
        "/workspace/finance/rates_2026.csv",
        "2026-03-02 09:15",
        """\
currency,month,EUR for 1
GBP,2026-01,1.1475
GBP,2026-02,1.1530
GBP,2026-03,1.1582
""",
    ),
)

_MAILS: Final = (
    (
        "sales_vp",
        "Wael",
        "2026-02-04 15:30",
        "For whoever clears up Antwerp: I met the people from the Wael auction. They aren't allowed to buy a screw "
        "before"
        " their merger in May, so don't count the days for them. It stays open and goes where florists "
        "go.\n\nGiulia",
    ),
    (
        "am1",
        "Ice cream",
        "2026-03-05 11:30",
        "Gareth, is Lorenzi really Dairy? I would file them under bakeries, they bake the cones. No hurry.\n\nDevika",
    ),
)

_CHAT: Final = (
    (
        "sdr",
        "2025-11-25 10:15",
        "mea culpa: card 106 is not red. Gil from Rowse & Talbot is as amber as they come, my pen slipped",
    ),
    (
        "am1",
        "2026-03-12 13:05",
        "we could give amber cards the 30 days as well, it was a slow winter",
    ),
    (
        "sdr",
        "2026-03-13 10:45",
        "and card 111, Lindqvist, should have been amber, not green, while I am at it",
    ),
)

_NOTES: Final = (
    (
        "Antwerp, loose ends",
        "2026-03-12 12:20",
        "- Bert is the cousin, Marijke holds the purse\n- Devika typed some of the cards as well\n- rates: "
        "November, not now",
    ),
)
_RATES: Final = {"EUR": Decimal(1), "GBP": Decimal("1.1365")}

BOOK: Final = Book.told(
    _FIRMS,
    _DEALS,
    giver="sdr",
    papers=_PAPERS,
    to_read=(
        "/workspace/sales/fair/after_the_fair.md",
        "/workspace/sales/fair/cards.csv",
        "/workspace/sales/fair/trades.csv",
        "/workspace/finance/rates_2025.csv",
    ),
    mails=_MAILS,
    chat=_CHAT,
    notes=_NOTES,
    owners={"Bakery": "sdr", "Dairy": "am1", "Florist": TAKER, "Pharmacy": "am2", "Transport": TAKER},
    rates=_RATES,
    double="cards",
    quiet="No answer",
    sheet="/workspace/sales/fair/result.csv",
    subject="What Antwerp left you",
    event="After Antwerp",
    search="Wael OR Antwerp OR Rowse OR Lorenzi OR Lindqvist after:2026/01/15",
)
