"""What results show of music, and who asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pydantic import BaseModel

from servers.kernel import NotFound, Rejected, State, signed_in, to_minute
from servers.spotify.tables import (
    Album,
    Artist,
    Download,
    Follow,
    LibraryItem,
    Like,
    Listener,
    Playlist,
    PlaylistSong,
    Review,
    Song,
)

__all__ = (
    "AlbumShown",
    "ArtistShown",
    "Named",
    "PlaylistShown",
    "ReviewShown",
    "Shelf",
    "SongShown",
    "me",
)


class Named(BaseModel):
    """What another row is called."""

    id: str
    name: str


class SongShown(BaseModel):
    """A song in a list; what is null does not hold, or nobody is logged in."""

    id: str
    title: str
    artists: list[str]
    album: str | None
    genre: str
    length: str
    released: str
    plays: int
    liked: bool | None = None
    in_library: bool | None = None
    downloaded: bool | None = None


class AlbumShown(BaseModel):
    """An album in a list; `plays` are those of all its songs."""

    id: str
    title: str
    artists: list[str]
    genre: str
    released: str
    songs: int
    length: str
    plays: int
    liked: bool | None = None
    in_library: bool | None = None


class ArtistShown(BaseModel):
    """An artist in a list; `plays` are those of all songs, `followers` those who use the service here."""

    id: str
    name: str
    genre: str
    albums: int
    songs: int
    plays: int
    followers: int
    followed: bool | None = None


class PlaylistShown(BaseModel):
    """A playlist in a list."""

    id: str
    title: str
    about: str | None
    by: str
    public: bool
    songs: int
    length: str
    created: str
    own: bool | None = None
    liked: bool | None = None


class ReviewShown(BaseModel):
    """A review of a song."""

    id: str
    song_id: str
    song: str
    by: str
    rating: int
    text: str | None
    written: str
    changed: str | None = None
    own: bool | None = None


def me(state: State) -> str:
    """Whose rows a tool may show and change. Raises `Rejected` if somebody has to log in first."""
    account = signed_in(state)
    return account.username if account else state.address


def length(seconds: int) -> str:
    """A duration as people write it, such as 3:07 or 1:02:45."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


