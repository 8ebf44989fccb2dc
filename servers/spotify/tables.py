"""Music: the catalogue, and what each person keeps of it. The tables, and the app whose surfaces are made over them.

`username` is whose row it is: that of an account, else the owner's address, "" where nobody is known. Durations are in
whole seconds. Averages, counts and total lengths are worked out when they are asked for.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from servers.kernel import Account, App, Dated, Login, Ref, Table

__all__ = (
    "ABOUT",
    "TITLE",
    "Album",
    "Artist",
    "Download",
    "Follow",
    "Kind",
    "LibraryItem",
    "Like",
    "Listener",
    "Player",
    "Playlist",
    "PlaylistSong",
    "QueueItem",
    "Rating",
    "Review",
    "Song",
    "Source",
    "app",
)

TITLE, ABOUT = 120, 4_000
"""Characters that titles, and descriptions and reviews, may have."""

Kind = Literal["song", "album", "playlist"]
Source = Literal["song", "album", "playlist", "queue"]
Rating = Annotated[int, Field(ge=1, le=5)]


class Artist(Table, name="artists", ids="AR{}"):
    """Who makes music, alone or as a band."""

    name: str
    genre: str
    about: str = ""


class Album(Table, name="albums", ids="AL{}"):
    """Songs that came out together. The main artist stands first."""

    title: str
    artist_ids: Annotated[list[str], Ref(Artist)]
    genre: str
    released: date


class Song(Table, name="songs", ids="S{}"):
    """A song; without an album, it came out by itself. `track` is its number on the album, from 1."""

    title: str
    artist_ids: Annotated[list[str], Ref(Artist)]
    album_id: Annotated[str | None, Ref(Album)] = None
    track: int = 1
    genre: str
    seconds: Annotated[int, Field(ge=1)]
    released: date
    plays: Annotated[int, Field(ge=0)] = 0


class Listener(Table, name="people", ids="U{}", noun="person"):
    """Somebody who uses the service; others see their public playlists and their reviews."""

    username: str
    name: str


class Playlist(Table, name="playlists", ids="PL{}"):
    """Songs that somebody put together. A private one is seen by whose it is alone."""

    title: Annotated[Dated, Field(max_length=TITLE)]
    about: Annotated[Dated, Field(max_length=ABOUT)] = ""
    username: str = ""
    public: bool = False
    created: datetime


class PlaylistSong(Table, name="playlist_songs", ids="PS{}"):
    """A song in a playlist, once at most. Lower positions come first."""

    playlist_id: Annotated[str, Ref(Playlist)]
    song_id: Annotated[str, Ref(Song)]
    position: int
    added: datetime


class Like(Table, name="likes", ids="LK{}"):
    """A song, album or playlist that somebody likes; `item_id` is its id."""

    kind: Kind
    item_id: str
    username: str = ""
    liked: datetime


class LibraryItem(Table, name="library", ids="LI{}", noun="library item"):
    """A song or an album in somebody's library."""

    kind: Literal["song", "album"]
    item_id: str
    username: str = ""
    added: datetime


class Follow(Table, name="follows", ids="F{}"):
    """Somebody follows an artist."""

    artist_id: Annotated[str, Ref(Artist)]
    username: str = ""
    since: datetime


class Review(Table, name="reviews", ids="R{}"):
    """What somebody thinks of a song; each person has one of a song at most."""

    song_id: Annotated[str, Ref(Song)]
    username: str = ""
    rating: Rating
    text: Annotated[Dated, Field(max_length=ABOUT)] = ""
    written: datetime
    changed: datetime = Field(default_factory=lambda row: row["written"])


class Download(Table, name="downloads", ids="D{}"):
    """A song that somebody keeps on their device."""

    song_id: Annotated[str, Ref(Song)]
    username: str = ""
    downloaded: datetime


class QueueItem(Table, name="queue", ids="Q{}", noun="queue item"):
    """A song that somebody wants to hear next, as often as it is there. Lower positions come first."""

    song_id: Annotated[str, Ref(Song)]
    username: str = ""
    position: int


class Player(Table, name="players", ids="P{}"):
    """What somebody hears, one row a person.

    `source` is what it is played from, `item_id` the id of that song, album or playlist, "" for the queue;
    `place` is the place of the song in it, from 1, when it began.
    """

    username: str = ""
    source: Source
    item_id: str = ""
    place: Annotated[int, Field(ge=1)] = 1
    song_id: Annotated[str, Ref(Song)]
    started: datetime


app = App(
    "spotify",
    "Find and play music, and keep songs, albums, playlists and reviews of it.",
    tables=(
        Artist,
        Album,
        Song,
        Listener,
        Playlist,
        PlaylistSong,
        Like,
        LibraryItem,
        Follow,
        Review,
        Download,
        QueueItem,
        Player,
        Account,
        Login,
    ),
)
