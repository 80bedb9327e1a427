"""Wiki pages of contests with tables of winners and of teams, asked for in whole sentences."""

from __future__ import annotations

import random
from dataclasses import dataclass

from common.benchmarks.pocket.names import NameForge
from common.benchmarks.pocket_visdom.blocks import Document, Heading, Infobox, Pages, Table, Text
from common.benchmarks.pocket_visdom.draft import Asked, Draft, Place, ask, distinct, teller

CONTESTS = ("Regatta", "Kite Festival", "Bell-Ringing Contest", "Chess Cup", "Baking Fair", "Sheepdog Trial")
REASONS = (
    "the old field was under water", "the town hall was being painted", "a bridge had fallen",
    "the harbour was frozen", "the mayor had promised it", "a circus had taken the square",
)  # fmt: skip
OBSTACLES = ("a fever", "a great storm", "a strike of the ferrymen", "a quarrel over the rules", "a war", "a drought")
COLOURS = ("red and white", "green and black", "blue and gold", "purple", "orange and grey")
KINDS_OF_TEAM = ("Guild", "Society", "Company", "Circle", "League")
YEARS = tuple(range(2019, 2027))


@dataclass(frozen=True)
class Team:
    name: str
    home: str
    founded: int
    colours: str


@dataclass(frozen=True)
class Win:
    year: int
    person: str
    team: Team
    points: int

    @property
    def row(self) -> tuple[str, ...]:
        return (str(self.year), self.person, self.team.name, str(self.points))


@dataclass(frozen=True)
class Contest:
    """What a page knows. In year `moved` it was held at `place`; in year `gone` not at all. teams[0] won thrice."""

    name: str
    host: str
    first_held: int
    patron: str
    teams: tuple[Team, ...]
    wins: tuple[Win, ...]
    moved: int
    place: str
    reason: str
    gone: int
    obstacle: str


def questions(rng: random.Random, forge: NameForge) -> list[Asked]:
    """Twelve questions about six pages of a made-up encyclopedia, three PDF pages each."""
    told = zip(CONTESTS, rng.sample(REASONS, 6), rng.sample(OBSTACLES, 6), strict=True)
    contests = [_contest(rng, forge, *words) for words in told]
    return ask("feta_tab", [(contest, write(contest, rng)) for contest in contests], PLAN)


def _contest(rng: random.Random, forge: NameForge, contest: str, reason: str, obstacle: str) -> Contest:
    host, (moved, gone) = forge.place(), rng.sample(YEARS[1:-1], 2)
    words = zip(KINDS_OF_TEAM, distinct(rng, 1840, 1990, 5), COLOURS, strict=True)
    teams = tuple(Team(f"{forge.place()} {kind}", forge.place(), year, colours) for kind, year, colours in words)
    order = [teams[0], teams[0], *teams]
    rng.shuffle(order)
    held, points = [year for year in YEARS if year != gone], distinct(rng, 51, 99, 7)
    wins = tuple(Win(y, forge.person(), team, p) for y, team, p in zip(held, order, points, strict=True))
    first_held, patron = rng.randint(1850, 1930), forge.person()
    return Contest(
        f"{host} {contest}", host, first_held, patron, teams, wins, moved, forge.place(), reason, gone, obstacle
    )


def write(contest: Contest, rng: random.Random) -> Document:
    """The page: history first, then the table of winners, then the table of teams."""
    say = teller(rng, f"the {contest.name}")
    name = contest.name
    winners = Table(
        "winners", f"Winners of the {name}", ("Year", "Winner", "Team", "Points"), tuple(w.row for w in contest.wins)
    )
    teams = Table(
        "teams", f"Teams of the {name}", ("Team", "Home town", "Founded", "Colours"),
        tuple((team.name, team.home, str(team.founded), team.colours) for team in contest.teams),
    )  # fmt: skip
    moved = f"In {contest.moved} the {name} was moved to {contest.place} because {contest.reason}."
    gone = f"In {contest.gone} the {name} was not held because of {contest.obstacle}."
    facts = (("Place", contest.host), ("First held", str(contest.first_held)), ("Patron", contest.patron))
    pages: Pages = (
        (
            Infobox(facts), Text("", f"The {name} is held every year in {contest.host}. {say(3)}"),
            Heading("History"), Text("moved", f"{moved} {say(2)}"), Text("", say(5)),
            Text("gone", f"{gone} {say(2)}"), Text("", say(4)),
        ),
        (Heading("Winners"), Text("", say(3)), winners, Text("", say(5))),
        (Heading("Teams"), Text("", say(4)), teams, Text("", say(6))),
    )  # fmt: skip
    return Document(name, "wiki", "Pocket Encyclopedia", pages)


def _ordinary(contest: Contest, turn: int) -> Win:
    """A win of a year that the history does not mention; from the end on, so that rounds differ."""
    return [win for win in contest.wins if win.year != contest.moved][-1 - turn]


def winner(contest: Contest, turn: int) -> Draft:
    win, name = _ordinary(contest, turn), contest.name
    question = f"Who won the {name} in {win.year}, for which team and with how many points?"
    answer = f"{win.person} of the {win.team.name} won the {name} in {win.year} with {win.points} points."
    return Draft(question, answer, (Place("winners", "table", (" ".join(win.row),)),))


def home_of_winner(contest: Contest, turn: int) -> Draft:
    win = _ordinary(contest, turn)
    team = win.team
    question = f"From which town came the team that won the {contest.name} in {win.year}, and when was it founded?"
    answer = f"The {team.name}, which won in {win.year}, came from {team.home} and was founded in {team.founded}."
    row = Place("teams", "table", (f"{team.name} {team.home} {team.founded}",))
    return Draft(question, answer, (Place("winners", "table", (" ".join(win.row),)), row))


def moved(contest: Contest, turn: int) -> Draft:
    (win,) = (win for win in contest.wins if win.year == contest.moved)
    question = f"Who won the {contest.name} in the year in which it was moved to {contest.place}, and why was it moved?"
    answer = f"{win.person} won the {contest.name} of {win.year}, which was moved because {contest.reason}."
    history = Place("moved", "text", (f"In {win.year}", contest.place, contest.reason))
    return Draft(question, answer, (history, Place("winners", "table", (" ".join(win.row),))))


def best_team(contest: Contest, turn: int) -> Draft:
    team = contest.teams[0]
    wins = [win for win in contest.wins if win.team == team]
    question = f"Which team won the {contest.name} most often, in which years, and from which town is it?"
    years = f"{wins[0].year}, {wins[1].year} and {wins[2].year}"
    answer = f"The {team.name} from {team.home} won most often, in {years}."
    shown = tuple(" ".join(win.row) for win in wins)
    return Draft(
        question, answer, (Place("winners", "table", shown), Place("teams", "table", (f"{team.name} {team.home}",)))
    )


def not_held(contest: Contest, turn: int) -> Draft:
    answer = f"It was not held in {contest.gone} because of {contest.obstacle}."
    shown = (f"In {contest.gone}", contest.obstacle)
    return Draft(f"Why was the {contest.name} not held in {contest.gone}?", answer, (Place("gone", "text", shown),))


PLAN = (
    *(winner, home_of_winner, moved, winner, home_of_winner, moved),
    *(not_held, winner, best_team, winner, best_team, not_held),
)
