"""The financier's world: what its texts say is so, and what its apps hold they take."""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections.abc import Iterator
from datetime import date, datetime, timedelta

import pytest

from benchmarks.pi.cast import FINANCIER
from benchmarks.pi.market import backtest, days, quotes
from benchmarks.pi.personas.financier.world import NOW, SEED, world
from servers import catalog
from servers.kernel import World

COMMITTEES = tuple(map(date.fromisoformat, ("2026-01-29", "2026-02-26", "2026-03-26", "2026-04-30")))
MONTHS, WEEKDAYS = list(month_name)[1:], list(day_name)


def rows(app: str, table: str) -> list[dict]:  # type: ignore[type-arg]
    return [dict(row) for row in world().rows[app][table]]


def files() -> dict[str, str]:
    return {row["path"]: row["text"] for row in rows("filesystem", "entries") if row["kind"] == "file"}


def texts() -> Iterator[tuple[str, str]]:
    """Each text of hers and where it stands; pages of the web have tests of their own."""
    for app, tables in world().rows.items():
        if app == "web":
            continue
        for table, held in tables.items():
            for row in held:
                yield f"{app}.{table}.{row['id']}", " ".join(str(value) for value in row.values())


def test_every_row_is_one_that_its_table_takes() -> None:
    for app, tables in world().rows.items():
        models = {table.table_name: table for table in catalog.app(app).tables}
        for table, held in tables.items():
            for row in held:
                models[table].model_validate(row)


def test_ids_do_not_repeat() -> None:
    for tables in world().rows.values():
        for held in tables.values():
            assert len({row["id"] for row in held}) == len(held)


def test_every_folder_of_a_path_has_a_row() -> None:
    held = {row["path"] for row in rows("filesystem", "entries")} | {"/workspace", "/home"}

    assert [path for path in held if path.count("/") > 1 and path.rpartition("/")[0] not in held] == []


def test_nothing_has_happened_that_is_still_to_come() -> None:
    assert max(row["sent_datetime"] for row in rows("gmail", "emails")) < str(NOW)
    assert max(row["modified"] for row in rows("filesystem", "entries")) < NOW.isoformat()
    assert max(row["completed"] for row in rows("todoist", "tasks") if row["completed"]) < NOW.isoformat()


def test_a_file_with_a_date_in_its_name_was_written_on_that_day_or_after() -> None:
    dated = [(re.match(r"\d{4}-\d\d-\d\d(?=_)", row["path"].rpartition("/")[2]), row["modified"][:10])
             for row in rows("filesystem", "entries")]  # fmt: skip
    found = [(name[0], at) for name, at in dated if name]

    assert len(found) >= 12
    assert all(date.fromisoformat(name) <= date.fromisoformat(at) for name, at in found)


def test_a_weekday_in_a_text_is_that_of_its_date() -> None:
    pattern = rf"\b({'|'.join(WEEKDAYS)}),? (\d{{1,2}}) ({'|'.join(MONTHS)})\b(?: (\d{{4}}))?"
    found = [(where, each) for where, text in texts() for each in re.findall(pattern, text)]

    assert len(found) >= 4
    for where, (weekday, day, month, year) in found:
        said = date(int(year or 2026), MONTHS.index(month) + 1, int(day))
        assert WEEKDAYS[said.weekday()] == weekday, where


def test_events_of_the_bank_are_on_business_days() -> None:
    colleagues = {each.address for each in FINANCIER.of("colleague", "client")}
    for row in rows("calendar", "events"):
        if row["participant_email"] in colleagues:
            day = datetime.fromisoformat(row["event_start"]).date()
            assert days.business(day, ["London"]), row["event_name"]


def test_committees_are_in_the_calendar_on_their_thursdays() -> None:
    held = [
        row["event_start"][:10] for row in rows("calendar", "events") if row["event_name"] == "Model risk committee"
    ]

    assert held == [str(day) for day in COMMITTEES]


def test_tasks_of_findings_were_due_five_business_days_before_a_committee() -> None:
    due = {row["due_date"] for row in rows("todoist", "tasks") if row["project_id"] == "P1"}

    assert due == {str(days.add_business_days(day, -5, ["London", "TARGET"])) for day in COMMITTEES[:3]}


def registers() -> list[list[list[str]]]:
    """The rows of each register of findings, by cell."""
    found = [text for path, text in files().items() if "-findings_" in path]
    lines = [[line for line in text.splitlines() if re.match(r"\| \d", line)] for text in found]
    return [[[cell.strip() for cell in line.strip("|").split("|")] for line in each] for each in lines]


def test_earlier_findings_have_severity_owner_and_date_worst_first() -> None:
    order = ["Critical", "High", "Moderate", "Low"]

    assert [len(each) for each in registers()] == [3, 4, 3]
    for register in registers():
        ranks = [order.index(severity) for _, severity, *_ in register]
        assert ranks == sorted(ranks)
        assert all(owner in {each.name for each in FINANCIER.people} for *_, owner, _ in register)
        assert all(days.business(date.fromisoformat(by), ["London"]) for *_, by in register)


