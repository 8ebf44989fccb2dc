"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("OFFICIAL",)

_PI = (
    "add_song_to_playlist", "add_to_queue", "create_playlist", "follow_artist", "log_in", "log_out", "play_music",
    "previous_song", "remove_downloaded_song", "remove_song_from_playlist", "remove_song_from_queue", "review_song",
    "save_album", "save_album_to_library", "save_playlist", "save_song", "save_song_to_library", "search_albums",
    "search_artists", "search_playlists", "search_songs", "search_users", "update_song_review", "view_album",
    "view_album_library", "view_artist", "view_current_song", "view_followed_artists", "view_genres",
    "view_liked_songs", "view_playlist", "view_playlist_library", "view_queue", "view_song", "view_song_library",
    "view_song_review", "view_song_reviews",
)  # fmt: skip

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {name: f"pi.{name}" for name in _PI},
}
"""Well-known server -> its tool -> ours, as toolset.tool."""
