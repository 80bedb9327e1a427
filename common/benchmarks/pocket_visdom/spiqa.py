"""Papers with figures: values that are only drawn, and text or tables that say what the drawn things are."""

from __future__ import annotations

import random
from dataclasses import dataclass

from common.benchmarks.pocket.names import NameForge
from common.benchmarks.pocket_visdom.blocks import Document, Graph, Heading, Pages, Table, Text
from common.benchmarks.pocket_visdom.draft import Asked, Draft, Place, ask, distinct, teller

# (topic, thing, what figure 1 measures, its unit, what figure 2 measures, its unit)
TOPICS = (
    ("Drying River Clay", "kiln", "drying time", "hours", "fuel use", "baskets"),
    ("Grinding Barley by Water", "mill", "yield", "sacks", "wheel speed", "turns"),
    ("Keeping Apples through Winter", "cellar", "loss", "apples", "humidity", "drops"),
    ("Spinning Nettle Yarn", "spindle", "thread length", "metres", "breakage", "knots"),
    ("Pressing Walnut Oil", "press", "oil output", "jars", "waste", "pounds"),
    ("Heating Glasshouses", "stove", "burning time", "minutes", "ash", "spoons"),
)


@dataclass(frozen=True)
class Device:
    """One of the five things compared: `first` and `second` are the values of the two figures."""

    name: str
    town: str
    maker: str
    first: int
    second: int
    price: int


@dataclass(frozen=True)
class Study:
    """What a paper knows."""

    title: str
    thing: str
    first: str
    unit: str
    second: str
    other_unit: str
    devices: tuple[Device, ...]
    source: str
    authors: str

    @property
    def asked(self) -> str:
        return f"In the paper on {self.title.lower()}"


def questions(rng: random.Random, forge: NameForge) -> list[Asked]:
    """Twelve questions about six papers of four pages."""
    studies = [_study(rng, forge, topic) for topic in TOPICS]
    return ask("spiqa", [(study, write(study, rng)) for study in studies], PLAN)


def _study(rng: random.Random, forge: NameForge, topic: tuple[str, str, str, str, str, str]) -> Study:
    values = zip(distinct(rng, 40, 300, 5), distinct(rng, 11, 98, 5), distinct(rng, 110, 900, 5, step=5), strict=True)
    devices = tuple(Device(forge.place(), forge.place(), forge.person(), *row) for row in values)
    return Study(*topic, devices, forge.place(), f"{forge.person()} and {forge.person()}")


def write(study: Study, rng: random.Random) -> Document:
    """The paper: who built what on page 1, a figure each on pages 2 and 3, prices on page 4."""
    say = teller(rng, study.title.lower())
    thing, names = study.thing, tuple(device.name for device in study.devices)
    first, second = study.first.capitalize(), study.second.capitalize()
    aims = f"We compare five ways of {study.title.lower()}, measuring {study.first} and {study.second}."
    setup = (
        Text(f"setup.{d.name}", f"The {d.name} {thing} stands in {d.town} and was built by {d.maker}. {say(1)}")
        for d in study.devices
    )
    one = Graph(
        "one", f"Figure 1. {first} of each {thing}, in {study.unit}.", "hbar", f"{first} ({study.unit})", names,
        (("", tuple(device.first for device in study.devices)),),
    )  # fmt: skip
    two = Graph(
        "two", f"Figure 2. {second} of each {thing}, in {study.other_unit}.", "bar", f"{second} ({study.other_unit})",
        names, (("", tuple(device.second for device in study.devices)),),
    )  # fmt: skip
    rows = tuple((device.name, str(device.price)) for device in study.devices)
    prices = Table("prices", f"Table 1. Price of each {thing}, in crowns.", (thing.capitalize(), "Price"), rows)
    source = f"All material for {study.title.lower()} came from {study.source}."
    pages: Pages = (
        (
            Heading("Abstract"), Text("", f"{aims} {say(2)}"),
            Heading("1 Setup"), *setup, Text("source", f"{source} {say(1)}"),
        ),
        (Heading(f"2 {first}"), Text("", say(4)), one, Text("", say(4))),
        (Heading(f"3 {second}"), Text("", say(4)), two, Text("", say(3))),
        (
            Heading("4 Cost"), prices, Text("", say(3)),
            Heading("5 Conclusion"), Text("", say(5)),
        ),
    )  # fmt: skip
    return Document(f"On {study.title}: Five Compared", "paper", study.authors, pages)


def value(study: Study, turn: int) -> Draft:
    device = study.devices[turn]
    question = f"{study.asked}, what {study.first} in {study.unit} does Figure 1 show for the "
    return Draft(f"{question}{device.name} {study.thing}?", f"{device.first} {study.unit}", (_in_first(device),))


def maker_of_highest(study: Study, turn: int) -> Draft:
    device = max(study.devices, key=lambda item: item.first)
    question = f"{study.asked}, who built the {study.thing} that has the highest {study.first} in Figure 1?"
    setup = Place(f"setup.{device.name}", "text", (device.name, device.maker))
    return Draft(question, device.maker, (_in_first(device), setup))


def value_by_town(study: Study, turn: int) -> Draft:
    device = study.devices[turn]
    question = f"{study.asked}, what {study.second} in {study.other_unit} is shown for the {study.thing} in "
    setup = Place(f"setup.{device.name}", "text", (device.name, device.town))
    return Draft(f"{question}{device.town}?", f"{device.second} {study.other_unit}", (setup, _in_second(device)))


def price_of_lowest(study: Study, turn: int) -> Draft:
    device = min(study.devices, key=lambda item: item.second)
    question = f"{study.asked}, what is the price of the {study.thing} with the lowest {study.second} in Figure 2?"
    return Draft(question, f"{device.price} crowns", (_in_second(device), _in_prices(device)))


def second_of_lowest(study: Study, turn: int) -> Draft:
    device = min(study.devices, key=lambda item: item.first)
    question = f"{study.asked}, what {study.second} in {study.other_unit} has the {study.thing} with the lowest "
    answer = f"{device.second} {study.other_unit}"
    return Draft(f"{question}{study.first}?", answer, (_in_first(device), _in_second(device)))


def price(study: Study, turn: int) -> Draft:
    device = study.devices[turn]
    question = f"{study.asked}, what is the price of the {device.name} {study.thing}?"
    return Draft(question, f"{device.price} crowns", (_in_prices(device),))


def source(study: Study, turn: int) -> Draft:
    question = f"Where did all material for the paper on {study.title.lower()} come from?"
    return Draft(question, study.source, (Place("source", "text", (study.source,)),))


def _in_first(device: Device) -> Place:
    return Place("one", "chart", (device.name, str(device.first)))


def _in_second(device: Device) -> Place:
    return Place("two", "chart", (device.name, str(device.second)))


def _in_prices(device: Device) -> Place:
    return Place("prices", "table", (f"{device.name} {device.price}",))


PLAN = (
    *(value, maker_of_highest, value, price_of_lowest, value_by_town, maker_of_highest),
    *(price, source, second_of_lowest, value, price_of_lowest, value_by_town),
)
