"""What people keep of music, and what they hear."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from servers.spotify import app
from tests.apps.desk import NOW, desk
from tests.apps.spotify_desk import ACCOUNTS, MIRA, ROWS, TARIQ, Pi


@pytest.fixture
def pi() -> Iterator[Pi]:
    with desk(app, {**ROWS, "accounts": ACCOUNTS}, kind=Pi) as found:
        found("log_in", username=MIRA, password="kelp-77")
        yield found


@pytest.mark.parametrize(
    ("tool", "arguments", "kind"),
    [
        ("save_song", {"song_id": "S4"}, "song"),
        ("save_album", {"album_id": "AL1"}, "album"),
        ("save_playlist", {"playlist_id": "PL2"}, "playlist"),
    ],
)
def test_a_save_is_a_like_and_cannot_be_made_twice(pi: Pi, tool: str, arguments: dict[str, str], kind: str) -> None:
    made = pi(tool, **arguments)

    assert (made["kind"], [made["item_id"]]) == (kind, [*arguments.values()])
    assert pi.changed() == [("insert", "likes", "LK4")]
    assert f"You like the {kind}" in pi.refusal(tool, **arguments)


def test_what_is_kept_is_named_with_the_time_as_lists_write_it(pi: Pi) -> None:
    liked = pi("save_song", song_id="S4")
    assert (liked["title"], liked["liked"]) == ("Lamps", f"{NOW:%Y-%m-%d %H:%M}")
    assert pi("save_album_to_library", album_id="AL1")["title"] == "Low Water"
    assert pi("follow_artist", artist_id="AR1")["artist"] == "Ilva Moss"

    added = pi("add_song_to_playlist", playlist_id="PL1", song_id="S1")
    assert (added["playlist"], added["song"], added["place"]) == ("Morning", "Second Tide", 3)


def test_liked_songs_are_the_users_own_last_first(pi: Pi) -> None:
    pi("save_song", song_id="S4")

    assert pi.found("view_liked_songs") == ["S4", "S3", "S1"]
    assert pi.found("view_liked_songs", query="ferry") == ["S4", "S3"]


def test_what_is_kept_at_the_same_moment_is_listed_last_first(pi: Pi) -> None:
    for id in ("S2", "S4"):
        pi("save_song", song_id=id)
    for id in ("S1", "S3"):
        pi("save_song_to_library", song_id=id)
    for id in ("AL1", "AL3"):
        pi("save_album_to_library", album_id=id)

    assert pi.found("view_liked_songs") == ["S4", "S2", "S3", "S1"]
    assert pi.found("view_song_library") == ["S3", "S1", "S2"]
    assert pi.found("view_album_library") == ["AL3", "AL1", "AL2"]


def test_artists_followed_at_the_same_moment_are_listed_last_first() -> None:
    with desk(app, {**ROWS, "follows": [], "accounts": ACCOUNTS}, kind=Pi) as pi:
        pi("log_in", username=MIRA, password="kelp-77")
        for id in ("AR1", "AR2"):
            pi("follow_artist", artist_id=id)

        assert pi.found("view_followed_artists") == ["AR2", "AR1"]


def test_playlists_made_at_the_same_moment_are_listed_newest_first(pi: Pi) -> None:
    for title in ("Evening", "Night"):
        pi("create_playlist", title=title)

    assert pi.found("view_playlist_library") == ["PL6", "PL5", "PL4", "PL1"]


def test_reviews_written_at_the_same_moment_are_listed_last_first(pi: Pi) -> None:
    pi("review_song", song_id="S2", rating=3)
    pi("review_song", song_id="S3", rating=3)
    pi("log_in", username=TARIQ, password="sand")
    pi("review_song", song_id="S2", rating=2)

    assert pi.found("view_song_reviews", song_id="S2") == ["R6", "R4"]
    pi("log_in", username=MIRA, password="kelp-77")
    assert pi.found("view_song_reviews") == ["R5", "R4", "R1"]


def test_kept_songs_are_found_by_the_album_that_they_show(pi: Pi) -> None:
    assert pi.found("view_liked_songs", query="low water") == ["S1"]
    assert pi.found("view_song_library", query="low water") == ["S2"]


def test_kept_playlists_are_found_by_the_address_of_whose_they_are(pi: Pi) -> None:
    assert pi.found("view_playlist_library", query=MIRA) == ["PL4", "PL1"]


def test_followed_artists_are_found_by_name_genre_and_description(pi: Pi) -> None:
    pi("follow_artist", artist_id="AR1")

    assert [pi.found("view_followed_artists", query=query) for query in ("moss", "folk", "shore")] == [["AR1"]] * 3


def test_liked_albums_are_found_among_the_albums(pi: Pi) -> None:
    pi("save_album", album_id="AL1")

    assert pi.found("search_albums", liked=True) == ["AL1"]
    assert pi.found("search_albums", liked=False) == ["AL3", "AL2"]


def test_the_library_is_apart_from_likes(pi: Pi) -> None:
    pi("save_song_to_library", song_id="S1")
    pi("save_album_to_library", album_id="AL1")

    assert pi.changed() == [("insert", "library", "LI3"), ("insert", "library", "LI4")]
    assert pi.found("view_song_library") == ["S1", "S2"]
    assert pi.found("view_album_library") == ["AL1", "AL2"]
    assert pi.found("view_album_library", query="crossing") == ["AL2"]


def test_nothing_is_twice_in_the_library(pi: Pi) -> None:
    assert "in your library already" in pi.refusal("save_song_to_library", song_id="S2")
    assert "in your library already" in pi.refusal("save_album_to_library", album_id="AL2")


def test_own_and_liked_playlists_are_in_the_library(pi: Pi) -> None:
    assert pi.found("view_playlist_library") == ["PL4", "PL1"]

    pi("save_playlist", playlist_id="PL2")

    assert pi.found("view_playlist_library") == ["PL4", "PL2", "PL1"]


def test_an_artist_is_followed_once(pi: Pi) -> None:
    pi("follow_artist", artist_id="AR1")

    assert pi.changed() == [("insert", "follows", "F3")]
    assert pi.found("view_followed_artists") == ["AR1", "AR2"]
    assert pi.refusal("follow_artist", artist_id="AR1") == "You follow Ilva Moss (AR1) already."


def test_a_new_playlist_is_private_and_empty(pi: Pi) -> None:
    made = pi("create_playlist", title=" Evening ", about="Slow ones.")

    assert (made["id"], made["title"], made["public"], made["songs"]) == ("PL5", "Evening", False, 0)
    assert pi.changed() == [("insert", "playlists", "PL5")]


def test_two_playlists_of_a_person_have_no_title_in_common(pi: Pi) -> None:
    assert "you have a playlist 'Morning' already, PL1" in pi.refusal("create_playlist", title="morning")
    assert pi("create_playlist", title="Deck")["id"] == "PL5"


def test_a_playlist_wants_a_title_of_bounded_length(pi: Pi) -> None:
    assert pi.refusal("create_playlist", title=" ") == "title must not be empty."
    assert "'title': string should have at most 120 characters" in pi.refusal("create_playlist", title="x" * 121)


def test_a_song_goes_to_the_end_of_a_playlist_once(pi: Pi) -> None:
    pi("add_song_to_playlist", playlist_id="PL1", song_id="S1")

    assert pi.changed() == [("insert", "playlist_songs", "PS4")]
    tracks = pi("view_playlist", playlist_id="PL1")["tracks"]["items"]
    assert [song["id"] for song in tracks] == ["S3", "S2", "S1"]
    assert "already" in pi.refusal("add_song_to_playlist", playlist_id="PL1", song_id="S1")


def test_playlists_of_others_are_not_changed(pi: Pi) -> None:
    for tool in ("add_song_to_playlist", "remove_song_from_playlist"):
        assert "is Tariq Lund's; change one of your own" in pi.refusal(tool, playlist_id="PL2", song_id="S4")


def test_a_song_is_removed_from_a_playlist(pi: Pi) -> None:
    pi("remove_song_from_playlist", playlist_id="PL1", song_id="S3")

    assert pi.changed() == [("delete", "playlist_songs", "PS2")]
    assert "is not in playlist PL1" in pi.refusal("remove_song_from_playlist", playlist_id="PL1", song_id="S3")


def test_reviews_of_a_song_are_listed_last_first_and_by_rating(pi: Pi) -> None:
    assert pi.found("view_song_reviews", song_id="S1") == ["R2", "R1"]
    assert pi.found("view_song_reviews", song_id="S1", rating=4) == ["R1"]
    assert pi.found("view_song_reviews") == ["R1"]


def test_a_review_is_shown_with_whose_it_is(pi: Pi) -> None:
    assert pi("view_song_review", review_id="R3")["by"] == "Tariq Lund"
    assert pi("view_song_review", review_id="R1")["own"] is True


def test_a_song_is_reviewed_once(pi: Pi) -> None:
    made = pi("review_song", song_id="S2", rating=5, text="Bright.")

    assert (made["id"], made["rating"], made["written"]) == ("R4", 5, "2023-11-30 08:15")
    assert pi.changed() == [("insert", "reviews", "R4")]
    assert "change R4 with `update_song_review`" in pi.refusal("review_song", song_id="S2", rating=1)


@pytest.mark.parametrize("rating", [0, 6])
def test_a_rating_is_from_one_to_five(pi: Pi, rating: int) -> None:
    assert "rating" in pi.refusal("review_song", song_id="S2", rating=rating)
    assert "rating" in pi.refusal("update_song_review", review_id="R1", rating=rating)


def test_an_own_review_is_changed_in_what_is_given(pi: Pi) -> None:
    made = pi("update_song_review", review_id="R1", rating=2)

    assert (made["rating"], made["text"], made["changed"]) == (2, "Gentle.", "2023-11-30 08:15")
    assert pi.changed() == [("update", "reviews", "R1")]
    assert "text" not in pi("update_song_review", review_id="R1", text="")


def test_a_review_that_stays_as_it_is_was_not_changed(pi: Pi) -> None:
    pi("update_song_review", review_id="R1", rating=4)

    assert pi.changed() == []


def test_reviews_of_others_are_not_changed(pi: Pi) -> None:
    assert "Review R2 is Tariq Lund's" in pi.refusal("update_song_review", review_id="R2", rating=5)
    assert "rating or text" in pi.refusal("update_song_review", review_id="R1")


def test_a_download_is_removed_once(pi: Pi) -> None:
    pi("remove_downloaded_song", song_id="S3")

    assert pi.changed() == [("delete", "downloads", "D1")]
    assert "is not downloaded" in pi.refusal("remove_downloaded_song", song_id="S3")


def test_the_queue_is_the_users_own_in_order(pi: Pi) -> None:
    items = pi("view_queue")["items"]

    assert [(item["queue_item_id"], item["id"], item["place"]) for item in items] == [("Q2", "S4", 1), ("Q1", "S1", 2)]


def test_a_song_joins_the_end_of_the_queue_as_often_as_wanted(pi: Pi) -> None:
    first, second = pi("add_to_queue", song_id="S1"), pi("add_to_queue", song_id="S1")

    assert (first["place"], second["place"]) == (3, 4)
    assert pi.changed() == [("insert", "queue", "Q4"), ("insert", "queue", "Q5")]


def test_a_full_queue_takes_no_more() -> None:
    rows = [{"id": f"Q{place}", "song_id": "S1", "username": "", "position": place} for place in range(1, 501)]
    with desk(app, {**ROWS, "queue": rows}, kind=Pi) as calls:
        assert "The queue is full" in calls.refusal("add_to_queue", song_id="S1")


def test_a_full_playlist_takes_no_more() -> None:
    song = ROWS["songs"][0]
    songs = [{**song, "id": f"S{number}"} for number in range(1, 1002)]
    inside = [
        {**ROWS["playlist_songs"][0], "id": f"PS{number}", "song_id": f"S{number}", "position": number}
        for number in range(1, 1001)
    ]
    with desk(app, {**ROWS, "songs": songs, "playlist_songs": inside, "accounts": ACCOUNTS}, kind=Pi) as pi:
        pi("log_in", username=MIRA, password="kelp-77")
        assert "is full" in pi.refusal("add_song_to_playlist", playlist_id="PL1", song_id="S1001")


def test_a_song_is_removed_from_the_own_queue_alone(pi: Pi) -> None:
    pi("remove_song_from_queue", queue_item_id="Q2")

    assert pi.changed() == [("delete", "queue", "Q2")]
    assert pi.refusal("remove_song_from_queue", queue_item_id="Q3") == "No queue item has the id 'Q3'."


def test_what_plays_is_shown_with_where_it_is_from(pi: Pi) -> None:
    playing = pi("view_current_song")

    assert (playing["song"]["id"], playing["source_title"], playing["place"], playing["of"]) == ("S2", "Morning", 2, 2)
    assert pi.changed() == []


@pytest.mark.parametrize(
    ("arguments", "song", "place"),
    [
        ({"song_id": "S4"}, "S4", 1),
        ({"album_id": "AL1"}, "S2", 1),
        ({"album_id": "AL1", "place": 2}, "S1", 2),
        ({"playlist_id": "PL2"}, "S4", 1),
        ({"queue": True, "place": 2}, "S1", 2),
    ],
)
def test_playing_changes_the_one_row_of_the_player(pi: Pi, arguments: dict[str, object], song: str, place: int) -> None:
    playing = pi("play_music", **arguments)

    assert (playing["song"]["id"], playing["place"], playing["started"]) == (song, place, "2023-11-30 08:15")
    assert pi.changed() == [("update", "players", "P1")]


def test_one_thing_is_played_at_a_time(pi: Pi) -> None:
    assert "Say what to play" in pi.refusal("play_music")
    assert "Say what to play" in pi.refusal("play_music", song_id="S1", queue=True)


def test_what_has_no_song_there_is_not_played(pi: Pi) -> None:
    assert pi.refusal("play_music", album_id="AL3") == "Album AL3 has no songs to play."
    assert "has 2 songs, so none at place 3" in pi.refusal("play_music", queue=True, place=3)
    assert "Song S2 has 1 song, so none at place 2" in pi.refusal("play_music", song_id="S2", place=2)


def test_the_song_before_is_of_the_same_playlist(pi: Pi) -> None:
    assert pi("previous_song")["song"]["id"] == "S3"
    assert pi.changed() == [("update", "players", "P1")]
    assert pi.refusal("previous_song") == "There is no song before this one in the playlist PL1."


def test_a_song_that_is_played_by_itself_has_none_before_it(pi: Pi) -> None:
    pi("play_music", song_id="S1")

    assert pi.refusal("previous_song") == "Song S1 is played by itself: there is no song before it."


def test_a_song_removed_while_it_plays_has_one_before_it_still(pi: Pi) -> None:
    pi("remove_song_from_playlist", playlist_id="PL1", song_id="S2")

    assert "place" not in pi("view_current_song")
    assert pi("previous_song")["song"]["id"] == "S3"


def test_who_has_played_nothing_hears_nothing_until_they_do(pi: Pi) -> None:
    pi("log_in", username=TARIQ, password="sand")

    assert pi("view_current_song") == {"note": "Nothing plays; `play_music` starts it."}
    assert "Nothing plays" in pi.refusal("previous_song")
    assert pi("play_music", song_id="S1")["song"]["id"] == "S1"
    assert pi("view_current_song")["source"] == "song"
