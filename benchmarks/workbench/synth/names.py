"""The words that our world is made of: a made-up company, its people, its customers."""

from __future__ import annotations

__all__ = (
    "BOARDS", "COMPANIES", "CUSTOMER_FIRST", "CUSTOMER_LAST", "DOMAIN", "EVENTS", "LISTS", "MAIL_CLOSINGS",
    "MAIL_LINES", "MAIL_OPENINGS", "MAIL_SUBJECTS", "NOTES", "PRODUCTS", "PROJECT_PEOPLE", "SALES_PEOPLE", "SOURCES",
    "STATUSES", "TASK_OBJECTS", "TASK_VERBS", "TOPICS", "USER",
)  # fmt: skip

USER = "Robin Aldane"
DOMAIN = "tarnwick.example"

SALES_PEOPLE = ("ingrid.solberg", "mateus.ferro", "priya.nambiar", "oskar.lindqvist", "hana.kubota")
PROJECT_PEOPLE = (
    "tomas.vrba", "leonie.hartwig", "dario.bellucci", "samira.haddad", "callum.reid",
    "yewande.okafor", "minh.tran", "greta.osterman", "rafael.quintana", "noor.rahimi",
    "fergus.macrae", "sunita.rao", "bjorn.aasen", "chiara.lombard", "dmitri.volkov",
)  # fmt: skip
"""First names are unique and part of no other address, so that each finds exactly one person."""

BOARDS = ("Back end", "Front end", "Design")
LISTS = ("Backlog", "In Progress", "In Review", "Completed")
STATUSES = ("Lead", "Qualified", "Proposal", "Won", "Lost")
PRODUCTS = ("Software", "Hardware", "Services", "Consulting", "Training")
SOURCES = ("direct", "referral", "search engine", "social media")

TOPICS = (
    "Harbour Pricing", "Supplier Shortlist", "Office Move", "Warranty Claims", "Autumn Catalogue",
    "Depot Rota", "Billing Switch", "Partner Summit", "Returns Desk", "Fleet Renewal",
    "Safety Walk", "Export Licences", "Customer Panel", "Grant Bid", "Night Shift Trial",
    "Energy Contract", "Apprentice Intake", "Packaging Redesign",
)  # fmt: skip
MAIL_SUBJECTS = ("Update on {}", "Question about {}", "Draft for {}")

MAIL_OPENINGS = ("Hi Robin,", "Hello Robin,", "Robin,", "Good morning Robin,")
MAIL_LINES = (
    "Work on the {} is moving along, and the open points fit on half a page now.",
    "We lost two days on the {} because a delivery came late; I expect to make them up.",
    "I collected what we know about the {} and marked the gaps in yellow.",
    "Two people from finance looked at the {} and have no objections so far.",
    "The {} still lacks an owner for the last step, so I would welcome a name from you.",
    "Nothing dramatic, but the {} will cost slightly more than we planned in January.",
    "Our first run of the {} went better than I feared; details are in the shared folder.",
    "Could we spend ten minutes on the {} before the week is over?",
)
MAIL_CLOSINGS = ("Best wishes,", "Thanks,", "Regards,", "Cheers,")

EVENTS = (
    "Weekly numbers", "Stand-up", "Roadmap review", "Hiring round", "Supplier call", "Sprint planning",
    "Sprint demo", "Design critique", "Incident review", "Budget check", "Depot visit", "Contract talk",
    "Quarterly goals", "Site tour", "Pricing workshop", "Risk review", "Onboarding session", "Data clean-up",
    "Release sign-off", "Customer interview", "Training hour", "Partner call", "Board rehearsal", "One-to-one",
)  # fmt: skip

TASK_VERBS = {
    "Back end": ("Speed up", "Add logging to", "Write tests for", "Document", "Split up", "Harden"),
    "Front end": ("Restyle", "Fix keyboard access in", "Translate", "Shrink the bundle of", "Rework", "Add hints to"),
    "Design": ("Sketch", "Redraw", "Test with users", "Pick colours for", "Prepare assets for", "Simplify"),
}
TASK_OBJECTS = {
    "Back end": (
        "the invoice export", "the stock service", "the login queue", "the nightly import", "the price cache",
        "the webhook sender", "the audit trail", "the address lookup", "the refund job", "the search index",
        "the report builder", "the token store", "the parcel tracker", "the tax rules", "the message broker",
        "the file intake", "the health probe",
    ),
    "Front end": (
        "the basket page", "the order form", "the date picker", "the side menu", "the sign-up flow",
        "the product grid", "the help panel", "the map view", "the settings page", "the chart widget",
        "the photo viewer", "the filter bar", "the error page", "the review box", "the welcome banner",
        "the print view", "the wish list",
    ),
    "Design": (
        "the delivery icons", "the landing page", "the shelf labels", "the yearbook cover", "the map legend",
        "the badge set", "the loading screen", "the invoice layout", "the trade-fair stand", "the van lettering",
        "the onboarding cards", "the empty states", "the newsletter header", "the size guide", "the gift wrap",
        "the mobile menu", "the colour scale",
    ),
}  # fmt: skip

CUSTOMER_FIRST = (
    "Abigail", "Anton", "Beatrix", "Benedict", "Camille", "Cedric", "Delphine", "Desmond", "Elspeth", "Emil",
    "Freya", "Gideon", "Harriet", "Ignacio", "Josephine", "Kasper", "Lucinda", "Magnus", "Nerys", "Orlando",
    "Philippa", "Quentin", "Rosalind", "Silas", "Theodora", "Ulrich", "Verena", "Wilfred", "Xenia", "Zachary",
)  # fmt: skip
CUSTOMER_LAST = (
    "Abbotsford", "Barrowman", "Castellan", "Drummond", "Eastlake", "Fairbairn", "Galloway", "Hollis", "Inglewood",
    "Jessop", "Kettering", "Langtry", "Merriweather", "Northcote", "Ollerton", "Pemberton", "Quigley", "Ravensdale",
    "Stanhope", "Thackray", "Underhill", "Vantongeren", "Whitlock", "Yarrow", "Zimmerli",
)  # fmt: skip
COMPANIES = (
    "alderbank", "brightmill", "coppergate", "dunmoor", "elmfield", "fernhollow", "glasswater", "highcroft",
    "ironbridge", "juniperhall", "kestrelworks", "larkspur", "millrace", "nettlecombe", "oakhurst", "pebbleford",
)  # fmt: skip
NOTES = ("Sent the brochure", "Had a short call", "Asked for references", "Saw the demo", "On holiday", "Wants a quote")
