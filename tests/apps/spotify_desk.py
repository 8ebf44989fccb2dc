"""A few songs, what three people keep of them, and a desk that calls the tools of `pi`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.apps.desk import Desk

__all__ = ("ACCOUNTS", "MIRA", "ROWS", "TARIQ", "Pi")

MIRA, TARIQ = "mira@harbor.example", "tariq@harbor.example"
DAY = "2023-05-01T09:00:00"

ACCOUNTS = [
    {"id": "A1", "username": MIRA, "password": "kelp-77", "name": "Mira Holt"},
    {"id": "A2", "username": TARIQ, "password": "sand", "name": "Tariq Lund"},
]


def _song(
    id: str, title: str, artists: Sequence[str], album: str | None, track: int, seconds: int, plays: int
) -> dict[str, Any]:
    genre = "folk" if "AR1" in artists else "dub"
    released = "2021-03-05" if album == "AL1" else "2022-10-14"
    return {
        "id": id,
        "title": title,
        "artist_ids": [*artists],
        "album_id": album,
        "track": track,
        "genre": genre,
        "seconds": seconds,
        "released": released,
        "plays": plays,
    }


ROWS: dict[str, list[dict[str, Any]]] = {
    "artists": [
        {"id": "AR1", "name": "Ilva Moss", "genre": "folk", "about": "Sings of the shore."},
        {"id": "AR2", "name": "The Slow Ferry", "genre": "dub"},
    ],
    "albums": [
        {"id": "AL1", "title": "Low Water", "artist_ids": ["AR1"], "genre": "folk", "released": "2021-03-05"},
        {"id": "AL2", "title": "Night Crossing", "artist_ids": ["AR2"], "genre": "dub", "released": "2022-10-14"},
        {"id": "AL3", "title": "Yet to Come", "artist_ids": ["AR2"], "genre": "dub", "released": "2023-11-01"},
    ],
    "songs": [
        _song("S1", "Second Tide", ["AR1"], "AL1", 2, 200, 50),
        _song("S2", "First Light", ["AR1"], "AL1", 1, 187, 90),
        _song("S3", "Engine Room", ["AR2"], "AL2", 1, 400, 70),
        _song("S4", "Lamps", ["AR2", "AR1"], None, 1, 240, 10),
    ],
    "people": [
        {"id": "U1", "username": MIRA, "name": "Mira Holt"},
        {"id": "U2", "username": TARIQ, "name": "Tariq Lund"},
        {"id": "U3", "username": "ines@harbor.example", "name": "Ines Okafor"},
    ],
    "playlists": [
        {"id": "PL1", "title": "Morning", "username": MIRA, "created": DAY},
        {"id": "PL2", "title": "Deck", "about": "Loud.", "username": TARIQ, "public": True, "created": DAY},
        {"id": "PL3", "title": "Secret", "username": TARIQ, "created": DAY},
        {"id": "PL4", "title": "Empty", "username": MIRA, "public": True, "created": "2023-06-01T09:00:00"},
    ],
    "playlist_songs": [
        {"id": "PS1", "playlist_id": "PL1", "song_id": "S2", "position": 4, "added": DAY},
        {"id": "PS2", "playlist_id": "PL1", "song_id": "S3", "position": 2, "added": DAY},
        {"id": "PS3", "playlist_id": "PL2", "song_id": "S4", "position": 1, "added": DAY},
    ],
    "likes": [
        {"id": "LK1", "kind": "song", "item_id": "S1", "username": MIRA, "liked": "2023-05-02T09:00:00"},
        {"id": "LK2", "kind": "song", "item_id": "S3", "username": MIRA, "liked": "2023-05-03T09:00:00"},
        {"id": "LK3", "kind": "song", "item_id": "S2", "username": TARIQ, "liked": DAY},
    ],
    "library": [
        {"id": "LI1", "kind": "song", "item_id": "S2", "username": MIRA, "added": DAY},
        {"id": "LI2", "kind": "album", "item_id": "AL2", "username": MIRA, "added": DAY},
    ],
    "follows": [
        {"id": "F1", "artist_id": "AR2", "username": MIRA, "since": DAY},
        {"id": "F2", "artist_id": "AR2", "username": TARIQ, "since": DAY},
    ],
    "reviews": [
        {"id": "R1", "song_id": "S1", "username": MIRA, "rating": 4, "text": "Gentle.", "written": DAY},
        {"id": "R2", "song_id": "S1", "username": TARIQ, "rating": 1, "written": "2023-05-02T09:00:00"},
        {"id": "R3", "song_id": "S3", "username": TARIQ, "rating": 5, "written": DAY},
    ],
    "downloads": [{"id": "D1", "song_id": "S3", "username": MIRA, "downloaded": DAY}],
    "queue": [
        {"id": "Q1", "song_id": "S1", "username": MIRA, "position": 2},
        {"id": "Q2", "song_id": "S4", "username": MIRA, "position": 1},
        {"id": "Q3", "song_id": "S2", "username": TARIQ, "position": 1},
    ],
    "players": [
        {
            "id": "P1",
            "username": MIRA,
            "source": "playlist",
            "item_id": "PL1",
            "place": 2,
            "song_id": "S2",
            "started": "2023-11-30T08:10:00",
        }
    ],
}


class Pi(Desk):
    """Calls the tools of `pi`."""

    toolset = "pi"

    def found(self, tool: str, **arguments: Any) -> list[str]:
        """Ids of a list's first page."""
        return [item["id"] for item in self(tool, **arguments)["items"]]

    def changed(self) -> list[tuple[str, str, str]]:
        """What changed since the start but for logins: op, table, id."""
        return [(each.op, each.table, each.id) for each in self.layer.changes() if each.table != "logins"]
