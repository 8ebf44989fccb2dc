"""Sources of error: each rule alone, and which comes first."""

from __future__ import annotations

import pytest

from benchmarks.workbench import errors
from harness.task import Task
from harness.trajectory import CallRecord, Landing, Trajectory, Write
from servers.kernel import Change
from tests.report.records import IDS, call, changed, delete, events, insert, task, trajectory

ONE = task("one", delete(IDS[1]))
NOTHING = task("nothing")


def cancel(id: str) -> CallRecord:
    return call("delete_event", event_id=id, writes=[id])


def deleted(*ids: str) -> list[Change]:
    return [changed(delete(id)) for id in ids]


def test_a_last_call_that_cannot_be_parsed_is_an_unreadable_action() -> None:
    garbled = call("", app="", status="garbled")

    assert errors.source(ONE, trajectory(ONE, garbled, status="crashed")) == "unreadable action"
    assert not errors.unreadable_action(ONE, trajectory(ONE, garbled, call(), status="crashed"))
    assert not errors.unreadable_action(ONE, trajectory(ONE, garbled))


@pytest.mark.parametrize("status", ["limit", "crashed"])
def test_a_trial_that_did_not_finish_was_cut_short(status: str) -> None:
    assert errors.source(ONE, trajectory(ONE).model_copy(update={"status": status})) == "cut short"
    assert not errors.cut_short(ONE, trajectory(ONE))


MAIL = task(
    "mail", insert("gmail", "emails", address="ana@office.test"), request="Write to Ana, not to bo@office.test."
)


def written(*before: CallRecord, to: str = "ana@office.test", system: str = "") -> Trajectory:
    send = call("send_email", app="gmail", recipient=to, writes=["00000900"])
    return trajectory(MAIL, *before, send, system=system)


def test_an_address_that_nobody_showed_is_invented() -> None:
    assert errors.source(MAIL, written(to="ana@example.com")) == "invented address"


@pytest.mark.parametrize(
    "shown",
    [
        written(to="BO@office.test"),
        written(system="Ana is ana@office.test."),
        written(call("find_email_address", app="directory", name="ana", text='["Ana@office.test"]')),
        written(call(rows=[{"event_id": IDS[0], "participant_email": "ana@office.test"}])),
    ],
    ids=["request", "system prompt", "result text", "result data"],
)
def test_an_address_that_was_shown_before_is_not_invented(shown: Trajectory) -> None:
    assert not errors.invented_address(MAIL, shown)


def test_an_address_that_a_result_only_repeats_or_that_comes_later_is_invented() -> None:
    asked = call("search_emails", app="gmail", query="ana@example.com", text="nothing from ana@example.com")

    assert errors.invented_address(MAIL, written(asked, to="ana@example.com"))
    assert errors.invented_address(MAIL, trajectory(MAIL, *written().calls, call(text="ana@office.test")))


def test_taking_five_results_for_all_is_not_accounting_for_the_limit() -> None:
    many = task("many", *map(delete, IDS[:7]))
    five = call(query="Ana", rows=events(*IDS[:5]))
    played = trajectory(many, five, *map(cancel, IDS[:5]), changes=deleted(*IDS[:5]))

    assert errors.source(many, played) == "result limit"


def test_picking_the_wrong_one_of_five_is_the_limit_when_the_right_one_was_never_seen() -> None:
    played = trajectory(ONE, call(rows=events(*IDS[2:7])), cancel(IDS[2]), changes=deleted(IDS[2]))
    seen = trajectory(ONE, call(rows=events(*IDS[1:6])), cancel(IDS[2]), changes=deleted(IDS[2]))

    assert errors.result_limit(ONE, played)
    assert not errors.result_limit(ONE, seen)


def test_four_results_or_none_acted_on_are_not_the_limit() -> None:
    four = trajectory(ONE, call(rows=events(*IDS[2:6])), cancel(IDS[2]), changes=deleted(IDS[2]))
    idle = trajectory(ONE, call(rows=events(*IDS[2:7])))

    assert not errors.result_limit(ONE, four)
    assert not errors.result_limit(ONE, idle)


def test_a_dated_search_that_misses_the_row_has_wrong_dates() -> None:
    played = trajectory(ONE, call(query="Ana", time_min="2025-03-01", rows=[]))

    assert errors.source(ONE, played) == "wrong dates"


