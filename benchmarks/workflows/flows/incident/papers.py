"""What people wrote about three faults: procedures, notes, mails, messages, costs."""

from __future__ import annotations

from typing import Final

__all__ = ("COSTS", "MAILS", "PROCEDURES", "RATES", "SCOPES", "TALK")

RATES: Final = (
    ("month", "EUR for 1 GBP", "EUR for 1 USD"),
    ("2026-01", "1.15", "0.92"),
    ("2026-02", "1.17", "0.93"),
    ("2026-03", "1.16", "0.92"),
)
"""Rates of exchange."""

_COMMON: Final = """\
1. Only Farah Lacey says which devices have a fault. Niamh Jansson may change these rules, by mail or in a channel. The
   latest word of each of them counts. Account managers say who now has which devices and contracts. Everybody else
   just has opinions.
"""
_TIMES: Final = """\
 `timeline.csv` in the folder of the incident: columns what, when. Give the time at which it happened, according to
   whoever did it or took the call, not when it was written down; London time, YYYY-MM-DD HH:MM. A report counts if it
   was about this fault. Rows, in this order:"""
_LETTERS: Final = """\
 Letters are mails to the Quality Manager that the CRM has for the company, one each. If the CRM has the wrong person
   or address, correct the record first (its name and address; no second record, nothing else on it)."""

