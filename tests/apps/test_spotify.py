"""The music catalogue and its accounts, with the tools of pi-Bench."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.kernel import Engine, Owner, World
from servers.spotify import app
from servers.spotify.official import OFFICIAL
from tests.apps.desk import NOW, desk
from tests.apps.spotify_desk import ACCOUNTS, MIRA, ROWS, Pi


@pytest.fixture
def locked() -> Iterator[Pi]:
    with desk(app, {**ROWS, "accounts": ACCOUNTS}, kind=Pi) as calls:
        yield calls


@pytest.fixture
def pi(locked: Pi) -> Pi:
    locked("log_in", username="Mira@harbor.example", password="kelp-77")
    return locked


def test_the_tools_are_the_rows_of_the_table() -> None:
    assert {f"pi.{name}" for name in app.toolset("pi").tools} == set(OFFICIAL["pi"].values())
    assert len(OFFICIAL["pi"]) == 37


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("add_song_to_playlist", {"playlist_id": "PL1", "song_id": "S1"}),
        ("add_to_queue", {"song_id": "S1"}),
        ("create_playlist", {"title": "x"}),
        ("follow_artist", {"artist_id": "AR1"}),
        ("play_music", {"song_id": "S1"}),
        ("previous_song", {}),
        ("remove_downloaded_song", {"song_id": "S3"}),
        ("remove_song_from_playlist", {"playlist_id": "PL1", "song_id": "S2"}),
        ("remove_song_from_queue", {"queue_item_id": "Q1"}),
        ("review_song", {"song_id": "S2", "rating": 3}),
        ("save_album", {"album_id": "AL1"}),
        ("save_album_to_library", {"album_id": "AL1"}),
        ("save_playlist", {"playlist_id": "PL2"}),
        ("save_song", {"song_id": "S4"}),
        ("save_song_to_library", {"song_id": "S4"}),
        ("search_albums", {"liked": True}),
        ("search_playlists", {"own": True}),
        ("search_songs", {"downloaded": True}),
        ("search_users", {}),
        ("update_song_review", {"review_id": "R1", "rating": 2}),
        ("view_album_library", {}),
        ("view_current_song", {}),
        ("view_followed_artists", {}),
        ("view_liked_songs", {}),
        ("view_playlist_library", {}),
        ("view_queue", {}),
        ("view_song_library", {}),
        ("view_song_reviews", {}),
    ],
)
def test_what_is_personal_wants_a_login(locked: Pi, tool: str, arguments: dict[str, Any]) -> None:
    assert "use `log_in`" in locked.refusal(tool, **arguments)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_albums", {}),
        ("search_artists", {}),
        ("search_playlists", {}),
        ("search_songs", {}),
        ("view_album", {"album_id": "AL1"}),
        ("view_artist", {"artist_id": "AR1"}),
        ("view_genres", {}),
        ("view_playlist", {"playlist_id": "PL2"}),
        ("view_song", {"song_id": "S1"}),
        ("view_song_review", {"review_id": "R1"}),
        ("view_song_reviews", {"song_id": "S1"}),
    ],
)
def test_the_catalogue_is_open_to_all_and_looking_at_it_changes_nothing(
    locked: Pi, tool: str, arguments: dict[str, Any]
) -> None:
    assert locked(tool, **arguments)
    assert locked.changed() == []


def test_a_wrong_password_logs_nobody_in(locked: Pi) -> None:
    assert "No account has that username and password" in locked.refusal("log_in", username=MIRA, password="sand")


def test_after_logging_out_somebody_has_to_log_in_again(pi: Pi) -> None:
    assert pi("log_out") == "Logged out."
    assert "use `log_in`" in pi.refusal("view_liked_songs")


def test_without_accounts_the_owner_is_whoever_calls() -> None:
    engine = Engine()
    owner = Owner(name="Mira Holt", address=MIRA)
    calls = Pi(app, engine.layer(engine.load(World("home", NOW, {app.name: ROWS}, owner=owner))))

    assert calls.found("view_liked_songs") == ["S3", "S1"]
    assert calls("create_playlist", title="New")["by"] == "Mira Holt"
    engine.close()


def test_songs_are_found_by_words_of_title_artist_and_album(locked: Pi) -> None:
    assert locked.found("search_songs", query="MOSS tide") == ["S1"]
    assert locked.found("search_songs", query="crossing") == ["S3"]
    assert locked.found("search_songs", query="nothing") == []


def test_songs_stand_in_the_order_asked_for(locked: Pi) -> None:
    assert locked.found("search_songs") == ["S2", "S3", "S1", "S4"]
    assert locked.found("search_songs", order="shortest") == ["S2", "S1", "S4", "S3"]
    assert locked.found("search_songs", order="longest")[0] == "S3"
    assert locked.found("search_songs", order="title") == ["S3", "S2", "S4", "S1"]
    assert locked.found("search_songs", order="newest") == ["S3", "S4", "S1", "S2"]
    assert locked.found("search_songs", order="oldest") == ["S1", "S2", "S3", "S4"]


def test_songs_are_found_by_genre_artist_duration_and_day(locked: Pi) -> None:
    assert locked.found("search_songs", genre="Dub") == ["S3"]
    assert locked.found("search_songs", artist_id="AR1") == ["S2", "S1", "S4"]
    assert locked.found("search_songs", shortest=200, longest=240) == ["S1", "S4"]
    assert locked.found("search_songs", released_after="2022-10-14") == ["S3", "S4"]
    assert locked.found("search_songs", released_before="2022-10-13") == ["S2", "S1"]


def test_a_genre_that_is_not_there_is_answered_with_those_that_are(locked: Pi) -> None:
    refusal = locked.refusal("search_albums", genre="polka")

    assert refusal == "genre: there is no 'polka'; there are dub, folk."


def test_durations_that_no_song_can_have_are_refused(locked: Pi) -> None:
    assert "must not be more than longest" in locked.refusal("search_songs", shortest=300, longest=200)


def test_a_query_of_too_many_words_is_refused(locked: Pi) -> None:
    assert "it may have 32" in locked.refusal("search_songs", query=" ".join(map(str, range(33))))


def test_a_song_shows_its_mean_rating_and_what_the_user_did_with_it(pi: Pi) -> None:
    song = pi("view_song", song_id="S1")

    assert (song["rating"], song["reviews"], song["length"], song["liked"]) == (2.5, 2, "3:20", True)
    assert song["credits"] == [{"id": "AR1", "name": "Ilva Moss"}]
    assert "rating" not in pi("view_song", song_id="S4")


def test_a_song_shows_nobody_elses_marks(locked: Pi) -> None:
    assert "liked" not in locked("view_song", song_id="S1")


def test_downloads_are_found_among_the_songs(pi: Pi) -> None:
    assert pi.found("search_songs", downloaded=True) == ["S3"]
    assert pi.found("search_songs", downloaded=False) == ["S2", "S1", "S4"]


def test_an_album_has_its_songs_in_order_and_their_total_length(locked: Pi) -> None:
    album = locked("view_album", album_id="AL1")

    assert [song["id"] for song in album["tracks"]] == ["S2", "S1"]
    assert (album["songs"], album["length"], album["plays"]) == (2, "6:27", 140)


def test_albums_are_found_newest_first_or_as_asked_for(locked: Pi) -> None:
    assert locked.found("search_albums") == ["AL3", "AL2", "AL1"]
    assert locked.found("search_albums", order="plays") == ["AL1", "AL2", "AL3"]
    assert locked.found("search_albums", query="ferry", released_before="2022-12-31") == ["AL2"]


def test_an_artist_is_shown_with_albums_and_top_songs(locked: Pi) -> None:
    artist = locked("view_artist", artist_id="AR2")

    assert [album["id"] for album in artist["discography"]] == ["AL3", "AL2"]
    assert [song["id"] for song in artist["top_songs"]] == ["S3", "S4"]
    assert (artist["followers"], artist["plays"]) == (2, 80)


def test_artists_are_found_by_name_description_and_genre(locked: Pi) -> None:
    assert locked.found("search_artists", query="shore") == ["AR1"]
    assert locked.found("search_artists", genre="dub") == ["AR2"]


def test_genres_are_counted(locked: Pi) -> None:
    assert locked("view_genres")["items"] == [
        {"genre": "dub", "artists": 1, "albums": 2, "songs": 1},
        {"genre": "folk", "artists": 1, "albums": 1, "songs": 3},
    ]


def test_private_playlists_of_others_are_not_seen(pi: Pi) -> None:
    assert pi.found("search_playlists") == ["PL2", "PL4", "PL1"]
    assert pi.refusal("view_playlist", playlist_id="PL3") == "No playlist has the id 'PL3'."
    assert pi.refusal("save_playlist", playlist_id="PL3") == "No playlist has the id 'PL3'."
    assert pi.refusal("play_music", playlist_id="PL3") == "No playlist has the id 'PL3'."


def test_without_a_login_public_playlists_alone_are_seen(locked: Pi) -> None:
    assert locked.found("search_playlists") == ["PL2", "PL4"]
    assert "use `log_in`" in locked.refusal("view_playlist", playlist_id="PL1")
    assert locked.refusal("view_playlist", playlist_id="PL9") == "No playlist has the id 'PL9'."


@pytest.mark.parametrize("tool", ["search_songs", "search_albums"])
def test_release_days_in_the_wrong_order_are_refused(pi: Pi, tool: str) -> None:
    refused = pi.refusal(tool, released_after="2022-01-02", released_before="2022-01-01")

    assert refused == "released_after, 2022-01-02, is later than released_before, 2022-01-01."


def test_playlists_are_found_by_whose_they_are(pi: Pi) -> None:
    assert pi.found("search_playlists", own=True) == ["PL4", "PL1"]
    assert pi.found("search_playlists", own=False) == ["PL2"]
    assert pi.found("search_playlists", query="tariq") == ["PL2"]


def test_a_playlist_has_its_songs_by_position(pi: Pi) -> None:
    playlist = pi("view_playlist", playlist_id="PL1")

    assert [song["id"] for song in playlist["tracks"]["items"]] == ["S3", "S2"]
    assert (playlist["length"], playlist["own"], playlist["public"]) == ("9:47", True, False)


def test_people_are_found_with_their_public_playlists(pi: Pi) -> None:
    (found,) = pi("search_users", query="LUND")["items"]

    assert found == {"username": "tariq@harbor.example", "name": "Tariq Lund", "public_playlists": 1}
