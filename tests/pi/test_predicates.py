"""Every kind of predicate is true of what fits it and false of what does not, and says why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from benchmarks.pi.predicates import Predicate, Read, holds, why
from benchmarks.pi.view import LiveView, of_trajectory
from benchmarks.pi.words import normal, numbers
from harness.trajectory import HandOver, Landing
from servers.kernel import Since, Written
from tests.pi.made import NEWER, WORLD, trajectory

PREDICATE: TypeAdapter[Predicate] = TypeAdapter(Predicate)
TASTING = {"id": "00000001", "event_name": "Tasting of rye", "duration": 40, "event_start": "2026-04-14 15:00:00"}


@dataclass
class Seen:
    """A view made by hand."""

    table: Sequence[Mapping[str, Any]] = ()
    gone: Sequence[Mapping[str, Any]] = ()
    mails: Sequence[Mapping[str, Any]] = ()
    envelopes: Sequence[Mapping[str, Any]] = ()
    read: Sequence[Read] = ()
    messages: Sequence[str] = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    def rows(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        held = {"calendar.events": self.table, "gmail.emails": self.mails, "gmail.envelopes": self.envelopes}
        return held.get(f"{app}.{table}", ())

    def existed(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        return (*self.rows(app, table), *(self.gone if app == "calendar" else ()))

    def reads(self) -> Iterable[Read]:
        return self.read

    def said(self) -> Sequence[str]:
        return self.messages

    def files(self) -> Mapping[str, str]:
        return self.texts


EVENTS = {"app": "calendar", "table": "events"}
RYE = {"kind": "row", **EVENTS, "fields": {"event_name": {"contains": "RYE"}}}
SPELT = {"kind": "row", **EVENTS, "fields": {"event_name": {"contains": "spelt"}}}
NOTE = "# Rye\n\n## Costs\nA loaf costs 4.52 EUR in all.\n\n## Risks\nNone.\n"
FULL = Seen(
    table=[TASTING],
    gone=[{**TASTING, "id": "2", "event_name": "Draft"}],
    mails=[
        {"id": "1", "folder": "outbox", "address": "ada@rye.example", "cc": ["Cyd@rye.example"], "body": "The memo."},
        {"id": "2", "folder": "inbox", "address": "dan@rye.example", "body": "The memo."},
    ],
    envelopes=[{"id": "1", "to": ["ada@rye.example", "bea@rye.example"]}],
    read=[Read("calendar", "events", TASTING, ("00000001 Tasting of rye",))],
    messages=["The tasting is on April 14th, 2026.", "It costs 1,200.50 in all."],
    texts={"/workspace/note.md": NOTE, "/workspace/a.json": '{"a": [{"b": 2}]}', "/workspace/c.csv": "x,y\n1,2\n3,4\n"},
)


def file(path: str, **wanted: Any) -> dict[str, Any]:
    return {"kind": "file", "path": path, **wanted}


TRUE_AND_FALSE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (RYE, SPELT),
    ({**RYE, "count": 1}, {**RYE, "count": 2}),
    ({**SPELT, "count": 0}, {**RYE, "count": 0}),
    *(
        ({"kind": "row", **EVENTS, "fields": {name: right}}, {"kind": "row", **EVENTS, "fields": {name: wrong}})
        for name, right, wrong in (
            ("duration", 40, 60),
            ("event_name", "tasting  of rye", "tasting"),
            ("duration", {"any_of": [30, 40]}, {"any_of": [30, 60]}),
            ("duration", {"number": 41, "within": 1}, {"number": 42, "within": 1}),
            ("event_start", {"day": "2026-04-14"}, {"day": "2026-04-15"}),
        )
    ),
    (
        {"kind": "was", **EVENTS, "fields": {"event_name": "Draft"}},
        {"kind": "was", **EVENTS, "fields": {"duration": 1}},
    ),
    ({"kind": "seen", **EVENTS, "fields": {"duration": 40}}, {"kind": "seen", **EVENTS, "fields": {"duration": 60}}),
    ({"kind": "seen", **EVENTS, "shows": "event_name"}, {"kind": "seen", **EVENTS, "shows": "event_start"}),
    ({"kind": "said", "groups": [["14 April 2026"]]}, {"kind": "said", "groups": [["15 April 2026"]]}),
    ({"kind": "said", "groups": [["x"], ["1200.5", "costs"]]}, {"kind": "said", "groups": [["1200.5", "tasting"]]}),
    *(
        ({"kind": "mail", "to": [f"{right}@rye.example"]}, {"kind": "mail", "to": ["dan@rye.example"]})
        for right in ("ada", "bea", "cyd")
    ),
    (
        {"kind": "mail", "to": ["bea@rye.example", "eve@rye.example"], "fields": {"body": {"contains": "memo"}}},
        {"kind": "mail", "to": ["bea@rye.example", "eve@rye.example"], "fields": {"body": {"contains": "rye"}}},
    ),
    (file("*.md"), file("*.txt")),
    (file("*.md", contains=["a loaf"]), file("*.md", contains=["a loaf", "cake"])),
    (file("*.md", matches="^## Risks$"), file("*.md", matches="^Risks$")),
    (file("*.md", headings=["costs", "Risks"]), file("*.md", headings=["Risks", "Costs"])),
    (file("*.md", number=4.5, within=0.05), file("*.md", number=4.5)),
    (file("*.json", pointer="/a/0/b", value=2), file("*.json", pointer="/a/1/b", value=2)),
    (file("*.csv", column={"name": "y", "value": 4}), file("*.csv", column={"name": "y", "value": 4, "rows": "all"})),
    ({"kind": "all", "of": [RYE, {"kind": "not", "of": SPELT}]}, {"kind": "all", "of": [RYE, SPELT]}),
    ({"kind": "any", "of": [SPELT, RYE]}, {"kind": "any", "of": [SPELT, SPELT]}),
    ({"kind": "not", "of": SPELT}, {"kind": "not", "of": RYE}),
]


@pytest.mark.parametrize(("true", "false"), TRUE_AND_FALSE)
def test_a_predicate_tells_what_fits_from_what_does_not(true: Any, false: Any) -> None:
    assert holds(PREDICATE.validate_python(true), FULL)
    assert not holds(PREDICATE.validate_python(false), FULL)


@pytest.mark.parametrize("true", [true for true, _ in TRUE_AND_FALSE if true["kind"] not in ("not", "all")
                                  and true.get("count") != 0])  # fmt: skip
def test_nothing_holds_of_a_session_in_which_nothing_happened(true: Any) -> None:
    assert not holds(PREDICATE.validate_python(true), Seen())


def test_a_later_message_that_contradicts_takes_back_what_was_said() -> None:
    said = PREDICATE.validate_python({"kind": "said", "groups": [["is done"]], "contradicts": [["not", "done"]]})

    assert holds(said, Seen(messages=["It was not done.", "Now it is done."]))
    assert not holds(said, Seen(messages=["It is done.", "Sorry, that was not done."]))
    assert why(said, Seen(messages=["It is done.", "Sorry, that was not done."])) == (
        "message 1 says it, and message 2 contradicts it"
    )


def test_why_gives_the_evidence() -> None:
    assert why(PREDICATE.validate_python(RYE), FULL) == "1 of calendar.events fit (00000001), wanted at least one"
    assert why(PREDICATE.validate_python(file("*.txt")), FULL) == "none of no files at *.txt fits"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({**RYE, "app": "calender"}, "Did you mean 'calendar'"),
        ({**RYE, "table": "event"}, "Did you mean 'events'"),
        ({**RYE, "fields": {"event_nam": 1}}, "Did you mean 'event_name'"),
        ({"kind": "seen", **EVENTS, "shows": "durations"}, "Did you mean 'duration'"),
        (file("*", matches="("), "is not a regular expression"),
        (file("*", pointer="/a"), "`pointer` and `value` belong together"),
        ({**RYE, "fields": {"duration": {"within": 1}}}, "says nothing"),
        ({"kind": "all", "of": []}, "at least 1 item"),
    ],
)
def test_what_does_not_exist_or_says_nothing_is_refused(given: Any, told: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        PREDICATE.validate_python(given)

    assert told in str(refusal.value)


@pytest.mark.parametrize("text", ["14 April 2026", "April 14th, 2026", "14th of Apr 2026", "2026-04-14"])
def test_dates_are_one_in_whatever_form(text: str) -> None:
    assert normal(text) == "2026-04-14"


def test_numbers_are_read_without_dates_and_names() -> None:
    assert numbers("Q3 of 2026-04-14: 1,200.50 and -5%, x2") == [1200.5, -5.0]


def test_a_trial_is_seen_as_it_ended_and_as_it_was() -> None:
    ((*_, view),) = of_trajectory(trajectory(), WORLD)

    assert [row["id"] for row in view.rows("calendar", "events")] == ["00000002"]
    assert {row["id"] for row in view.existed("calendar", "events")} == {"00000001", "00000002"}
    assert view.said() == ("Done.",)
    assert holds(PREDICATE.validate_python({"kind": "seen", **EVENTS, "fields": {"duration": "40"}}), view)


def test_a_row_that_was_read_before_its_last_write_is_not_seen() -> None:
    trial = trajectory()
    events = [trial.events[1], trial.events[0], *trial.events[2:]]

    ((*_, view),) = of_trajectory(trial.model_copy(update={"events": events}), WORLD)

    assert not holds(PREDICATE.validate_python({"kind": "seen", **EVENTS, "fields": {"duration": "40"}}), view)


def test_a_row_that_a_late_effect_wrote_after_it_was_read_is_not_seen() -> None:
    trial = trajectory()
    late = Landing(session=0, step=1, status="ok", text="", writes=[NEWER])

    ((*_, view),) = of_trajectory(trial.model_copy(update={"events": [*trial.events, late]}), WORLD)

    assert not holds(PREDICATE.validate_python({"kind": "seen", **EVENTS, "fields": {"duration": "40"}}), view)


def test_one_session_of_a_trial_is_seen_apart() -> None:
    (*_, first), (*_, second) = of_trajectory(trajectory(), WORLD, 2)

    assert second.said() == ()
    assert [row["id"] for row in second.rows("calendar", "events")] == ["00000002"]
    assert [row["id"] for row in first.existed("calendar", "events")] == ["00000001", "00000002"]


def test_a_session_is_seen_at_each_of_its_hand_overs() -> None:
    trial = trajectory()
    said = HandOver(session=0, n=9, turn=0, text="First of all.")
    ((at, end),) = of_trajectory(trial.model_copy(update={"events": [said, *trial.events[:-1]]}), WORLD)

    assert (at.said(), [row["id"] for row in at.rows("calendar", "events")]) == (("First of all.",), ["00000001"])
    assert [row["id"] for row in end.rows("calendar", "events")] == ["00000002"]


def test_a_hand_over_is_seen_by_the_rows_as_they_are_and_what_was_written_since() -> None:
    since = Since(changed=(Written(app="calendar", table="events", id="2", values={"event_name": "Draft"}),))
    view = LiveView(lambda app, table: [TASTING] if table == "events" else [], ["Done."], since)

    assert holds(PREDICATE.validate_python(RYE), view)
    assert holds(PREDICATE.validate_python({"kind": "was", **EVENTS, "fields": {"event_name": "Draft"}}), view)
    assert holds(PREDICATE.validate_python({"kind": "said", "groups": [["done"]]}), view)
