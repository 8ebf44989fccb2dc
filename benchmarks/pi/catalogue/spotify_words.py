"""What is made up for the music service: artists, their albums, and what titles and reviews consist of."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = (
    "ACTS",
    "ADJECTIVES",
    "ARTISTS",
    "BLAME",
    "DETAILS",
    "LENGTHS",
    "MONTHS",
    "OTHERS",
    "OWN",
    "PLACES",
    "PRAISE",
    "SHARED",
    "STRANGERS",
    "THINGS",
    "VERDICTS",
)


class Act(NamedTuple):
    """An artist, and the titles of their albums, oldest first."""

    name: str
    genre: str
    about: str
    albums: tuple[str, str]


ARTISTS: Final = (
    Act("Ilva Moss", "folk", "Sings of tides and lighthouse keepers, with one guitar.", ("Low Water", "Keeper's Log")),
    Act("The Hollow Larks", "folk", "Four siblings from a mill town.", ("Threshing Songs", "Larkfall")),
    Act("Bram Teasel", "folk", "Fiddler who writes for dances.", ("Barn Weather", "Second Fiddle, First Light")),
    Act("The Slow Ferry", "dub", "Basslines recorded on a decommissioned ferry.", ("Night Crossing", "Car Deck Dub")),
    Act("Quayside Echo", "dub", "A harbour sound system since its schooldays.", ("Mooring", "Mooring in Dub")),
    Act("Odd Tamarack Trio", "jazz", "Piano, bass, drums and long silences.", ("Three Chairs", "The Fourth Chair")),
    Act(
        "Selma Vantongerloo",
        "jazz",
        "Trumpeter with a muted, late-night tone.",
        ("Blue Porcelain", "After the Rain Delay"),
    ),
    Act("Minor Ninth Avenue", "jazz", "A big band that fits in a small bar.", ("Standing Room", "Last Orders in F")),
    Act(
        "Pale Meridian",
        "ambient",
        "Drones made of field recordings from the far north.",
        ("Isobars", "Noon Without Sun"),
    ),
    Act("Hush Cartography", "ambient", "Maps of places, as sound.", ("Contour Lines", "Unlit Roads")),
    Act("Anneke Zwart", "ambient", "Church organs, played very slowly.", ("Bellows", "Nave")),
    Act("Velvet Modem", "synth pop", "Choruses for empty arcades.", ("Dial Tone Hearts", "Carrier Signal")),
    Act(
        "Kit Lumen", "synth pop", "Former choirboy with three drum machines.", ("Neon Vespers", "Half-Life of a Crush")
    ),
    Act(
        "Paper Satellites", "synth pop", "A duo who never met before their first tour.", ("Orbit Decay", "Soft Landing")
    ),
    Act(
        "Tin Orchard", "indie rock", "Loud in the verses, quiet in the choruses.", ("Bruised Fruit", "Grafting Season")
    ),
    Act(
        "The Borrowed Coats", "indie rock", "Charity-shop suits and two lead singers.", ("Unclaimed", "Dry Clean Only")
    ),
    Act(
        "Marlow & the Static",
        "indie rock",
        "Songs about trains that did not come.",
        ("Replacement Bus", "Platform Nine"),
    ),
    Act("Nadia Overpass", "indie rock", "Writes on the night shift.", ("Hard Shoulder", "Junction Songs")),
    Act("Cinder Okoro", "hip hop", "Storyteller from the estates by the canal.", ("Towpath", "Lock Keeper Flow")),
    Act(
        "MC Fathom",
        "hip hop",
        "Rhymes by depth: every album goes further down.",
        ("Two Hundred Metres", "One Thousand Metres"),
    ),
    Act("Loose Change Union", "hip hop", "A collective of nine and a horn section.", ("Coin Toss", "Small Print")),
    Act("Ferran Quartet", "classical", "String quartet for new scores.", ("Four Letters", "Quartets in Snow")),
    Act(
        "Liesl Brandt-Aune",
        "classical",
        "Pianist, known for her nocturnes.",
        ("Nocturnes of the Fjord", "Small Preludes"),
    ),
    Act(
        "Camerata Ostrel",
        "classical",
        "Chamber orchestra that plays standing.",
        ("Serenades for Winds", "The Glass Suite"),
    ),
    Act("Desmond Fairley", "soul", "A voice like warm gravel.", ("Sunday Clothes", "Kitchen Light")),
    Act("Opal Rainey", "soul", "Grew up in a choir, left for the dance floor.", ("Gold Teeth", "The Warm Pavement")),
    Act("The Tenderlane Five", "soul", "Harmony group; there are six of them.", ("Sixth Man", "Unhurried")),
    Act("Gravemill", "metal", "Doom from a disused quarry.", ("Millstone", "Under the Wheel")),
    Act("Iron Heron", "metal", "Fast, precise and fond of birds.", ("Talon Season", "Wetland Siege")),
    Act("Saltpyre", "metal", "Songs of shipwrecks, in growls.", ("Hull Breach", "Drowned Choir")),
    Act("Nils Oktav", "electronic", "Builds his own synthesisers.", ("Patch Notes", "Voltage for Beginners")),
    Act("Glasshouse Motor", "electronic", "Techno with birdsong.", ("Germination", "Night Shift at the Nursery")),
    Act("Juno Parallax", "electronic", "Breakbeats and borrowed voices.", ("Two Moons Apart", "Parallel Parking")),
    Act("Wilma Tuckett", "country", "Songs of long roads and short marriages.", ("Gas and Gospel", "Two-Lane Blues")),
    Act("Dusty Almanac", "country", "A band that tours by weather forecast.", ("First Frost", "Planting by the Moon")),
)

LENGTHS: Final = {
    "ambient": (280, 720),
    "classical": (150, 600),
    "country": (150, 260),
    "dub": (230, 480),
    "electronic": (220, 460),
    "folk": (130, 290),
    "hip hop": (140, 270),
    "indie rock": (150, 290),
    "jazz": (210, 560),
    "metal": (220, 520),
    "soul": (160, 280),
    "synth pop": (170, 260),
}
"""Genre -> least and greatest duration in seconds."""

ADJECTIVES: Final = (
    "Amber", "Borrowed", "Broken", "Careful", "Cold", "Crooked", "Distant", "Early", "Electric", "Empty", "Faded",
    "Foreign", "Gentle", "Golden", "Half-Open", "Heavy", "Hidden", "Idle", "Last", "Late", "Little", "Lonely", "Lost",
    "Narrow", "Northern", "Old", "Paper", "Patient", "Quiet", "Restless", "Rusted", "Second", "Silver", "Sleepless",
    "Slow", "Spare", "Stolen", "Sunken", "Tidal", "Unfinished", "Wild", "Winter",
)  # fmt: skip

THINGS: Final = (
    "Anchor", "Arrow", "Attic", "Balcony", "Bell", "Bicycle", "Bridge", "Candle", "Carousel", "Cartwheel", "Chimney",
    "Clock", "Compass", "Corridor", "Curtain", "Doorbell", "Dragonfly", "Elevator", "Engine", "Envelope", "Escalator",
    "Fence", "Field", "Fountain", "Garden", "Ghost", "Glove", "Harbour", "Highway", "Horizon", "Island", "Kettle",
    "Kite", "Ladder", "Lamp", "Lantern", "Letter", "Lullaby", "Machine", "Map", "Mirror", "Morning", "Mountain",
    "Needle", "Orchard", "Passenger", "Pendulum", "Photograph", "Pilot", "Postcard", "Radio", "Raincoat", "River",
    "Rooftop", "Satellite", "Season", "Shadow", "Sparrow", "Staircase", "Station", "Suitcase", "Summer", "Telegram",
    "Thunder", "Tower", "Umbrella", "Valley", "Wallpaper", "Window", "Wolf",
)  # fmt: skip

PLACES: Final = (
    "Ashgrove", "Bellhaven", "Birch Lane", "Canal Street", "Cold Harbour", "Corrin Head", "Dunmere", "Eastgate",
    "Fennick", "Gallows Hill", "Harrowby", "Inner Ring", "Kelder Bay", "Lowfield", "Marsh End", "Nettlecombe",
    "Orrin Falls", "Pier Road", "Quarry Bank", "Saltmarket", "Tarn Wood", "Upper Deck", "Vesper Square", "Wick Lane",
)  # fmt: skip

MONTHS: Final = ("January", "March", "April", "June", "August", "October", "November")

ACTS: Final = (
    "Answering", "Burning", "Calling", "Carrying", "Chasing", "Counting", "Crossing", "Drawing", "Feeding", "Finding",
    "Following", "Forgetting", "Hiding", "Holding", "Keeping", "Leaving", "Losing", "Mending", "Naming", "Painting",
    "Reading", "Selling", "Stealing", "Trading", "Waking", "Winding",
)  # fmt: skip

OWN: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("Deep work", "No words, nothing that asks for attention.", ("ambient", "classical", "electronic")),
    ("Morning run", "Up-tempo.", ("electronic", "hip hop", "synth pop")),
    ("Train north", "For the way up and back.", ("country", "folk", "indie rock")),
    ("Climbing wall", "Loud enough for the hall.", ("hip hop", "indie rock", "metal")),
    ("Late kitchen", "Cooking after ten.", ("dub", "jazz", "soul")),
    ("To be sorted", "Found lately, not filed yet.", ()),
    ("Sunday, slowly", "", ("folk", "jazz", "soul")),
    ("Rain", "Grey weather only.", ("ambient", "dub", "folk")),
)
"""Playlists of the persona: title, what it says, and its genres; none for any."""

SHARED: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("Dinner for six", "Starts soft, ends with dancing.", ("dub", "jazz", "soul")),
    ("Road trip, east coast", "Two days of driving.", ("country", "indie rock", "soul")),
    ("Best of the year so far", "One pick a week.", ()),
    ("Songs to sulk to", "", ("country", "folk", "indie rock")),
    ("Garden party", "Nothing rude: the neighbours are invited.", ("dub", "soul", "synth pop")),
    ("Gym, no excuses", "Fast and heavy.", ("electronic", "hip hop", "metal")),
    ("Falling asleep", "Low volume, please.", ("ambient", "classical")),
    ("Deadline week", "Instrumental, mostly.", ("classical", "electronic", "jazz")),
    ("Slow Sunday", "Coffee, papers, no plans.", ("folk", "jazz", "soul")),
    ("Cabin weekend", "For the wood stove.", ("country", "folk")),
    ("Train to work", "Longer than the journey, in case of delays.", ("hip hop", "indie rock", "synth pop")),
    ("Warm-up", "Before the hard part.", ("electronic", "hip hop")),
    ("Baking", "Stirs and rests.", ("jazz", "soul")),
    ("Old favourites", "As they come to mind.", ()),
    ("Running in the rain", "Long and steady.", ("dub", "electronic", "synth pop")),
    ("Birthday, draft", "Not final; do not tell anyone.", ()),
    ("Deep focus", "Without a word.", ("ambient", "classical", "electronic")),
    ("Packing boxes", "Moving house, again.", ("indie rock", "soul", "synth pop")),
    ("Night bus", "", ("ambient", "electronic", "hip hop")),
    ("Wedding candidates", "Vote by liking them.", ("soul", "synth pop")),
)
"""Playlists of other people, in the same way."""

STRANGERS: Final = (
    ("tidewatcher", "Maren Holloway"), ("basementtapes9", "Gideon Marsh"), ("lowend_lily", "Lily Abara"),
    ("vinylvicar", "Tobias Crane"), ("quiet.please", "Yuki Tanemoor"), ("thirdencore", "Renzo Palmieri-Voss"),
    ("offbeatolive", "Olive Drummond"), ("headphones_on", "Petra Nyland"), ("sunday_side_b", "Caleb Winterford"),
    ("fermata", "Ingrid Sallow"), ("loudneighbour", "Dax Rowntree"), ("chorusgirl77", "Bettina Karras"),
)  # fmt: skip
"""Usernames and names of people whom the persona does not know."""

OTHERS: Final = (
    ("live at {place}", 1.2),
    ("acoustic", 0.9),
    ("demo", 0.95),
    ("radio edit", 0.75),
    ("extended", 1.6),
    ("instrumental", 1.0),
)
"""What a second version of a song is, and how long beside the first."""

VERDICTS: Final = {
    5: (
        "I have played {title} every day since I found it.",
        "{artist} will not write a better song than {title}.",
        "Stopped in the street to hear it out.",
        "This is what {genre} is for.",
        "{title} is perfect, down to the last breath of it.",
        "Sent it to everybody I know.",
        "One of those songs that tidy your head.",
        "Five stars, and I do not give them to {genre} as a rule.",
    ),
    4: (
        "Very good, if a little polite.",
        "{title} grew on me; by the third time I was humming it.",
        "Among the best that {artist} has done.",
        "Strong all the way, only the ending is rushed.",
        "A song I keep coming back to on trains.",
        "Lovely playing, and a tune that stays.",
        "Nearly a classic of {genre}.",
        "Better on headphones than out loud.",
    ),
    3: (
        "Pleasant, and gone a minute later.",
        "{title} has one good idea and repeats it.",
        "Neither here nor there, by the standards of {artist}.",
        "Fine for the background.",
        "I like the first half; the second is padding.",
        "Solid {genre}, no surprises.",
        "I wanted to like {title} more than I do.",
        "Good musicians, ordinary song.",
    ),
    2: (
        "Too long by half.",
        "{artist} can do so much better than {title}.",
        "The mix buries whatever tune there was.",
        "Sounds like an outtake.",
        "A promising start that leads nowhere.",
        "Not for me, though I see why others like it.",
        "{genre} by numbers.",
        "I skip {title} whenever it comes up.",
    ),
    1: (
        "I could not finish it.",
        "{title} gave me a headache.",
        "What happened to {artist}?",
        "All effects, no song.",
        "Background noise with a price on it.",
    ),
}
"""Rating -> sentences about a song."""

PRAISE: Final = (
    "The turn at {minute} is the whole point.",
    "Its {length} feel shorter than they are.",
    "Goes well after anything else on {album}.",
    "{album} is worth having for this alone.",
    "Whoever recorded {album} knew about rooms.",
    "At {minute} there is a change of key that I did not see coming.",
    "Somebody laughs at {minute}, and it was right to leave that in.",
    "I went through all of {album} because of it, and do not regret it.",
    "My flatmate, who hates {genre}, asked what it was.",
    "The last chord, at {length}, is left hanging, and so was I.",
    "Hard to believe that it is from the same year as anything else I own.",
    "Try the quiet part from {minute} on with the lights off.",
)
"""More sentences about a song that somebody liked."""

DETAILS: Final = (
    "Around {minute} everything drops out but the bass.",
    "You hear a chair creak at {minute}.",
    "The rhythm changes at {minute}, a bar late, on purpose.",
    "Plainer than usual for {artist}.",
    "I saw {artist} play it in a half-empty hall, and it was slower there.",
    "It wakes up at {minute}, not before.",
    "Sits oddly among the others on {album}.",
    "It could be from any album, and is on {album}.",
    "Between {minute} and the end it is another song.",
    "I came to it through {album}, which is more even.",
)
"""Sentences about any song."""

BLAME: Final = (
    "Its {length} feel longer than they are.",
    "By {minute} you know all of it.",
    "The rest of {album} is better.",
    "I gave up at {minute}.",
    "What is the noise at {minute} for?",
    "Skip it and play anything else on {album}.",
    "If this is {genre}, I am a violin.",
    "It ends at {length}, without having begun.",
)
"""Sentences about a song that somebody did not like."""
