from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.lhaw import rewrite as module
from benchmarks.lhaw.rewrite import GAPS, SEVERITIES, Rewritten, Severity, Unnatural, crowded, rewrite
from harness.task import Slot
from tests.lhaw.scenes import ASSIGNEE, DAY, HANDOVER, RECIPIENT, REQUEST, TITLE


def drawn(request: str, gap: Slot, severity: Severity) -> Iterator[Rewritten]:
    """What tasks of forty different ids make of it."""
    return (rewrite(request, [gap], severity, task=f"task-{n}") for n in range(40))


def slot(kind: str, text: str, **record: Any) -> Slot:
    return Slot(name=kind, kind=kind, text=text, dimension="goal", subdimension="target", **record)


@pytest.mark.parametrize(
    ("severity", "left"),
    [
        ("delete", "Reassign the task and book a 30-minute meeting."),
        ("vagify", "Reassign the task to someone else and book a 30-minute meeting."),
        ("genericize", "Reassign the task to our team lead and book a 30-minute meeting."),
    ],
)
def test_each_severity_leaves_its_own_kind_of_gap(severity: Severity, left: str) -> None:
    assert left in {made.request for made in drawn(HANDOVER, ASSIGNEE, severity)}


def test_a_quoted_value_goes_with_its_quotation_marks_and_what_governs_it() -> None:
    assert rewrite(REQUEST, [TITLE], "delete").request == "Send a mail to Priya on March 20."


def test_two_values_go_one_after_the_other() -> None:
    request = f"The office is closed. {REQUEST}"

    assert rewrite(request, [TITLE, DAY], "delete").request == "The office is closed. Send a mail to Priya."


def test_a_deletion_does_not_leave_a_mail_about_nothing() -> None:
    with pytest.raises(Unnatural, match="March 20"):
        rewrite(REQUEST, [TITLE, DAY], "delete")


@pytest.mark.parametrize(
    ("request_", "gap", "left"),
    [
        ("Book an 80-minute meeting.", slot("duration", "80-minute"), "Book a meeting."),
        ("Draw a histogram of it.", slot("plot_type", "histogram"), "Draw a plot of it."),
        ('Answer it with "Thanks."', slot("body", "Thanks."), "Answer it."),
        ('Call it "Sync", and book a room.', slot("event_name", "Sync"), "Book a room."),
    ],
)
def test_what_is_left_is_a_sound_sentence(request_: str, gap: Slot, left: str) -> None:
    assert rewrite(request_, [gap], "delete").request == left


@pytest.mark.parametrize("request_", ["Is Priya in?", "Send it to Priya; Priya waits."])
def test_a_value_that_cannot_go_is_refused(request_: str) -> None:
    with pytest.raises(Unnatural, match="Priya"):
        rewrite(request_, [RECIPIENT], "delete")


def test_a_value_inside_a_longer_word_is_not_the_value() -> None:
    with pytest.raises(Unnatural, match="exactly once"):
        rewrite("Send it to Priyanka.", [RECIPIENT], "vagify")


def test_an_empty_list_of_rules_ends_the_search() -> None:
    with pytest.raises(Unnatural, match="no delete phrase for 'Priya'"):
        rewrite("Send it to Priya.", [RECIPIENT], "delete")


@pytest.mark.parametrize("severity", SEVERITIES)
def test_what_is_left_does_not_depend_on_the_value(severity: Severity) -> None:
    other = ASSIGNEE.model_copy(update={"text": "Aurelio", "value": "aurelio"})

    ours, theirs = drawn(HANDOVER, ASSIGNEE, severity), drawn(HANDOVER.replace("Priya", "Aurelio"), other, severity)

    assert [made.request for made in ours] == [made.request for made in theirs]


@pytest.mark.parametrize("text", ["sea", "what is it for?"])
def test_words_that_dangle_in_the_value_itself_excuse_none_that_are_left(text: str) -> None:
    with pytest.raises(Unnatural):
        rewrite(f"The way is by {text}.", [slot("carrier", text)], "delete")


def of_workflows(monkeypatch: pytest.MonkeyPatch, rules: dict[str, Any]) -> None:
    """Has the requests of workflows go by these rules, and all others by those that there are."""
    read = module._phrases
    books = {"workflow_phrases.yaml": rules}
    monkeypatch.setattr(module, "_phrases", lambda name="phrases.yaml": books.get(name) or read(name))


