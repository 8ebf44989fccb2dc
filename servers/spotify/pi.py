"""The rows of pi-Bench's table of tools about music: accounts and the catalogue, which nobody has to log in for.

`pi_keeping` has what people keep, `pi_playing` what they hear. Names are the paper's, arguments and texts our own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from servers.kernel import (
    Day,
    Page,
    Ref,
    Rejected,
    Skip,
    State,
    between,
    enter,
    has_words,
    in_order,
    leave,
    paged,
    quoted,
)
from servers.spotify.showing import (
    AlbumShown,
    ArtistShown,
    Named,
    PlaylistShown,
    Shelf,
    SongShown,
    me,
)
from servers.spotify.tables import Album, Artist, Listener, Playlist, Review, Song, app

__all__ = (
    "AlbumId",
    "AlbumQuery",
    "ArtistId",
    "PlaylistId",
    "PlaylistQuery",
    "SongId",
    "SongQuery",
    "album_matches",
    "genre_of",
    "pi",
    "playlist_matches",
    "song_matches",
)

pi = app.toolset(
    "pi",
    "The music service of {owner} ({address}): catalogue, playlists, library, likes, reviews and player. "
    "If a tool says so, `log_in` first; ids come from the searches.",
    structured=False,
)

SongId = Annotated[str, Ref(Song), Field(description="Id of a song, as returned by `search_songs`.")]
AlbumId = Annotated[str, Ref(Album), Field(description="Id of an album, as returned by `search_albums`.")]
ArtistId = Annotated[str, Ref(Artist), Field(description="Id of an artist, as returned by `search_artists`.")]
PlaylistId = Annotated[str, Ref(Playlist), Field(description="Id of a playlist, as returned by `search_playlists`.")]
_Artist = Annotated[
    str | None, Ref(Artist), Field(description="Only by this artist, an id as returned by `search_artists`.")
]
AlbumQuery = Annotated[
    str, Field(description="Words that all occur in title or artists, case-insensitive; empty for all.")
]
PlaylistQuery = Annotated[
    str,
    Field(description="Words that all occur in title, description or whose it is, case-insensitive; empty for all."),
]
SongQuery = Annotated[
    str, Field(description="Words that all occur in title, artists or album, case-insensitive; empty for all.")
]
Genre = Annotated[str, Field(description="Only of this genre, as `view_genres` names it; empty for all.")]
After = Annotated[Day | None, Field(description="Only released on this day or later, as YYYY-MM-DD.")]
Before = Annotated[Day | None, Field(description="Only released on this day or earlier, as YYYY-MM-DD.")]


class GenreShown(BaseModel):
    """How much there is of a genre."""

    genre: str
    artists: int
    albums: int
    songs: int


class User(BaseModel):
    """Somebody who uses the service."""

    username: str
    name: str
    public_playlists: int


class SongDetail(SongShown):
    """A song in full. `rating` is the mean of its reviews, null where there is none."""

    credits: list[Named]
    album_id: str | None
    track: int | None
    reviews: int
    rating: float | None


class AlbumDetail(AlbumShown):
    """An album with its songs, in its order."""

    credits: list[Named]
    tracks: list[SongShown]


class ArtistDetail(ArtistShown):
    """An artist with their albums, newest first, and their most played songs."""

    about: str | None
    discography: list[AlbumShown]
    top_songs: list[SongShown]


class PlaylistDetail(PlaylistShown):
    """A playlist with a page of its songs."""

    tracks: Page[SongShown]


pi.writes(name="log_in", idempotent=True)(enter)
pi.writes(name="log_out", destructive=True)(leave)


@pi.reads
def search_users(
    state: State,
    query: Annotated[
        str, Field(description="Words that all occur in name or username, case-insensitive; empty for all.")
    ] = "",
    skip: Skip = 0,
) -> Page[User]:
    """Find people who use the service, by name or username."""
    me(state)
    listed = state.find(Playlist, "public")
    found = [row for row in state.find(Listener) if has_words(query, row.name, row.username)]
    return paged(
        found,
        skip,
        lambda row: User(
            username=row.username,
            name=row.name,
            public_playlists=sum(each.username == row.username for each in listed),
        ),
    )


@pi.reads
def view_genres(state: State, skip: Skip = 0) -> Page[GenreShown]:
    """List genres by name, with how many artists, albums and songs each has."""
    rows = state.query(
        "SELECT genre, count(*) FILTER (kind = 1), count(*) FILTER (kind = 2), count(*) FILTER (kind = 3) FROM "
        "(SELECT genre, 1 AS kind FROM artists UNION ALL SELECT genre, 2 FROM albums UNION ALL "
        "SELECT genre, 3 FROM songs) GROUP BY genre ORDER BY genre"
    )
    return paged(rows, skip, lambda row: GenreShown(genre=row[0], artists=row[1], albums=row[2], songs=row[3]))


@pi.reads
def search_songs(
    state: State,
    query: SongQuery = "",
    genre: Genre = "",
    artist_id: _Artist = None,
    released_after: After = None,
    released_before: Before = None,
    shortest: Annotated[int | None, Field(ge=1, description="Least duration in seconds.")] = None,
    longest: Annotated[int | None, Field(ge=1, description="Greatest duration in seconds.")] = None,
    downloaded: Annotated[
        bool | None, Field(description="Only what the user has downloaded, or only the rest; needs a login.")
    ] = None,
    order: Annotated[
        Literal["plays", "newest", "oldest", "title", "shortest", "longest"], Field(description="What stands first.")
    ] = "plays",
    skip: Skip = 0,
) -> Page[SongShown]:
    """Find songs, most played first."""
    shelf = Shelf.of(state) if downloaded is None else Shelf(state, me(state))
    if shortest and longest and shortest > longest:
        raise Rejected(f"shortest is {shortest} and longest {longest}; shortest must not be more than longest.")
    in_order(released_after, released_before, "released_")
    wanted = genre_of(shelf, genre)
    by = state.get(Artist, artist_id).id if artist_id is not None else None
    found = [
        song
        for song in shelf.songs.values()
        if (not wanted or song.genre == wanted)
        and (by is None or by in song.artist_ids)
        and between(song.released, released_after, released_before)
        and (shortest or 0) <= song.seconds <= (longest or song.seconds)
        and (downloaded is None or downloaded == (song.id in shelf.downloaded))
        and song_matches(shelf, query, song)
    ]
    keys = {
        "plays": lambda song: -song.plays,
        "newest": lambda song: -song.released.toordinal(),
        "oldest": lambda song: song.released.toordinal(),
        "title": lambda song: song.title.casefold(),
        "shortest": lambda song: song.seconds,
        "longest": lambda song: -song.seconds,
    }
    return paged(sorted(found, key=keys[order]), skip, shelf.song)


@pi.reads
def search_albums(
    state: State,
    query: AlbumQuery = "",
    genre: Genre = "",
    artist_id: _Artist = None,
    released_after: After = None,
    released_before: Before = None,
    liked: Annotated[
        bool | None, Field(description="Only what the user likes, or only the rest; needs a login.")
    ] = None,
    order: Annotated[Literal["newest", "oldest", "title", "plays"], Field(description="What stands first.")] = "newest",
    skip: Skip = 0,
) -> Page[AlbumShown]:
    """Find albums, newest first."""
    shelf = Shelf.of(state) if liked is None else Shelf(state, me(state))
    in_order(released_after, released_before, "released_")
    wanted = genre_of(shelf, genre)
    by = state.get(Artist, artist_id).id if artist_id is not None else None
    found = [
        album
        for album in shelf.albums.values()
        if (not wanted or album.genre == wanted)
        and (by is None or by in album.artist_ids)
        and between(album.released, released_after, released_before)
        and (liked is None or liked == (("album", album.id) in shelf.liked))
        and album_matches(shelf, query, album)
    ]
    keys = {
        "newest": lambda album: -album.released.toordinal(),
        "oldest": lambda album: album.released.toordinal(),
        "title": lambda album: album.title.casefold(),
        "plays": lambda album: -sum(song.plays for song in shelf.on(album.id)),
    }
    return paged(sorted(found, key=keys[order]), skip, shelf.album)


@pi.reads
def search_artists(
    state: State,
    query: Annotated[
        str, Field(description="Words that all occur in name or description, case-insensitive; empty for all.")
    ] = "",
    genre: Genre = "",
    skip: Skip = 0,
) -> Page[ArtistShown]:
    """Find artists, by name."""
    shelf = Shelf.of(state)
    wanted = genre_of(shelf, genre)
    found = [
        artist
        for artist in shelf.artists.values()
        if (not wanted or artist.genre == wanted) and has_words(query, artist.name, artist.about)
    ]
    return paged(sorted(found, key=lambda artist: artist.name.casefold()), skip, shelf.artist)


@pi.reads
def search_playlists(
    state: State,
    query: PlaylistQuery = "",
    own: Annotated[
        bool | None, Field(description="Only the user's own, or only those of others; needs a login.")
    ] = None,
    skip: Skip = 0,
) -> Page[PlaylistShown]:
    """Find public playlists and the user's own, by title."""
    shelf = Shelf.of(state) if own is None else Shelf(state, me(state))
    found = [
        playlist
        for playlist in state.find(Playlist, order="lower(title)")
        if (playlist.public or shelf.owns(playlist))
        and (own is None or own == shelf.owns(playlist))
        and playlist_matches(shelf, query, playlist)
    ]
    return paged(found, skip, shelf.collection)


