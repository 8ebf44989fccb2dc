"""The music service's rows for a persona."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pi.cast import FINANCIER, password
from benchmarks.pi.catalogue.spotify import rows
from servers.kernel import Engine, World
from servers.spotify import app
from tests.apps.spotify_desk import Pi

NOW = datetime(2026, 4, 14, 9, 10)
ROWS = rows(7, NOW, FINANCIER)


@pytest.fixture
def pi() -> Iterator[Pi]:
    engine = Engine()
    layer = engine.layer(engine.load(World("music", NOW, {app.name: ROWS}, owner=FINANCIER.owner)))
    calls = Pi(app, layer)
    calls("log_in", username=FINANCIER.self.address, password=password(7, FINANCIER, "spotify"))
    yield calls
    layer.close()
    engine.close()


def test_equal_arguments_give_equal_rows_and_another_seed_gives_others() -> None:
    assert rows(7, NOW, FINANCIER) == ROWS
    assert rows(8, NOW, FINANCIER) != ROWS


def test_rows_are_the_same_in_a_process_with_another_hash_seed() -> None:
    program = (
        "import json; from datetime import datetime; from benchmarks.pi.cast import FINANCIER;"
        "from benchmarks.pi.catalogue.spotify import rows;"
        f"print(json.dumps(rows(7, datetime.fromisoformat({NOW.isoformat()!r}), FINANCIER)))"
    )
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONHASHSEED": "11", "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True, cwd=root)

    assert json.loads(done.stdout) == ROWS


def test_the_catalogue_does_not_depend_on_whose_it_is() -> None:
    other = rows(7, NOW, FINANCIER._replace(key="other", people=FINANCIER.people[:8]))

    assert all(other[table] == ROWS[table] for table in ("artists", "albums", "songs"))


def test_every_table_but_logins_is_filled() -> None:
    assert {table.table_name for table in app.tables} - {"logins"} == {name for name, some in ROWS.items() if some}
    assert len({song["genre"] for song in ROWS["songs"]}) == 12
    assert (len(ROWS["artists"]), len(ROWS["albums"])) == (35, 70)
    assert 330 <= len(ROWS["songs"]) <= 420


def test_references_hold() -> None:
    ids = {name: {row["id"] for row in some} for name, some in ROWS.items()}
    users = {row["username"] for row in ROWS["people"]}
    of = {"song": "songs", "album": "albums", "playlist": "playlists"}
    for row in (*ROWS["albums"], *ROWS["songs"]):
        assert ids["artists"] >= {*row["artist_ids"]}
        assert len({*row["artist_ids"]}) == len(row["artist_ids"])
    for row in (*ROWS["likes"], *ROWS["library"]):
        assert row["item_id"] in ids[of[row["kind"]]]
    for some in ROWS.values():
        for row in some:
            assert row.get("song_id") in {None, *ids["songs"]}
            assert row.get("album_id") in {None, *ids["albums"]}
            assert row.get("playlist_id") in {None, *ids["playlists"]}
            assert row.get("artist_id") in {None, *ids["artists"]}
            assert row.get("username") in {None, *users}


@pytest.mark.parametrize(
    ("table", "fields"),
    [
        ("likes", ("kind", "item_id", "username")),
        ("library", ("kind", "item_id", "username")),
        ("follows", ("artist_id", "username")),
        ("reviews", ("song_id", "username")),
        ("downloads", ("song_id", "username")),
        ("playlist_songs", ("playlist_id", "song_id")),
        ("playlists", ("title", "username")),
    ],
)
def test_nothing_is_there_that_a_tool_would_refuse_as_a_duplicate(table: str, fields: tuple[str, ...]) -> None:
    assert max(Counter(tuple(row[field] for field in fields) for row in ROWS[table]).values()) == 1


@pytest.mark.parametrize("seed", range(20))
def test_nothing_happens_after_now_or_before_the_song_came_out(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)
    released = {row["id"]: row["released"] for name in ("songs", "albums") for row in made[name]}
    for name, field in (("likes", "liked"), ("library", "added"), ("reviews", "written"), ("downloads", "downloaded")):
        for row in made[name]:
            assert released.get(row.get("song_id") or row["item_id"], "") < row[field] < NOW.isoformat()
    for row in made["playlist_songs"]:
        assert released[row["song_id"]] < row["added"] < NOW.isoformat()


def test_no_sentence_is_repeated_all_over() -> None:
    texts = Counter(row["text"] for row in ROWS["reviews"] if row["text"])

    assert max(texts.values()) <= 2
    assert not any("{" in text for text in texts)


def test_a_radio_edit_is_shorter_than_what_it_is_cut_from_and_an_extended_one_is_longer() -> None:
    albums = {(row["title"], *row["artist_ids"]): row["seconds"] for row in ROWS["songs"] if row["album_id"]}
    seen = set()
    for row in ROWS["songs"]:
        title, _, kind = row["title"].removesuffix(")").partition(" (")
        if kind in ("radio edit", "extended"):
            assert (row["seconds"] < albums[title, *row["artist_ids"]]) == (kind == "radio edit")
            seen.add(kind)

    assert seen == {"radio edit", "extended"}


def test_some_songs_are_alike_in_title() -> None:
    titles = Counter(row["title"].partition(" (")[0] for row in ROWS["songs"])

    assert sum(times > 1 for times in titles.values()) >= 15


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_albums", {"query": "night"}),
        ("search_artists", {"query": "guitar"}),
        ("search_playlists", {"query": "train"}),
        ("search_songs", {"query": "harbour", "longest": 600}),
        ("search_users", {"query": "nell"}),
        ("view_album_library", {}),
        ("view_followed_artists", {}),
        ("view_genres", {}),
        ("view_liked_songs", {}),
        ("view_playlist_library", {}),
        ("view_queue", {}),
        ("view_song_library", {}),
        ("view_song_reviews", {}),
    ],
)
def test_there_is_something_to_find(pi: Pi, tool: str, arguments: dict[str, Any]) -> None:
    assert pi(tool, **arguments)["items"]


def test_a_song_plays_and_another_was_before_it(pi: Pi) -> None:
    playing = pi("view_current_song")

    assert playing["place"] == ROWS["players"][0]["place"]
    assert pi("previous_song")["place"] == playing["place"] - 1


def test_of_other_peoples_playlists_some_are_private(pi: Pi) -> None:
    others = [row for row in ROWS["playlists"] if row["username"] != FINANCIER.self.address]
    private = [row["id"] for row in others if not row["public"]]

    assert 0 < len(private) < len(others)
    assert "No playlist" in pi.refusal("view_playlist", playlist_id=private[0])
