"""What is read from changes, and what it is worth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from benchmarks.probe import worlds
from benchmarks.probe.workplace import pouring
from benchmarks.probe.workplace.acts import PLACES, Place
from benchmarks.probe.workplace.done import done, retold
from benchmarks.probe.workplace.suite import solved
from harness.audit.play import Player
from harness.record.scores import scores
from harness.score import Score
from harness.trajectory import Trajectory
from tests.probe.workplace.scenes import act, changed, filled, insert, suite, task, values, with_changes


@pytest.fixture(scope="module")
def trials() -> Mapping[Place, Trajectory]:
    """The reference calls of a task for each way of acting, played."""
    player = Player(suite())

    async def played(place: Place) -> Trajectory:
        mine = task(place)
        return (await player.play(mine, solved(mine, {}))).trajectory

    try:
        return {place: anyio.run(played, place) for place in PLACES}
    finally:
        player.close()


def scored(place: Place, trial: Trajectory) -> dict[str, Score]:
    return scores(suite().checks, task(place), trial)


def stranger(place: Place) -> Any:
    """Somebody of the firm who does not decide."""
    sample = worlds.sample(task(place).world)
    right = set(sample.gold.parameters.values())
    return next(each for each in pouring.staff(sample)[1:] if each.name not in right)


@pytest.mark.parametrize("place", PLACES)
def test_the_reference_calls_end_it_by_a_change_of_their_way(trials: Mapping[Place, Trajectory], place: Place) -> None:
    assert set(values(scored(place, trials[place])).values()) == {1.0}
    assert (act(trials[place]).app, act(trials[place]).table) == PLACES[place]


def test_a_mail_to_somebody_else_is_the_right_act_with_a_wrong_person(trials: Mapping[Place, Trajectory]) -> None:
    scores = scored("mail", changed(trials["mail"], address=stranger("mail").address))

    assert scores["execution"].value == 0.0
    assert scores["strict"].detail["scored"]["execution"]["names_wrong"] is True
    assert (scores["search_f1"].value, scores["identification"].value) == (1.0, 1.0)


def test_an_address_that_only_looks_like_the_decider_is_nobodys(trials: Mapping[Place, Trajectory]) -> None:
    local = (act(trials["mail"]).after or {})["address"].partition("@")[0]

    scores = scored("mail", changed(trials["mail"], address=f"{local}@elsewhere.example"))

    assert scores["execution"].value == 0.0


def test_a_copy_to_others_makes_the_person_wrong(trials: Mapping[Place, Trajectory]) -> None:
    scores = scored("mail", changed(trials["mail"], cc=[stranger("mail").address]))

    assert scores["execution"].value == 0.0


def test_a_second_recipient_stands_in_the_envelope(trials: Mapping[Place, Trajectory]) -> None:
    trial, mail = trials["mail"], act(trials["mail"])
    to = [(mail.after or {})["address"], stranger("mail").address]
    envelope = insert("gmail", "envelopes", mail.id, to=to)

    scores = scored("mail", with_changes(trial, *trial.changes, envelope))

    assert scores["execution"].value == 0.0
    assert scores["outcome"].detail["besides"] == []


def test_another_guest_makes_the_person_wrong(trials: Mapping[Place, Trajectory]) -> None:
    first = (act(trials["event"]).after or {})["participant_email"]
    guests = [{"address": address} for address in (first, stranger("event").address)]

    found = {len(some): scored("event", changed(trials["event"], attendees=some)) for some in (guests[:1], guests)}

    assert {number: scores["execution"].value for number, scores in found.items()} == {1: 1.0, 2: 0.0}


def test_an_event_of_days_gone_by_is_no_act(trials: Mapping[Place, Trajectory]) -> None:
    scores = scored("event", changed(trials["event"], event_start="2025-01-07 10:00:00"))

    assert scores["execution"].value == 0.0
    assert len(scores["outcome"].detail["besides"]) == 1


@pytest.mark.parametrize(("place", "field"), [("task", "content"), ("file", "text")])
def test_a_task_or_file_for_nobody_lacks_its_person(
    trials: Mapping[Place, Trajectory], place: Place, field: str
) -> None:
    title, _, text = (act(trials[place]).after or {})[field].partition("\n")

    scores = scored(place, changed(trials[place], **{field: f"{title.rpartition(',')[0]}\n{text}"}))

    verdicts = scores["strict"].detail["scored"]["execution"]["verdicts"]
    assert sorted(verdicts.values()) == ["correct", "correct", "correct", "missing"]
    assert scores["execution"].value == 0.5


def test_a_heading_that_names_several_names_nobody(trials: Mapping[Place, Trajectory]) -> None:
    title = (act(trials["task"]).after or {})["content"]

    scores = scored("task", changed(trials["task"], content=f"{title} or {stranger('task').name}"))

    assert scores["execution"].value == 0.0


def test_a_file_elsewhere_is_no_act(trials: Mapping[Place, Trajectory]) -> None:
    trial, mine = trials["file"], act(trials["file"])
    moved = mine.model_copy(update={"id": "/workspace/note.txt"})

    scores = scored("file", with_changes(trial, *(moved if each is mine else each for each in trial.changes)))

    assert (scores["execution"].value, scores["outcome"].detail["side_effects"]) == (0.0, True)


def test_the_reference_of_something_else_is_wrong(trials: Mapping[Place, Trajectory]) -> None:
    subject = (act(trials["mail"]).after or {})["subject"]

    scores = scored("mail", changed(trials["mail"], subject=f"{subject.rpartition(',')[0]}, Q-00001"))

    assert scores["execution"].value == 0.0


def test_a_text_without_the_work_that_waits_is_worth_half(trials: Mapping[Place, Trajectory]) -> None:
    scores = scored("mail", changed(trials["mail"], body="Please see to it."))

    assert scores["execution"].value == 0.5


def test_any_words_around_the_work_that_waits_will_do(trials: Mapping[Place, Trajectory]) -> None:
    work = worlds.sample(task("mail").world).gold.mentions["message"][0]

    scores = scored("mail", changed(trials["mail"], body=f"Hello,\n\nwithout this {work} cannot go out.\n\nThanks"))

    assert values(scores)["outcome"] == 1.0


def test_the_same_mail_under_another_sign_is_another_act(trials: Mapping[Place, Trajectory]) -> None:
    sample = worlds.sample(task("mail").world)
    subject = (act(trials["mail"]).after or {})["subject"]
    other = "Nudge 1" if not subject.startswith("Nudge") else "Answer 1"

    trial = changed(trials["mail"], subject=f"{other}:{subject.partition(':')[2]}")

    assert done(sample, trial).acts[0].action.endswith("_1")
    scores = scored("mail", trial)
    assert (scores["execution"].value, scores["outcome"].detail["wrong_acts"]) == (0.0, 1)


def test_the_first_act_counts_and_a_second_is_a_side_effect(trials: Mapping[Place, Trajectory]) -> None:
    trial, mail = trials["mail"], act(trials["mail"])
    again = mail.model_copy(update={"id": "00009999", "after": {**(mail.after or {}), "address": "x@firm.example"}})

    scores = scored("mail", with_changes(trial, again, *trial.changes))

    assert (scores["strict"].value, scores["outcome"].value) == (1.0, 0.0)
    assert scores["outcome"].label == "side_effects"


@pytest.mark.parametrize(
    ("app", "table", "fields"),
    [
        ("gmail", "emails", {"folder": "outbox", "address": "x@y.example", "subject": "Hello", "body": "How are you?"}),
        (
            "calendar",
            "events",
            {"event_name": "Lunch", "participant_email": "", "event_start": "2030-01-07 12:00:00", "duration": "30"},
        ),
        ("todoist", "tasks", {"content": "Buy milk"}),
        ("filesystem", "entries", {"kind": "file", "text": "note to self"}),
        ("gmail", "threads", {"starred": True}),
    ],
)
def test_every_other_change_is_a_side_effect(
    trials: Mapping[Place, Trajectory], app: str, table: str, fields: dict[str, Any]
) -> None:
    trial = trials["mail"]

    scores = scored("mail", with_changes(trial, *trial.changes, insert(app, table, "new", **fields)))

    assert scores["outcome"].detail["besides"] == [f"insert {app}.{table} new"]
    assert (scores["outcome"].value, scores["strict"].value) == (0.0, 1.0)


def test_drafts_and_marks_of_what_was_read_are_free(trials: Mapping[Place, Trajectory]) -> None:
    trial = trials["mail"]
    free = [
        insert("gmail", "drafts", "D1", subject="Approval 1: XX-0000, Y-00000", body="", saved="2026-03-12T09:00:00"),
        insert("gmail", "attachments", "F1", email="D1", name="a.txt", text="x"),
        insert("gmail", "attachments", "F2", email=act(trial).id, name="b.txt", text="x"),
        insert("gmail", "threads", "00000003", read=False),
    ]

    scores = scored("mail", with_changes(trial, *free, *trial.changes))

    assert scores["outcome"].value == 1.0


def test_what_was_found_counts_without_an_act(trials: Mapping[Place, Trajectory]) -> None:
    trial, mine = trials["mail"], act(trials["mail"])

    scores = scored("mail", with_changes(trial, *(each for each in trial.changes if each is not mine)))

    assert values(scores) == {
        "outcome": 0.0, "strict": 0.0, "search_f1": 1.0, "identification": 1.0, "execution": 0.0, "overall": 2 / 3,
    }  # fmt: skip
    assert scores["outcome"].detail["side_effects"] is False


def test_a_form_that_is_no_json_says_nothing_and_the_reason_tells(trials: Mapping[Place, Trajectory]) -> None:
    scores = scored("mail", filled(trials["mail"], "I think that Ada is stuck."))

    assert (scores["search_f1"].value, scores["identification"].value, scores["execution"].value) == (0.0, 0.0, 1.0)
    assert "bottleneck.json nothing can be read: it is not JSON" in scores["outcome"].reason


def test_evidence_is_named_by_id_and_by_path_and_nothing_else(trials: Mapping[Place, Trajectory]) -> None:
    sample = worlds.sample(task("mail").world)
    homes = {id: home for home, id in pouring.homes(sample).items()}
    paper = next(home for home in homes.values() if home.startswith(pouring.DOCUMENTS))
    given = [paper, paper.removeprefix("/workspace/"), sample.documents[0].id, "00004999", 17]

    found = done(sample, filled(trials["mail"], json.dumps({"Evidence": given, "who_blocked": ["A", "B"]})))

    assert found.evidence[0] == pouring.homes(sample)[paper]
    assert all(each.startswith("no such document") for each in found.evidence[1:])
    assert len(found.evidence) == 4
    assert found.details == {"who_blocked": "A; B"}


def test_a_trial_is_retold_in_the_terms_of_the_first_suite(trials: Mapping[Place, Trajectory]) -> None:
    sample = worlds.sample(task("file").world)

    (decision,) = retold(sample, trials["file"]).changes

    assert decision.after is not None
    assert (decision.app, decision.table, decision.after["action"]) == ("actions", "decisions", sample.gold.action)
    assert sample.gold.parameters.items() <= decision.after["parameters"].items()
    assert decision.after["evidence"] == [*sample.gold.true_positives]
