"""Word lists the world is furnished from: trades, industries, motifs, colours."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def word_list(name: str) -> tuple[str, ...]:
    """The words kept under `name` in words.txt. Raises KeyError where there are none."""
    joined = (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").replace("\n  ", " ")
    lists = dict(line.split(": ", 1) for line in joined.splitlines() if not line.startswith("#"))
    return tuple(word.replace("_", " ") for word in lists[name].split())


TRADES: dict[str, tuple[str, ...]] = {
    "woodworking": ("cabinet-maker", "cooper", "boatbuilder", "wheelwright"),
    "metalworking": ("blacksmith", "tinsmith", "locksmith", "bell-founder"),
    "food": ("baker", "butcher", "confectioner", "cheesemonger"),
    "book": ("typesetter", "bookbinder", "lithographer", "bookseller"),
}
INDUSTRIES = (
    "salt panning",
    "rope making",
    "slate quarrying",
    "glass blowing",
    "tobacco drying",
    "cider pressing",
    "lace weaving",
    "clock making",
    "tile firing",
    "oyster farming",
    "wool dyeing",
    "cork cutting",
    "soap boiling",
    "hop growing",
    "paper milling",
    "eel smoking",
    "brick making",
    "flax spinning",
    "lime burning",
    "button turning",
)
ANIMALS = (
    "heron",
    "otter",
    "badger",
    "white goose",
    "three-legged hare",
    "pike",
    "ram",
    "blind owl",
    "black swan",
    "hedgehog",
    "beaver",
    "kite",
    "red fox",
    "toad",
    "stork",
    "wild boar",
    "raven",
    "sturgeon",
    "lynx",
    "mule",
)
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November")
REGIONS = ("Norrmark", "Southern Vale", "Hither Coast", "Lakeland Reach", "Ashen Hills", "Isle of Dorn")
COUNTRIES = ("Vastria", "Olmenia", "Quessland", "Port Ardu", "Nimbria", "Keth Republic")
PASTIMES = (
    "collecting barometers",
    "breeding carrier pigeons",
    "restoring organs",
    "keeping bees",
    "playing correspondence chess",
    "mending clocks",
    "growing tulips",
    "painting gulls",
    "translating sea shanties",
    "studying beetles",
    "baking rye bread",
    "building kites",
    "fishing for pike",
    "binding old atlases",
    "carving spoons",
    "charting caves",
    "learning sign language",
    "photographing windmills",
    "writing crosswords",
    "repairing accordions",
)
COMPANIES = (
    "Halvorn Pictures",
    "Third Gate Films",
    "Meridon Studio",
    "Castle & Sons",
    "Pelican Film Works",
    "Osten Kino",
)
LABELS = ("Tarn Records", "Bluecap", "Wharfside", "Ostrich Discs", "Kettle Sound", "Monocle")
TEAMS = (
    "Scuderia Brondo",
    "Team Halvax",
    "Ecurie Delmar",
    "Norrmark Works",
    "Privateer Union",
    "Falk Racing",
    "Osten Motors",
    "Team Zirkon",
)
RETIREMENTS = (
    "Gearbox",
    "Fuel pump",
    "Oil leak",
    "Suspension",
    "Clutch",
    "Puncture",
    "Overheating",
    "Magneto",
    "Steering",
    "Driveshaft",
)
WEATHER = (
    "steady drizzle",
    "thick morning fog",
    "a hot cross-wind",
    "low winter sun",
    "hail in the closing laps",
    "dry and windless heat",
)
GROUNDS = (
    "Tannery Lane",
    "Mill Meadow",
    "Gasworks Park",
    "Weir Road",
    "The Limekiln",
    "Chapel Field",
    "Osier Bank",
    "Kiln Street",
    "The Ropewalk",
    "Paddock End",
    "Quarry Edge",
    "Saltmarsh Road",
    "The Orchard",
    "Viaduct Ground",
    "Ferry Side",
    "Barley Mow",
)
NICKNAMES = (
    "the Tinkers",
    "the Millers",
    "the Lamplighters",
    "the Saltmen",
    "the Magpies",
    "the Ferrymen",
    "the Coopers",
    "the Herons",
    "the Weavers",
    "the Quarrymen",
    "the Bellringers",
    "the Eels",
    "the Drovers",
    "the Glaziers",
    "the Owls",
    "the Pilgrims",
)
FOUNDERS = (
    "tram conductors",
    "choir singers",
    "dock clerks",
    "night watchmen",
    "schoolteachers",
    "brewery workers",
    "railway signalmen",
    "apprentice tailors",
)
KIT_MAKERS = ("Arlo Sport", "Brunix", "Keldo", "Vantor", "Pikeline", "Stadia Goods")
CLUB_SUFFIXES = ("Rovers", "Athletic", "Wanderers", "Albion", "United", "Harriers")
COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (200, 40, 40),
    "blue": (40, 80, 185),
    "green": (40, 140, 70),
    "yellow": (240, 200, 40),
    "orange": (235, 130, 30),
    "purple": (125, 60, 150),
    "black": (45, 45, 50),
}
MOTIFS = ("balloons", "stars", "boats", "keys", "trees", "umbrellas", "candles")
POSITIONS = ("Goalkeeper", "Defender", "Defender", "Midfielder", "Midfielder", "Forward", "Forward")
BILLINGS = ("Leading role", "Supporting role", "Supporting role", "Supporting role", "Guest appearance")
ROLES = (
    "the Widow",
    "Captain Aldous",
    "the Postmaster",
    "Doctor Finch",
    "the Stranger",
    "Sister Agathe",
    "the Gambler",
    "Inspector Rook",
    "the Beekeeper",
    "Aunt Cosima",
    "the Notary",
    "Old Bastian",
    "the Understudy",
    "Miss Lark",
    "the Pilot",
    "Father Ambrose",
    "the Ferryman",
    "Madame Orsk",
    "the Piano Tuner",
    "Private Tull",
    "the Signalman",
    "Cousin Hedda",
    "the Watchmaker",
    "Mister Quill",
)
