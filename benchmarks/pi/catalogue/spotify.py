"""The music service: a catalogue, the same for every persona of a seed, and what the people of a cast keep of it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import count
from typing import Any

from benchmarks.pi.cast import Cast, Someone, keyed, password
from benchmarks.pi.catalogue.spotify_words import (
    ACTS,
    ADJECTIVES,
    ARTISTS,
    BLAME,
    DETAILS,
    LENGTHS,
    MONTHS,
    OTHERS,
    OWN,
    PLACES,
    PRAISE,
    SHARED,
    STRANGERS,
    THINGS,
    VERDICTS,
)

__all__ = ("rows",)

Row = dict[str, Any]
Rows = dict[str, list[Row]]

_REVIEWS = 140
_SINGLES = 18


def rows(seed: int, now: datetime, cast: Cast) -> Rows:
    """Every table of the app but logins, with dates before `now`. Equal arguments give equal rows."""
    found = _catalogue(seed, now)
    people = [cast.self, *cast.of("colleague", "friend", "family")]
    users = [(each.address, each.name) for each in people] + [*STRANGERS]
    found["people"] = _numbered("U{}", ({"username": username, "name": name} for username, name in users))
    found |= _playlists(seed, now, cast, people[1:], found["songs"])
    found |= _kept(seed, now, cast, [username for username, _ in users], found)
    found["reviews"] = _reviews(seed, now, cast, [username for username, _ in users], found)
    found |= _heard(seed, now, cast, found)
    found["accounts"] = [
        {
            "id": "A1",
            "username": cast.self.address,
            "password": password(seed, cast, "spotify"),
            "name": cast.self.name,
        }
    ]
    return found


# The catalogue.


def _catalogue(seed: int, now: datetime) -> Rows:
    """Artists, albums and songs."""
    artists = [
        {"id": f"AR{number}", "name": act.name, "genre": act.genre, "about": act.about}
        for number, act in enumerate(ARTISTS, start=1)
    ]
    albums: list[Row] = []
    songs: list[Row] = []
    titles: set[str] = set()
    for number, act in enumerate(ARTISTS, start=1):
        drawn = keyed(seed, "spotify", act.name)
        first = drawn.randint(900, 2900)
        for title, days in zip(act.albums, (first, drawn.randint(2, first - 365)), strict=True):
            released = now.date() - timedelta(days=days)
            albums.append(
                {
                    "id": f"AL{len(albums) + 1}",
                    "title": title,
                    "artist_ids": [f"AR{number}"],
                    "genre": act.genre,
                    "released": released.isoformat(),
                }
            )
            for track in range(1, drawn.choice((4, 5, 5, 6)) + 1):
                song = _song(drawn, act.genre, [f"AR{number}"], _title(drawn, titles), released)
                songs.append({**song, "album_id": albums[-1]["id"], "track": track})
    _share(seed, songs)
    songs += _singles(seed, now, songs)
    return {"artists": artists, "albums": albums, "songs": _numbered("S{}", songs)}


def _song(drawn: random.Random, genre: str, artist_ids: list[str], title: str, released: date) -> Row:
    least, most = LENGTHS[genre]
    return {
        "title": title,
        "artist_ids": artist_ids,
        "genre": genre,
        "seconds": round(drawn.triangular(least, most, least + (most - least) / 3)),
        "released": released.isoformat(),
        "plays": round(drawn.lognormvariate(9.2, 1.4)),
    }


def _title(drawn: random.Random, taken: set[str]) -> str:
    """A title that no other song has."""
    while True:
        adjective, thing, other = drawn.choice(ADJECTIVES), drawn.choice(THINGS), drawn.choice(THINGS)
        place, act = drawn.choice(PLACES), drawn.choice(ACTS)
        title = drawn.choice(
            (
                f"{adjective} {thing}",
                f"{adjective} {thing}",
                f"{act} the {thing}",
                f"{act} {place}",
                thing,
                f"{thing} and {other}",
                f"{thing} at {place}",
                f"No More {thing}",
                f"Home from {place}",
                f"{place} in {drawn.choice(MONTHS)}",
            )
        )
        if thing != other and title not in taken:
            taken.add(title)
            return title


def _share(seed: int, songs: list[Row]) -> None:
    """Make near-alikes: two artists on one song, and songs of different artists under one title."""
    drawn = keyed(seed, "spotify", "shared")
    for song in drawn.sample(songs, 24):
        guest = drawn.choice([each["artist_ids"][0] for each in songs if each["artist_ids"] != song["artist_ids"]])
        song["artist_ids"] = [*song["artist_ids"], guest]
    some = drawn.sample(songs, 20)
    for first, second in zip(some[:10], some[10:], strict=True):
        if first["artist_ids"][0] != second["artist_ids"][0]:
            second["title"] = first["title"]


def _singles(seed: int, now: datetime, songs: Sequence[Row]) -> list[Row]:
    """Other versions of songs, without an album."""
    drawn = keyed(seed, "spotify", "singles")
    found = []
    for place, song in enumerate(drawn.sample(songs, _SINGLES)):
        kind, beside = OTHERS[place % len(OTHERS)]
        title = f"{song['title']} ({kind.format(place=drawn.choice(PLACES))})"
        released = _between(drawn, song["released"], now - timedelta(days=1)).date()
        row = _song(drawn, song["genre"], [*song["artist_ids"]], title, released)
        found.append(
            {
                **row,
                "seconds": round(song["seconds"] * beside),
                "plays": row["plays"] // 4,
                "album_id": None,
                "track": 1,
            }
        )
    return found


# What people keep.


def _playlists(seed: int, now: datetime, cast: Cast, others: Sequence[Someone], songs: Sequence[Row]) -> Rows:
    drawn = keyed(seed, cast.key, "spotify", "playlists")
    mine = [(cast.self.address, *each, place % 3 == 2) for place, each in enumerate(OWN)]
    shared = drawn.sample(SHARED, len(SHARED))
    theirs = [(others[place % len(others)].address, *each, drawn.random() < 0.7) for place, each in enumerate(shared)]
    playlists: list[Row] = []
    within: list[Row] = []
    for username, title, about, wanted, public in (*mine, *theirs):
        created = now - timedelta(days=drawn.randint(20, 700), minutes=drawn.randint(0, 1400))
        row = {"title": title, "about": about, "username": username, "public": public, "created": _iso(created)}
        playlists.append({"id": f"PL{len(playlists) + 1}", **row})
        fitting = [song for song in songs if not wanted or song["genre"] in wanted]
        chosen = drawn.sample(fitting, min(len(fitting), drawn.randint(8, 26)))
        added = sorted((_between(drawn, max(_iso(created), song["released"]), now), song["id"]) for song in chosen)
        within += (
            {"playlist_id": playlists[-1]["id"], "song_id": id, "position": place, "added": _iso(moment)}
            for place, (moment, id) in enumerate(added, start=1)
        )
    return {"playlists": playlists, "playlist_songs": _numbered("PS{}", within)}


def _kept(seed: int, now: datetime, cast: Cast, users: Sequence[str], found: Rows) -> Rows:
    """Likes, library, artists followed, and downloads."""
    likes: list[Row] = []
    library: list[Row] = []
    follows: list[Row] = []
    downloads: list[Row] = []
    for username in users:
        drawn = keyed(seed, cast.key, "spotify", "kept", username)
        own = username == cast.self.address
        songs = drawn.sample(found["songs"], 64 if own else drawn.randint(6, 24))
        albums = drawn.sample(found["albums"], 22 if own else drawn.randint(2, 8))
        public = [row for row in found["playlists"] if row["public"] and row["username"] != username]
        playlists = drawn.sample(public, min(len(public), 5 if own else drawn.randint(0, 2)))
        for kind, rows in (("song", songs), ("album", albums[:12] if own else albums), ("playlist", playlists)):
            for row in rows:
                moment = _between(drawn, row.get("released") or row["created"], now)
                likes.append({"kind": kind, "item_id": row["id"], "username": username, "liked": _iso(moment)})
        # Some of what is in the library is liked too, and some is not.
        more = drawn.sample(found["songs"], 30) if own else drawn.sample(found["songs"], drawn.randint(0, 10))
        for kind, rows in (("song", _once([*songs[:16], *more])), ("album", albums[8:] if own else albums[:3])):
            for row in rows:
                moment = _between(drawn, row["released"], now)
                library.append({"kind": kind, "item_id": row["id"], "username": username, "added": _iso(moment)})
        for artist in drawn.sample(found["artists"], 11 if own else drawn.randint(2, 8)):
            moment = now - timedelta(days=drawn.randint(3, 800), minutes=drawn.randint(0, 1400))
            follows.append({"artist_id": artist["id"], "username": username, "since": _iso(moment)})
        if own:
            for song in drawn.sample(_once([*songs, *more]), 26):
                moment = _between(drawn, song["released"], now)
                downloads.append({"song_id": song["id"], "username": username, "downloaded": _iso(moment)})
    return {
        "likes": _numbered("LK{}", sorted(likes, key=lambda row: row["liked"])),
        "library": _numbered("LI{}", sorted(library, key=lambda row: row["added"])),
        "follows": _numbered("F{}", sorted(follows, key=lambda row: row["since"])),
        "downloads": _numbered("D{}", sorted(downloads, key=lambda row: row["downloaded"])),
    }


def _reviews(seed: int, now: datetime, cast: Cast, users: Sequence[str], found: Rows) -> list[Row]:
    drawn = keyed(seed, cast.key, "spotify", "reviews")
    artists = {row["id"]: row["name"] for row in found["artists"]}
    albums = {row["id"]: row["title"] for row in found["albums"]}
    # Every song of a few has several reviews, so that there is a mean to speak of.
    songs = drawn.sample(found["songs"], 60)
    pairs = [(cast.self.address, song) for song in drawn.sample(songs, 9)]
    pairs += drawn.sample([(user, song) for user in users[1:] for song in songs], _REVIEWS - len(pairs))
    verdicts = {rating: _endless(drawn, sentences) for rating, sentences in VERDICTS.items()}
    details = {
        (rating, alone): _endless(drawn, [text for text in sentences if not alone or "{album}" not in text])
        for rating, sentences in {
            5: PRAISE,
            4: (*PRAISE, *DETAILS),
            3: DETAILS,
            2: (*BLAME, *DETAILS),
            1: BLAME,
        }.items()
        for alone in (False, True)
    }
    written = []
    for username, song in pairs:
        rating = drawn.choices((1, 2, 3, 4, 5), (1, 2, 4, 7, 5))[0]
        sentences = [next(verdicts[rating])]
        # A sentence that names nothing of the song is not left alone: others say it too.
        if "{" not in sentences[0] or drawn.random() < 0.55:
            sentences.append(next(details[rating, song["album_id"] is None]))
        text = " ".join(sentences).format(
            title=song["title"],
            artist=artists[song["artist_ids"][0]],
            genre=song["genre"],
            album=albums.get(song["album_id"] or "", ""),
            length=_clock(song["seconds"]),
            minute=_clock(drawn.randint(20, song["seconds"] - 20)),
        )
        moment = _between(drawn, song["released"], now)
        row = {"song_id": song["id"], "username": username, "rating": rating, "written": _iso(moment)}
        written.append({**row, "text": "" if drawn.random() < 0.12 else text[0].upper() + text[1:]})
    return _numbered("R{}", sorted(written, key=lambda row: row["written"]))


def _heard(seed: int, now: datetime, cast: Cast, found: Rows) -> Rows:
    """The queue, and the player in the middle of a playlist of the persona's own."""
    drawn, me = keyed(seed, cast.key, "spotify", "heard"), cast.self.address
    playlist = drawn.choice([row["id"] for row in found["playlists"] if row["username"] == me])
    within = [row["song_id"] for row in found["playlist_songs"] if row["playlist_id"] == playlist]
    place = drawn.randint(3, len(within) - 1)
    queued = drawn.sample(found["songs"], 9)
    return {
        "queue": _numbered(
            "Q{}",
            (
                {"song_id": song["id"], "username": me, "position": position}
                for position, song in enumerate(queued, start=1)
            ),
        ),
        "players": [
            {
                "id": "P1",
                "username": me,
                "source": "playlist",
                "item_id": playlist,
                "place": place,
                "song_id": within[place - 1],
                "started": _iso(now - timedelta(seconds=drawn.randint(20, 120))),
            }
        ],
    }


# Parts of rows.


def _numbered(ids: str, rows: Iterable[Row]) -> list[Row]:
    return [{"id": ids.format(number), **row} for number, row in zip(count(1), rows, strict=False)]


def _once(rows: Iterable[Row]) -> list[Row]:
    return [*{row["id"]: row for row in rows}.values()]


def _endless(drawn: random.Random, sentences: Sequence[str]) -> Iterator[str]:
    """The sentences in turns, so that none comes again before all were there."""
    while True:
        yield from drawn.sample(sentences, len(sentences))


def _between(drawn: random.Random, start: str, end: datetime) -> datetime:
    """A moment after a day or moment; at most an hour before the end."""
    began = datetime.fromisoformat(start)
    if began.time() == time():
        began += timedelta(hours=9)
    left = max(0, int((end - timedelta(hours=1) - began).total_seconds()) // 60)
    return min(began, end - timedelta(hours=1)) + timedelta(minutes=drawn.randint(0, left))


def _iso(moment: datetime) -> str:
    return moment.replace(microsecond=0).isoformat()


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"
