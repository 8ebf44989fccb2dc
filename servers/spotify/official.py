"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {
        "add_song_to_playlist": "pi.add_song_to_playlist",
        "add_to_queue": "pi.add_to_queue",
        "create_playlist": "pi.create_playlist",
        "follow_artist": "pi.follow_artist",
        "log_in": "pi.log_in",
        "log_out": "pi.log_out",
        "play_music": "pi.play_music",
        "previous_song": "pi.previous_song",
        "remove_downloaded_song": "pi.remove_downloaded_song",
        "remove_song_from_playlist": "pi.remove_song_from_playlist",
        "remove_song_from_queue": "pi.remove_song_from_queue",
        "review_song": "pi.review_song",
        "save_album": "pi.save_album",
        "save_album_to_library": "pi.save_album_to_library",
        "save_playlist": "pi.save_playlist",
        "save_song": "pi.save_song",
        "save_song_to_library": "pi.save_song_to_library",
        "search_albums": "pi.search_albums",
        "search_artists": "pi.search_artists",
        "search_playlists": "pi.search_playlists",
        "search_songs": "pi.search_songs",
        "search_users": "pi.search_users",
        "update_song_review": "pi.update_song_review",
        "view_album": "pi.view_album",
        "view_album_library": "pi.view_album_library",
        "view_artist": "pi.view_artist",
        "view_current_song": "pi.view_current_song",
        "view_followed_artists": "pi.view_followed_artists",
        "view_genres": "pi.view_genres",
        "view_liked_songs": "pi.view_liked_songs",
        "view_playlist": "pi.view_playlist",
        "view_playlist_library": "pi.view_playlist_library",
        "view_queue": "pi.view_queue",
        "view_song": "pi.view_song",
        "view_song_library": "pi.view_song_library",
        "view_song_review": "pi.view_song_review",
        "view_song_reviews": "pi.view_song_reviews",
    },
}
"""Well-known server -> its tool -> ours, as toolset.tool."""

NOT_OFFERED: Mapping[str, str] = {}
"""Tools without one of ours, and why."""