PROCEDURES: Final = (
    (
        "how_we_follow_up.md",
        f"""\
# How we follow up a fault

{_COMMON}\
2. Who has a device, and at which site: devices/picked/, one list a week, one line a logger. What is under "number" and
   "site" counts; names are typed by hand. K-000 is us (fairs, the hall) and is left out of everything. If loggers have
   gone to another site or another customer since, account managers say so by mail or in a note on the company in the
   CRM; the later word on a logger counts.
3. devices/came_back.csv: a logger that got a new part in place of the faulty one is fine. One that went out again with
   its old part counts for whoever it went to. What was scrapped or is still here counts for nobody. A logger that one
   of us gave a new cell on the spot is fine too; whoever did it says so in #operations, it is not in any file.
4. Offers: "swap on site" for customers that have more loggers with the fault than the number set for the incident. Of
   the rest, those with a service contract valid on 18 March 2026 get "swap by parcel", all others a "cell kit".
5. What it costs us: finance/service_costs for the year. Pounds are converted at the month's rate (finance/rates.csv);
   each site is a trip of its own, or has its own parcels; a site's sum is rounded to cents at the end, then they are
   added up.
6. `affected.csv` in the folder of the incident: columns number, site, loggers, offer, EUR; one row for each site that
   has any, by customer number, then by site from A to Z. The offer is the customer's, based on all their loggers
   (customer numbers are in the description of companies in the CRM).
7.{_LETTERS}
   Subject "Cells in your loggers". A letter says how many loggers are concerned, in figures, and names the offer in the
   words of rule 4 and the day by which we want an answer.
8. Each swap on site is a task in Todoist, due two working days after the day of the answer.
9.{_TIMES}
   first report; confirmed; deliveries stopped; scope settled (when the mail was sent that last changed which devices).
10. The product manager gets a copy (cc) of the mail about the cost. While somebody is away, their copies go to whoever
   covers for them (people/cover.csv).
11. The meeting afterwards takes 45 minutes.
""",
    ),
    (
        "faults_in_calibration.md",
        f"""\
# When a calibration was wrong

{_COMMON}\
2. The error of a logger is its reading less the reference; whether it is too high or too low makes no difference. All
   limits are in degrees Celsius. A bench that shows Fahrenheit has F in the log: a difference of 9 there is one of 5.
   Logs are in the folder of the incident, one a day (log/). If a logger is there more than once, its last calibration
   counts. If the log is wrong about a logger, Farah says what its error was.
3. Loggers from the bench and days in question with an error of 0.20 or more are affected. From 0.50 they are exchanged,
   below that the customer gets a certificate with the correction.
4. devices/picked/ says who has them and at which site, one list a week, one line a logger; the customer's number
   counts, not how somebody typed the name. What is on no list is still in the hall and goes in no table; nor does what
   never left although it was picked (Tamsin says so in #operations), nor K-000, which is us. If loggers have gone
   elsewhere since, there is a note on the company in the CRM, by an account manager; the later one counts.
5. If one customer has been taken over by another, everything goes to the one that exists now; sites keep their names.
6. Customers with more affected loggers, both kinds together, than the number set for the incident are visited; the
   others get a parcel.
7. What it costs us: finance/calibration_costs.csv as of 18 March 2026: each logger exchanged, each certificate; for a
   visit the visit, otherwise the parcels needed for the loggers to be exchanged. Each site has its own visit or
   parcels. Pounds at the month's rate (finance/rates.csv); rounded to cents at the end, site by site, then added up.
8. `readings.csv` in the folder of the incident, columns number, site, exchange, certificate, way, EUR: a row for each
   site that has any, by customer number (in the description in the CRM, beside the name to use), then by site from A to
   Z; how many loggers of each kind, and "visit" or "parcel", whichever applies to the customer.
9.{_LETTERS}
   Subject "Calibration of your loggers". It says how many loggers are exchanged and how many get a certificate, in
   figures, leaving out a kind if there are none, and the day by which we want an answer. An account manager may hold a
   letter back; everything else is done as for the others.
10. A visit is a task in Todoist, due three working days before the day of the answer.
11.{_TIMES}
   bench adjusted wrongly; first report; confirmed; bench closed.
12. Tobias Hollis gets a copy (cc) of the mail about the cost. The meeting afterwards takes 30 minutes.
""",
    ),
    (
        "gateways_in_the_field.md",
        f"""\
# Faults in gateways in the field

{_COMMON}\
2. devices/gateways/ has all stores, a sheet for each region, with board and week built (2023-W40 is week 40 of 2023).
   Gateways whose board has since been replaced by a B or a D (devices/boards_changed.csv: how many in a store) are
   fine; those that got another board C are not, it came out of the same box. A store that has been emptied is not
   counted: whoever looks after it lets us know by mail. If a store has changed hands since the sheets were written, or
   has a care plan that is not in the list yet, there is a note by the account manager on the company in the CRM. The
   later word on a store counts.
3. We write to whoever looks after a store: the dealer if there is one, otherwise the customer. Each recipient gets one
   letter for all their stores.
4. A gateway is repaired free of charge if it was installed on 18 March 2024 or later, or if its store has a care plan
   (customers/care_plans.csv, and the notes) whose last day is 18 March 2026 or later. For any other one they pay for a
   relay kit, at its price on 18 March 2026 (finance/spare_parts.csv). Dealers get 15 percent off.
5. Anyone who looks after more affected gateways than the number set for the incident gets a visit, which costs nothing;
   others get a parcel, which costs nothing either.
6. `gateways.csv` in the folder of the incident, columns recipient, region, gateways, free, to pay, way, EUR. A row for
   each recipient and region where they have any: recipients as the CRM calls them (customer numbers are in the
   description there), in alphabetical order, then regions from A to Z; how many gateways in all, how many of them are
   free and how many are to be paid for, "visit" or "parcel" (whichever applies to the recipient), and what they pay us,
   rounded to cents.
7.{_LETTERS}
   Subject "Relays in your gateways". It says, in figures, how many gateways are affected in all and what they pay in
   EUR, and the day by which we want an answer.
8. A visit is a task in Todoist, due on the first working day after the day of the answer.
9.{_TIMES}
   first report; confirmed; dealers told by phone (when the last of them had been told); scope settled (when the
   mail was sent that last changed which devices).
10. Kieran Goh gets a copy (cc) of the mail about the money. The meeting on who goes where takes 60 minutes.
""",
    ),
)
"""The rules of each case: name of the file and text."""

