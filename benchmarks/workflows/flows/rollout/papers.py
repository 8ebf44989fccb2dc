"""What people wrote about three roll-outs: procedures, mails with what was attached, messages and notes."""

from __future__ import annotations

from typing import Final

__all__ = ("MAILS", "NOTES", "PROCEDURES", "TALK")

_COMMON: Final = """\
1. Wilhelm Dlamini says what goes out and what it needs. Tobias Hollis may change these rules, by mail or in a channel.
   Customers tell us by mail what they have and when we may not come; account managers may do so for them. The latest
   word of each of them counts, and overrides our lists. What anybody else would like is a wish.
"""
_WAVES: Final = """\
 There are three waves, with the same limit for each; first day and limit are set for each roll-out. A site is updated
   as a whole. Go through the sites in order: each goes into the first wave on whose day it may be updated and which
   still has room for all of it. So a small site may get into a wave that was too full for a larger one before it. A
   site that does not fit anywhere is left out, with the reason "no wave".
"""
_LETTERS: Final = """\
 Each customer with a site in a wave gets one mail, to the Site Manager in the CRM. If the CRM has the wrong person or
   address, correct the record first (name and address; no second record, nothing else on it). The mail names each of
   their sites that is in a wave with its day, and no others.
"""

PROCEDURES: Final = (
    (
        "how_we_roll_out.md",
        f"""\
# New firmware for gateways

{_COMMON}\
2. devices/gateway_sites.csv has the sites. Those that are closed are left out of everything.
3. A site's board and current version need a passed test (tests.csv in the folder of the roll-out) of the exact build
   that goes out. If there were several, the last one counts. Otherwise the site is left out, reason "test".
4. No site is updated on a day that customers/no_changes.csv has for it, first and last day included.
5. Hospitals, pharmacies, hospices (industry Health in the CRM) are never in the first wave.
6. Order: pilots first, as Wilhelm lists them for this version; then sites with fewer gateways before those with more;
   equal ones by name.
7.{_WAVES}\
8. Waves are a week apart, always on the same day of the week. The limit is a number of gateways.
9. `plan.csv` in the folder: columns wave, day, site, gateways; waves 1 to 3, each in the order of rule 6; days as
   YYYY-MM-DD. `left_out.csv` beside it: columns site, reason; in the order of rule 6. If several reasons apply, board
   comes before test, and test before no wave.
10.{_LETTERS}\
   Subject "Firmware 3.2 for your gateways".
11. Each site that is left out is a task "Clear up: SITE", due on the day of the first wave.
12. Go or no go is decided at 15:30 on the working day before the first wave; 30 minutes are enough.
""",
    ),
    (
        "updates_over_the_air.md",
        f"""\
# Updating loggers over the air

{_COMMON}\
2. devices/logger_sites.csv has the loggers: a site may have several lines. What a logger has to load is in packages.csv
   in the folder, by model and current version. A site needs the sum over all of its loggers; 1 MB is 1000 kB.
3. The last export in devices/exports (logger_state_YYYYMMDD.csv) has the lowest battery and the signal for each line.
   If the signal of any line is weaker than -110 dBm, the site is left out, reason "signal". If the battery of any line
   is below 30 percent, the site is left out, reason "battery". If both, it is "signal". If a logger has had new cells
   since the export, its battery is fine.
4. Customers have days of the week on which nothing may be loaded (customers/not_on_these_days.csv).
5. Order: sites that need more before those that need less.
6.{_WAVES}\
7. Waves are on three working days in a row. The limit is a number of MB.
8. `waves.csv` in the folder: columns wave, day, site, MB; waves 1 to 3, each in the order of rule 5; days as
   YYYY-MM-DD, MB with two decimals. `later.csv` beside it: columns site, reason; in the order of rule 5.
9.{_LETTERS}\
   Subject "New software in your loggers".
10. Each site that is left out is a task "See to: SITE", due two working days before the first wave.
11. The team meets at 15:00 on the working day before the first wave, for 45 minutes.
""",
    ),
    (
        "certificates_before_they_end.md",
        f"""\
# Gateway certificates

{_COMMON}\
2. devices/certificates_2026.csv says until when each site's certificate is valid; Canada keeps its own list, which
   Laleh Barrow sends. This round is for certificates that end on 30 April 2026 or before. Later ones, and those that
   somebody has renewed already, go in none of our tables.
3. A site may be in a wave if its certificate ends seven days after the day of the wave, or later.
4. No site is touched on a day that customers/no_changes.csv has for it, first and last day included.
5. Gateways of model A0 cannot be reached from here: such a site is left out, reason "by hand".
6. How many minutes a site takes is in minutes.csv in the folder: so many for each gateway, by its model, and once for
   the site.
7. Order: certificates that end sooner come first; those that end on the same day by name of the site.
8.{_WAVES}\
9. Waves are on every second working day: one day for the work, one for watching. The limit is a number of minutes.
10. `evenings.csv` in the folder: columns wave, day, site, minutes; waves 1 to 3, each in the order of rule 7; days as
   YYYY-MM-DD. `not_now.csv` beside it: columns site, reason; in the order of rule 7.
11.{_LETTERS}\
   Subject "Certificates of your gateways".
12. Each site that is left out is a task "Certificate of SITE", due five working days after the first wave.
13. Before the first wave there is a meeting: 16:00 on the working day before, 60 minutes.
""",
    ),
)
"""Name of the file and text, by case."""