@pi.reads
def view_song(state: State, song_id: SongId) -> SongDetail:
    """Show a song, and how it was rated."""
    song, shelf = state.get(Song, song_id), Shelf.of(state)
    ratings = [review.rating for review in state.find(Review, "song_id = ?", [song.id])]
    return SongDetail(
        **dict(shelf.song(song)),
        credits=_named(shelf, song.artist_ids),
        album_id=song.album_id,
        track=song.track if song.album_id else None,
        reviews=len(ratings),
        rating=round(sum(ratings) / len(ratings), 2) if ratings else None,
    )


@pi.reads
def view_album(state: State, album_id: AlbumId) -> AlbumDetail:
    """Show an album with its songs."""
    album, shelf = state.get(Album, album_id), Shelf.of(state)
    return AlbumDetail(
        **dict(shelf.album(album)),
        credits=_named(shelf, album.artist_ids),
        tracks=[shelf.song(song) for song in shelf.on(album.id)],
    )


@pi.reads
def view_artist(state: State, artist_id: ArtistId) -> ArtistDetail:
    """Show an artist with their albums and five most played songs."""
    artist, shelf = state.get(Artist, artist_id), Shelf.of(state)
    albums = [album for album in shelf.albums.values() if artist.id in album.artist_ids]
    return ArtistDetail(
        **dict(shelf.artist(artist)),
        about=artist.about or None,
        discography=[shelf.album(album) for album in sorted(albums, key=lambda album: album.released, reverse=True)],
        top_songs=[shelf.song(song) for song in sorted(shelf.by(artist.id), key=lambda song: -song.plays)[:5]],
    )