@dataclass
class Shelf:
    """The catalogue as `who` sees it, read at most once a call; None is somebody who is not logged in."""

    state: State
    who: str | None

    @classmethod
    def of(cls, state: State) -> Shelf:
        """For whoever asks, logged in or not."""
        try:
            return cls(state, me(state))
        except Rejected:
            return cls(state, None)

    @cached_property
    def artists(self) -> dict[str, Artist]:
        return {row.id: row for row in self.state.find(Artist)}

    @cached_property
    def albums(self) -> dict[str, Album]:
        return {row.id: row for row in self.state.find(Album)}

    @cached_property
    def songs(self) -> dict[str, Song]:
        return {row.id: row for row in self.state.find(Song)}

    @cached_property
    def names(self) -> dict[str, str]:
        """Username, lower case -> name."""
        return {row.username.casefold(): row.name for row in self.state.find(Listener)}

    @cached_property
    def liked(self) -> dict[tuple[str, str], Like]:
        """Last liked first."""
        rows = self.state.find(Like, "username = ?", [self.who], order="liked DESC, _ord DESC")
        return {(row.kind, row.item_id): row for row in rows}

    @cached_property
    def library(self) -> dict[tuple[str, str], LibraryItem]:
        """Last added first."""
        rows = self.state.find(LibraryItem, "username = ?", [self.who], order="added DESC, _ord DESC")
        return {(row.kind, row.item_id): row for row in rows}

    @cached_property
    def downloaded(self) -> dict[str, Download]:
        return {row.song_id: row for row in self.state.find(Download, "username = ?", [self.who])}

    @cached_property
    def followed(self) -> dict[str, Follow]:
        """Last followed first."""
        rows = self.state.find(Follow, "username = ?", [self.who], order="since DESC, _ord DESC")
        return {row.artist_id: row for row in rows}

    @cached_property
    def _followers(self) -> Counter[str]:
        return Counter(row.artist_id for row in self.state.find(Follow))

    @cached_property
    def _on(self) -> dict[str, list[Song]]:
        found: dict[str, list[Song]] = {}
        for song in sorted(self.songs.values(), key=lambda song: song.track):
            if song.album_id:
                found.setdefault(song.album_id, []).append(song)
        return found

    @cached_property
    def _within(self) -> dict[str, list[Song]]:
        found: dict[str, list[Song]] = {}
        for row in self.state.find(PlaylistSong, order="position"):
            found.setdefault(row.playlist_id, []).append(self.songs[row.song_id])
        return found

    def on(self, album_id: str) -> list[Song]:
        """The songs of an album, in its order."""
        return self._on.get(album_id, [])

    def within(self, playlist_id: str) -> list[Song]:
        """The songs of a playlist, in its order."""
        return self._within.get(playlist_id, [])

    def by(self, artist_id: str) -> list[Song]:
        """The songs an artist has a part in."""
        return [song for song in self.songs.values() if artist_id in song.artist_ids]

    def owns(self, playlist: Playlist) -> bool:
        return self.who is not None and playlist.username == self.who

    def playlist(self, id: str, *, own: bool = False) -> Playlist:
        """Raises `NotFound`, also for somebody else's private one, and `Rejected` for another's if it must be own.

        Whoever asks for a private one without being logged in has to log in, as it may be theirs.
        """
        found = self.state.get(Playlist, id)
        if not found.public and self.who is None:
            me(self.state)
        if not found.public and not self.owns(found):
            raise NotFound(Playlist.noun, id)
        if own and not self.owns(found):
            raise Rejected(f"Playlist {id} ({found.title}) is {self.name(found.username)}'s; change one of your own.")
        return found

    def name(self, username: str) -> str:
        """The name of whoever has a username; the username where it is not known."""
        return self.names.get(username.casefold(), username)

    def credits(self, artist_ids: Iterable[str]) -> list[str]:
        return [self.artists[id].name for id in artist_ids]

    def song(self, song: Song) -> SongShown:
        return SongShown(
            id=song.id,
            title=song.title,
            artists=self.credits(song.artist_ids),
            album=self.albums[song.album_id].title if song.album_id else None,
            genre=song.genre,
            length=length(song.seconds),
            released=song.released.isoformat(),
            plays=song.plays,
            liked=self._mark(("song", song.id) in self.liked),
            in_library=self._mark(("song", song.id) in self.library),
            downloaded=self._mark(song.id in self.downloaded),
        )

    def album(self, album: Album) -> AlbumShown:
        songs = self.on(album.id)
        return AlbumShown(
            id=album.id,
            title=album.title,
            artists=self.credits(album.artist_ids),
            genre=album.genre,
            released=album.released.isoformat(),
            songs=len(songs),
            length=length(sum(song.seconds for song in songs)),
            plays=sum(song.plays for song in songs),
            liked=self._mark(("album", album.id) in self.liked),
            in_library=self._mark(("album", album.id) in self.library),
        )

    def artist(self, artist: Artist) -> ArtistShown:
        songs = self.by(artist.id)
        return ArtistShown(
            id=artist.id,
            name=artist.name,
            genre=artist.genre,
            albums=sum(artist.id in album.artist_ids for album in self.albums.values()),
            songs=len(songs),
            plays=sum(song.plays for song in songs),
            followers=self._followers[artist.id],
            followed=self._mark(artist.id in self.followed),
        )

    def collection(self, playlist: Playlist) -> PlaylistShown:
        songs = self.within(playlist.id)
        return PlaylistShown(
            id=playlist.id,
            title=playlist.title,
            about=playlist.about or None,
            by=self.name(playlist.username),
            public=playlist.public,
            songs=len(songs),
            length=length(sum(song.seconds for song in songs)),
            created=to_minute(playlist.created),
            own=self._mark(self.owns(playlist)),
            liked=self._mark(("playlist", playlist.id) in self.liked),
        )

    def review(self, review: Review) -> ReviewShown:
        return ReviewShown(
            id=review.id,
            song_id=review.song_id,
            song=self.songs[review.song_id].title,
            by=self.name(review.username),
            rating=review.rating,
            text=review.text or None,
            written=to_minute(review.written),
            changed=None if review.changed == review.written else to_minute(review.changed),
            own=self._mark(review.username == self.who),
        )

    def _mark(self, holds: bool) -> bool | None:
        return True if holds and self.who is not None else None
