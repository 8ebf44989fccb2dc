"""North America, sorted by progress and size."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from benchmarks.workflows.flows.pipeline.book import Book

__all__ = ("BOOK",)

_FIRMS: Final = """\
prairie | Prairie Gate Foods | prairiegate | Winnipeg |  | Noelle Abara | noelle.abara
quillon | Quillon Berry | quillonberry | Bellingham |  | Hank Oyelaran | hank
sable | Sable Point Creamery | sablepoint | Burlington | am2 | Greta Moss | greta.moss
marrow | Marrow Creek Orchards | marrowcreek | Kelowna |  | Ted Yip | ted.yip
halyard | Halyard Grocers | halyard | Portland |  | Corinne Boyd | cboyd
tern | Tern Bay Labs | ternbay | Providence |  | Sunil Rao | sunil.rao
ashgrove | Ashgrove Nurseries | ashgrove | Guelph |  | Marta Lunn | marta
kittiwake | Kittiwake Seafoods | kittiwake | Halifax |  | Roy Beaton | roy.beaton
northgate | Northgate Refrigeration | northgate | Buffalo |  | Sheila Cobb | scobb
fenwick | Fenwick Street Market | fenwickmarket | Boston |  | Lou Amato | lou
"""

_DEALS: Final = """\
# Walk-in freezers | prairie | Proposal | 34000 CAD | 2026-04-30 | right=28500
+ step 2025-11-12 Lead
+ step 2025-12-10 Qualified
+ step 2026-02-12 Proposal
- mail 2026-03-05 Freezers: yes to the lower figure|Gareth, || Laleh was in the air, so this goes to you. We settle on
  CAD 28,500 for the walk-in freezers, as she and I said on the phone, not the 31,000 that her last paper had.
  Paperwork can follow. || Noelle Abara
# Reefer yard | quillon | Qualified | 15500 USD | 2026-05-29
+ step 2026-01-21 Lead
+ step 2026-02-19 Qualified
# Creamery, three tanks | sable | Negotiation | 42000 USD | 2026-03-06
+ step 2025-10-14 Lead
+ step 2025-11-05 Qualified
+ step 2025-12-03 Proposal
+ step 2026-02-05 Negotiation
# Packhouse | marrow | Proposal | 17800 CAD | 2026-04-24
+ step 2025-11-18 Lead
+ step 2026-01-14 Qualified
+ step 2026-02-26 Proposal
# Night depot | halyard | Proposal | 22000 USD | 2026-05-15
+ step 2025-09-24 Lead
+ step 2025-10-22 Qualified
+ step 2025-11-19 Proposal
+ step 2025-12-10 Negotiation
- step 2026-02-24 Proposal
- call 2026-03-10 Corinne is still waiting for her board. So are we.
# Blood courier boxes | tern | Qualified | 9800 USD | 2026-02-27 | spared
+ step 2025-10-29 Lead
+ step 2025-11-26 Qualified
- mail 2026-03-03 Courier boxes|Dear Mr Rahimi, || no, we have not gone cold. The trustees take up the courier boxes
  on Thursday 9 April and I will have a yes or a no for you that evening. || Sunil Rao, Tern Bay Labs
# Greenhouse sensors | ashgrove | Qualified | 13100 CAD | 2026-05-08
+ step 2025-11-20 Lead
+ step 2025-12-12 Qualified
- mail 2026-02-17 Sensors for the greenhouses|Hi Gareth, || we are choosing between you and one other, and will have
  chosen by Friday 6 March. You will hear from me. || Marta
# Loading dock, Dartmouth | kittiwake | Proposal | 26400 CAD | 2026-05-22
+ step 2025-12-03 Lead
+ step 2026-01-13 Qualified
+ step 2026-02-10 Proposal
# Dock doors in Dartmouth | kittiwake | Qualified | 24000 CAD | 2026-06-05 | twin=8
+ step 2025-12-08 Lead
+ step 2026-02-18 Qualified
# Ripening rooms, Truro | kittiwake | Lead | 8200 CAD | 2026-06-19 | owner=sdr
+ step 2026-02-25 Lead
# Dealer stock, spring | northgate | Lead | 19000 USD | 2026-02-13 | apart
+ step 2025-10-08 Lead
# Cold lockers | fenwick | Lead | 11000 USD | 2026-05-01
+ step 2026-01-20 Lead
- call 2026-03-11 Lou says they are still thinking it over, call again in summer.
"""

_PAPERS: Final = (
    (
        "/workspace/sales/west/how_we_sort_the_west.md",
        "2026-02-04 18:10",
        """\
# Sorting North America

This page is Giulia's (Giulia Cheung), and only she changes it. She may do that in a mail or in #sales, and then it
applies from that moment. Anybody else may of course have opinions.

* WHAT. The open deals, whoever owns them, of those companies that accounts_west.csv calls "direct". What is sold
  through a dealer is for the dealer to tidy up: hands off.
