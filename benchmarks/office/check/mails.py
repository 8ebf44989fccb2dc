"""Rules about the mailbox."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from benchmarks.office.check.office import Office, Problem, Row
from benchmarks.office.check.reading import files_in, parts
from benchmarks.office.ledger import NOW, Mail, day_of
from benchmarks.office.people import OWNER_ZONE, Person
from benchmarks.office.render.texts import RULE
from benchmarks.office.styles import SOBER, sober

__all__ = (
    "answers_come_after",
    "attachments_are_what_was_there",
    "conversations_hang_together",
    "drafts_are_for_somebody",
    "files_that_are_named_are_there",
    "letters_greet_and_sign_rightly",
    "mails_are_those_of_the_ledger",
    "mails_reach_whoever_answers_them",
    "mails_say_what_is_so",
    "nobody_writes_while_away",
    "nothing_is_sent_twice",
    "quotes_equal_the_earlier_mail",
)

_ATTACHED = re.compile(r"\b(is|are) attached\b|list attached|Plan attached|profile attached")


def mails_are_those_of_the_ledger(office: Office) -> Iterator[Problem]:
    """Each mail is there once, from whom and at what moment the ledger says."""
    there = {id: mail for id, mail in office.events.items() if mail.at <= NOW and not mail.draft}
    for id in sorted(there.keys() ^ office.mails.keys()):
        yield Problem("rows", f"gmail {id}", "is in the ledger or in the mailbox, and not in both")
    names = {row["id"]: row["sender_name"] for row in office.rows("gmail", "envelopes")}
    for id, mail in there.items():
        if (row := office.mails.get(id)) is None:
            continue
        if row["sent_datetime"] != office.texts.stamp(mail.at):
            yield Problem("moments", f"gmail {id}", f"was sent at {office.texts.stamp(mail.at)}")
        if office.sender(row) != office.texts.address(mail.sender):
            yield Problem("people", f"gmail {id}", f"is by {office.texts.address(mail.sender)}")
        if names.get(id, "") not in ("", office.texts.name(mail.sender)):
            yield Problem("people", f"gmail {id}", f"its sender is called {office.texts.name(mail.sender)}")


def mails_say_what_is_so(office: Office) -> Iterator[Problem]:
    """Dates, weekdays and sums in a mail, quotes apart, held when it was written."""
    for id, row in office.mails.items():
        if mail := office.events.get(id):
            began = mail
            while began.answers:
                began = office.texts.mails[began.answers]
            yield from office.said(f"gmail {id}", f"{row['subject']}\n{office.own(row)}", mail, began)


def quotes_equal_the_earlier_mail(office: Office) -> Iterator[Problem]:
    """A quote is the mail that it answers, and the line above says whose and when."""
    ids = {mail.id: id for id, mail in office.events.items()}
    for id, row in office.mails.items():
        _, line, quoted = parts(row["body"])
        mail = office.events.get(id)
        if line is None or mail is None or mail.answers is None:
            continue
        earlier = office.mails.get(ids[mail.answers])
        if earlier is None:
            yield Problem("quotes", f"gmail {id}", "quotes a mail that is not there")
            continue
        own = "\n".join(each.rstrip() for each in office.own(earlier).split("\n"))
        said, line_below, below = parts(quoted)
        if said != own:
            yield Problem("quotes", f"gmail {id}", "does not quote what was written")
        if line_below:
            _, line_there, there_quoted = parts(earlier["body"])
            if line_there is None or line_there[0] != line_below[0] or parts(there_quoted)[0] != parts(below)[0]:
                yield Problem("quotes", f"gmail {id}", "has a quote in its quote that is not there")
        there = datetime.fromisoformat(earlier["sent_datetime"]).replace(tzinfo=ZoneInfo(OWNER_ZONE))
        there = there.astimezone(ZoneInfo(office.ledger.company.person(mail.sender).zone))
        if (line[1], line[2]) != (f"{there.day} {there:%B %Y}", f"{there:%H:%M}"):
            yield Problem("quotes", f"gmail {id}", f"what it quotes was sent at {there:%Y-%m-%d %H:%M}")
        if line[3] != office.texts.name(office.texts.mails[mail.answers].sender):
            yield Problem("quotes", f"gmail {id}", "names somebody else as the writer of what it quotes")
        if office.sender(row) not in office.present[earlier["id"]]:
            yield Problem("audience", f"gmail {id}", "quotes a mail that its writer never got")


def mails_reach_whoever_answers_them(office: Office) -> Iterator[Problem]:
    """Who writes in a conversation has got something of it, and the owner is in each mail."""
    ids = {mail.id: id for id, mail in office.events.items()}
    for rows in office.conversations.values():
        reached = set[str]()
        for row in rows:
            mail, present = office.events.get(row["id"]), office.present[row["id"]]
            if mail and mail.kind == "person" and row["thread"] and office.sender(row) not in reached:
                yield Problem("audience", f"gmail {row['id']}", "its writer never got a mail of this conversation")
            answered = office.mails.get(ids[mail.answers]) if mail and mail.answers else None
            if answered and mail and mail.kind == "person" and office.sender(row) not in office.present[answered["id"]]:
                yield Problem("audience", f"gmail {row['id']}", "answers a mail that its writer never got")
            if office.owner.address not in present:
                yield Problem("audience", f"gmail {row['id']}", "neither by the owner nor to them")
            reached |= present


def answers_come_after(office: Office) -> Iterator[Problem]:
    """An answer is newer than what it answers, and nothing lies ahead."""
    ids = {mail.id: id for id, mail in office.events.items()}
    for row in office.mails.values():
        mail, where = office.events.get(row["id"]), f"gmail {row['id']}"
        first = office.mails.get(row["thread"] or "")
        earlier = office.mails.get(ids[mail.answers]) if mail and mail.answers else None
        if first and first["sent_datetime"] > row["sent_datetime"]:
            yield Problem("order", where, "is older than the mail that began its conversation")
        elif earlier and earlier["sent_datetime"] > row["sent_datetime"]:
            yield Problem("order", where, "is older than the mail that it answers")
        if office.ahead(row["sent_datetime"]):
            yield Problem("order", where, "lies ahead")
        if "trashed" in row and (
            office.ahead(row["trashed"]) or office.at(row["trashed"]) < office.at(row["sent_datetime"])
        ):
            yield Problem("order", where, "went into the trash before it came, or later than now")


def conversations_hang_together(office: Office) -> Iterator[Problem]:
    """A conversation is named after its first mail, its answers bear a subject of it, and is read by who wrote last."""
    states = office.by_id("gmail", "threads")
    kept = {row["id"] for row in office.rows("gmail", "emails")}
    for key, rows in office.conversations.items():
        where = f"gmail thread {key}"
        if rows[0]["id"] != key or rows[0]["thread"]:
            yield Problem("threads", where, "is not named after the mail that began it")
        if key not in kept:
            continue
        if (state := states.get(key)) is None:
            yield Problem("threads", where, "has no row")
        elif not state["read"] and rows[-1]["folder"] == "outbox":
            yield Problem("threads", where, "is unread, though the owner wrote last")
        subjects = set[str]()
        for row in rows:
            mail = office.events.get(row["id"])
            subject = row["subject"].removeprefix("Re: ")
            if mail and mail.answers and mail.kind == "person" and subject not in subjects:
                before = office.texts.mails[mail.answers].subject.removeprefix("Re: ")
                if mail.subject.removeprefix("Re: ") == before:
                    yield Problem("subjects", f"gmail {row['id']}", f"{subject!r} is not a subject of its conversation")
            subjects.add(subject)
    for key in sorted(states.keys() - office.conversations.keys()):
        yield Problem("threads", f"gmail thread {key}", "has no mail")


def letters_greet_and_sign_rightly(office: Office) -> Iterator[Problem]:
    """A mail greets whom it goes to, ends as its news bears, with its writer's name and the signature of that time."""
    people = office.ledger.company.people.values()
    firsts = {person.first for person in people}
    names = firsts | {person.name for person in people}
    greetings = {
        person.key: [
            re.compile(re.escape(each).replace(r"\{\}", r"(?P<who>.+?)"))
            for each in (*person.style.greetings, *sober(person.style).greetings)
            if each
        ]
        for person in people
    }
    for id, row in office.mails.items():
        mail = office.events.get(id)
        writer = office.people.get(office.sender(row))
        if mail is None or writer is None or mail.kind != "person":
            continue
        letter, _, signature = office.own(row).partition(RULE)
        head, rest, _ = letter.partition("\n\n")
        if rest and (found := next((f for each in greetings[writer.key] if (f := each.fullmatch(head))), None)):
            to = {office.people[key].first for key in office.addressed(row) if key in office.people}
            if found["who"] == "all" and len(to) < 2:
                yield Problem("greetings", f"gmail {id}", "greets all, and goes to one")
            for name in re.split(r" and |, ", found["who"]):
                if name in firsts and name not in to:
                    yield Problem("greetings", f"gmail {id}", f"greets {name}, to whom it does not go")
        if mail.tone == "grave":
            ends = {line.strip() for line in letter.split("\n")[-2:]}
            if ends & {each for each in writer.style.goodbyes if each not in SOBER} or re.search(r":\)|!!", letter):
                yield Problem("tone", f"gmail {id}", "ends cheerfully below grave news")
        last = letter.rpartition("\n")[2]
        if last in names - {writer.first, writer.name}:
            yield Problem("signatures", f"gmail {id}", f"{last} has signed what {writer.name} wrote")
        if signature:
            yield from _signature(office, row, writer, signature.split("\n"))


