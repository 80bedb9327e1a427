"""Articles of films and albums."""

from __future__ import annotations

from common.benchmarks.pocket.article import Article, Block, Figure, Heading, Paragraph, Picture, TableBlock
from common.benchmarks.pocket.prose import Voice, article_for, chart_of
from common.benchmarks.pocket.world import Album, Film, World


def write_film(world: World, film: Film) -> Article:
    """The article of a film; its poster and the chart of its admissions show what the prose leaves out."""
    voice = Voice(world.seed, film.page_title)
    lead = _film_lead(voice, film)
    poster = Picture("poster", (film.tagline,), film.colour, film.motif_count, film.motif)
    weeks = [(f"Week {week}", count) for week, count in enumerate(film.admissions, start=1)]
    blocks: tuple[Block, ...] = (
        Heading("Plot"),
        _plot(voice),
        Heading("Cast"),
        TableBlock("cast", "Cast", ("Actor", "Role", "Billing"), film.cast),
        Figure("poster", "Theatrical release poster", poster),
        Heading("Production"),
        _production(voice, film),
        Heading("Reception"),
        _film_reception(voice),
        Figure("admissions", "Cinema admissions", chart_of("bar", "Admissions (thousands)", weeks, "red")),
        Heading("Legacy"),
        _film_legacy(voice),
    )
    infobox = (
        ("Directed by", film.director),
        ("Release", str(film.year)),
        ("Running time", f"{film.runtime} minutes"),
        ("Company", film.company),
    )
    return Article(film.page_title, "film", (lead,), infobox, blocks)


def _film_lead(voice: Voice, film: Film) -> Paragraph:
    hero = article_for(film.story_trade)
    return voice.paragraph(
        "lead",
        f"{film.title} is a {film.year} {voice.say('drama', 'comedy', 'mystery', 'romance')} film directed by "
        f"{film.director} and produced by {film.company}.",
        voice.say(
            f"It tells of {hero} who inherits a debt, a house and the enmity of a whole street.",
            f"Its hero is {hero} who is mistaken for a dead man and decides not to correct the error.",
        ),
        voice.say("The film was made in black and white.", "It was the company's first picture in colour."),
    )


def _plot(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "plot",
        voice.some(
            5,
            "The story opens at a funeral that nobody remembers having ordered.",
            "A letter arrives with the wrong name on the envelope and the right key inside.",
            "Over one long night the neighbours are questioned in turn, and each of them changes one detail.",
            "The only witness is a child who counts everything and understands nothing.",
            "When the dam is opened, the secret comes to light together with the old mill.",
            "In the last scene the two rivals share a bench and say nothing at all.",
        ),
    )


def _production(voice: Voice, film: Film) -> Paragraph:
    return voice.paragraph(
        "production",
        voice.say(
            f"The exteriors were shot in {film.town} within five weeks, although it rained on most of the days.",
            f"Nearly all scenes were shot on location in {film.town}, where the crew lodged with local families.",
        ),
        voice.say(
            f"The score was composed by {film.composer} and recorded in one night.",
            f"{film.composer} composed the score, the first one commissioned from outside the company.",
        ),
        f"The picture was edited by {film.editor}, who removed an entire subplot.",
        voice.some(
            2,
            "A storm destroyed the main set, which had to be rebuilt at a third of the cost.",
            "The horses were hired from a circus and kept bowing to the camera.",
            "Two endings were filmed and the cheaper one was kept.",
        ),
    )


def _film_reception(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "reception",
        voice.say(
            "Reviews were divided; several praised the photography and found the second half slow.",
            "The press was kind to the actors and unkind to the script.",
        ),
        "Admissions of the first six weeks are shown in the chart.",
        voice.say(
            "A restored print has been shown since.", "The negative was lost and found again in a school cellar."
        ),
    )


