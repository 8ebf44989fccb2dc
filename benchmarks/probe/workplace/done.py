"""What somebody did in mail, calendar, task list and files, told as if they had chosen among actions.

The same scores are then worked out by the same checks (`benchmarks.probe.checks`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.probe.grammar.actions import ROLES
from benchmarks.probe.records import Action, Sample
from benchmarks.probe.scoring.answers import DETAILS
from benchmarks.probe.scoring.matcher import named
from benchmarks.probe.workplace.acts import FINDINGS, SHARED, Heading, Place, heading, signs
from benchmarks.probe.workplace.pouring import homes, staff
from harness.trajectory import CallRecord, Trajectory
from servers.kernel import Change, tidied

__all__ = ("Act", "Done", "done", "retold")

_STRANGER, _SEVERAL = "an address of nobody here", "several people"
_UNKNOWN = "no such document: "
_ROOT = "/workspace/"
_HEADING = 1_000
"""Characters of a heading that are read: the first line of a file may have millions, and everybody is looked for."""


class Act(NamedTuple):
    """An action that was taken, by its id, with its parameters as they can be read from the change."""

    action: str
    parameters: dict[str, Any]


class Done(NamedTuple):
    """Acts in the order in which they were done, other changes, and what `FINDINGS` says.

    `evidence` are ids of documents of the sample; `details` the parts of the bottleneck that are filled in. `unread`
    says why nothing can be read of the file, "" where it can.
    """

    acts: Sequence[Act]
    besides: Sequence[Change]
    evidence: Sequence[str]
    details: Mapping[str, str]
    unread: str = ""


class _Told(NamedTuple):
    """What a new row says: its heading, its text, and whom it is for ("": nobody is named)."""

    heading: Heading | None
    text: str
    person: str


def done(sample: Sample, trajectory: Trajectory) -> Done:
    """What a trial's changes come to. Drafts and marks of what was read are left out."""
    places: dict[tuple[str, str, str], int] = {}
    for call in trajectory.calls:
        for write in call.writes:
            places.setdefault((write.app, write.table, write.id), len(places))
    changes = sorted(
        (each for each in trajectory.changes if (each.app, each.id) != ("filesystem", FINDINGS)),
        key=lambda each: places.get((each.app, each.table, each.id), len(places)),
    )
    open_ = dict(zip(signs([each.type for each in sample.actions]), sample.actions, strict=True))
    names = {each.address.lower(): each.name for each in staff(sample)}
    acts: list[Act] = []
    besides: list[Change] = []
    theirs: set[str] = set()
    for change in changes:
        told = _told(sample, change, changes, names)
        if told and told.heading and (action := open_.get(told.heading.sign)):
            acts.append(_act(action, told.heading, told))
            theirs.add(change.id)
        else:
            besides.append(change)
    besides = [each for each in besides if not _free(each, theirs, trajectory)]
    evidence, details, unread = _findings(sample, trajectory)
    return Done(acts, besides, evidence, details, unread)


def retold(sample: Sample, trajectory: Trajectory) -> Trajectory:
    """The trial as if it had been played with `datastore` and `actions`: a decision for each act.

    The first has the evidence and the bottleneck. Where nothing was done and they were told all the same, a decision
    without an action has them.
    """
    found = done(sample, trajectory)
    rows: list[dict[str, Any]] = [{"action": each.action, "parameters": each.parameters} for each in found.acts]
    if found.evidence or found.details:
        first, *others = rows or [{"action": None}]
        rows = [{**first, "evidence": [*found.evidence], "details": {**found.details}}, *others]
    decisions = [
        Change(app="actions", table="decisions", id=f"DEC{number}", before=None, after=row)
        for number, row in enumerate(rows, 1)
    ]
    shown = CallRecord(
        n=0, session=0, turn=0, app="datastore", tool="shown", arguments={}, status="ok",
        text=json.dumps(_shown(sample, trajectory)),
    )  # fmt: skip
    return trajectory.model_copy(update={"changes": decisions, "events": [shown]})


def _act(action: Action, head: Heading, told: _Told) -> Act:
    """Parameters that nothing was said for are left out."""
    who, what, under = ROLES[action.type]
    said = {who: told.person, what: head.thing, under: head.reference, "message": told.text}
    return Act(action.id, {name: text for name, text in said.items() if text})