* ONE SITE, ONE DEAL. If a customer has two open deals for one and the same site, the one that is further along
  stays, with its own amount, and the other is moved to Lost, reason "Same site".
* ASLEEP. What counts is progress: the latest day on which a deal reached a stage it had not been in before. Going
  back a stage is not progress, and neither is talk. If that day is further back than the number of days given for
  the sorting, the deal is moved to Lost, reason "No progress".
* NOT ASLEEP, however long it took: a deal whose customer has told us in writing on which day they will decide, if
  that day is still to come.
* AMOUNT. If a customer has agreed in writing to another sum than the one in the CRM, enter theirs, in the currency
  of the deal.
* WHOSE. What comes to EUR 15,000 or more is big, the rest is small. Small ones are Delphine's. Who gets the big ones
  is said each time. EUR always at the rate of the last full month (finance/rates_2026.csv), rounded to cents.
* DATES. A close date in the past is changed to the one date that is given for all of them; other close dates are
  left alone. Deals that go to Lost keep theirs.
* LIST. sales/west/west_YYYYMMDD.csv, of the day, columns owner, deals, EUR: a line for each owner of deals that are
  left, with the full name, in alphabetical order by first name; how many; their sum in EUR.
* Talks about it take 45 minutes unless we say something else.
""",
    ),
    (
        "/workspace/sales/west/accounts_west.csv",
        "2026-01-29 17:30",
        """\
company,how,since
Ashgrove Nurseries,direct,2025
Fenwick Street Market,direct,2026
Halyard Grocers,direct,2024
Kittiwake Seafoods,direct,2025
Marrow Creek Orchards,direct,2025
Northgate Refrigeration,dealer,2023
Prairie Gate Foods,direct,2025
Quillon Berry,direct,2026
Sable Point Creamery,direct,2023
Tern Bay Labs,direct,2025
""",
    ),
    (
        "/workspace/sales/west/accounts_west_2025.csv",
        "2025-02-03 17:30",
        """\
company,how,since
Halyard Grocers,dealer,2024
Northgate Refrigeration,direct,2023
Sable Point Creamery,direct,2023
""",
    ),
    (
        "/workspace/finance/rates_2026.csv",
        "2026-03-16 09:10",
        """\
currency,month,rate,quoted as
USD,2026-01,0.9260,EUR for 1 USD
USD,2026-02,0.9185,EUR for 1 USD
USD,2026-03 (to the 13th),0.9330,EUR for 1 USD
CAD,2026-01,1.4930,CAD for 1 EUR
CAD,2026-02,1.4870,CAD for 1 EUR
CAD,2026-03 (to the 13th),1.4720,CAD for 1 EUR
""",
    ),
)

_MAILS: Final = (
    (
        "am2",
        "My two",
        "2026-03-12 15:20",
        "Hi Gareth - before you sort: I would like to hold on to Sable Point and Marrow Creek. I know both "
        "families, and both are close. I have asked Giulia.\n\nLaleh",
    ),
    (
        "sales_vp",
        "Laleh's wishes",
        "2026-03-13 14:45",
        "Gareth,\n\nLaleh asked for two. She keeps Sable Point Creamery, big or small, that one is all hers. "
        "Marrow Creek goes by the rule like everybody else's.\n\nGiulia",
    ),
)

_CHAT: Final = (
    (
        "am1",
        "2026-03-10 16:15",
        "if anybody asks me, big begins at 20,000",
    ),
    (
        "sales_vp",
        "2026-03-13 17:50",
        "for the sorting of the west: big begins at EUR 12,000, with immediate effect. 15 left us with three "
        "deals and a lot for Delphine",
    ),
)

_NOTES: Final = (
    (
        "West, before the call",
        "2026-03-11 12:30",
        "- Tern Bay: their mail says when\n- Prairie Gate: their mail says how much\n- Halyard went forward and"
        " back again. The page says what that is worth",
    ),
)
_RATES: Final = {"USD": Decimal("0.9185"), "CAD": 1 / Decimal("1.487")}

BOOK: Final = Book.told(
    _FIRMS,
    _DEALS,
    giver="am2",
    papers=_PAPERS,
    to_read=(
        "/workspace/sales/west/how_we_sort_the_west.md",
        "/workspace/sales/west/accounts_west.csv",
        "/workspace/finance/rates_2026.csv",
    ),
    mails=_MAILS,
    chat=_CHAT,
    notes=_NOTES,
    owners={"small": "sdr"},
    rates=_RATES,
    double="ahead",
    quiet="No progress",
    sheet="/workspace/sales/west/west_20260318.csv",
    subject="The big ones in the west",
    event="North America, who has what",
    search="Giulia OR Laleh OR Prairie OR Ashgrove OR Tern after:2026/02/10",
)