def _film_legacy(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "legacy",
        voice.some(
            4,
            "The film is shown in the town hall on the first Sunday of each year.",
            "Its last line has become a saying among people who miss trains.",
            "A novel based on the script was printed and pulped within a year.",
            "Students of cinema are taught the scene on the stairs, shot by shot.",
            "A stage version failed, a puppet version did not.",
        ),
    )


def write_album(world: World, album: Album) -> Article:
    """The article of an album; the track listing is an image, the catalogue number is on the cover alone."""
    voice = Voice(world.seed, album.page_title)
    lead = _album_lead(voice, album)
    cover = Picture("cover", (album.catalogue,), album.colour, album.motif_count, album.motif)
    tracks = tuple((str(number), *track) for number, track in enumerate(album.tracks, start=1))
    blocks: tuple[Block, ...] = (
        Heading("Recording"),
        _recording(voice, album),
        Figure("cover", "Front cover of the first pressing", cover),
        Heading("Music"),
        _music(voice),
        Heading("Track listing"),
        TableBlock("tracks", "Track listing", ("No.", "Title", "Writer", "Length"), tracks, as_image=True),
        Heading("Reception"),
        _album_reception(voice),
        Heading("Legacy"),
        _album_legacy(voice),
    )
    infobox = (
        ("Artist", album.artist),
        ("Released", str(album.year)),
        ("Label", album.label),
        ("Producer", album.producer),
    )
    return Article(album.page_title, "album", (lead,), infobox, blocks)


def _album_lead(voice: Voice, album: Album) -> Paragraph:
    return voice.paragraph(
        "lead",
        f"{album.title} is an album by {album.artist}, released in {album.year} on {album.label}.",
        voice.say(
            "It was planned as a farewell and became a success.",
            "The record company had asked for dance music and received something else.",
            "It was the first of the artist's records to be sold abroad.",
        ),
    )


def _recording(voice: Voice, album: Album) -> Paragraph:
    return voice.paragraph(
        "recording",
        voice.say(
            f"The album was recorded in {album.town}, in a disused "
            f"{voice.say('chapel', 'cinema', 'dairy', 'swimming bath')}.",
            f"Recording took place in {album.town} during eleven days of frost.",
        ),
        voice.say(
            f"It was produced by {album.producer}, who insisted on complete takes.",
            f"{album.producer} produced it and forbade headphones, clocks and visitors.",
        ),
        f"{album.engineer} was the engineer and built the echo chamber from tea chests.",
        voice.some(
            3,
            "The drums were placed in a corridor to make them sound farther away.",
            "A passing goods train can be heard at the end of the first side.",
            "The string players were paid by the hour and finished early.",
            "One song was written on the spot to fill the remaining minutes.",
        ),
    )


def _music(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "music",
        voice.some(
            4,
            "The songs are shorter than on the earlier records and mostly in a minor key.",
            "The words speak of departures, kitchens and weather, as one critic noted.",
            "There is no overture and no reprise; each side simply stops.",
            "The use of a hand-cranked organ was new at the time.",
            "Listeners have looked for a story that links the songs, and the artist has denied that there is one.",
        ),
        "The song titles, their authors and their lengths are given in the track listing.",
    )


def _album_reception(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "reception",
        voice.say(
            "Magazines gave it little room, but it stayed in the shops for years.",
            "It was reviewed late and well, and copied at once.",
        ),
        voice.some(
            2,
            "A first pressing with a misspelt label is sought after by collectors.",
            "A tour that was meant to follow had to be shortened after the van broke down.",
            "The sleeve was printed by hand and differs slightly from copy to copy.",
        ),
    )


def _album_legacy(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "legacy",
        voice.some(
            3,
            "Later singers have covered half of the songs and improved none, in the opinion of one historian.",
            "The master tapes were stored next to a boiler and survived.",
            "A reissue added two songs that the artist had asked to leave out.",
            "The record is said to be the reason why three bands broke up and two were formed.",
        ),
    )
