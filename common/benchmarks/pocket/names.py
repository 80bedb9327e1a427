"""Made-up names: seeded syllables and word pairs, each handed out once per world, so that no model knows one by heart."""

from __future__ import annotations

import random
from collections.abc import Iterator

_FIRST = (
    "Orlan Mirelda Tovik Saskel Edrin Jorunda Calwen Brisa Hadrek Ilvane Perrin Sunniva Dovan Marith Kesler Yolande Anselm Tirza "
    "Rurik Philis Corvin Elspa Gideor Nessa Bertil Oriana Lazlo Vesna Hartwin Maude Sorrel Ottoline Emeric Juna Quillon Thekla "
    "Barnim Selwa Florin Isaut Magnor Pavla Rosk Wilmet Zenon Aldith Cosmin Drusa Evrard Ginevra Hobart Ishbel Jarek Linnea "
    "Morvan Odila Radek Sidonie Tancred Ursel"
).split()
_SURNAME_START = (
    "Ven Marr Torv Kel Bran Hol Dras Fenn Gar Lun Ost Pel Quor Rav Sel Thal Ulm Vorr Wick Yar Zel Bel Corm Dun Esk Farl Grim "
    "Hask Ild Jast Korr Lamb Mord Nev Orr Prask Rud Stell Trev Vask"
).split()
_SURNAME_END = "quist dell mund strand over eby aldi inger onek usk arro ember ovitz acre etti ulen ander isk ott haug".split()
_PLACE_START = (
    "Torve Marro Kelsa Brinne Holde Drasse Fenna Garro Lunne Oste Pella Quorre Ravene Selle Thalle Ulme Vorre Wicke Yarre Zelle "
    "Belle Corme Dunne Eske Farle Grimme Haske Ilde Jaste Korre"
).split()
_PLACE_END = "ford haven mere ster wold holm stead gate combe ness brook cliff".split()
_RIVER_END = "an el is our ine eth".split()
_ADJECTIVES = (
    "Glass Hollow Crimson Patient Borrowed Silent Winter Copper Salt Paper Burning Crooked Distant Velvet Broken Golden Drowned "
    "Forgotten Amber Lonely Second Wandering Iron Sleeping Painted Restless"
).split()
_NOUNS = (
    "Harbour Orchard Lantern Staircase Meridian Carnival Garden Envelope Parade Lighthouse Kingdom Piano Cartographer Mirror "
    "Signal Ferry Archive Compass Window Sparrow Cathedral Tailor Avenue Clockmaker Vineyard Station"
).split()
_SHOUT_A = "NO EVERY ONE THE LAST ONLY BEYOND AFTER BEFORE BENEATH AGAINST WITHOUT".split()
_SHOUT_B = "ROAD BELL SECRET TIDE LETTER SHADOW OATH FEVER PROMISE STORM SILENCE HUNGER".split()
_SHOUT_C = "REMEMBERS RETURNS WAITS SPEAKS KNOWS BURNS FORGIVES BEGINS FOLLOWS LISTENS HIDES ENDURES".split()
_TRADE_A = "KORVAL DENTRO MAXIBEL OLTRA FERRANO SUNDEX PALMO VIGORA TREBLO NIXAL HALCO BRANDEX ZURELL LOMAX QUADRA".split()
_TRADE_B = "TYRES BRAKES PETROL SOAP COFFEE RADIO BATTERIES BISCUITS LAMPS TOOLS".split()
_MOTTO_A = "KEEP MIND TRUST HONOUR GUARD FEED FOLLOW LIGHT CROSS BLESS".split()
_MOTTO_B = "THE BRIDGE;THE LAMPS;THE MILL;THE HERONS;THE OLD WALL;THE WELL;THE FERRYMAN;THE ORCHARD;THE HARBOUR;THE BELLS".split(";")
_BANNER_A = "NORTHLIGHT HARVEST MIDNIGHT LANTERN SEVENFOLD MERIDIAN FEATHER COBALT EMBER HORIZON".split()
_BANNER_B = "TOUR REVUE JUBILEE SESSIONS CARAVAN WEEK".split()
_SONG_A = "Night Blue Tin Slow Northern Little Open Empty Early Green Counting Leaving Holding Chasing Naming".split()
_SONG_B = "Ferry Rain Soldier Kitchen Weather Heart Door Platform Swallow Ribbon Stars Bread Shoreline Letters Thunder".split()


class NameForge:
    """Hands out unique names of each kind, in an order fixed by the seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(f"names-{seed}")
        self._taken: set[str] = set()
        self._surnames = [a + b for a in _SURNAME_START for b in _SURNAME_END]
        self._places = self._stream(_PLACE_START, _PLACE_END, "")
        self._rivers = self._stream(_PLACE_START, _RIVER_END, "", elide=True)
        self._titles = self._stream(_ADJECTIVES, _NOUNS, " ")
        self._trades = self._stream(_TRADE_A, _TRADE_B, " ")
        self._mottos = self._stream(_MOTTO_A, _MOTTO_B, " ")
        self._banners = self._stream(_BANNER_A, _BANNER_B, " ")
        self._songs = self._stream(_SONG_A, _SONG_B, " ")

    def _stream(self, first: list[str], second: list[str], glue: str, *, elide: bool = False) -> Iterator[str]:
        pairs = [(a.rstrip("aeiou") if elide else a) + glue + b for a in first for b in second]
        self._random.shuffle(pairs)
        return iter(pairs)

    def surname(self) -> str:
        return self._random.choice(self._surnames)

    def person(self, surname: str | None = None) -> str:
        """A full name. With `surname`, a namesake: another first name before a family name in use."""
        while True:
            name = f"{self._random.choice(_FIRST)} {surname or self.surname()}"
            if name not in self._taken:
                self._taken.add(name)
                return name

    def place(self) -> str:
        return next(self._places)

    def river(self) -> str:
        return next(self._rivers)

    def film(self) -> str:
        return "The " + next(self._titles)

    def album(self) -> str:
        return next(self._titles)

    def song(self) -> str:
        return next(self._songs)

    def sponsor(self) -> str:
        return next(self._trades)

    def motto(self) -> str:
        return next(self._mottos)

    def banner(self) -> str:
        return next(self._banners)

    def tagline(self) -> str:
        while True:
            line = " ".join(self._random.choice(words) for words in (_SHOUT_A, _SHOUT_B, _SHOUT_C))
            if line not in self._taken:
                self._taken.add(line)
                return line
