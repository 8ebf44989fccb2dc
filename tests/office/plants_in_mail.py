"""Inconsistencies in the mailbox, each with the rule that has to find it."""

from __future__ import annotations

import re

from benchmarks.office.check import amounts, days_in
from benchmarks.office.render.mailbox import mail_ids
from benchmarks.office.render.texts import Texts
from benchmarks.office.styles import SOBER, sober
from benchmarks.office.world import ledger, world
from tests.office.planting import Row, Rows, changed, day, first, mail, person, planted

_RULE = "\n\n-- \n"


# -- mails: what they say


@planted("amounts")
def a_sum_that_was_never_named(rows: Rows) -> None:
    row = mail(rows, "is our offer as discussed")
    (old,) = amounts(row["body"])
    changed(row, "body", f"{old:,}", f"{old + 7:,}")


@planted("amounts")
def a_sum_of_another_version(rows: Rows) -> None:
    row = mail(rows, "replaces the one you have")
    (old,) = amounts(row["body"].partition(" wrote:\n>")[0])
    before = ledger().facts["deal.price"].at(-(10**6))
    assert old != before
    changed(row, "body", f"{old:,}", f"{before:,}")


@planted("dates")
def a_day_too_early(rows: Rows) -> None:
    row = first(
        rows, "gmail", "emails", lambda row: row["folder"] == "outbox" and "Founders' Day and no" in row["body"]
    )
    year, month, number, _ = next(days_in(row["body"]))
    assert (year, number > 1, month > 0) == (None, True, True)
    changed(row, "body", f"{number} ", f"{number - 1} ")


@planted("dates")
def a_deadline_on_another_day(rows: Rows) -> None:
    row = mail(rows, "Comments ")
    begin = next(each for each in ("Comments until ", "Comments till ") if each in row["body"])
    words = row["body"].split(begin)[1][:40]
    year, month, number, weekday = next(days_in(words))
    assert number < 32
    changed(row, "body", words, re.sub(r"\d+", lambda found: str(int(found[0]) % 28 + 1), words, count=1))
    assert (year, month, number, weekday) != next(days_in(row["body"].split(begin)[1][:40]))


@planted("weekdays")
def another_weekday(rows: Rows) -> None:
    for row in rows["gmail"]["emails"]:
        own = row["body"].partition(" wrote:")[0]
        if found := re.search(r"\b(Mon|Tues|Wednes|Thurs|Fri)day\b", own):
            changed(row, "body", found[0], "Sunday")
            return
    raise AssertionError("no mail names a weekday: the plant does nothing")


@planted("quotes")
def a_quote_that_says_more(rows: Rows) -> None:
    first(rows, "gmail", "emails", lambda row: "\n> " in row["body"])["body"] += " and more"


@planted("quotes")
def a_quote_in_a_quote_that_says_more(rows: Rows) -> None:
    first(rows, "gmail", "emails", lambda row: "\n>> " in row["body"])["body"] += " and more"


@planted("quotes")
def a_quote_in_a_quote_of_somebody_else(rows: Rows) -> None:
    row = first(rows, "gmail", "emails", lambda row: " wrote:\n>> " in row["body"])
    line = next(line for line in row["body"].split("\n") if line.startswith("> On ") and line.endswith(" wrote:"))
    changed(row, "body", line, re.sub(r", [^,]+ wrote:", ", Nobody Known wrote:", line))


@planted("quotes")
def a_quote_of_another_hour(rows: Rows) -> None:
    row = first(rows, "gmail", "emails", lambda row: " wrote:\n>" in row["body"])
    line = next(line for line in row["body"].split("\n") if line.endswith(" wrote:"))
    changed(row, "body", line, re.sub(r" at \d\d:\d\d", " at 03:33", line))


@planted("quotes")
def a_quote_of_somebody_else(rows: Rows) -> None:
    row = first(rows, "gmail", "emails", lambda row: f", {person('coo').name} wrote:\n>" in row["body"])
    changed(row, "body", f", {person('coo').name} wrote:", f", {person('cfo').name} wrote:")