_CANADA: Final = (
    "site,customer,model,gateways,until\nMaple Yard,Thornlea Pharmacies,B,4,04/07/2026\n"
    "Granite Bay,Thornlea Pharmacies,A,7,05/04/2026\nLake Post,Thornlea Pharmacies,A,5,04/12/2026\n"
)

MAILS: Final[tuple[tuple[tuple[str, str, str, str, dict[str, str]], ...], ...]] = (
    (
        (
            "maud.fairley@pellmoor.example",
            "Gateways at Elm Court",
            "Hello,\n\nyour invoice has eighteen gateways at Elm Court. There have been twenty-one since January, "
            "and we "
            "do pay for them.\n\nMaud Fairley, Pellmoor Frozen",
            "2026-03-10 11:05",
            {},
        ),
        (
            "firmware",
            "3.2.1 it is",
            "Hi Gareth,\n\nwhat goes out is 3.2.1. I have withdrawn 3.2.0, please forget it and everything that was "
            "said "
            "about it. Farah is still testing, the sheet in the folder is hers.\n\nWilhelm",
            "2026-03-12 09:40",
            {},
        ),
        (
            "conrad.ashe@rothwelldairy.example",
            "Audit at Otter Bend",
            "Dear Gareth,\n\nour auditors want to be home for Easter. So the change freeze at Otter Bend "
            "now ends on 2 April, that day included; it begins when you think it does.\n\nConrad Ashe",
            "2026-03-13 14:30",
            {},
        ),
        (
            "cto",
            "Boards of the first kind",
            "Gareth,\n\nG1 boards stay on their current version. The memory is too small for what comes after 3.2, "
            'whatever the tests say. Leave those sites out, reason "board".\n\nTobias',
            "2026-03-16 12:15",
            {},
        ),
        (
            "salma.whitlock@quernby.example",
            "Inspection",
            "Dear Mr Rahimi,\n\nwe are being inspected. Please change nothing at Ivy House from Monday 30 March to "
            "Friday 3 April. All other weeks are fine.\n\nSalma Whitlock\nQuernby Hospice",
            "2026-03-16 15:50",
            {},
        ),
        (
            "am1",
            "Pellmoor: somebody new",
            "Hi Gareth,\n\nIdris Calloway has left Pellmoor. The Site Manager is now Tessa Grange, "
            "tessa.grange@pellmoor.example, same phone number.\n\nDevika",
            "2026-03-17 10:40",
            {},
        ),
    ),
    (
        (
            "birgit.falconer@saltholm.example",
            "Auction days",
            "Dear Gareth,\n\nthe fish auction has moved from Tuesdays to Thursdays. So nothing may be "
            "loaded at our sites on Thursdays. Tuesdays are free again.\n\nBirgit Falconer",
            "2026-03-11 13:20",
            {},
        ),
        (
            "elsie.rowntree@northgate.example",
            "Fridays",
            "Hello Gareth,\n\nyou still skip our Fridays. You needn't, we haven't baked at night since Christmas. "
            "Any day will do.\n\nElsie Rowntree, Northgate Bakery",
            "2026-03-12 08:35",
            {},
        ),
        (
            "support",
            "Juniper Wing",
            "Gareth, Joan was at Juniper Wing on Friday afternoon and gave all the loggers there new cells. The "
            "export is from the day before.\n\nKieran",
            "2026-03-16 09:15",
            {},
        ),
        (
            "firmware",
            "Package for the older M",
            "Hi Gareth,\n\nsmall change in 2.9: model M coming from 2.7 loads 1250 kB a logger, not what "
            "packages.csv says. The others are as they were.\n\nWilhelm",
            "2026-03-16 14:25",
            {},
        ),
        (
            "cto",
            "Batteries",
            "Gareth,\n\n30 percent was for the old radio. From this roll-out on, a battery is too low below 25 "
            "percent. The signal limit stays as it is.\n\nTobias",
            "2026-03-17 08:45",
            {},
        ),
        (
            "am1",
            "Rothwell's address",
            "Hi Gareth,\n\nmail to Conrad Ashe at Rothwell bounces, they have new addresses: it is "
            "c.ashe@rothwell.example now. It's still him.\n\nDevika",
            "2026-03-17 11:20",
            {},
        ),
    ),
    (
        (
            "maud.fairley@pellmoor.example",
            "Elm Court is done",
            "Hello,\n\nour own IT renewed the certificates at Elm Court last week. One site fewer for "
            "you.\n\nMaud Fairley, Pellmoor Frozen",
            "2026-03-11 10:25",
            {},
        ),
        (
            "am2",
            "Canada's list",
            "Hi Gareth,\n\nhere is our list for the certificates, three sites, all Thornlea's. Dates are month "
            "first, as we write them. They are London days, so never mind the time zone.\n\nLaleh",
            "2026-03-12 15:10",
            {"canada.csv": _CANADA},
        ),
        (
            "conrad.ashe@rothwelldairy.example",
            "Two days at Otter Bend",
            "Dear Gareth,\n\nplease stay away from Otter Bend on 24 and on 26 March, the lines are being cleaned. "
            "Any other day is fine.\n\nConrad Ashe",
            "2026-03-13 16:05",
            {},
        ),
        (
            "sales_vp",
            "Who comes first",
            "Gareth, could Saltholm come before the small ones? They buy the most. It would be a nice gesture, I "
            "think.\n\nGiulia",
            "2026-03-16 14:40",
            {},
        ),
        (
            "cto",
            "Ten days",
            "Gareth,\n\nseven days are too few if something goes wrong over Easter. For this round a certificate "
            "has to end ten days after the wave, or later.\n\nTobias",
            "2026-03-16 15:30",
            {},
        ),
        (
            "am1",
            "Thornlea",
            "Hi Gareth,\n\nLaleh asks me to tell you: at Thornlea, Desmond Ireland has gone to another job. Sites "
            "are with Annika Byrne now, annika.byrne@thornlea.example. Everything else as before.\n\nDevika",
            "2026-03-17 15:15",
            {},
        ),
    ),
)
"""Sender, subject, text, when, and what was attached, by case."""

