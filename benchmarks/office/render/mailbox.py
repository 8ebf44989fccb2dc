"""The owner's mailbox as rows."""

from __future__ import annotations

from typing import Any

from benchmarks.office.ledger import NOW, Mail, day_of
from benchmarks.office.people import OWNER
from benchmarks.office.render.texts import Texts
from benchmarks.office.stage import keyed

__all__ = ("mail_ids", "mailbox")

_READ = ("Cold Chain Weekly", "Storekeepers Guild")
"""Whose mail the owner keeps to read: not what shops, machines and timetables send."""

_Row = dict[str, Any]
_TYPES = {"csv": "text/csv", "md": "text/markdown", "json": "application/json"}


def mail_ids(texts: Texts) -> dict[str, str]:
    """Mail -> id of its row, in no order that says anything; of those to come too."""
    mails = [mail.id for mail in texts.mails.values()]
    numbers = list(range(1, len(mails) + 1))
    keyed(texts.ledger.seed, "mail ids").shuffle(numbers)
    return {mail: f"{number:08d}" for mail, number in zip(mails, numbers, strict=True)}


def mailbox(texts: Texts) -> dict[str, list[_Row]]:
    """The tables of `gmail`."""
    ids, rows = (
        mail_ids(texts),
        {name: list[_Row]() for name in ("emails", "envelopes", "attachments", "drafts", "trash")},
    )
    there = [mail for mail in texts.mails.values() if mail.at <= NOW]
    there.sort(key=lambda mail: (mail.at, mail.id))
    drafts = [mail for mail in there if mail.draft]
    sent = [mail for mail in there if not mail.draft]
    gone = {mail.id for mail in sent if mail.kind == "spam" and _drawn(texts, mail, "trash") < 0.5}
    for mail in sent:
        row = {"id": ids[mail.id], **_mail(texts, mail, ids)}
        if mail.id in gone:
            rows["trash"].append({**row, "trashed": f"{texts.moment(min(mail.at + 40, NOW)):%Y-%m-%dT%H:%M:%S}"})
        else:
            rows["emails"].append(row)
        rows["envelopes"].append(
            {
                "id": ids[mail.id],
                "to": [texts.address(key) for key in mail.to]
                if len(mail.to) > 1 or OWNER not in (mail.sender, *mail.to)
                else [],
                "sender_name": texts.name(mail.sender),
            }
        )
        for file in mail.files:
            rows["attachments"].append(_attached(texts, file, ids[mail.id], len(rows["attachments"]) + 1))
    for number, mail in enumerate(drafts, 1):
        rows["drafts"].append(
            {
                "id": f"D{number}",
                "address": texts.address(mail.to[0]),
                "subject": texts.subject(mail),
                "body": texts.body(mail),
                "saved": f"{texts.moment(mail.at):%Y-%m-%dT%H:%M:%S}",
            }
        )
    kept = [mail for mail in sent if mail.id not in gone]
    return {**rows, **_threads(texts, kept, ids)}


def _mail(texts: Texts, mail: Mail, ids: dict[str, str]) -> _Row:
    outgoing = mail.sender == OWNER
    return {
        "folder": "outbox" if outgoing else "inbox",
        "address": texts.address(mail.to[0] if outgoing else mail.sender),
        "subject": texts.subject(mail),
        "sent_datetime": texts.stamp(mail.at),
        "body": texts.body(mail),
        "starred": False,
        "thread": ids[mail.thread] if mail.thread else None,
        "cc": [texts.address(key) for key in mail.cc],
    }


def _attached(texts: Texts, file: str, email: str, number: int) -> _Row:
    path, text = texts.file(texts.versions[file])
    name = path.rpartition("/")[2]
    return {"id": f"F{number}", "email": email, "name": name, "type": _TYPES[name.rpartition(".")[2]], "text": text}


def _threads(texts: Texts, mails: list[Mail], ids: dict[str, str]) -> dict[str, list[_Row]]:
    whole: dict[str, list[Mail]] = {}
    for mail in mails:
        whole.setdefault(mail.thread or mail.id, []).append(mail)
    labels = sorted({mail.label for mail in mails if mail.label} | {"Reading"})
    threads: list[_Row] = []
    tagged: list[_Row] = []
    for first, parts in whole.items():
        last, began = parts[-1], parts[0]
        draw, age = _drawn(texts, began, "thread"), -day_of(last.at)
        unread = last.sender != OWNER and (
            draw < 0.62 if age <= 2 else draw < 0.25 if age <= 6 else began.kind == "bulk" and draw < 0.4
        )
        archived = not unread and ((age > 21 and draw > 0.2) or (age > 5 and draw > 0.6))
        threads.append(
            {
                "id": ids[first],
                "archived": archived,
                "read": not unread,
                "starred": 0.50 < draw < 0.54,
                "category": {"bulk": "updates" if draw < 0.6 else "forums", "spam": "promotions"}.get(
                    began.kind, "primary"
                ),
            }
        )
        label = began.label or ("Reading" if began.sender.startswith(_READ) and draw > 0.4 else "")
        if label:
            tagged.append({"id": f"TL{len(tagged) + 1}", "thread": ids[first], "label": label})
    return {
        "threads": threads,
        "labels": [{"id": f"L{n}", "name": name} for n, name in enumerate(labels, 1)],
        "thread_labels": tagged,
    }


def _drawn(texts: Texts, mail: Mail, what: str) -> float:
    return keyed(texts.ledger.seed, what, mail.id).random()