@pi.reads
def view_playlist(state: State, playlist_id: PlaylistId, skip: Skip = 0) -> PlaylistDetail:
    """Show a playlist with its songs, twenty at a time."""
    shelf = Shelf.of(state)
    playlist = shelf.playlist(playlist_id)
    return PlaylistDetail(**dict(shelf.collection(playlist)), tracks=paged(shelf.within(playlist.id), skip, shelf.song))


def song_matches(shelf: Shelf, query: str, song: Song) -> bool:
    """Whether every word of a `SongQuery` is in a song's title, artists or album. Raises `Rejected`."""
    album = shelf.albums[song.album_id].title if song.album_id else ""
    return has_words(query, song.title, *shelf.credits(song.artist_ids), album)


def album_matches(shelf: Shelf, query: str, album: Album) -> bool:
    """Whether every word of an `AlbumQuery` is in an album's title or artists. Raises `Rejected`."""
    return has_words(query, album.title, *shelf.credits(album.artist_ids))


def playlist_matches(shelf: Shelf, query: str, playlist: Playlist) -> bool:
    """Whether every word of a `PlaylistQuery` is in title, description or whose it is. Raises `Rejected`."""
    return has_words(query, playlist.title, playlist.about, shelf.name(playlist.username), playlist.username)


def genre_of(shelf: Shelf, given: str) -> str:
    """The genre as it is written here, "" for "". Raises `Rejected`, naming the genres that there are."""
    wanted = given.strip().casefold()
    if not wanted:
        return ""
    every: Iterable[Artist | Album | Song] = (*shelf.artists.values(), *shelf.albums.values(), *shelf.songs.values())
    known = sorted({row.genre for row in every})
    for genre in known:
        if genre.casefold() == wanted:
            return genre
    raise Rejected(f"genre: there is no {quoted(given)}; there are {', '.join(known) or 'none'}.")


def _named(shelf: Shelf, artist_ids: Iterable[str]) -> list[Named]:
    return [Named(id=id, name=shelf.artists[id].name) for id in artist_ids]