def _signature(office: Office, row: Row, writer: Person, lines: list[str]) -> Iterator[Problem]:
    phones = writer.phones if office.day(row["sent_datetime"]) >= writer.signature_changes else writer.phones[::-1]
    if lines[0] != writer.name:
        yield Problem("signatures", f"gmail {row['id']}", f"is signed by {lines[0]}")
    elif phones[0] in lines and phones[0] != phones[1]:
        yield Problem("signatures", f"gmail {row['id']}", f"{phones[0]} was not their number then")
    elif phones[1] not in lines:
        yield Problem("signatures", f"gmail {row['id']}", "has a number that is not theirs")


def nothing_is_sent_twice(office: Office) -> Iterator[Problem]:
    """No mail is there a second time on a day, but for those that the ledger says were sent twice by mistake."""
    seen: dict[tuple[str, str, str, str], str] = {}
    for id, row in office.mails.items():
        mail, day = office.events.get(id), str(row["sent_datetime"])[:10]
        what = office.sender(row), day, str(row["subject"]), str(row["body"])
        if what in seen and not (mail and mail.twin):
            yield Problem("duplicates", f"gmail {id}", f"is {seen[what]} once more")
        seen.setdefault(what, id)


def nobody_writes_while_away(office: Office) -> Iterator[Problem]:
    """Neither on leave nor before they join nor after they left, in mails and in chat."""
    members = {row["id"]: row["address"] for row in office.rows("chat", "members")}
    written = [
        (f"gmail {id}", office.sender(row), row["sent_datetime"])
        for id, row in office.mails.items()
        if id in office.events and office.events[id].kind != "auto"
    ]
    written += [
        (f"chat {row['id']}", members.get(row["author_id"], ""), row["sent"]) for row in office.rows("chat", "messages")
    ]
    for where, address, moment in written:
        person = office.people.get(address)
        if person and not person.works(office.day(moment)):
            yield Problem("leave", where, f"{person.key} was not there on {moment[:10]}")