def test_a_slot_of_a_template_goes_by_rules_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    gap = Slot(name="approver", kind="person", text="Priya", dimension="input", subdimension="identifier")
    request = "It needs a task for Priya, as we always say."
    of_workflows(monkeypatch, {"claims": {"approver": {"delete": [{"match": " for {v},", "by": ""}]}}})

    with pytest.raises(Unnatural, match="Priya"):  # "we" might be Priya and the writer
        rewrite(request, [gap], "delete")
    assert rewrite(request, [gap], "delete", template="claims").request == "It needs a task as we always say."


def test_where_rules_of_a_template_do_not_fit_those_for_any_request_are_not_tried() -> None:
    gap = Slot(name="reader", kind="customer", text="Priya", dimension="input", subdimension="identifier")

    assert rewrite("Stay in contact with Priya.", [gap], "delete").request == "Stay in contact."
    with pytest.raises(Unnatural, match="no delete phrase for 'Priya'"):
        rewrite("Stay in contact with Priya.", [gap], "delete", template="claims")


def test_an_empty_list_of_a_template_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    gap = Slot(name="reader", kind="customer", text="Priya", dimension="input", subdimension="identifier")
    of_workflows(monkeypatch, {"claims": {"reader": {"delete": []}}})

    with pytest.raises(Unnatural, match="no delete phrase for 'Priya'"):
        rewrite("Stay in contact with Priya.", [gap], "delete", template="claims")


@pytest.mark.parametrize("template", ["", "claims", "no such template"])
def test_a_slot_without_rules_in_its_template_goes_by_those_for_all(template: str) -> None:
    gap = slot("carrier", "sea freight")

    assert rewrite("Ship it by sea freight.", [gap], "delete", template=template).request == "Ship it."


@pytest.mark.parametrize("hour", ["2 p.m.", "9 a.m."])
def test_the_point_behind_an_hour_ends_no_sentence(hour: str) -> None:
    request = f"Meet Priya at {hour} for lunch."

    assert rewrite(request, [RECIPIENT], "genericize").request.endswith(f" at {hour} for lunch.")


def test_a_kind_without_phrases_is_taken_out_with_its_preposition() -> None:
    gap = slot("carrier", "sea freight")

    assert rewrite("Ship it by sea freight.", [gap], "delete").request == "Ship it."
    assert rewrite("Ship it by sea freight.", [gap], "vagify").request == "Ship it by something."


@pytest.mark.parametrize("severity", ["vagify", "genericize"])
def test_phrases_vary_with_the_task_and_stay_with_it(severity: Severity) -> None:
    assert len({made.request for made in drawn(HANDOVER, ASSIGNEE, severity)}) > 2
    assert list(drawn(HANDOVER, ASSIGNEE, severity)) == list(drawn(HANDOVER, ASSIGNEE, severity))


@pytest.mark.parametrize(
    "request_",
    [
        "There is news of Priya. Forward the last mail they sent me.",
        "Call off the talk with Priya: cancel our meeting.",
    ],
)
def test_a_deletion_leaves_no_word_that_stands_for_what_is_gone(request_: str) -> None:
    gone = RECIPIENT.model_copy(update={"role": "participant"})

    with pytest.raises(Unnatural, match="Priya"):
        rewrite(request_, [gone], "delete")


@pytest.mark.parametrize(
    "request_",
    [
        "Someone was on the phone: the last mail that I got from Priya is out of date.",
        "Priya is on leave from today. Reassign their overdue tasks to Noor.",
    ],
)
def test_nobody_is_vague_about_a_person_whom_the_request_is_about(request_: str) -> None:
    with pytest.raises(Unnatural, match="Priya"):
        rewrite(request_, [RECIPIENT.model_copy(update={"role": "owner"})], "vagify")


def test_nothing_is_left_that_points_to_a_day_that_is_no_longer_one() -> None:
    gap = slot("date", "March 4")

    with pytest.raises(Unnatural, match="March 4"):
        rewrite("Has anything happened since March 4? Plot visits from that day to yesterday.", [gap], "vagify")


@pytest.mark.parametrize("severity", ["vagify", "genericize"])
def test_two_phrases_that_stand_for_someone_or_something_are_a_crowd(severity: Severity) -> None:
    assert crowded([RECIPIENT, TITLE], severity)
    assert not crowded([RECIPIENT, slot("threshold", "5")], severity)
    assert not crowded([RECIPIENT, TITLE], "delete")