@planted("audience")
def a_quote_of_a_mail_that_they_never_got(rows: Rows) -> None:
    quotes = {row["id"]: row for row in rows["gmail"]["emails"] if " wrote:\n>" in row["body"]}
    for envelope in rows["gmail"]["envelopes"]:
        there = first_of(rows, envelope["id"])
        if there is None or there["folder"] != "outbox" or not envelope["to"]:
            continue
        for row in quotes.values():
            if row["thread"] == (there["thread"] or there["id"]) and row["address"] in envelope["to"]:
                envelope["to"].remove(row["address"])
                there["cc"] = [each for each in there["cc"] if each != row["address"]]


def first_of(rows: Rows, id: str) -> Row | None:
    """A mail by its id."""
    return next((row for row in rows["gmail"]["emails"] if row["id"] == id), None)


@planted("audience")
def an_answer_by_somebody_who_got_nothing(rows: Rows) -> None:
    row, dev = mail(rows, "other tickets"), person("dev").address
    assert row["address"] == dev
    for each in rows["gmail"]["emails"]:
        if row["thread"] in (each["id"], each["thread"]):
            each["cc"] = [address for address in each["cc"] if address != dev]


@planted("audience")
def a_mail_that_never_went_to_the_owner(rows: Rows) -> None:
    envelope = first(rows, "gmail", "envelopes", lambda row: person("owner").address in row["to"])
    envelope["to"].remove(person("owner").address)


@planted("greetings")
def a_greeting_of_somebody_else(rows: Rows) -> None:
    for row in rows["gmail"]["emails"]:
        head = row["body"].partition("\n\n")[0]
        if row["folder"] == "outbox" and head == f"Hi {person('planner').first},":
            changed(row, "body", head, f"Hi {person('landlord').first},")
            return
    raise AssertionError("nobody is greeted: the plant does nothing")


@planted("signatures")
def a_mail_that_somebody_else_has_signed(rows: Rows) -> None:
    own = person("owner").first
    row = first(rows, "gmail", "emails", lambda row: row["folder"] == "outbox" and row["body"].endswith(f"\n{own}"))
    row["body"] = row["body"].removesuffix(own) + person("planner").first


@planted("signatures")
def a_number_of_the_other_period(rows: Rows) -> None:
    people = ledger().company.people.values()
    for row in rows["gmail"]["emails"]:
        _, _, signature = row["body"].partition(" wrote:\n>")[0].partition(_RULE)
        for each in people:
            for number in each.phones:
                if number in signature:
                    changed(row, "body", number, next(other for other in each.phones if other != number))
                    return
    raise AssertionError("there is no signature: the plant does nothing")


@planted("signatures")
def a_signature_of_somebody_else(rows: Rows) -> None:
    row = first(rows, "gmail", "emails", lambda row: f"{_RULE}{person('freight').name}\n" in row["body"])
    changed(row, "body", f"{_RULE}{person('freight').name}", f"{_RULE}{person('venue').name}")


@planted("tone")
def cheers_below_grave_news(rows: Rows) -> None:
    texts = Texts(ledger(), world().now.date())
    ids = mail_ids(texts)
    for sent in texts.mails.values():
        writer = ledger().company.people.get(sent.sender)
        row = next((row for row in rows["gmail"]["emails"] if row["id"] == ids[sent.id]), None)
        cheerful = [each for each in writer.style.goodbyes if each not in SOBER] if writer else []
        if row and writer and cheerful and sent.tone == "grave":
            old = next(each for each in sober(writer.style).goodbyes if each and f"\n\n{each}" in row["body"])
            changed(row, "body", f"\n\n{old}", f"\n\n{cheerful[0]}")
            return
    raise AssertionError("nobody who writes gravely is ever cheerful: the plant does nothing")


@planted("files")
def a_file_named_that_there_is_not(rows: Rows) -> None:
    changed(
        mail(rows, "Minutes are attached"), "body", "Minutes are attached", "Minutes are attached, see rota_old.csv"
    )


@planted("attachments")
def an_attachment_of_a_later_version(rows: Rows) -> None:
    rows["gmail"]["attachments"][0]["text"] += "later\n"


@planted("attachments")
def a_lost_attachment(rows: Rows) -> None:
    del rows["gmail"]["attachments"][-1]


@planted("ids")
def an_attachment_of_no_mail(rows: Rows) -> None:
    rows["gmail"]["attachments"].append({**rows["gmail"]["attachments"][0], "id": "F999", "email": "99999999"})


# -- mails: where they stand


@planted("people")
def a_mail_by_somebody_unknown(rows: Rows) -> None:
    first(rows, "gmail", "emails", lambda row: row["folder"] == "inbox")["address"] = "nobody@elsewhere.example"


