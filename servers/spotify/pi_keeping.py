"""What people keep: likes, the library, artists they follow, playlists, reviews and downloads.

A save is a like; the library is apart from it. The playlists of one's library are one's own, and those one likes.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from servers.kernel import Page, Ref, Rejected, Skip, State, has_words, paged, required, to_minute
from servers.spotify.pi import (
    AlbumId,
    AlbumQuery,
    ArtistId,
    PlaylistId,
    PlaylistQuery,
    SongId,
    SongQuery,
    album_matches,
    pi,
    playlist_matches,
    song_matches,
)
from servers.spotify.showing import (
    AlbumShown,
    ArtistShown,
    PlaylistShown,
    ReviewShown,
    Shelf,
    SongShown,
    me,
)
from servers.spotify.tables import (
    ABOUT,
    TITLE,
    Album,
    Artist,
    Download,
    Follow,
    LibraryItem,
    Like,
    Playlist,
    PlaylistSong,
    Rating,
    Review,
    Song,
)

__all__ = ()

_MOST = 1_000
"""Songs of a playlist."""

ReviewId = Annotated[str, Ref(Review), Field(description="Id of a review, as returned by `view_song_reviews`.")]
Stars = Annotated[Rating, Field(description="1 to 5; 5 is best.")]


class Liked(BaseModel):
    """What was liked, and when."""

    id: str
    kind: Literal["song", "album", "playlist"]
    item_id: str
    title: str
    liked: str


class Kept(BaseModel):
    """What was put into the library, and when."""

    id: str
    kind: Literal["song", "album"]
    item_id: str
    title: str
    added: str


class Following(BaseModel):
    """Whom the user follows, and since when."""

    id: str
    artist_id: str
    artist: str
    since: str


class Added(BaseModel):
    """A song that was put into a playlist, and which of its songs it is."""

    id: str
    playlist_id: str
    playlist: str
    song_id: str
    song: str
    place: int
    added: str


# Likes and library.


@pi.writes
def save_song(state: State, song_id: SongId) -> Liked:
    """Like a song."""
    shelf, song = Shelf(state, me(state)), state.get(Song, song_id)
    return _like(shelf, "song", song.id, song.title)


@pi.writes
def save_album(state: State, album_id: AlbumId) -> Liked:
    """Like an album."""
    shelf, album = Shelf(state, me(state)), state.get(Album, album_id)
    return _like(shelf, "album", album.id, album.title)


@pi.writes
def save_playlist(state: State, playlist_id: PlaylistId) -> Liked:
    """Like a playlist, which puts it among those of `view_playlist_library`."""
    shelf = Shelf(state, me(state))
    playlist = shelf.playlist(playlist_id)
    return _like(shelf, "playlist", playlist.id, playlist.title)


@pi.writes
def save_song_to_library(state: State, song_id: SongId) -> Kept:
    """Put a song into the library."""
    shelf, song = Shelf(state, me(state)), state.get(Song, song_id)
    return _keep(shelf, "song", song.id, song.title)


@pi.writes
def save_album_to_library(state: State, album_id: AlbumId) -> Kept:
    """Put an album into the library."""
    shelf, album = Shelf(state, me(state)), state.get(Album, album_id)
    return _keep(shelf, "album", album.id, album.title)


@pi.reads
def view_liked_songs(state: State, query: SongQuery = "", skip: Skip = 0) -> Page[SongShown]:
    """List the songs that the user likes, last liked first."""
    shelf = Shelf(state, me(state))
    return _songs(shelf, [row.item_id for row in shelf.liked.values() if row.kind == "song"], query, skip)


@pi.reads
def view_song_library(state: State, query: SongQuery = "", skip: Skip = 0) -> Page[SongShown]:
    """List the songs of the user's library, last added first."""
    shelf = Shelf(state, me(state))
    return _songs(shelf, [row.item_id for row in shelf.library.values() if row.kind == "song"], query, skip)


@pi.reads
def view_album_library(state: State, query: AlbumQuery = "", skip: Skip = 0) -> Page[AlbumShown]:
    """List the albums of the user's library, last added first."""
    shelf = Shelf(state, me(state))
    albums = [shelf.albums[row.item_id] for row in shelf.library.values() if row.kind == "album"]
    return paged([album for album in albums if album_matches(shelf, query, album)], skip, shelf.album)


