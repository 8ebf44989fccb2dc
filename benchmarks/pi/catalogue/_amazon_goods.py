"""What the shop sells: kinds of things, what sets them apart, and what people say and ask about them. All made up."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ("BRANDS", "KINDS", "SELLERS", "Kind", "Vendor")


class Kind(NamedTuple):
    """A type of product. `low` and `high` in pence; a product has one of `first` and one of `second` in its title.

    `sizes` and `colours` make its options. `good` and `bad` are clauses of reviews, `asked` questions with an answer.
    """

    name: str
    department: str
    low: int
    high: int
    nouns: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    features: tuple[str, ...]
    good: tuple[str, ...]
    bad: tuple[str, ...]
    asked: tuple[tuple[str, str], ...]
    sizes: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()


def _many(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((asked.strip(), said.strip()) for asked, _, said in (part.partition("=>") for part in text.split("|")))


def _kind(
    name: str,
    department: str,
    prices: tuple[int, int],
    nouns: str,
    first: str,
    second: str,
    features: str,
    good: str,
    bad: str,
    asked: str,
    *,
    sizes: str = "",
    colours: str = "",
) -> Kind:
    return Kind(
        name,
        department,
        *prices,
        _many(nouns),
        _many(first),
        _many(second),
        _many(features),
        _many(good),
        _many(bad),
        _pairs(asked),
        _many(sizes) if sizes else (),
        _many(colours) if colours else (),
    )


BRANDS = _many(
    "Aldermoor | Bexwick | Calloway & Finch | Dunlark | Everlock | Fenside | Garrow | Hathering | Inglebrook"
    " | Jessop Vale | Kelderby | Larkhollow | Merrin | Northquay | Oswin | Pellow | Quillmere | Rushford | Stavely"
    " | Thornycombe"
)


class Vendor(NamedTuple):
    """A seller, and the departments in which it has things; "" for all."""

    name: str
    city: str
    about: str
    departments: str = ""


SELLERS: tuple[Vendor, ...] = (
    Vendor("Bramley Home", "Leeds", "A family shop with its own warehouse.", "Kitchen Furniture Bedroom Lighting"),
    Vendor("Tidewater Outfitters", "Bristol", "Gear for hills and coasts, tried by us.", "Sport Bags Outdoors"),
    Vendor("Paperlane", "Norwich", "Everything for a desk, from ink to trays.", "Stationery Lighting"),
    Vendor("Voltbarn", "Reading", "Electronics, checked before they leave.", "Electronics Audio"),
    Vendor("Hillfoot Sports", "Sheffield", "Climbing and running, near the crag.", "Sport Outdoors Bags"),
    Vendor("The Quiet Kettle", "Bath", "Tea, coffee and what they are made with.", "Kitchen Larder"),
    Vendor("Lamplight Yard", "Manchester", "Lamps old and new, and parts for most of them.", "Lighting Furniture"),
    Vendor("Cotton Row", "Leicester", "Clothes and linen from mills that we visit.", "Clothing Bedroom"),
    Vendor("Marlow Direct", "Swindon", "Wide choice at low prices; orders leave twice a day."),
    Vendor("Gather & Grain", "Exeter", "For people who cook daily.", "Kitchen Larder Garden"),
    Vendor("Northern Cable Co", "Newcastle", "Chargers, hubs, and advice on which one fits.", "Electronics Audio"),
    Vendor("Foldwell", "Brighton", "Bags, with zips that we replace for free.", "Bags Outdoors Clothing"),
    Vendor("Study Corner", "Oxford", "For those who sit long.", "Furniture Lighting Stationery"),
    Vendor("Sleep & Sons", "Cardiff", "Pillows since our grandfather's time.", "Bedroom Clothing"),
    Vendor("Pocket Garden", "Canterbury", "Pots, seeds and tools for balconies.", "Garden Outdoors"),
    Vendor("Clearway Deals", "Milton Keynes", "Ends of lines and returned goods, as new, with the usual warranty."),
    Vendor("Wren Audio", "Glasgow", "Heard by us in the back room first.", "Audio Electronics"),
    Vendor("Larder Post", "York", "Coffee and kitchen things by post.", "Larder Kitchen"),
)

KINDS: tuple[Kind, ...] = (
    _kind(
        "Kettles", "Kitchen", (2200, 8900), "kettle | gooseneck kettle | cordless kettle",
        "0.8 litre | 1.2 litre | 1.5 litre | 1.7 litre", "steel | glass | matt enamel | ceramic",
        "holds a chosen temperature | switches off when dry | removable limescale filter | 3 kW element | cool handle",
        "it boils a mug's worth before I have found the tea | the pour is slow and exact | limescale rinses right off"
        " | the lid stays open while filling",
        "the lid drips when opened straight after boiling | the cord is too short for my counter"
        " | its beep wakes the flat | the level mark is hard to read",
        "Can the beep be turned off? => Hold the base button for three seconds; it stays off. | Does it keep warm?"
        " => For half an hour, then it switches off. | Is the filter replaceable? => Yes, by pulling it up.",
        colours="black | cream | sage",
    ),
    _kind(
        "Coffee grinders", "Kitchen", (2900, 19900), "burr grinder | electric grinder | coffee grinder",
        "18 settings | 30 settings | 40 settings | stepless", "steel burrs | ceramic burrs | conical burrs",
        "grinds 30 g at once | antistatic cup | weighs as it grinds | burrs come out without tools",
        "the grounds are even enough for a moka pot | it is quieter than the one it replaced | cleaning takes a minute"
        " | hardly any coffee stays inside",
        "the hopper lets in light | fine settings clog with oily beans | the lid is loose"
        " | static throws chaff over the counter",
        "Is it fine enough for espresso? => On the three lowest settings."
        " | Are spare burrs sold? => Yes, write to us with"
        " the number under the base. | How loud is it? => About like a hairdryer, for twenty seconds.",
    ),
    _kind(
        "Coffee beans", "Larder", (650, 2400), "coffee beans | espresso blend | filter roast",
        "250 g | 500 g | 1 kg", "light roast | medium roast | dark roast | decaffeinated",
        "roasted weekly | resealable bag | notes of hazelnut | notes of orange peel | grown in shade",
        "the crema is thick and lasts | it tastes of nuts without any bitterness | the roasting date was four days ago"
        " | milk does not drown it",
        "two bags in a row were rather flat | it is oilier than described | the seal gave up after a week"
        " | the taste is too sharp for the morning",
        "Is the date of roasting printed? => On the back, beside the seal. | Can it be had ground? => This one is whole"
        " beans only. | Is it suited to cold brew? => Very well, ground coarsely.",
    ),
    _kind(
        "Frying pans", "Kitchen", (1900, 9900), "frying pan | skillet | sauté pan",
        "20 cm | 24 cm | 28 cm | 30 cm", "cast iron | carbon steel | coated aluminium | stainless steel",
        "induction | oven-safe to 220 °C | riveted handle | pouring lip | lid sold apart",
        "eggs slide off since the third use | it heats evenly to the rim | the handle stays cool on gas"
        " | it sits flat on induction",
        "it is heavier than my wrist likes | the coating dulled by the second month | it came with a wobble"
        " | the rivets collect grease",
        "Can it go into the dishwasher? => Better not; hot water and a brush do."
        " | Is it seasoned? => Once, in our oven;"
        " do it again before use. | Does a lid come with it? => No, any lid of its width fits.",
    ),
    _kind(
        "Desk lamps", "Lighting", (2400, 14900), "desk lamp | clamp lamp | reading lamp",
        "5 W | 8 W | 10 W | 12 W", "warm white | three whites | stepless dimmer | daylight",
        "USB socket in the base | swivel head | remembers brightness | no flicker | arm of 60 cm",
        "the light covers two screens without glare | the arm stays where it is put"
        " | the warm setting is easy on the eyes"
        " | the base takes little room",
        "the touch button is too keen | its plug is bulky | the lowest level is still bright at night"
        " | the arm squeaks",
        "Can the bulb be replaced? => It is built in and rated for 25,000 hours. | How thick a desk does it take?"
        " => Up to 6 cm. | Does the USB socket charge a phone? => Yes, slowly.",
        colours="black | white | brass",
    ),
    _kind(
        "Office chairs", "Furniture", (8900, 48900), "office chair | desk chair | task chair",
        "mesh back | padded back | high back | low back", "lumbar support | 4D arms | headrest | tilt lock",
        "carries 130 kg | castors for wood | seat height 43 to 53 cm | assembled in 20 minutes | ten-year frame",
        "my back no longer complains by four o'clock | assembly needed one tool and no patience"
        " | the seat has kept its shape | it rolls without marking the floor",
        "the armrests wobble | the gas lift sinks slowly | the headrest sits too low for tall people"
        " | it smelt of glue for a week",
        "Does the seat depth adjust? => By 5 cm, with the lever on the right."
        " | Are soft castors included? => Yes, for wood."
        " | Can the arms be left off? => Yes, they are bolted on last.",
        colours="black | grey | petrol",
    ),
    _kind(
        "Notebooks", "Stationery", (450, 2600), "notebook | hardback notebook | project book",
        "A4 | A5 | B5 | pocket", "dotted | ruled | squared | plain",
        "192 pages | lies flat | numbered pages | 100 g paper | two ribbons | elastic band",
        "fountain pen ink does not show through | it really lies flat from the first page"
        " | the paper is smooth but not shiny"
        " | the corners survived my bag",
        "the ribbon frays | the dots are darker than I like | the cover picks up fingerprints"
        " | pages tear at the thread",
        "How far apart are the lines? => 6 mm. | Does the last part tear out? => The last 16 pages are perforated."
        " | Is there a pocket? => Inside the back cover.",
        colours="navy | rust | moss | black",
    ),
    _kind(
        "Fountain pens", "Stationery", (1800, 16500), "fountain pen | pocket pen | piston pen",
        "extra fine | fine | medium | broad", "steel nib | gold nib | stub nib",
        "takes cartridges | converter included | screw cap | clip | spare nibs sold",
        "it starts at once after a weekend | the nib is smooth with a little feedback | it balances well uncapped"
        " | the line is true to its width",
        "it skips on glossy paper | the cap loosens in a pocket | the converter holds very little"
        " | the section is slippery",
        "Is a converter included? => Yes, in the barrel. | Can nibs be swapped? => They unscrew by hand."
        " | Is it for left-handers? => Its grip is round, so either hand.",
    ),
    _kind(
        "Over-ear headphones", "Audio", (3900, 32900), "headphones | closed headphones | wireless headphones",
        "25 h battery | 40 h battery | 60 h battery | 30 h battery", "noise cancelling | studio tuned"
        " | foldable | two devices",
        "3.5 mm cable included | USB-C | cushions can be changed | carrying case | microphone mutes by a switch",
        "the train disappears when I switch them on | voices in calls are clear | they sit lightly for hours"
        " | the battery outlasts my week",
        "they press on my glasses | the bass is overdone out of the box | the app is needed for too much"
        " | the hinge creaks",
        "Do they work while charging? => By cable, yes. | Can both ears be balanced? => In the app."
        " | Are spare cushions sold? => Yes, in pairs.",
        colours="black | sand | blue",
    ),
    _kind(
        "Portable speakers", "Audio", (2500, 17900), "portable speaker | pocket speaker | shelf speaker",
        "8 h battery | 12 h battery | 20 h battery", "splashproof | waterproof | stereo pairing | carry strap",
        "USB-C | takes a cable | weighs 540 g | hands-free calls | remembers volume",
        "it fills the kitchen without shouting | speech radio is very clear | it survived a wet picnic"
        " | pairing two took seconds",
        "it says its name aloud at each start | the highs are thin outdoors | the strap is too short"
        " | it rattles at full volume",
        "Does it float? => Yes, with its grille up. | Can it be used while charging? => It can."
        " | How far does it reach? => About 10 m with a wall between.",
        colours="graphite | coral | teal",
    ),
    _kind(
        "Chargers and hubs", "Electronics", (1500, 8900), "wall charger | USB-C hub | desk charger",
        "30 W | 45 W | 65 W | 100 W", "two ports | three ports | five ports | seven ports",
        "folding plug | cable of 1.5 m | passes 4K video | aluminium case | gets warm rather than hot",
        "one brick now does for laptop and phone | it stays barely warm | the plug folds flat in my bag"
        " | the screen came up at once",
        "with all ports in use the laptop charges slowly | its light is too bright for a bedroom"
        " | it is loose in old sockets"
        " | the lead is stiff",
        "Does it charge a laptop and a phone at full power? => It shares its watts, most to the first port."
        " | Is a cable included? => Not with this one. | Does it work abroad? => From 100 to 240 V, with an adapter.",
    ),
    _kind(
        "Keyboards", "Electronics", (2900, 17500), "keyboard | mechanical keyboard | low-profile keyboard",
        "full size | without number block | 75 per cent | split", "quiet switches | tactile switches | linear switches",
        "UK layout | three devices | USB-C | keycaps can be changed | battery for months | tilting feet",
        "colleagues cannot hear me type any longer | the keys have a clear point of action"
        " | changing devices is instant"
        " | my wrists thank me",
        "the space bar is louder than the rest | the print on the keys wears | the feet slide on glass"
        " | waking up takes a second",
        "Is the layout UK? => Yes, with a tall return key."
        " | Can switches be changed? => They pull out without soldering."
        " | Does it need software? => Only to change lights.",
    ),
    _kind(
        "Climbing shoes", "Sport", (5900, 15900), "climbing shoe | climbing slipper | bouldering shoe",
        "flat | slightly downturned | downturned", "two straps | lace-up | slip-on",
        "unlined leather | synthetic upper | 4 mm rubber | toe patch | can be resoled",
        "they stand on tiny edges without pain | the heel locks perfectly | they stretched half a size and then stopped"
        " | smearing feels sure",
        "they run small by a whole size | the strap's glue let go | the rubber wore through at the toe in a season"
        " | they smell sooner than others",
        "Should I go down a size? => Half a size from street shoes for most people. | Can they be resoled? => Twice."
        " | Are they for wide feet? => Rather for medium ones.",
        sizes="37 | 38 | 39 | 40 | 41 | 42 | 43",
    ),
    _kind(
        "Climbing ropes", "Sport", (8900, 23900), "climbing rope | single rope | gym rope",
        "40 m | 50 m | 60 m | 70 m", "9.2 mm | 9.5 mm | 9.8 mm | 10.1 mm",
        "dry-treated | middle mark | 62 g a metre | eight standard falls | bag included",
        "it feeds smoothly through any device | the middle mark is still plain | it does not kink"
        " | the sheath shows no fur after a season",
        "it was stiff for the first five days out | the mark faded quickly | it is heavier than stated"
        " | dirt shows at once",
        "Is it certified as a single rope? => Yes, and the tag says so."
        " | May I wash it? => In lukewarm water with rope soap."
        " | How long does it keep? => Ten years unused.",
        colours="orange | green",
    ),
    _kind(
        "Rucksacks", "Bags", (3500, 18900), "rucksack | day pack | commuter backpack",
        "18 litres | 22 litres | 28 litres | 35 litres", "roll top | laptop sleeve | rain cover | top lid",
        "chest strap | bottle pockets | recycled nylon | back panel lets air through | hidden pocket",
        "a 15-inch laptop slides in with its case | the straps do not bite | it kept everything dry in a downpour"
        " | it fits under the seat of a train",
        "the zip catches on the lining | the bottle pocket is too shallow | it slumps when empty"
        " | the buckle cracked in the cold",
        "Does a 16-inch laptop fit? => Only without a sleeve. | Is it cabin size? => Up to 28 litres, yes."
        " | Is it waterproof? => The cloth is, the seams are not.",
        colours="slate | ochre | navy",
    ),
    _kind(
        "Linen shirts", "Clothing", (2900, 8900), "linen shirt | collarless shirt | work shirt",
        "short sleeve | long sleeve | roll sleeve", "regular cut | loose cut | slim cut",
        "washed linen | mother-of-pearl buttons | chest pocket | washes at 40 °C | European flax",
        "it softened after two washes | the cut is generous without flapping | the colour held in the sun"
        " | buttons are sewn on properly",
        "it shrank by nearly a size | it creases if one looks at it | the sleeves are long | the white is see-through",
        "Does it shrink? => By about two per cent in the first wash. | Is it ironed easily? => While damp."
        " | Are the sizes unisex? => They are men's; take one smaller otherwise.",
        sizes="S | M | L | XL", colours="white | sky | olive",
    ),
    _kind(
        "Wool jumpers", "Clothing", (4500, 16500), "wool jumper | crew neck | rollneck",
        "merino | lambswool | Shetland wool", "fine knit | cable knit | ribbed",
        "hand wash | elbow patches | knitted in one piece | does not itch | mothproof bag included",
        "it is warm without bulk | no bobbles after a winter | it can be worn on bare skin | the neck keeps its shape",
        "it scratches at the collar | it came with a loose stitch | the sleeves grew in the wash"
        " | it sheds on dark coats",
        "Can it be machine washed? => On the wool programme, cold. | Does it pill? => A little in the first weeks."
        " | How long is the body? => 66 cm in M.",
        sizes="S | M | L | XL", colours="charcoal | oatmeal",
    ),
    _kind(
        "Pillows", "Bedroom", (1800, 9900), "pillow | side sleeper pillow | travel pillow",
        "soft | medium | firm", "memory foam | down | buckwheat | latex",
        "cover washes at 60 °C | height can be changed | cotton shell | spare filling | rolls up small",
        "my neck is at ease for the first time in years | it stays cool all night"
        " | taking out filling made it just right"
        " | it has not gone flat",
        "it rustles when one turns | it smelt for several days | it is too high for stomach sleepers"
        " | the cover slips",
        "How high is it? => About 12 cm, less without the insert. | Can all of it be washed? => The cover alone."
        " | Does it suit side sleepers? => The firm one does.",
    ),
    _kind(
        "Plant pots", "Garden", (900, 6900), "plant pot | window box | hanging pot",
        "12 cm | 18 cm | 25 cm | 60 cm", "terracotta | glazed clay | recycled plastic | zinc",
        "saucer included | drainage hole | frostproof | water store | feet",
        "the basil has doubled since moving in | the glaze is deeper than in the picture | it stood out all winter"
        " | it drains without a mess",
        "it arrived with a chip | the saucer is too small | the clay sheds dust | it blows over when dry",
        "Is there a hole? => One, with a plug. | Is it frostproof? => To minus ten. | Does it include brackets? => No.",
        colours="plain | white | moss",
    ),
    _kind(
        "Water bottles", "Outdoors", (900, 4200), "water bottle | insulated bottle | filter bottle",
        "0.5 litre | 0.75 litre | 1 litre", "steel | glass in a sleeve | light plastic",
        "wide mouth | keeps cold for 24 hours | dishwasher-safe | loop in the lid | spare seal",
        "ice was still there after a day on the hill | nothing has leaked in my bag | it fits the cup holder"
        " | it tastes of nothing, as it should",
        "it dented at the first fall | the loop is stiff | the mouth is too narrow to clean | paint chips at the foot",
        "Is it for hot drinks? => The steel one is. | Do lids fit other sizes? => All of this maker's."
        " | Can it be frozen? => No.",
        colours="steel | forest | plum",
    ),
)  # fmt: skip
