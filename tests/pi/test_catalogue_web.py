"""The pages of the web: sound, linked, of their time, found where they should be, and silent on what is hidden."""

from __future__ import annotations

import calendar
import math
import re
import tomllib
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pi.catalogue.web import PAGES, rows
from benchmarks.pi.episode import episode
from benchmarks.pi.market import backtest
from benchmarks.pi.market.days import BASES, fraction, holidays
from benchmarks.pi.personas import financier
from benchmarks.pi.words import inside
from harness.suite import SuiteError
from servers.kernel import Engine, World
from servers.web import app
from tests.apps.test_web import Web

EPISODE = episode(Path(financier.__file__).parent)
FIRST, LAST = EPISODE.sessions[0].now, EPISODE.sessions[-1].now
ROWS = rows()["pages"]
BY_ADDRESS = {row["address"]: row for row in ROWS}
LATER = sorted(row["address"] for row in ROWS if date.fromisoformat(row["published"]) > LAST.date())
MONTHS = calendar.month_name[1:]
LINK = re.compile(r"https?://[^\s()<>|]*[^\s()<>|.,;:*]")
WEEKDAY = re.compile(rf"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day (\d{{1,2}}) ({'|'.join(MONTHS)})(?: (\d{{4}}))?")


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    engine = Engine()
    layer = engine.layer(engine.load(World("web", LAST, {"web": rows()})))
    yield Web(app, layer)
    layer.close()
    engine.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of pages with one host and no page."""
    (tmp_path / "bank.example").mkdir()
    return tmp_path


def refusal(folder: Path, text: str) -> str:
    """What is said of a page with this text, its path first."""
    (folder / "bank.example" / "page.md").write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError) as caught:
        rows(folder)
    return str(caught.value)


def test_there_are_at_least_sixty_pages_of_many_houses() -> None:
    assert len(ROWS) >= 60
    assert len({row["address"].split("/")[2] for row in ROWS}) >= 20


def test_every_file_of_the_folder_is_a_page() -> None:
    assert len(ROWS) == len([path for path in PAGES.rglob("*") if path.is_file()])


def test_pages_come_in_the_order_of_their_files() -> None:
    hosts = [row["address"].split("/")[2] for row in ROWS]

    assert hosts == sorted(hosts)
    assert [row["id"] for row in ROWS] == [f"W{n}" for n in range(1, len(ROWS) + 1)]


def test_hosts_are_of_no_web_outside() -> None:
    assert all(row["address"].split("/")[2].endswith(".example") for row in ROWS)


def test_addresses_and_titles_are_unique() -> None:
    assert len(BY_ADDRESS) == len({row["title"] for row in ROWS}) == len(ROWS)


def test_pages_have_between_120_and_500_words() -> None:
    counts = {row["address"]: len(row["text"].split()) for row in ROWS}

    assert {address: count for address, count in counts.items() if not 120 <= count <= 500} == {}


def test_no_sentence_stands_on_two_pages() -> None:
    told: dict[str, set[str]] = {}
    for row in ROWS:
        for sentence in re.split(r"(?<=[.?!])\s+", " ".join(row["text"].split())):
            if len(sentence.split()) > 7:
                told.setdefault(sentence, set()).add(row["address"])

    formula = "The Minister, in exercise of the power"  # orders begin alike, and have to
    assert [each for each, where in told.items() if len(where) > 1 and not each.startswith(formula)] == []


def test_every_link_leads_to_a_page_and_to_another_one() -> None:
    links = [(row["address"], link) for row in ROWS for link in LINK.findall(row["text"])]

    assert len(links) >= 25
    assert [(page, link) for page, link in links if link not in BY_ADDRESS or link == page] == []


def test_a_page_links_to_later_ones_only_where_a_house_keeps_an_address_for_what_comes() -> None:
    ahead = {
        (row["address"], link)
        for row in ROWS
        for link in LINK.findall(row["text"])
        if BY_ADDRESS[link]["published"] > row["published"]
    }

    assert ahead == {
        ("https://prudential-office.example/rules/model-risk", "https://prudential-office.example/rules/model-risk/questions"),
        ("https://stats-office.example/prices/2026/february", "https://stats-office.example/prices/corrections"),
    }  # fmt: skip


def test_a_weekday_is_that_of_its_date() -> None:
    wrong, seen = [], 0
    for row in ROWS:
        published, text = date.fromisoformat(row["published"]).year, f"{row['title']} {' '.join(row['text'].split())}"
        for found in WEEKDAY.finditer(text):
            day, number, month, year = found.groups()
            told = [int(each) for each in re.findall(r"\b20\d\d\b", text[: found.start()])[-1:]]
            years = [int(year)] if year else [published, published + 1, *told]
            dates = [date(each, MONTHS.index(month) + 1, int(number)) for each in years]
            seen += 1
            if not any(each.strftime("%A") == f"{day}day" for each in dates):
                wrong.append((row["address"], found[0]))

    assert wrong == []
    assert seen >= 30


def test_closing_days_are_those_of_the_program() -> None:
    text = BY_ADDRESS["https://payment-systems.example/calendars/2026"]["text"]
    table = re.findall(r"\| \w+ (\d+) (\w+) \| (open|closed) \| (open|closed) \|", text)
    days = {date(2026, MONTHS.index(month) + 1, int(day)): states for day, month, *states in table}

    assert {day for day, (london, _) in days.items() if london == "closed"} == holidays("London", 2026)
    assert {day for day, (_, target) in days.items() if target == "closed"} == holidays("TARGET", 2026)


def test_interest_of_the_example_is_that_of_the_program() -> None:
    text = BY_ADDRESS["https://lantern-encyclopedia.example/wiki/day-count"]["text"]

    for basis in BASES:
        assert f"{40_000 * fraction(date(2025, 1, 31), date(2025, 7, 31), basis):,.2f}" in text


def test_p_values_of_the_example_are_those_of_the_program() -> None:
    text = BY_ADDRESS["https://lantern-encyclopedia.example/wiki/test-of-proportions"]["text"]

    for days, exceptions in ((250, 19), (500, 38), (60, 6)):
        assert f"{backtest.kupiec(days, exceptions, 0.05):.3f}" in text
    compatible = [count for count in range(40) if backtest.kupiec(250, count, 0.05) > 0.05]
    assert f"counts from {compatible[0]} to {compatible[-1]}" in " ".join(text.split())


@pytest.mark.parametrize(
    ("address", "pars"),
    [
        ("https://lantern-encyclopedia.example/wiki/zero-and-par-rates", [4.00, 4.20, 4.30]),
        ("https://curvebook.example/2025/bootstrap-by-hand", [4.00, 3.90, 3.95, 4.05, 4.15]),
    ],
)
def test_curves_of_the_examples_solve_their_equations(address: str, pars: list[float]) -> None:
    text, annuity = BY_ADDRESS[address]["text"], 0.0
    for years, par in enumerate(pars, 1):
        factor = (1 - par / 100 * annuity) / (1 + par / 100)
        annuity += factor
        assert f"{factor:.6f}" in text
        assert f"{(factor ** (-1 / years) - 1) * 100:.4f}" in text
        assert f"{-math.log(factor) / years * 100:.4f}" in text


def given_away(texts: Iterable[str]) -> list[str]:
    """What the sessions hide of which one of these texts has the words."""
    hidden = [value for session in EPISODE.sessions for intent in session.intents for value in intent.values]
    return [value for value in hidden if any(inside(value, text) for text in texts)]


def test_no_page_gives_away_what_the_sessions_hide() -> None:
    assert given_away([f"{row['title']}\n{row['published']}\n{row['text']}" for row in ROWS]) == []


def test_a_page_that_did_would_be_noticed() -> None:
    assert given_away(["Sterling is ACT/365F, as everybody knows."])


@pytest.mark.parametrize("address", LATER)
def test_pages_of_later_do_not_exist(web: Web, address: str) -> None:
    row = BY_ADDRESS[address]
    with_words = {"query": row["title"], "site": address.split("/")[2]}

    assert address.removeprefix("https://") not in web.found(**with_words)
    assert "no page" in web.refusal("fetch", url=address)


def test_some_pages_are_later_than_the_last_session_and_most_are_out_at_the_first() -> None:
    assert len(LATER) >= 3
    assert len([row for row in ROWS if row["published"] <= f"{FIRST:%Y-%m-%d}"]) >= 60


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("policy rate decision March 2026", "centralbank.example/decisions/2026/march"),
        ("inflation February 2026 corrected", "stats-office.example/prices/corrections"),
        ("overnight rate published Good Friday", "centralbank.example/markets/overnight-rate/method"),
        ("day count convention swaps", "lantern-encyclopedia.example/wiki/day-count"),
        ("zero rates against par rates", "lantern-encyclopedia.example/wiki/zero-and-par-rates"),
        ("bootstrap zero curve missing quote", "curvebook.example/2025/bootstrap-by-hand"),
        ("quotes that do not change", "help.halldata.example/rates/unchanged-quotes"),
        ("sterling swap file columns", "help.halldata.example/rates/sterling-swaps/file"),
        ("exceptions in a back-test p value", "lantern-encyclopedia.example/wiki/test-of-proportions"),
        ("findings severity owner independence", "prudential-office.example/rules/model-risk"),
        ("settlement closed sterling euro May 2026", "payment-systems.example/calendars/2026"),
        ("how to cite an Act", "law-faculty.example/library/citing-statutes"),
        ("court fee for a claim of 3000 pounds", "courts-service.example/fees/2026"),
        ("corvalidine dose in impairment of the liver", "medicines-agency.example/safety/2025/corvalidine"),
        ("dose renal impairment", "medicines-agency.example/guidance/dose-in-renal-impairment"),
        ("sample size formula power groups", "methods-notes.example/sample-size"),
        ("viewed advertisement two seconds", "counter-and-shelf.example/2025/11/two-seconds"),
        ("flights Oslo July", "fjordline-travel.example/routes/oslo/summer-2026"),
        ("radiator gurgles", "workbench-forum.example/t/4127/radiator-gurgles-after-bleeding"),
    ],
)
def test_what_is_looked_for_comes_first(web: Web, query: str, address: str) -> None:
    assert web.found(query)[0] == address


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("centralbank.example/decisions/dates-2026", "centralbank.example/decisions/dates-2026-revised"),
        ("stats-office.example/prices/2026/february", "stats-office.example/prices/corrections"),
        ("quayside-exchange.example/notices/2024/061", "quayside-exchange.example/notices/2025/140"),
        ("help.halldata.example/rates/par-sheet-2024", "help.halldata.example/rates/par-sheet"),
        ("curvebook.example/2023/interpolate-zeros", "curvebook.example/2025/interpolate-discounts"),
        ("law-gazette.example/orders/2025/0611", "law-gazette.example/orders/2026/0004"),
        ("courts-service.example/fees/2024", "courts-service.example/fees/2026"),
        ("medicines-agency.example/safety/2024/corvalidine", "medicines-agency.example/safety/2025/corvalidine"),
        ("pharmacy-abstracts.example/2024/reminders-trial", "pharmacy-abstracts.example/2025/reminders-follow-up"),
        ("counter-and-shelf.example/2023/09/counting-views", "counter-and-shelf.example/2025/11/two-seconds"),
    ],
)
def test_a_superseded_page_is_named_by_the_one_that_replaces_it(older: str, newer: str) -> None:
    then, now = BY_ADDRESS[f"https://{older}"], BY_ADDRESS[f"https://{newer}"]

    assert then["published"] < now["published"] <= f"{FIRST:%Y-%m-%d}"
    assert then["address"] in LINK.findall(now["text"])
    assert now["address"] not in LINK.findall(then["text"]) or newer.endswith("corrections")


FRONT = {"title": "A page", "published": "2026-01-02", "path": "/page"}


def front(**fields: str | None) -> str:
    lines = [f"{name}: {value}\n" for name, value in {**FRONT, **fields}.items() if value is not None]
    return f"---\n{''.join(lines)}---\nSome words.\n"


@pytest.mark.parametrize("field", ["title", "published", "path"])
def test_a_file_that_lacks_a_field_is_refused_by_name_of_both(folder: Path, field: str) -> None:
    said = refusal(folder, front(**{field: None}))

    assert said == f"{folder / 'bank.example' / 'page.md'}: {field}: Field required"


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"published": "2026-02-30"}, "published: "),
        ({"path": "page"}, "path: "),
        ({"title": '""'}, "title: "),
        ({"author": "nobody"}, "author: "),
        ({"title": "a: b: c"}, "the front matter is no YAML: "),
    ],
)
def test_a_field_that_is_wrong_is_named(folder: Path, fields: dict[str, Any], named: str) -> None:
    assert f"page.md: {named}" in refusal(folder, front(**fields))


def test_a_file_without_front_matter_or_text_is_refused(folder: Path) -> None:
    assert "page.md: begin with a line of ---" in refusal(folder, "Some words.\n")
    assert "page.md: text: there is none" in refusal(folder, front().replace("Some words.", " "))


def test_all_that_is_wrong_is_told_at_once(folder: Path) -> None:
    (folder / "bank.example" / "another.md").write_text(front(path=None), encoding="utf-8")

    assert len(refusal(folder, front(title=None)).splitlines()) == 2


def test_a_host_of_the_web_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bank.test").mkdir()
    (tmp_path / "bank.test" / "page.md").write_text(front(), encoding="utf-8")

    with pytest.raises(SuiteError, match=r"'bank\.test' is no host of ours"):
        rows(tmp_path)


def test_the_package_takes_the_pages_along() -> None:
    project = tomllib.loads((PAGES.parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["benchmarks.pi.catalogue"]
    packed = {path for pattern in patterns for path in PAGES.parent.glob(pattern)}

    assert packed == {path for path in PAGES.rglob("*") if path.is_file()}


def test_pages_are_read_once() -> None:
    assert rows() is rows()
    assert datetime.fromisoformat(ROWS[0]["published"]) < FIRST