def attachments_are_what_was_there(office: Office) -> Iterator[Problem]:
    """An attachment is its file as it was when the mail went, and what speaks of one has one."""
    forgotten = {id for error in office.ledger.errors if error.kind == "forgotten attachment" for id in error.events}
    files: dict[str, list[tuple[str, str]]] = {}
    for row in office.rows("gmail", "attachments"):
        files.setdefault(row["email"], []).append((row["name"], row["text"]))
    for id, row in office.mails.items():
        mail, there = office.events.get(id), files.get(id, [])
        if mail is None:
            continue
        for name, text in there:
            if office.file_then(name, mail.at) != text:
                yield Problem("attachments", f"gmail {id}", f"{name} was not so when it was sent")
        if len(there) != len(mail.files):
            yield Problem("attachments", f"gmail {id}", f"has {len(there)} files and not {len(mail.files)}")
        if not there and mail.id not in forgotten and _ATTACHED.search(office.own(row)):
            yield Problem("attachments", f"gmail {id}", "speaks of a file and has none")


def files_that_are_named_are_there(office: Office) -> Iterator[Problem]:
    """A file that somebody names was there by then."""
    said = [(f"gmail {id}", office.own(row), row["sent_datetime"]) for id, row in office.mails.items()]
    said += [(f"chat {row['id']}", row["text"], row["sent"]) for row in office.rows("chat", "messages")]
    said += [(f"todoist {row['id']}", row["text"], row["posted"]) for row in office.rows("todoist", "comments")]
    said += [(f"simple_note {row['id']}", row["text"], row["changed"]) for row in office.rows("simple_note", "notes")]
    for where, text, moment in said:
        for name in files_in(text):
            if office.file_then(name, office.at(moment)) is None:
                yield Problem("files", where, f"names {name}, which was not there")


def drafts_are_for_somebody(office: Office) -> Iterator[Problem]:
    """Drafts are those of the ledger, say what is so, and lie before `now`."""
    mails = sorted((mail for mail in office.so_far(Mail) if mail.draft), key=lambda mail: (mail.at, mail.id))
    rows = office.rows("gmail", "drafts")
    if len(rows) != len(mails):
        yield Problem("rows", "gmail.drafts", f"has {len(rows)} rows and not {len(mails)}")
    for row, mail in zip(rows, mails, strict=False):
        where = f"gmail draft {row['id']}"
        yield from office.said(where, f"{row['subject']}\n{row['body']}", mail)
        if row["address"] not in office.people:
            yield Problem("people", where, f"{row['address']} is nobody")
        if office.ahead(row["saved"]) or office.day(row["saved"]) != day_of(mail.at):
            yield Problem("order", where, "was not saved when it was written")