@pytest.mark.parametrize(
    "other",
    [
        call(query="Ana", rows=[]),
        call(query="Ana", time_min=None, rows=[]),
        call(time_min="2025-03-01", rows=events(IDS[1])),
        call("search_emails", app="gmail", date_min="2025-03-01", rows=[]),
    ],
    ids=["no dates", "empty dates", "the row was there", "another app"],
)
def test_other_searches_do_not_have_wrong_dates(other: CallRecord) -> None:
    assert not errors.wrong_dates(ONE, trajectory(ONE, other))


def test_a_plot_of_other_dates_has_wrong_dates() -> None:
    wanted = insert("analytics", "plots", file_path="plots/2025-03-01_2025-03-12_total_visits_bar.png")
    plot = task("plot", wanted)
    dates = insert("analytics", "plots", file_path="plots/2025-03-01_2025-03-13_total_visits_bar.png")
    kind = insert("analytics", "plots", file_path="plots/2025-03-01_2025-03-12_total_visits_line.png")

    assert errors.source(plot, trajectory(plot, call(writes=["1"]), changes=[changed(dates)])) == "wrong dates"
    assert errors.source(plot, trajectory(plot, call(writes=["1"]), changes=[changed(kind)])) == "wrong arguments"


def test_doing_nothing_where_something_was_asked_is_no_action() -> None:
    assert errors.source(ONE, trajectory(ONE, call(rows=events(IDS[1])))) == "no action"
    assert not errors.no_action(NOTHING, trajectory(NOTHING))
    assert not errors.no_action(ONE, trajectory(ONE, cancel(IDS[3])))


def test_a_write_that_came_late_is_an_action() -> None:
    late = trajectory(ONE, call("delete_event", event_id=IDS[3], status="disturbed"))
    landed = Landing(
        session=0, step=0, status="ok", text="", writes=[Write(app="calendar", table="events", id=IDS[3], values=None)]
    )

    assert errors.no_action(ONE, late)
    assert not errors.no_action(ONE, late.model_copy(update={"events": [*late.events, landed]}))


def test_the_right_kind_of_change_elsewhere_has_wrong_arguments() -> None:
    seen = call(rows=events(*IDS[:3]))
    played = trajectory(ONE, seen, cancel(IDS[2]), changes=deleted(IDS[2]))

    assert errors.source(ONE, played) == "wrong arguments"


def test_a_refused_write_has_wrong_arguments_unless_it_was_mended() -> None:
    refused = call("update_event", field="room", status="failed")
    other = call("create_event", writes=["00000900"])
    mended = call("update_event", field="duration", writes=[IDS[1]])

    assert errors.wrong_arguments(ONE, trajectory(ONE, refused, other))
    assert not errors.wrong_arguments(ONE, trajectory(ONE, refused, mended))


def test_a_part_rightly_done_is_part_done() -> None:
    two = task("two", delete(IDS[0]), delete(IDS[1]))
    played = trajectory(two, call(rows=events(*IDS[:2])), cancel(IDS[0]), changes=deleted(IDS[0]))

    assert errors.source(two, played) == "part done"


def test_more_than_was_asked_is_an_unneeded_action() -> None:
    more = trajectory(ONE, cancel(IDS[1]), cancel(IDS[2]), changes=deleted(IDS[1], IDS[2]))
    some = trajectory(NOTHING, cancel(IDS[2]), changes=deleted(IDS[2]))

    assert errors.source(ONE, more) == errors.source(NOTHING, some) == "unneeded action"


def test_what_no_rule_explains_is_other() -> None:
    wrong = insert("gmail", "emails", address="ana@office.test")
    played = trajectory(ONE, call(rows=events(IDS[1])), cancel(IDS[3]), changes=[changed(wrong)])

    assert errors.source(ONE, played) == "other"


def test_the_first_rule_that_holds_names_the_source() -> None:
    both: Task = task("both", delete(IDS[1]), request="Cancel it.")
    guessed = call(query="ana@example.com", time_min="2025-03-01", rows=[])
    played = trajectory(both, guessed)
    holding = [name for name, rule in errors.RULES.items() if rule(both, played)]

    assert holding == ["invented address", "wrong dates", "no action"]
    assert errors.source(both, played) == "invented address"