TALK: Final = (
    (
        (
            "incidents",
            "support",
            "Ferry Point asks for 3.2 every week. can we not take them along?",
            "2026-03-16 10:05",
        ),
        ("incidents", "qa", "it failed there on Friday. I would not", "2026-03-16 10:20"),
        (
            "incidents",
            "cto",
            "after what happened with 3.1: nobody with more than 10 gateways in the first wave, except pilots",
            "2026-03-17 09:30",
        ),
    ),
    (
        ("incidents", "dev", "I have seen updates get through at -115. let us be brave?", "2026-03-16 11:10"),
        ("incidents", "support", "I am for it", "2026-03-16 11:25"),
        (
            "incidents",
            "firmware",
            "S coming from 2.6 loads everything twice in 2.9, so count double what the sheet says for those",
            "2026-03-17 12:20",
        ),
    ),
    (
        (
            "incidents",
            "support",
            "King's Ward has A0, I could drive there some time in April",
            "2026-03-16 11:45",
        ),
        ("incidents", "dev", "or we open a port for it? just thinking aloud", "2026-03-16 12:10"),
        (
            "incidents",
            "firmware",
            "certificates on model B now take four minutes each, not three",
            "2026-03-17 10:50",
        ),
    ),
)
"""Channel, author, text, when, by case."""

NOTES: Final = (
    (
        ("Pilots for 3.1", "Wilhelm: Anvil Street, Lark Rise, Upper Mill", "2025-11-20 15:30"),
        (
            "Pilots for 3.2",
            "Wilhelm on the phone: first Tern Rock, then Birch Hill. No others",
            "2026-03-12 16:45",
        ),
    ),
    (
        (
            "Over the air, last time",
            "Took five days instead of three. Nobody had looked at the days of the week",
            "2025-11-26 16:30",
        ),
    ),
    (
        (
            "Certificates, last year",
            "Eleven sites in two evenings. Never again on a Friday, said Kieran. Tobias laughed",
            "2025-04-17 17:00",
        ),
    ),
)
"""Title, text, when, by case."""
