"""The web: what a search finds and in which order, what a page shows, and that nothing of later is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from pydantic import ValidationError

from servers.web import WebPage, app
from servers.web.ranking import SNIPPET, counted, snippet, words, worth
from tests.apps.desk import Desk, desk
from tests.contracts.rows_web import WEB


class Web(Desk):
    """Calls the tools of `pi`."""

    toolset = "pi"

    def found(self, query: str, **arguments: Any) -> list[str]:
        """Addresses that a search finds, without their scheme."""
        return [hit["url"].removeprefix("https://") for hit in self("search", query=query, **arguments)["items"]]


@pytest.fixture
def web() -> Iterator[Web]:
    with desk(app, WEB, kind=Web) as calls:
        yield calls


def page(number: int, text: str, title: str = "A page", published: str = "2023-01-01", at: str = "") -> dict[str, Any]:
    address = f"https://{at or f'p{number}.example'}"
    return {"id": f"W{number}", "address": address, "title": title, "published": published, "text": text}


def of(*pages: dict[str, Any]) -> AbstractContextManager[Web]:
    return desk(app, {"pages": list(pages)}, kind=Web)


def test_a_search_returns_title_address_day_and_the_place_of_the_words(web: Web) -> None:
    assert web("search", query="buses") == {
        "shown": "1 to 1 of 1",
        "items": [
            {
                "title": "Engineering works",
                "url": "https://www.harbour-rail.example/notices",
                "published": "2023-11-02",
                "snippet": "No trains run on the coast line on 2023-12-09. Buses replace them; bicycles stay at home.",
            }
        ],
    }


def test_nothing_that_the_tools_do_changes_anything(web: Web) -> None:
    web("search", query="trains")
    web("fetch", url="https://ledger.example/")

    assert not web.layer.changes()


def test_no_login_is_wanted() -> None:
    assert {table.table_name for table in app.tables} == {"pages"}


def test_a_page_that_has_a_rare_word_comes_before_those_with_a_common_one() -> None:
    with of(page(1, "a swap"), page(2, "a swap"), page(3, "a swaption")) as calls:
        assert calls.found("swap swaption") == ["p3.example", "p1.example", "p2.example"]


def test_of_pages_with_a_word_equally_often_the_shorter_comes_first() -> None:
    with of(page(1, "yield and much else that is beside the point"), page(2, "yield")) as calls:
        assert calls.found("yield") == ["p2.example", "p1.example"]


def test_a_word_in_the_title_counts_for_more() -> None:
    with of(page(1, "bond Curve"), page(2, "curve bond", title="A curve")) as calls:
        assert calls.found("curve") == ["p2.example", "p1.example"]


def test_equal_pages_come_in_row_order() -> None:
    with of(page(2, "same"), page(1, "same"), page(3, "same")) as calls:
        assert calls.found("same") == ["p2.example", "p1.example", "p3.example"]


def test_singular_and_plural_and_capitals_are_one_word(web: Web) -> None:
    assert web.found("POLICY") == web.found("policies") == ["ledger.example/blog/days"]


@pytest.mark.parametrize(
    ("plural", "singular"), [("losses", "loss"), ("branches", "branch"), ("taxes", "tax"), ("entries", "entry")]
)
def test_plurals_of_other_kinds_are_the_same_word(plural: str, singular: str) -> None:
    assert words(plural) == words(singular) == [singular]


@pytest.mark.parametrize("word", ["bus", "less", "gas", "goes", "fees"])
def test_what_is_not_known_to_be_a_plural_stays_as_it_is(word: str) -> None:
    assert words(word) == [word]


def test_a_page_is_found_by_its_address(web: Web) -> None:
    assert web.found("timetable") == ["harbour-rail.example/timetable"]
    assert web.found("blog") == ["ledger.example/blog/days"]


def test_a_word_that_no_page_has_finds_nothing(web: Web) -> None:
    assert web("search", query="submarine") == {"shown": "nothing found", "items": []}


def test_a_query_without_words_is_refused(web: Web) -> None:
    assert "no words" in web.refusal("search", query=" ?! ")


def test_a_query_that_is_a_text_is_refused(web: Web) -> None:
    assert web.refusal("search", query="x" * 501).endswith("'query': string should have at most 500 characters.")


@pytest.mark.parametrize("site", ["ledger.example", "HTTPS://ledger.example/blog", "example"])
def test_a_site_leaves_pages_of_that_host_and_of_hosts_below_it(web: Web, site: str) -> None:
    assert web.found("day", site=site) == ["ledger.example/blog/days"]


def test_a_site_includes_the_hosts_below_it_and_no_others(web: Web) -> None:
    assert web.found("works", site="harbour-rail.example") == ["www.harbour-rail.example/notices"]
    assert web.found("works", site="rail.example") == []


def test_days_leave_pages_of_between_them(web: Web) -> None:
    both = ["harbour-rail.example/timetable", "www.harbour-rail.example/notices"]

    assert sorted(web.found("coast line")) == both
    assert web.found("coast line", after="2023-11-03") == both[:1]
    assert web.found("coast line", after="2023-11-02", before="2023-11-02") == both[1:]


def test_days_the_wrong_way_round_are_refused(web: Web) -> None:
    refusal = web.refusal("search", query="coast", after="2023-11-03", before="2023-11-02")

    assert refusal == "after, 2023-11-03, is later than before, 2023-11-02."


def test_hits_come_ten_at_a_time() -> None:
    with of(*(page(number, "tide") for number in range(1, 13))) as web:
        first = web("search", query="tide")
        assert (first["shown"], len(first["items"]), first["next"]) == ("1 to 10 of 12", 10, "skip=10")
        assert web.found("tide", skip=10) == ["p11.example", "p12.example"]


def test_a_page_is_fetched_in_full(web: Web) -> None:
    assert web("fetch", url="https://harbour-rail.example/timetable") == {
        "title": "Timetable of the coast line",
        "url": "https://harbour-rail.example/timetable",
        "published": "2023-11-20",
        "text": "Trains leave at 07:25 and 09:40.\n\nA bicycle costs 2 euros.",
    }


@pytest.mark.parametrize("url", ["ledger.example", "http://LEDGER.example/", " https://ledger.example#top "])
def test_an_address_is_known_in_whatever_way_it_is_written(web: Web, url: str) -> None:
    assert web("fetch", url=url)["title"] == "Ledger"


@pytest.mark.parametrize(
    "url", ["https://ledger.example/Blog/days", "https://nowhere.example", "", "https://[", "days"]
)
def test_an_address_without_a_page_is_named_with_what_to_do(web: Web, url: str) -> None:
    assert web.refusal("fetch", url=url) == (
        f"There is no page at {url!r}; `search` finds the addresses of those there are."
    )


def test_a_long_page_is_read_in_parts() -> None:
    text = "".join(f"Sentence {number} of a long page. " for number in range(2_000))
    with of(page(1, text)) as web:
        read, skip = "", 0
        while True:
            got = web("fetch", url="p1.example", skip=skip)
            read += got["text"]
            if "next" not in got or got["next"] is None:
                break
            skip = int(got["next"].rpartition("=")[2])

        assert read == text


def test_a_page_of_today_is_out_and_one_of_tomorrow_does_not_exist() -> None:
    today, tomorrow = page(1, "tide", published="2023-11-30"), page(2, "tide", published="2023-12-01")
    with of(today, tomorrow) as web:
        assert web.found("tide") == ["p1.example"]
        assert "no page" in web.refusal("fetch", url="p2.example")


def test_pages_that_are_not_out_change_no_order() -> None:
    there = [page(1, "alpha beta beta"), page(2, "alpha alpha gamma gamma"), page(3, "gamma")]
    later = [page(number, "gamma " * 9, published="2024-01-01") for number in range(4, 30)]
    with of(*there) as calls, of(*there, *later) as more:
        query = {"query": "alpha beta gamma"}

        assert calls("search", **query) == more("search", **query)


def test_a_page_holds_in_its_last_version(web: Web) -> None:
    assert web.found("free charge") == []
    assert web.found("euros") == ["harbour-rail.example/timetable"]


def test_a_version_that_is_not_out_replaces_nothing() -> None:
    versions = [page(1, "old", at="a.example/x"), page(2, "new", published="2023-12-24", at="a.example/x")]
    with of(*versions) as calls:
        assert calls("fetch", url="a.example/x")["text"] == "old"


def test_the_order_of_rows_decides_between_versions_of_one_day_alone() -> None:
    at = {"at": "a.example/x"}
    with of(page(1, "late", published="2023-03-03", **at), page(2, "early", published="2023-02-02", **at)) as calls:
        assert calls("fetch", url="a.example/x")["text"] == "late"
    with of(page(1, "morning", **at), page(2, "evening", **at)) as calls:
        assert calls("fetch", url="a.example/x/")["text"] == "evening"


def test_a_page_that_arrives_is_found(web: Web) -> None:
    state = web.layer.state(app)
    assert web.found("flood") == []

    with state.transaction():
        state.add(WebPage.from_json(page(9, "A flood closes the pier.", published="2023-11-30")))

    assert web.found("flood") == ["p9.example"]


def test_a_snippet_stands_where_the_rarest_words_are_together() -> None:
    text = f"{'common words go here. ' * 30}At last the barrier option is priced. {'common words again. ' * 30}"
    values = {"common": 0.1, "barrier": 2.0, "option": 1.5}

    cut = snippet(text, values)

    assert "the barrier option is priced." in cut
    assert cut.startswith("... ")
    assert cut.endswith(" ...")
    assert len(cut) <= SNIPPET + 8


def test_a_snippet_without_words_is_the_beginning_and_one_line() -> None:
    assert snippet("First.\n\nSecond.", {}) == "First. Second."
    assert snippet(f"First {'word ' * 100}", {}).startswith("First word")


def test_a_snippet_at_the_end_of_a_text_ends_with_it() -> None:
    cut = snippet(f"{'filler ' * 100}the end is tidal", {"tidal": 1.0})

    assert cut.startswith("... filler")
    assert cut.endswith("the end is tidal")


def test_a_word_that_is_longer_than_a_snippet_is_cut() -> None:
    assert snippet("x" * 1_000, {}) == f"{'x' * SNIPPET} ..."


def test_a_word_that_every_page_has_is_still_worth_something() -> None:
    with of(page(1, "tide"), page(2, "tide rare")) as calls:
        values = worth(counted(calls.layer.state(app)), "tide rare nowhere")

    assert 0 < values["tide"] < values["rare"]
    assert "nowhere" not in values


@pytest.mark.parametrize(
    "address", ["http://a.example", "https://a.com", "a.example", "https://example", "https://a.example/x y"]
)
def test_an_address_that_could_be_one_of_the_web_outside_is_no_page(address: str) -> None:
    with pytest.raises(ValidationError, match="address"):
        WebPage.from_json({**page(1, "x"), "address": address})
