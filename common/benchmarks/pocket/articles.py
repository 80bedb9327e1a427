"""Every article of a world, sorted by document id."""

from __future__ import annotations

from common.benchmarks.pocket.article import Article
from common.benchmarks.pocket.world import World
from common.benchmarks.pocket.write_clubs import write_club, write_season
from common.benchmarks.pocket.write_people import write_person
from common.benchmarks.pocket.write_places import write_town
from common.benchmarks.pocket.write_races import write_award, write_edition, write_series
from common.benchmarks.pocket.write_works import write_album, write_film


def write_articles(world: World) -> dict[str, Article]:
    """Articles by document id. Raises ValueError where two titles give one id."""
    articles = [
        *(write_town(world, town) for town in world.towns.values()),
        *(write_person(world, person) for person in world.people.values()),
        *(write_film(world, film) for film in world.films.values()),
        *(write_album(world, album) for album in world.albums.values()),
        *(write_club(world, club) for club in world.clubs.values()),
        *(write_edition(world, edition) for edition in world.editions.values()),
        *(write_series(world, series) for series in world.series.values()),
        *(write_award(world, award) for award in world.awards.values()),
        *(write_season(world, season) for season in world.seasons.values()),
    ]
    by_id = {article.document_id: article for article in articles}
    if len(by_id) != len(articles):
        raise ValueError(f"seed {world.seed}: two articles share a document id; choose another seed")
    return dict(sorted(by_id.items()))