@planted("people")
def a_sent_mail_with_another_sender(rows: Rows) -> None:
    row = first(rows, "gmail", "emails", lambda row: row["folder"] == "outbox")
    first(rows, "gmail", "envelopes", lambda each: each["id"] == row["id"])["sender_name"] = person("cfo").name


@planted("leave")
def a_mail_on_leave(rows: Rows) -> None:
    owner = first(rows, "gmail", "emails", lambda row: row["folder"] == "outbox")
    owner["sent_datetime"] = f"{day(-64)} 10:00:00"  # the owner is on leave then


@planted("leave")
def a_mail_before_they_joined(rows: Rows) -> None:
    row = first(rows, "gmail", "emails", lambda row: row["address"] == person("junior").address)
    row["folder"], row["sent_datetime"] = "inbox", f"{day(-70)} 10:00:00"


@planted("order")
def an_answer_before_the_question(rows: Rows) -> None:
    first(rows, "gmail", "emails", lambda row: row["thread"])["sent_datetime"] = f"{day(-400)} 10:00:00"


@planted("order")
def an_answer_before_what_it_answers_yet_after_the_first(rows: Rows) -> None:
    threads: dict[str, list[Row]] = {}
    for row in rows["gmail"]["emails"]:
        threads.setdefault(row["thread"] or row["id"], []).append(row)
    some = next(each for each in threads.values() if len(each) > 5 and " wrote:\n>" in each[-1]["body"])
    some[-1]["sent_datetime"] = some[0]["sent_datetime"]


@planted("moments")
def a_mail_an_hour_early(rows: Rows) -> None:
    row = first(rows, "gmail", "emails", lambda row: row["sent_datetime"][11:13] == "11")
    changed(row, "sent_datetime", " 11:", " 10:")


@planted("order")
def a_mail_in_the_trash_before_it_came(rows: Rows) -> None:
    rows["gmail"]["trash"][0]["trashed"] = f"{day(-300)}T10:00:00"


@planted("ids")
def a_thread_that_nobody_began(rows: Rows) -> None:
    first(rows, "gmail", "emails", lambda row: row["thread"])["thread"] = "99999999"


@planted("ids")
def two_mails_with_one_id(rows: Rows) -> None:
    rows["gmail"]["emails"].append(dict(rows["gmail"]["emails"][7]))


@planted("ids")
def a_mail_in_the_mailbox_and_in_the_trash(rows: Rows) -> None:
    row = rows["gmail"]["emails"][9]
    rows["gmail"]["trash"].append({**row, "trashed": f"{day(-1)}T10:00:00"})


@planted("ids")
def a_label_that_there_is_not(rows: Rows) -> None:
    rows["gmail"]["thread_labels"][0]["label"] = "Nonesuch"


@planted("rows")
def a_mail_that_is_gone(rows: Rows) -> None:
    del rows["gmail"]["emails"][5]


@planted("duplicates")
def a_mail_a_second_time(rows: Rows) -> None:
    rows["gmail"]["emails"].append({**rows["gmail"]["emails"][40], "id": "99999998"})


@planted("threads")
def a_conversation_named_after_its_second_mail(rows: Rows) -> None:
    second = first(rows, "gmail", "emails", lambda row: row["thread"])
    key = second["thread"]
    for row in rows["gmail"]["emails"]:
        if key in (row["thread"], row["id"]):
            row["thread"] = None if row is second else second["id"]


@planted("threads")
def an_unread_conversation_in_which_the_owner_wrote_last(rows: Rows) -> None:
    last = {row["thread"] or row["id"]: row for row in rows["gmail"]["emails"]}
    key = next(key for key, row in last.items() if row["folder"] == "outbox")
    first(rows, "gmail", "threads", lambda row: row["id"] == key)["read"] = False


@planted("subjects")
def an_answer_with_a_subject_of_another_conversation(rows: Rows) -> None:
    first(rows, "gmail", "emails", lambda row: row["thread"])["subject"] = "Re: Lift out of order again"


@planted("people")
def a_draft_to_nobody(rows: Rows) -> None:
    rows["gmail"]["drafts"][0]["address"] = "nobody@elsewhere.example"


@planted("order")
def a_draft_from_tomorrow(rows: Rows) -> None:
    rows["gmail"]["drafts"][0]["saved"] = f"{day(1)}T10:00:00"