SCOPES: Final = (
    (
        "what_farah_found.md",
        "# Batteries that run flat\n\nCells from lot 7C leak: instead of two years they last eight weeks. Confirmed on "
        "my bench on Wednesday 11 March at 13:40,\nHelsinki time, with nine loggers out of ten.\n\nLot 7C was on "
        "the line from logger 41200 up to and including logger 41371. Loggers of type L take another cell and are "
        "fine, whatever\ntheir number.\n\nFarah Lacey\n",
    ),
    (
        "bench_two_note.md",
        "# Bench two\n\nThe reference block of bench two was askew. What was calibrated there from 9 February up "
        "to and including 20 February\n2026 is in question; benches one and three are fine. Bench two got a new "
        "display on 16 February. Somebody left it on\nFahrenheit. The numbers are right, only the unit is not "
        "ours.\n\nFarah Lacey, 11 March\n",
    ),
    (
        "relay_report.md",
        "# Relays that stick\n\nBoard C, built from week 40 of 2023 up to and including week 5 of 2024: the alarm "
        "relay may stick when it is damp.\nBoards B and D have another relay. I reproduced it on Friday 6 March at "
        "14:30 in the climate chamber (in Helsinki,\nwhere else).\n\nFarah Lacey\n",
    ),
)
"""What the test engineer noted, by case: name of the file and text."""

COSTS: Final = (
    (
        (
            "service_costs_2025.csv",
            (
                ("what", "per", "cost", "currency"),
                ("swap on site", "trip", "170.00", "EUR"),
                ("swap on site", "logger", "8.90", "EUR"),
                ("swap by parcel", "parcel of up to 10", "13.80", "GBP"),
                ("swap by parcel", "logger", "5.80", "EUR"),
                ("cell kit", "logger", "3.60", "EUR"),
            ),
            "2025-01-15 10:00",
        ),
        (
            "service_costs_2026.csv",
            (
                ("what", "per", "cost", "currency"),
                ("swap on site", "trip", "185.00", "EUR"),
                ("swap on site", "logger", "9.40", "EUR"),
                ("swap by parcel", "parcel of up to 10", "14.50", "GBP"),
                ("swap by parcel", "logger", "6.10", "EUR"),
                ("cell kit", "logger", "3.85", "EUR"),
            ),
            "2026-01-14 10:20",
        ),
    ),
    (
        (
            "calibration_costs.csv",
            (
                ("what", "cost", "currency", "from"),
                ("logger exchanged", "44.90", "EUR", "2025-01-01"),
                ("certificate", "7.50", "EUR", "2025-01-01"),
                ("visit", "195.00", "EUR", "2025-01-01"),
                ("parcel of up to 12", "11.20", "GBP", "2025-01-01"),
                ("logger exchanged", "46.20", "EUR", "2026-01-01"),
                ("visit", "210.00", "EUR", "2026-01-01"),
                ("parcel of up to 12", "11.80", "GBP", "2026-02-01"),
                ("logger exchanged", "47.10", "EUR", "2026-04-01"),
                ("certificate", "8.00", "EUR", "2026-04-01"),
            ),
            "2026-02-26 14:05",
        ),
    ),
    (
        (
            "spare_parts.csv",
            (
                ("part", "EUR", "from"),
                ("display", "31.00", "2025-01-01"),
                ("relay kit", "54.50", "2025-01-01"),
                ("relay kit", "58.00", "2026-01-01"),
                ("display", "32.50", "2026-01-01"),
                ("relay kit", "61.00", "2026-04-01"),
            ),
            "2026-02-24 16:15",
        ),
    ),
)
"""Sheets of /workspace/finance by case: name, rows, when they were written."""