def _told(sample: Sample, change: Change, changes: Sequence[Change], names: Mapping[str, str]) -> _Told | None:
    """What a new row says that may be an act; None of any other change."""
    if change.op != "insert":
        return None
    row = change.after or {}

    def said(place: Place, title: str, text: str, to: Sequence[str] = ()) -> _Told:
        head = heading(title[:_HEADING], place)
        whom = [names.get(each.lower(), _STRANGER) for each in to if each]
        if head and not to:
            whom = [each for each in names.values() if named(head.person, [each]).wanted] or [head.person]
        return _Told(head, text, whom[0] if len(whom) == 1 else _SEVERAL if whom else "")

    match change.app, change.table:
        case "gmail", "emails" if row.get("folder") == "outbox":
            beside = ((each.after or {}) for each in changes if (each.table, each.id) == ("envelopes", change.id))
            to = next(beside, {}).get("to") or [row["address"]]
            return said("mail", row["subject"], row["body"], [*to, *row.get("cc", ())])
        case "calendar", "events" if row["event_start"][:10] >= sample.now:
            guests = [each["address"] for each in row.get("attendees", ())] or [row["participant_email"]]
            return said("event", row["event_name"], row.get("description", ""), guests)
        case "todoist", "tasks":
            return said("task", row["content"], row.get("description", ""))
        case "filesystem", "entries" if change.id.startswith(f"{SHARED}/") and row.get("text"):
            title, _, text = row["text"].lstrip().partition("\n")
            return said("file", title, text)
    return None


def _free(change: Change, acts: Collection[str], trajectory: Trajectory) -> bool:
    """Whether a change belongs to an act, to a draft, or only marks what was read."""
    row = change.after or change.before or {}
    match change.app, change.table:
        case "gmail", "envelopes":
            return change.id in acts
        case "gmail", "attachments":
            drafts = {each.id for each in trajectory.changes if (each.app, each.table) == ("gmail", "drafts")}
            return row["email"] in acts or row["email"] in drafts
        case "gmail", "drafts":
            return True
        case "gmail", "threads":
            usual = trajectory.defaults.get("gmail.threads", {})
            before, after = ({**usual, **(each or {}), "read": True} for each in (change.before, change.after))
            return before == after
    return False


def _findings(sample: Sample, trajectory: Trajectory) -> tuple[list[str], dict[str, str], str]:
    """Evidence, details, and why nothing can be read of the file ("": it can, or nobody touched it)."""
    change = next((each for each in trajectory.changes if (each.app, each.id) == ("filesystem", FINDINGS)), None)
    if change is None:
        return [], {}, ""
    try:
        form = json.loads((change.after or {}).get("text") or "")
    except ValueError as error:
        return [], {}, f"it is not JSON: {error}"
    except RecursionError:
        return [], {}, "it is nested too deeply"
    if not isinstance(form, dict):
        return [], {}, "it is not a JSON object"
    # JSON can say what no record holds: half a character (`"\ud83d"`), NaN, lists in lists in lists.
    form = {name.casefold(): value for name, value in tidied(form).items()}
    given = form.get("evidence", [])
    known = {home.casefold(): document for home, document in homes(sample).items()}
    told = [str(each).strip() for each in (given if isinstance(given, list) else [given]) if each]
    evidence = [_document(known, each) for each in told]
    details: dict[str, str] = {name: text for name in DETAILS if (text := _said(form.get(name)))}
    return list(dict.fromkeys(evidence)), details, ""


def _document(known: Mapping[str, str], home: str) -> str:
    """The document of an id or path, in any letter case, with or without the top directory."""
    low = home.casefold()
    return known.get(low) or known.get(_ROOT + low.lstrip("/")) or _UNKNOWN + home


def _said(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(map(_said, value))
    return "" if value is None else str(value).strip()


def _shown(sample: Sample, trajectory: Trajectory) -> list[str]:
    """Documents that the apps showed anything of: a mail's or an event's id, or a file's name."""
    calls = [call for call in trajectory.calls if call.status == "ok" and not call.writes]
    mail = "\n".join(call.text for call in calls if call.app in ("gmail", "calendar"))
    files = "\n".join(f"{call.text}\n{call.arguments}" for call in calls if call.app == "filesystem")
    return [
        document
        for home, document in homes(sample).items()
        if (home.rpartition("/")[2] in files if "/" in home else f'"{home}"' in mail)
    ]