def test_earlier_memos_begin_with_three_sentences() -> None:
    memos = [text for path, text in files().items() if "-memo_" in path]

    assert len(memos) == 3
    assert [len(re.findall(r"\.(?=\s|$)", text.split("\n\n")[0])) for text in memos] == [3, 3, 3]


def test_unsigned_memos_went_to_audit_alone() -> None:
    sent = [row for row in rows("gmail", "emails") if row["folder"] == "outbox" and "memo" in row["subject"].lower()]
    before_signature = [row for row in sent if "Signed" not in row["body"]]

    assert len(before_signature) == 3
    assert {row["address"] for row in before_signature} == {"luca.ferrant@tarnbank.example"}


STATED = {  # each convention that is put in words, in two places
    "ACT/365F": ("The sterling curve is ACT/365F throughout", "Please take ACT/365F for sterling everywhere"),
    "both calendars": (
        "one on which London and TARGET are both open",
        "a settlement day needs both London and TARGET open",
    ),
    "zero rates": (
        "Ours are continuously compounded, in percent with four decimals",
        "continuous compounding, percent, four decimals",
    ),
    "held out by date": (
        "what we hold out is the last six months by date",
        "Set aside the last six months by date instead",
    ),
    "audit first": (
        "an unsigned memo goes to him and to nobody in the model owner's line",
        "what is not signed comes to you",
    ),
}


@pytest.mark.parametrize("convention", STATED)
def test_a_stated_convention_stands_in_two_places(convention: str) -> None:
    flat = [(where, " ".join(text.split())) for where, text in texts()]
    places = [[where for where, text in flat if quote in text] for quote in STATED[convention]]

    assert [len(each) for each in places] == [1, 1]
    assert places[0] != places[1]


@pytest.mark.parametrize(
    "rule",
    ["basis points, one decimal", "three sentences", "worst first", "five business days before", "older versions"],
)
def test_a_convention_of_practice_is_put_in_words_nowhere(rule: str) -> None:
    assert [where for where, text in texts() if rule in text.lower()] == []


def test_differences_of_rates_were_told_in_basis_points() -> None:
    sent = [row["body"] for row in rows("gmail", "emails") if row["folder"] == "outbox"]

    assert sum(bool(re.search(r"\d\.\d basis points", body)) for body in sent) == 2


def test_each_decoy_is_there() -> None:
    held = files()

    assert "ACT/360" in held["/workspace/market/2025-11-24_sterling-curve-notes_v1.md"]
    assert "Withdrawn" in held["/workspace/market/2025-11-24_sterling-curve-notes_v1.md"]
    assert "EUR,ACT/360" in held["/workspace/market/euro-sheet-hanne.csv"]
    assert "London's business days" in held["/workspace/operations/2025-10-06_settlement-days_v1.md"]
    assert "tenor,par" in held["/workspace/market/vendor/halldata-par-2026-03-31.csv"]


def test_the_files_of_figures_are_what_the_program_reads() -> None:
    held = files()

    delivery = held["/workspace/market/vendor/halldata-sterling-swaps-2026-04-10.csv"]
    assert quotes.read_csv(delivery) == quotes.delivered(SEED)
    lines = held["/workspace/validation/short-rate/from-hanne/short-rate-series.csv"].splitlines()[1:]
    levels = [float(line.split(",")[1]) for line in lines]
    observed = backtest.rates(SEED)
    assert levels[0] == observed[0].before
    assert levels[1:] == [each.rate for each in observed]


def test_hannes_report_looks_innocent_and_the_hold_out_by_date_does_not() -> None:
    observed = backtest.rates(SEED)

    assert backtest.run(*backtest.by_share(observed, SEED)).p_value > 0.1
    assert backtest.run(*backtest.by_date(observed)).p_value < 0.01


def test_dates_of_earlier_curves_are_payment_days() -> None:
    for path, text in files().items():
        if "sterling-zeros" in path:
            start = date.fromisoformat(path.rpartition("/")[2][:10])
            for line in text.splitlines()[1:]:
                tenor, paid, _ = line.split(",")
                years = start.replace(year=start.year + int(tenor[:-1]))
                assert date.fromisoformat(paid) == days.roll(years, ["London", "TARGET"])


def test_equal_seeds_give_equal_worlds_and_another_seed_another() -> None:
    again = world.__wrapped__(SEED)

    assert isinstance(again, World)
    assert again.digest == world().digest != world(SEED + 1).digest


def test_the_accounts_page_opens_every_app_that_wants_a_login() -> None:
    page = files()["/workspace/ACCOUNTS.md"]
    for app, tables in world().rows.items():
        for account in tables.get("accounts", ()):
            assert f"| {app} | {account['username']} | {account['password']} |" in page


def test_easter_is_in_the_fortnight() -> None:
    closed = {quotes.FIRST + timedelta(n) for n in range(12)} & days.holidays("London", 2026)

    assert closed == {date(2026, 4, 3), date(2026, 4, 6)}