@pi.reads
def view_playlist_library(state: State, query: PlaylistQuery = "", skip: Skip = 0) -> Page[PlaylistShown]:
    """List the user's own playlists and those of others that they like, newest first."""
    shelf = Shelf(state, me(state))
    found = [
        playlist
        for playlist in state.find(Playlist, order="created DESC, _ord DESC")
        if (shelf.owns(playlist) or (playlist.public and ("playlist", playlist.id) in shelf.liked))
        and playlist_matches(shelf, query, playlist)
    ]
    return paged(found, skip, shelf.collection)


# Artists.


@pi.writes
def follow_artist(state: State, artist_id: ArtistId) -> Following:
    """Follow an artist."""
    shelf, artist = Shelf(state, me(state)), state.get(Artist, artist_id)
    if artist.id in shelf.followed:
        raise Rejected(f"You follow {artist.name} ({artist.id}) already.")
    row = state.add(Follow(artist_id=artist.id, username=shelf.who or "", since=state.now))
    return Following(id=row.id, artist_id=artist.id, artist=artist.name, since=to_minute(row.since))


@pi.reads
def view_followed_artists(
    state: State,
    query: Annotated[
        str, Field(description="Words that all occur in name, genre or description, case-insensitive; empty for all.")
    ] = "",
    skip: Skip = 0,
) -> Page[ArtistShown]:
    """List the artists that the user follows, last followed first."""
    shelf = Shelf(state, me(state))
    artists = [shelf.artists[id] for id in shelf.followed]
    found = [artist for artist in artists if has_words(query, artist.name, artist.genre, artist.about)]
    return paged(found, skip, shelf.artist)


# Playlists.


@pi.writes
def create_playlist(
    state: State,
    title: Annotated[str, Field(max_length=TITLE, description="Title, which no other playlist of the user has.")],
    about: Annotated[str, Field(max_length=ABOUT, description="What it is for.")] = "",
    public: Annotated[bool, Field(description="Whether others see it.")] = False,
) -> PlaylistShown:
    """Make an empty playlist."""
    shelf, title = Shelf(state, me(state)), title.strip()
    required(title=title)
    for there in state.find(Playlist, "username = ? AND lower(title) = lower(?)", [shelf.who, title]):
        raise Rejected(f"title: you have a playlist {there.title!r} already, {there.id}.")
    row = Playlist(title=title, about=about, public=public, username=shelf.who or "", created=state.now)
    return shelf.collection(state.add(row))


@pi.writes
def add_song_to_playlist(state: State, playlist_id: PlaylistId, song_id: SongId) -> Added:
    """Add a song to the end of one of the user's own playlists."""
    playlist = Shelf(state, me(state)).playlist(playlist_id, own=True)
    song = state.get(Song, song_id)
    there = state.find(PlaylistSong, "playlist_id = ?", [playlist.id], order="position")
    if any(row.song_id == song.id for row in there):
        raise Rejected(f"{song.title!r} ({song.id}) is in playlist {playlist.id} ({playlist.title}) already.")
    if len(there) >= _MOST:
        raise Rejected(f"Playlist {playlist.id} ({playlist.title}) is full; it may have {_MOST:,} songs.")
    position = there[-1].position + 1 if there else 1
    row = state.add(PlaylistSong(playlist_id=playlist.id, song_id=song.id, position=position, added=state.now))
    return Added(
        id=row.id,
        playlist_id=playlist.id,
        playlist=playlist.title,
        song_id=song.id,
        song=song.title,
        place=len(there) + 1,
        added=to_minute(row.added),
    )


@pi.writes(destructive=True)
def remove_song_from_playlist(state: State, playlist_id: PlaylistId, song_id: SongId) -> str:
    """Remove a song from one of the user's own playlists."""
    playlist = Shelf(state, me(state)).playlist(playlist_id, own=True)
    song = state.get(Song, song_id)
    there = state.find(PlaylistSong, "playlist_id = ? AND song_id = ?", [playlist.id, song.id])
    if not there:
        raise Rejected(f"{song.title!r} ({song.id}) is not in playlist {playlist.id} ({playlist.title}).")
    state.delete(there[0])
    return f"Removed {song.title!r} ({song.id}) from playlist {playlist.id} ({playlist.title})."


# Reviews.


