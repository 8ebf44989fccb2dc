"""Rows of the music service for the contract tests: what the people of the office listen to."""

from __future__ import annotations

from typing import Any

__all__ = ("music",)

Rows = dict[str, list[dict[str, Any]]]


def music(mine: str, other: str) -> Rows:
    """Every table but those of accounts, where `mine` is whoever is logged in and `other` a colleague."""
    return {
        "artists": [
            {"id": "AR1", "name": "Ilva Moss", "genre": "folk", "about": "Sings of the shore (since 2014-05-01)."},
            {"id": "AR2", "name": "The Slow Ferry", "genre": "dub"},
            {"id": "AR3", "name": "Très Haut", "genre": "folk"},
        ],
        "albums": [
            {"id": "AL1", "title": "Low Water", "artist_ids": ["AR1"], "genre": "folk", "released": "2021-03-05"},
            {
                "id": "AL2",
                "title": "Night Crossing [live]",
                "artist_ids": ["AR2", "AR1"],
                "genre": "dub",
                "released": "2023-10-14",
            },
        ],
        "songs": [
            {
                "id": f"S{place}",
                "title": title,
                "artist_ids": artists,
                "album_id": album,
                "track": track,
                "genre": genre,
                "seconds": seconds,
                "released": released,
                "plays": plays,
            }
            for place, (title, artists, album, track, genre, seconds, released, plays) in enumerate(
                [
                    ("First Light", ["AR1"], "AL1", 1, "folk", 187, "2021-03-05", 9_020),
                    ("Second Tide (100%)", ["AR1"], "AL1", 2, "folk", 203, "2021-03-05", 880),
                    ("Engine Room", ["AR2"], "AL2", 1, "dub", 401, "2023-10-14", 12_400),
                    ("Lamps", ["AR2", "AR1"], "AL2", 2, "dub", 244, "2023-10-14", 310),
                    ("Près", ["AR3"], None, 1, "folk", 161, "2024-02-02", 0),
                ],
                start=1,
            )
        ],
        "people": [
            {"id": "U1", "username": mine, "name": "Ines Okafor"},
            {"id": "U2", "username": other, "name": "Mei Novak"},
        ],
        "playlists": [
            {"id": "PL1", "title": "Desk", "username": mine, "created": "2024-01-08T09:00:00"},
            {
                "id": "PL2",
                "title": "Friday (loud)",
                "about": "From 17:00 on.",
                "username": other,
                "public": True,
                "created": "2024-02-02T17:00:00",
            },
            {"id": "PL3", "title": "Presents", "username": other, "created": "2024-02-20T12:00:00"},
        ],
        "playlist_songs": [
            {"id": "PS1", "playlist_id": "PL1", "song_id": "S1", "position": 1, "added": "2024-01-08T09:05:00"},
            {"id": "PS2", "playlist_id": "PL1", "song_id": "S3", "position": 2, "added": "2024-01-08T09:06:00"},
            {"id": "PS3", "playlist_id": "PL2", "song_id": "S4", "position": 1, "added": "2024-02-02T17:01:00"},
        ],
        "likes": [
            {"id": "LK1", "kind": "song", "item_id": "S1", "username": mine, "liked": "2024-01-09T10:00:00"},
            {"id": "LK2", "kind": "song", "item_id": "S2", "username": other, "liked": "2024-01-10T10:00:00"},
        ],
        "library": [
            {"id": "LI1", "kind": "song", "item_id": "S2", "username": mine, "added": "2024-01-09T10:05:00"},
            {"id": "LI2", "kind": "album", "item_id": "AL1", "username": mine, "added": "2024-01-09T10:06:00"},
        ],
        "follows": [
            {"id": "F1", "artist_id": "AR1", "username": mine, "since": "2024-01-02T08:00:00"},
            {"id": "F2", "artist_id": "AR2", "username": other, "since": "2024-01-03T08:00:00"},
        ],
        "reviews": [
            {
                "id": "R1",
                "song_id": "S1",
                "username": mine,
                "rating": 4,
                "text": "Gentle; better than on 2023-12-01.",
                "written": "2024-01-09T10:10:00",
            },
            {"id": "R2", "song_id": "S1", "username": other, "rating": 2, "written": "2024-01-11T10:10:00"},
        ],
        "downloads": [
            {"id": "D1", "song_id": "S1", "username": mine, "downloaded": "2024-01-12T07:00:00"},
            {"id": "D2", "song_id": "S3", "username": mine, "downloaded": "2024-01-12T07:01:00"},
        ],
        "queue": [
            {"id": "Q1", "song_id": "S2", "username": mine, "position": 1},
            {"id": "Q2", "song_id": "S4", "username": mine, "position": 2},
            {"id": "Q3", "song_id": "S1", "username": other, "position": 1},
        ],
        "players": [
            {
                "id": "P1",
                "username": mine,
                "source": "playlist",
                "item_id": "PL1",
                "place": 2,
                "song_id": "S3",
                "started": "2024-03-06T10:27:00",
            }
        ],
    }