MAILS: Final = (
    (
        (
            "bettina.crane@hexley.example",
            "Logger will not start",
            "Hello,\n\nsince this morning one of our loggers, from the first lot you sent us, has stayed dark. Is "
            "that a "
            "known problem?\n\nBettina Crane\nHexley Ices",
            "2026-03-06 08:55",
        ),
        (
            "support",
            "Hexley's dark logger",
            "Gareth, before you put it on the pile: the one Hexley wrote about on Friday had no cell in it at all. "
            "They found it on the windowsill. Nothing to do with the rest.\n\nKieran",
            "2026-03-10 15:40",
        ),
        (
            "qa",
            "Cells: line log is off",
            "Hi Gareth,\n\nthe line changed to the next lot later than the log says: the last logger with a 7C "
            "cell is 41390, not 41371. I will look at the first one too.\n\nFarah",
            "2026-03-13 10:10",
        ),
        (
            "qa",
            "Cells, both ends",
            "Hi Gareth,\n\nopened them one by one, so this is final. First logger with a 7C cell: "
            "41208. Last one: 41383. Both of these have it. Please ignore everything I said before.\n\nFarah",
            "2026-03-16 09:25",
        ),
        (
            "coo",
            "Vaccines and blood",
            "Gareth,\n\none change to your rules for the cells. Whoever monitors vaccines or blood with our loggers "
            "gets "
            "the swap on site, however few they have. Today that is Dunmoor and the Carrick Blood Service. Not the "
            "Blood Bank Trust, they keep an archive.\n\nNiamh",
            "2026-03-16 17:05",
        ),
        (
            "am1",
            "Three things after my holiday",
            "Hi Gareth,\n\ncatching up. One: Gilcrux have signed, their service contract runs for another year from 1 "
            "March, the list just doesn't know yet. Eskmouth are still thinking about theirs. Two: Hexley "
            "passed everything we sent them this year on to Borrowfell Clinic, next door, where they hang in the "
            "annex. "
            "Three: Tariq Sorley is no longer at Gilcrux. Quality is Hollis Vane now, hollis.vane@gilcrux.example, "
            "same desk, same phone.\n\nDevika",
            "2026-03-17 09:50",
        ),
    ),
    (
        (
            "tariq.sorley@gilcrux.example",
            "Readings against our own standard",
            "Dear Mr Rahimi,\n\nten of your newer loggers are off by a third of a degree and more against our own "
            "standard. We noticed this morning.\n\nTariq Sorley, Gilcrux Laboratories",
            "2026-03-06 09:20",
        ),
        (
            "qa",
            "It is bench two",
            "Hi Gareth,\n\nconfirmed this morning at 10:20 my time: bench two reads wrong, one and three do not. A "
            "note follows, and the log is in the folder.\n\nFarah",
            "2026-03-10 11:35",
        ),
        (
            "qa",
            "Bench two, from when to when",
            "Hi Gareth,\n\nthe camera above the bench knows better than I did. The block was knocked and screwed "
            "down askew on Wednesday 11 February at 9:15, before the first logger of that day, Helsinki time as "
            "always. And it was put straight again on the evening of 24 February, after the last logger. So it is "
            "both of these days and everything in between.\n\nFarah",
            "2026-03-16 13:15",
        ),
        (
            "firmware",
            "Exchange earlier?",
            "Gareth, I would exchange from 0.30 and be done with it. Nobody reads corrections in "
            "certificates. Just my view.\n\nWilhelm",
            "2026-03-13 12:25",
        ),
        (
            "am1",
            "Fenwick, Inverdale, Dunmoor",
            "Hi Gareth,\n\nFenwick Catering has belonged to Eskmouth Produce since 1 March, name, freezers and all. "
            "Inverdale: please no letter, their lawyer reads everything first, I'll ring Magnus myself. And "
            "Dunmoor's people have had new addresses since January: Chiara Holt is c.holt@dunmoorgroup.example. "
            "The old one bounces.\n\nDevika",
            "2026-03-17 10:15",
        ),
    ),
    (
        (
            "leonie.wark@ottershaw.example",
            "Old Quay",
            "Hello Gareth,\n\nas you are counting: Fenwick closed Old Quay in February, it never made it into "
            "your sheets. We took the gateways down, the place is empty.\n\nLeonie Wark\nOttershaw Cold Systems",
            "2026-03-12 14:20",
        ),
        (
            "qa",
            "Relays: more weeks",
            "Hi Gareth,\n\nthe supplier was honest at last. Same relay from week 36 of 2023 up to and including "
            "week 8 of 2024, board C as before.\n\nFarah",
            "2026-03-13 15:45",
        ),
        (
            "qa",
            "Relays: one week less",
            "Hi Gareth,\n\nweek 51 of 2023 is fine. They had run out and used relays of another make for five days. "
            "Everything else as I wrote on Friday.\n\nFarah",
            "2026-03-17 07:55",
        ),
        (
            "sales_vp",
            "Make it painless",
            "Gareth, could we not give everybody 30% off on the kits, dealers or not? It would sweeten a sour "
            "letter. I will bring it up with Niamh.\n\nGiulia",
            "2026-03-16 16:50",
        ),
        (
            "coo",
            "Re: kits",
            "Gareth,\n\nno presents for everybody, whatever Giulia says. But the dealers do the climbing, so for "
            "this one they get 20 percent off the kits instead of what the page says.\n\nNiamh",
            "2026-03-17 11:30",
        ),
        (
            "am1",
            "Ottershaw and Marrick",
            "Hi Gareth,\n\nOttershaw have given up Hexley Ices. Since 1 March we look after all of Hexley's stores "
            "ourselves. At Marrick, Anton Pryce has retired. Rosa Kettle has taken over quality, "
            "rosa.kettle@marrick.example, same phone number.\n\nDevika",
            "2026-03-17 14:05",
        ),
    ),
)
"""Mails by case: sender, subject, text, when."""