@pi.reads
def view_song_reviews(
    state: State,
    song_id: Annotated[
        str | None,
        Ref(Song),
        Field(description="Id of a song, as returned by `search_songs`. Leave out for all of the user's own reviews."),
    ] = None,
    rating: Annotated[Rating | None, Field(description="Only those with this rating.")] = None,
    skip: Skip = 0,
) -> Page[ReviewShown]:
    """List the reviews of a song, or all that the user wrote, last written first."""
    if song_id is None:
        shelf = Shelf(state, me(state))
        rows = state.find(Review, "username = ?", [shelf.who], order="written DESC, _ord DESC")
    else:
        shelf = Shelf.of(state)
        rows = state.find(Review, "song_id = ?", [state.get(Song, song_id).id], order="written DESC, _ord DESC")
    return paged([row for row in rows if rating in (None, row.rating)], skip, shelf.review)


@pi.reads
def view_song_review(state: State, review_id: ReviewId) -> ReviewShown:
    """Show a review."""
    return Shelf.of(state).review(state.get(Review, review_id))


@pi.writes
def review_song(
    state: State,
    song_id: SongId,
    rating: Stars,
    text: Annotated[str, Field(max_length=ABOUT, description="What the user thinks of it.")] = "",
) -> ReviewShown:
    """Review a song that the user has not reviewed."""
    shelf, song = Shelf(state, me(state)), state.get(Song, song_id)
    for there in state.find(Review, "song_id = ? AND username = ?", [song.id, shelf.who]):
        raise Rejected(
            f"You have reviewed {song.title!r} ({song.id}) already; change {there.id} with `update_song_review`."
        )
    row = Review(song_id=song.id, username=shelf.who or "", rating=rating, text=text, written=state.now)
    return shelf.review(state.add(row))


@pi.writes(destructive=True, idempotent=True)
def update_song_review(
    state: State,
    review_id: ReviewId,
    rating: Annotated[Rating | None, Field(description="New rating, 1 to 5.")] = None,
    text: Annotated[
        str | None, Field(max_length=ABOUT, description="New text, replacing the old one; empty for none.")
    ] = None,
) -> ReviewShown:
    """Change one of the user's own reviews; omitted fields keep their value."""
    shelf, row = Shelf(state, me(state)), state.get(Review, review_id)
    if row.username != shelf.who:
        raise Rejected(f"Review {row.id} is {shelf.name(row.username)}'s; only your own can be changed.")
    if rating is None and text is None:
        raise Rejected("Say what to change: rating or text.")
    given = {"rating": rating, "text": text}
    after = row.model_copy(update={name: value for name, value in given.items() if value is not None})
    if after != row:
        after.changed = state.now
        row = state.save(after)
    return shelf.review(row)


# Downloads.


@pi.writes(destructive=True)
def remove_downloaded_song(
    state: State,
    song_id: Annotated[
        str,
        Ref(Song),
        Field(description="Id of a downloaded song, as returned by `search_songs` with `downloaded`."),
    ],
) -> str:
    """Remove a song from the downloads."""
    who, song = me(state), state.get(Song, song_id)
    there = state.find(Download, "song_id = ? AND username = ?", [song.id, who])
    if not there:
        raise Rejected(f"{song.title!r} ({song.id}) is not downloaded.")
    state.delete(there[0])
    return f"Removed {song.title!r} ({song.id}) from the downloads."


def _like(shelf: Shelf, kind: Literal["song", "album", "playlist"], id: str, title: str) -> Liked:
    if (kind, id) in shelf.liked:
        raise Rejected(f"You like the {kind} {title!r} ({id}) already.")
    row = shelf.state.add(Like(kind=kind, item_id=id, username=shelf.who or "", liked=shelf.state.now))
    return Liked(id=row.id, kind=kind, item_id=id, title=title, liked=to_minute(row.liked))


def _keep(shelf: Shelf, kind: Literal["song", "album"], id: str, title: str) -> Kept:
    if (kind, id) in shelf.library:
        raise Rejected(f"The {kind} {title!r} ({id}) is in your library already.")
    row = shelf.state.add(LibraryItem(kind=kind, item_id=id, username=shelf.who or "", added=shelf.state.now))
    return Kept(id=row.id, kind=kind, item_id=id, title=title, added=to_minute(row.added))


def _songs(shelf: Shelf, ids: list[str], query: str, skip: int) -> Page[SongShown]:
    songs = [shelf.songs[id] for id in ids]
    return paged([song for song in songs if song_matches(shelf, query, song)], skip, shelf.song)