def test_a_unit_that_goes_with_a_value_is_withheld_with_it() -> None:
    gap = slot("threshold", "5", value=5)

    made = rewrite("Tell me if it rose by more than 5 percent since Monday.", [gap], "vagify")

    assert "percent" not in made.request
    assert [(lost.name, lost.text, lost.value) for lost in made.withheld] == [("threshold", "5 percent", 5)]


@pytest.mark.parametrize(
    ("limit", "answer"),
    [
        ("fell below 6 on any day", "below 6"),
        ("stayed below 6 all day", "below 6"),
        ("was below 6 on any day", "below 6"),
        ("went above 6 on any day", "above 6"),
        ("rose above 6 on any day", "above 6"),
        ("ever come out above 6", "above 6"),
        ("exceeded 6 on any day", "6"),
        ("came to more than 6 on any day", "6"),
    ],
)
def test_a_vague_level_stays_a_level_and_the_answer_has_the_side_that_the_sentence_lost(
    limit: str, answer: str
) -> None:
    gap = slot("threshold", "6", value=6)
    changes = re.compile(r"\b(?:dropped|up|a lot|quite a bit|much|usual)\b")
    sides = re.compile(r"\b(?:more than|exceeded)\b")

    for made in drawn(f"Tell me if visits {limit}.", gap, "vagify"):
        (lost,) = made.withheld
        assert not changes.search(made.request)
        assert lost.text == answer
        assert bool(sides.search(made.request)) == (answer == "6")


def test_no_vague_length_of_a_meeting_is_a_short_one() -> None:
    for made in drawn("Book a 60-minute meeting with Mara.", slot("duration", "60-minute"), "vagify"):
        assert not re.search(r"\b(?:short|quick|brief|long)\b", made.request)


def test_a_figure_of_the_website_is_not_called_traffic_since_not_all_are() -> None:
    gap = slot("metric", "average session duration")

    for made in drawn("Tell me if average session duration fell below 6.", gap, "genericize"):
        assert "traffic" not in made.request


def test_what_is_withheld_is_the_value_alone_where_its_unit_stays() -> None:
    made = rewrite("If they have two overdue tasks or more, write.", [slot("threshold", "two")], "vagify")

    assert "overdue tasks" in made.request
    assert [lost.text for lost in made.withheld] == ["two"]


@pytest.mark.parametrize(
    ("request_", "gaps", "shows"),
    [
        ('Answer it with "Thanks."', [slot("body", "Thanks.")], "shown"),
        ("Book an 80-minute meeting.", [slot("duration", "80-minute")], "default"),
        ("Add a task to the Alpha list of the Beta board.", [slot("list", "Alpha")], "hidden"),
        (
            'Draw a histogram, and answer with "Thanks."',
            [slot("plot_type", "histogram"), slot("body", "Thanks.")],
            "default",
        ),
    ],
)
def test_a_deletion_says_whether_its_gap_shows(request_: str, gaps: list[Slot], shows: str) -> None:
    assert rewrite(request_, gaps, "delete").gap == shows


def test_no_phrase_announces_a_blank() -> None:
    blanks = (
        r"\b(relevant|appropriate|suitable|certain|somebody|something or other|of some (length|sort)|to be decided"
        r"|proper (name|status|list|title)|in question|one of (our|the) (lists|boards)|that stage)\b"
    )
    book = yaml.safe_load((Path(module.__file__).parent / "phrases.yaml").read_text(encoding="utf-8"))

    assert not [phrase for phrase in texts([book[s] for s in SEVERITIES]) if re.search(blanks, phrase)]


def texts(book: Any) -> Iterator[str]:
    """All strings in it, but for keys."""
    if isinstance(book, str):
        yield book
    else:
        for part in book.values() if isinstance(book, dict) else book:
            yield from texts(part)


def test_every_rule_says_a_gap_that_there_is() -> None:
    book = yaml.safe_load((Path(module.__file__).parent / "phrases.yaml").read_text(encoding="utf-8"))
    rules = [rule for s in SEVERITIES for kind in book[s].values() for rule in kind if isinstance(rule, dict)]

    assert {rule["gap"] for rule in rules if "gap" in rule} == set(GAPS) - {"shown"}
    assert {key for rule in rules for key in rule} == {"match", "by", "gap"}
