"""The words that fill a scaled world: outside senders, long-running threads, trade customers.

No text here has the words of a core subject together, an address of a colleague, or "Robin": searches for
those find what they found without it.
"""

from __future__ import annotations

__all__ = (
    "ACCOUNTS", "ACCOUNT_STATUSES", "ANSWERS", "ARCHIVE", "BRANCHES", "MISDIRECTED", "NEWS", "NEWS_ITEMS", "PARTNERS",
    "PARTNER_LINES", "PLACES", "SHOPS", "SPAM", "SPAM_LINES", "SURNAME_ENDS", "SURNAME_STARTS", "THINGS", "TRADE_FIRST",
)  # fmt: skip

THINGS = (
    "Keys", "Fire drill", "Coffee machine", "Heating", "Parking permits", "Spare monitors", "Cleaning rota",
    "First-aid kit", "Lost property", "Window repairs", "Name badges", "Recycling bins", "Printer toner",
    "Bicycle rack", "Fridge shelves", "Alarm codes", "Meeting chairs", "Post trays", "Phone headsets", "Plant care",
    "Lift inspection", "Locker numbers", "Carpet samples", "Notice boards", "Visitor passes", "Blinds", "Water leak",
    "Light bulbs", "Guest network", "Summer party",
)  # fmt: skip
PLACES = (
    "the annex", "the ground floor", "the first floor", "the second floor", "the canteen", "the workshop",
    "the reception", "the archive", "the loading bay", "the garage", "the roof terrace", "the studio", "the basement",
    "the north wing", "the south wing", "the showroom", "the training room", "the photo corner", "the quiet room",
    "the mail room", "the server room", "the courtyard", "the kitchenette", "the print shop", "the porter's lodge",
    "the tool store", "the gatehouse", "the testing bay", "the bike shed", "the hallway",
)  # fmt: skip
ANSWERS = (
    "I had a look at the {0} for {1} this morning and two of them need replacing.",
    "As far as I know nobody has paid for the {0} yet. Shall I ask?",
    "Fine by me, as long as {1} stays open while it is done.",
    "The firm that did the {0} last time is booked out until next month.",
    "I can take care of it on Thursday if somebody covers my phone.",
    "Please leave the {0} as they are until we have heard back from the landlord.",
    "We had the same trouble in {1} two winters ago, and it went away by itself.",
    "Three people have complained to me about this now, so let us settle it.",
    "I have put a note up in {1} so that everybody knows.",
    "Sorry for the late answer, this one slipped through.",
    "Attached is the list for {1}; the last column still has gaps.",
    "I would rather wait for the second quote before we say yes.",
)
MISDIRECTED = (
    "Oops, that one was meant for Robert, please ignore it.",
    "I pressed send too early. The rest follows tomorrow.",
    "Wrong list again, sorry. Only the part below is for you.",
)

PARTNERS = (
    "orders@haldenpallets.example", "desk@quickfreight.example", "jonas@saltmarshprint.example",
    "support@cloudloft.example", "accounts@greycourier.example", "mia@bellwetherlabels.example",
    "service@liftguard.example", "hello@paperfox.example", "dispatch@eastquay.example", "team@voltbureau.example",
)  # fmt: skip
PARTNER_LINES = (
    "your order {0} has left our warehouse and should reach you within three working days.",
    "we could not deliver consignment {0} because nobody opened at the gate.",
    "enclosed you find our revised quote {0}, valid until the end of the month.",
    "a credit note for {0} has been issued to your account.",
    "the part for job {0} is out of stock; may we send the successor instead?",
    "thank you for your call about {0}. A colleague of mine will come back to you.",
)
SHOPS = ("noreply@staplerworld.example", "noreply@deskandchair.example", "bestellung@buerobedarf-holm.example")

NEWS = (
    ("The Dockside Digest", "digest@docksidenews.example"),
    ("Freight Weekly", "editor@freightweekly.example"),
    ("Small Shop Signals", "mail@shopsignals.example"),
    ("Packaging Monthly", "letters@packagingmonthly.example"),
    ("Chamber News", "newsletter@harbourchamber.example"),
    ("Tools and Trades", "news@toolsandtrades.example"),
)
NEWS_ITEMS = (
    "Container rates eased for the third week running.",
    "Five questions to ask before you sign a forwarding contract.",
    "What the new labelling rules mean for small importers.",
    "Reader survey: how long do your parcels wait at the border?",
    "Trade fair calendar: the dates you should not miss.",
    "A visit to a warehouse that runs on second-hand robots.",
    "Our columnist on why nobody reads delivery notes.",
    "Paper prices: a small rise and a long argument.",
)

SPAM = (
    "You have been selected", "Final notice for your mailbox", "Cheap toner, huge discounts", 
    "Re-activate your account",
    "Earn from home in days", "Your parcel is waiting", "Unclaimed refund of {0} euros", "Urgent wire needed",
    "Meet investors tonight", "Invoice {0} is overdue",
)  # fmt: skip
SPAM_LINES = (
    "Dear costumer, your acount was suspendet. Klick the link to verify within 24 houres.",
    "Congratulatons!!! Your adress has won {0}. Reply with your bank details to recieve it.",
    "Limited ofer: buy two cartriges and get tree. This is not a mistake!!",
    "Good day to you, I am a widow with {0} in a vault and trust you alone with it.",
    "Your mailbox is 99% full and will be delete. Sign in hier to keep your messages.",
    "We tried to deliver you a package. Pay the customs fee of {0} to relase it.",
)

TRADE_FIRST = (
    "Alasdair", "Bronwen", "Caspian", "Dagny", "Edmund", "Fenella", "Griselda", "Hamish", "Isolde", "Jocelyn",
    "Konstanze", "Leopold", "Marguerite", "Norbert", "Ottilie", "Percival", "Ronja", "Sebastian", "Tabitha", "Urban",
    "Valentin", "Winifred", "Xaver", "Yolanda", "Zdenka", "Agathe", "Balthasar", "Cordelia", "Dietmar", "Eleonore",
)  # fmt: skip
SURNAME_STARTS = (
    "Ash", "Birk", "Crow", "Dun", "Ember", "Fal", "Gar", "Haw", "Ivers", "Kel", "Lin", "Mar", "North", "Oak", "Pen",
    "Rook", "Stan", "Thorn", "Up", "Wind",
)  # fmt: skip
SURNAME_ENDS = (
    "bridge", "combe", "dale", "field", "gate", "holm", "ington", "leigh", "mere", "naby", "over", "quist", "ridge",
    "stead", "thwaite", "vall", "worth", "yard", "zell", "burn", "croft", "den", "feather", "grove", "hurst", "kirk",
    "low", "mont", "nell", "peak", "rath", "shaw", "tarn", "vane", "wick",
)  # fmt: skip
ARCHIVE = "Archive"
"""The board that completed tasks end up on."""

BRANCHES = ("Spare parts", "Repairs", "Rental", "Leasing")
"""Product lines of trade customers; none of those that the core customers are interested in."""
ACCOUNT_STATUSES = ("Qualified", "Won", "Lost")
"""Theirs are standing accounts: no leads, which requests name without a product, and no proposals."""
ACCOUNTS = ("Standing order", "Asked for samples", "Pays late", "Changed warehouse", "Complained about a label")
