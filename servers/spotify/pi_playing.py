"""What people hear: the player and the queue."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from servers.kernel import NotFound, Page, Ref, Rejected, Skip, State, paged, to_minute
from servers.spotify.pi import SongId, pi
from servers.spotify.showing import Shelf, SongShown, me
from servers.spotify.tables import Album, Player, Playlist, QueueItem, Song, Source

__all__ = ()

_MOST = 500
"""Songs of a queue."""


class Queued(SongShown):
    """A song in the queue. `place` counts from 1, and `queue_item_id` is what removes it."""

    queue_item_id: str
    place: int


class Playing(BaseModel):
    """What plays: a song, and what from. `place` is the song's place there, from 1, null if it is no longer in it."""

    song: SongShown | None
    source: Source | None = None
    source_id: str | None = None
    source_title: str | None = None
    place: int | None = None
    of: int | None = None
    started: str | None = None
    note: str | None = None


@pi.reads
def view_queue(state: State, skip: Skip = 0) -> Page[Queued]:
    """List the songs in the queue, first to last."""
    shelf = Shelf(state, me(state))
    rows = [*enumerate(_queue(shelf), start=1)]
    return paged(rows, skip, lambda row: _queued(shelf, *row))


@pi.writes
def add_to_queue(state: State, song_id: SongId) -> Queued:
    """Add a song to the end of the queue; it may be there several times."""
    shelf, song = Shelf(state, me(state)), state.get(Song, song_id)
    there = _queue(shelf)
    if len(there) >= _MOST:
        raise Rejected(f"The queue is full; it may have {_MOST} songs. `remove_song_from_queue` makes room.")
    position = there[-1].position + 1 if there else 1
    row = state.add(QueueItem(song_id=song.id, username=shelf.who or "", position=position))
    return _queued(shelf, len(there) + 1, row)


@pi.writes(destructive=True)
def remove_song_from_queue(
    state: State,
    queue_item_id: Annotated[
        str, Ref(QueueItem), Field(description="Id of an entry in the queue (Q1), as returned by `view_queue`.")
    ],
) -> str:
    """Remove a song from the queue. What plays goes on."""
    who, row = me(state), state.get(QueueItem, queue_item_id)
    if row.username != who:
        raise NotFound(QueueItem.noun, queue_item_id)
    song = state.get(Song, row.song_id)
    state.delete(row)
    return f"Removed {song.title!r} ({song.id}) from the queue."


@pi.reads
def view_current_song(state: State) -> Playing:
    """Show the song that plays, and what it is played from."""
    shelf = Shelf(state, me(state))
    player = _player(shelf)
    return _playing(shelf, player) if player else Playing(song=None, note="Nothing plays; `play_music` starts it.")


@pi.writes
def play_music(
    state: State,
    song_id: Annotated[str | None, Ref(Song), Field(description="A song, as returned by `search_songs`.")] = None,
    album_id: Annotated[str | None, Ref(Album), Field(description="An album, as returned by `search_albums`.")] = None,
    playlist_id: Annotated[
        str | None, Ref(Playlist), Field(description="A playlist, as returned by `search_playlists`.")
    ] = None,
    queue: Annotated[bool, Field(description="The queue.")] = False,
    place: Annotated[
        int, Field(ge=1, description="Which song of the album, playlist or queue to begin with, from 1.")
    ] = 1,
) -> Playing:
    """Play one song, album or playlist, or the queue, instead of what plays."""
    shelf = Shelf(state, me(state))
    given: list[tuple[Source, str]] = []
    if song_id is not None:
        given.append(("song", state.get(Song, song_id).id))
    if album_id is not None:
        given.append(("album", state.get(Album, album_id).id))
    if playlist_id is not None:
        given.append(("playlist", shelf.playlist(playlist_id).id))
    if queue:
        given.append(("queue", ""))
    if len(given) != 1:
        raise Rejected("Say what to play with one of song_id, album_id, playlist_id or queue=true.")
    ((source, id),) = given
    songs = _songs(shelf, source, id)
    what = f"{source.capitalize()} {id}" if id else "The queue"
    if not songs:
        raise Rejected(f"{what} has no songs to play.")
    if place > len(songs):
        raise Rejected(f"place: {what} has {len(songs)} song{'s' if songs[1:] else ''}, so none at place {place}.")
    after = Player(
        username=shelf.who or "",
        source=source,
        item_id=id,
        place=place,
        song_id=songs[place - 1].id,
        started=state.now,
    )
    before = _player(shelf)
    row = state.save(after.model_copy(update={"id": before.id})) if before else state.add(after)
    return _playing(shelf, row)


@pi.writes
def previous_song(state: State) -> Playing:
    """Play the song before the one that plays, of the same album, playlist or queue."""
    shelf = Shelf(state, me(state))
    player = _player(shelf)
    if player is None:
        raise Rejected("Nothing plays; `play_music` starts it.")
    songs = _songs(shelf, player.source, player.item_id)
    # A song that was removed meanwhile has left its place to the one behind it.
    place = (_place(player, songs) or min(player.place, len(songs) + 1)) - 1
    if place < 1:
        if player.source == "song":
            raise Rejected(f"Song {player.item_id} is played by itself: there is no song before it.")
        what = f"the {player.source} {player.item_id}".rstrip()
        raise Rejected(f"There is no song before this one in {what}.")
    row = player.model_copy(update={"place": place, "song_id": songs[place - 1].id, "started": state.now})
    return _playing(shelf, state.save(row))


def _player(shelf: Shelf) -> Player | None:
    return next(iter(shelf.state.find(Player, "username = ?", [shelf.who])), None)


def _queue(shelf: Shelf) -> list[QueueItem]:
    return shelf.state.find(QueueItem, "username = ?", [shelf.who], order="position")


def _queued(shelf: Shelf, place: int, row: QueueItem) -> Queued:
    return Queued(**dict(shelf.song(shelf.songs[row.song_id])), queue_item_id=row.id, place=place)


def _songs(shelf: Shelf, source: Source, id: str) -> list[Song]:
    """What is played from a source, in order."""
    if source == "queue":
        return [shelf.songs[row.song_id] for row in _queue(shelf)]
    if source == "song":
        return [shelf.songs[id]]
    return shelf.on(id) if source == "album" else shelf.within(id)


def _place(player: Player, songs: list[Song]) -> int | None:
    """Where the song that plays is now, from 1: the place nearest to where it was."""
    places = [place for place, song in enumerate(songs, start=1) if song.id == player.song_id]
    return min(places, key=lambda place: abs(place - player.place), default=None)


def _playing(shelf: Shelf, player: Player) -> Playing:
    songs = _songs(shelf, player.source, player.item_id)
    title = None
    if player.source == "album":
        title = shelf.albums[player.item_id].title
    elif player.source == "playlist":
        title = shelf.state.get(Playlist, player.item_id).title
    return Playing(
        song=shelf.song(shelf.songs[player.song_id]),
        source=player.source,
        source_id=player.item_id or None,
        source_title=title,
        place=_place(player, songs),
        of=len(songs),
        started=to_minute(player.started),
    )