TALK: Final = (
    (
        (
            "operations",
            "logistics",
            "no logger has left the hall since ten past four. the driver was nice about it",
            "2026-03-12 16:32",
        ),
        (
            "incidents",
            "firmware",
            "loggers on 2.8 sleep longer. could we not leave those out of the cells business?",
            "2026-03-13 11:20",
        ),
        ("incidents", "support", "sounds good to me, that would halve it", "2026-03-13 11:32"),
        ("incidents", "qa", "I have measured nothing of the sort yet", "2026-03-13 12:02"),
        (
            "Calls, Monday 9 March",
            "",
            "11:20 Morag Tennant, display scratched, wants a new foil\n14:50 Chiara Holt, two loggers flat over the "
            "weekend, cells not two months old. First I hear of it\n16:05 Nils Barclay, same, one logger",
            "2026-03-09 17:30",
        ),
    ),
    (
        (
            "incidents",
            "am2",
            "for the record: the first one to ring about wrong readings was Dunmoor's lab in Montreal, Thursday 5 "
            "March, 12:30 my time in Toronto. I took it for a joke",
            "2026-03-10 14:45",
        ),
        (
            "incidents",
            "qa",
            "bench two is closed, since 12:05 here in Helsinki. I took the key home",
            "2026-03-10 11:50",
        ),
        (
            "incidents",
            "coo",
            "for bench two we exchange from 0.40, not 0.50. pharma will not read a certificate",
            "2026-03-16 10:40",
        ),
        (
            "incidents",
            "support",
            "then why not 0.30, as Wilhelm says? we have enough loggers",
            "2026-03-16 10:52",
        ),
        (
            "Calls, first week of March",
            "",
            "Tue 3, 10:10 Basil Orme: readings late. Their router, not us\nFri 6, 11:45 Iona Metcalf asks whether "
            "her loggers are affected. They are from January",
            "2026-03-06 17:10",
        ),
    ),
    (
        (
            "incidents",
            "support1",
            "first call about a relay: Monday 2 March, 15:15 in Toronto, a night guard of Marrick's. the alarm kept "
            "ringing "
            "and the door was shut",
            "2026-03-03 14:20",
        ),
        (
            "incidents",
            "dev",
            "board B looks the same to me from above. add it to the list?",
            "2026-03-12 09:05",
        ),
        ("incidents", "support", "better too many than too few, I would add it", "2026-03-12 09:21"),
        ("operations", "planner", "relay kits: two hundred on the shelf", "2026-03-16 15:02"),
        (
            "Phone, 10 March",
            "",
            "11:30 Marrick, told Rosa Kettle about the relays\n16:20 Ottershaw, engaged\n16:45 Ottershaw, told "
            "Leonie Wark\n17:05 Sunil Abara, also told, he took it well",
            "2026-03-10 17:25",
        ),
    ),
)
"""Lines in channels by case: channel, author, text, when. Each case ends with a note: title, nothing, text, when."""
