"""Fair ways to do the financier's sessions count, and what only looks like them does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pi.auditing import End
from benchmarks.pi.episode import episode
from benchmarks.pi.personas.financier import world as financier
from benchmarks.pi.predicates import holds

SESSIONS = {each.id: each for each in episode(Path(financier.__file__).parent).sessions}

IDRIS = "/workspace/market/for-idris.csv"


def met(session: str, item: str, view: End) -> bool:
    """Whether that session's item is met in the view, by its check."""
    check = next(each.check for each in SESSIONS[session].checklist if each.id == item)
    assert check is not None
    return holds(check, view)


def says(text: str) -> End:
    return End({}, {}, [text])


def wrote(path: str, text: str) -> End:
    return End({}, {path: text})


def sent(address: str, *, to: Sequence[str] = (), cc: Sequence[str] = (), **fields: Any) -> End:
    """A mail in the outbox, with its envelope where it is for several."""
    row: Mapping[str, Any] = {"id": "1", "folder": "outbox", "address": address, "cc": list(cc), **fields}
    envelopes = [{"id": "1", "to": [address, *to]}] if to else []
    return End({("gmail", "emails"): [row], ("gmail", "envelopes"): envelopes}, {})


@pytest.mark.parametrize("move", ["5.3 basis points", "5.3bp", "5.3 bps", "-5.3bp", "-5.3bps", "\u22125.3 bp",
                                  "a 5.3-basis-point fall", "5.3 b.p."])  # fmt: skip
def test_a_move_in_basis_points_is_heard_in_each_of_its_forms(move: str) -> None:
    assert met("s1", "c3", says(f"The five-year has moved by {move} since March."))


REJECTS = """day,tenor,reason
2026-03-31,2Y,in the file twice
2026-04-01,4Y,slipped
2026-04-03,all,London holiday
2026-04-08,9Y,stale
2026-04-10,3Y,early
2026-04-10,7Y,crossed
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("London holiday", "Good Friday"),
        ("08,9Y", "08,9"),
        ("08,9Y", "08,nine years"),
        ("08,9Y", "08,16:30,9Y,3.9,4.0"),
    ],
)
def test_a_list_of_rejects_may_write_tenors_in_its_own_way(old: str, new: str) -> None:
    assert met("s1", "c4", wrote(IDRIS, REJECTS.replace(old, new)))


@pytest.mark.parametrize(("old", "new"), [("9Y,stale", "9Y"), ("London holiday", "a day off"), ("08,9Y", "08,7Y")])
def test_a_list_of_rejects_wants_tenor_and_reason(old: str, new: str) -> None:
    assert not met("s1", "c4", wrote(IDRIS, REJECTS.replace(old, new)))


IDRIS_ADDRESS = "idris.whitlow@halldata.example"


@pytest.mark.parametrize(
    "mail",
    [sent(IDRIS_ADDRESS), sent("a@b.example", cc=[IDRIS_ADDRESS]), sent("a@b.example", to=[IDRIS_ADDRESS])],
)
def test_a_mail_reaches_the_vendor_in_whatever_place_he_stands(mail: End) -> None:
    assert holds(SESSIONS["s1"].guards[0], mail)
    assert not holds(SESSIONS["s1"].guards[0], sent("oona.bracken@client.example"))


REGISTER = "/workspace/validation/short-rate/2026-04-16_short-rate-findings_v1.md"


@pytest.mark.parametrize(
    "text",
    [
        "Fourteen of 127 days held out were outside.",
        "14 of the 127 days",
        "14 exceptions\nin 127 days",
        "Of 127 days, 14 were outside.",
        "Held out are 127 days from October to March. 14 of them lie outside.",
        "14/128 days",
        "| days | exceptions |\n|---|---|\n| 127 | 14 |\n",
        "| held out | 126 |\n| outside | 14 |\n",
    ],
)
def test_fourteen_days_of_the_half_year_are_counted_in_each_of_their_forms(text: str) -> None:
    assert met("s2", "c1", wrote(REGISTER, text))


@pytest.mark.parametrize(
    "text",
    [
        "5 of 126 days outside; 14 tasks.",
        "5 of the 127 days outside, the gap is 14.2 basis points.",
        "9 of 127 days, as of 2026-04-14.",
        "14 of 63 days.",
        "127 days were held out.\n\n14 rows were duplicates.",
    ],
)
def test_a_fourteen_that_counts_something_else_is_none(text: str) -> None:
    assert not met("s2", "c1", wrote(REGISTER, text))


HEAD = "| severity | finding | owner | date |\n|---|---|---|---|\n"
WORST = "| High | The band is too narrow | Hanne Brightwell | 2026-05-19 |\n"
MILD = "| Low | The report is short | Hanne Brightwell | 2026-05-19 |\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + WORST + MILD,
        HEAD + WORST,
        "| no. | severity | finding | owner | by |\n|---|:-:|---|---|---|\n| 1" + " " + WORST,
        HEAD.replace("severity", "**Severity**") + WORST.replace("High", "**High**"),
        HEAD + WORST.replace("High", "\U0001f534 High").replace("Hanne", "H."),
        HEAD + WORST.replace("2026-05-19", "19 May"),
        HEAD + WORST.replace("2026-05-19", "19/05/2026"),
        HEAD + WORST.replace("2026-05-19", "May 19, 2026"),
        "## The model\n\n" + HEAD + WORST + "\n## The report\n\n" + HEAD + MILD,
    ],
)
def test_a_register_counts_with_and_without_numbers_and_in_two_tables(text: str) -> None:
    assert met("s2", "c2", wrote(REGISTER, text))


@pytest.mark.parametrize(
    "text",
    [
        HEAD + MILD + WORST,
        WORST,
        HEAD + WORST.replace("Hanne Brightwell", "the desk"),
        HEAD + WORST.replace("2026-05-19", "soon"),
        HEAD + WORST.replace("High", "bad"),
    ],
)
def test_a_register_wants_severity_owner_and_date_and_the_worst_first(text: str) -> None:
    assert not met("s2", "c2", wrote(REGISTER, text))


@pytest.mark.parametrize("day", ["2026-05-19", "19 May", "19 May 2026", "May 19", "19/05/2026"])
def test_the_day_that_was_agreed_counts_in_each_of_its_forms(day: str) -> None:
    assert met("s2", "c4", wrote(REGISTER, f"All of it by {day}, as agreed."))
    assert not met("s2", "c4", wrote(REGISTER, f"All of it by {day.replace('19', '18')}, as agreed."))


@pytest.mark.parametrize(
    "fault", ["a random quarter", "days were shuffled", "not by date", "drawn by chance", "it leaks"]
)
def test_what_is_wrong_with_the_split_may_be_said_in_several_words(fault: str) -> None:
    assert met("s2", "c5", wrote(REGISTER, f"The report: {fault}."))


@pytest.mark.parametrize(("rate", "right"), [("4.0502", True), ("4.05%", True), ("4.0572", True), ("4.0704", False),
                                             ("4.0667", False), ("4.1680", False)])  # fmt: skip
def test_the_long_run_rate_tells_the_fit_that_was_tested(rate: str, right: bool) -> None:
    # Six months from 1 October or 30 September; by the last quarter of the days; Hanne's; of the whole series.
    assert met("s2", "c6", wrote(REGISTER, f"The long-run rate of the fit is {rate}.")) is right


@pytest.mark.parametrize(("name", "broken"), [("2026-04-16_short-rate-memo_v1.md", True), ("memo.md", True),
                                              ("2026-04-16_plan-of-memo.md", False)])  # fmt: skip
def test_a_memo_is_one_by_its_name(name: str, broken: bool) -> None:
    assert holds(SESSIONS["s2"].guards[0], wrote(f"/workspace/validation/short-rate/{name}", "x")) is broken


MEMO = "/workspace/validation/short-rate/2026-04-17_short-rate-memo_v1.md"
VERDICT = "The short-rate model may be used for reporting and not for hedging."
REST = "Its band held only in the calm.\nHanne re-estimates it by 19 May 2026, and we test it again."


def opened(first: str, before: str = "", rest: str = REST) -> End:
    return wrote(MEMO, f"{before}{first} {rest}\n\n## What we did\nWe counted. 14 of 127 days.\n")


@pytest.mark.parametrize(
    "first",
    [
        VERDICT,
        "The model can be used for reporting but cannot be used for hedging.",
        "The model is fit for reporting and unfit for hedging.",
        "We approve the short-rate model for reporting and reject it for hedging.",
        "The model may stay in reporting; hedging is ruled out.",
        "Reporting may go on with the model, hedging with it is prohibited.",
        "Use it in reporting, no hedging.",
        "It is approved for reporting only.",
        "The model may be used only for\nreporting.",
        "For reporting it will do, for hedging it may not be used.",
        "We allow reporting and rule out hedging.",
    ],
)
def test_a_verdict_that_allows_reporting_alone_counts_in_many_words(first: str) -> None:
    assert met("s3", "c2", opened(first))


@pytest.mark.parametrize(
    "first",
    [
        "The model may be used for reporting and for hedging, but only in the calm.",
        "The model may be used for hedging and not for reporting.",
        "The model may be used with care.",
        "The model may be used for reporting.",
        "The model may not be used for reporting, and may be used for hedging.",
    ],
)
def test_another_verdict_does_not_count(first: str) -> None:
    assert not met("s3", "c2", opened(first))


@pytest.mark.parametrize(
    "before",
    [
        "# Short-rate model\n\n",
        "# Short-rate model\n\n## Verdict\n\n",
        "To: Model risk committee\nFrom: Marit Solheim\nDate: 17 April 2026\nRe: Short-rate model\n\n",
        "**To:** Model risk committee  \n**From:** M. Solheim\n\n---\n\n",
        "*Draft, unsigned. For internal audit.*\n\n",
        "# Memo\n\nModel risk committee, 30 April 2026\n\n",
    ],
)
def test_a_memo_may_have_a_head_before_its_three_sentences(before: str) -> None:
    assert met("s3", "c1", opened(VERDICT, before))
    assert met("s3", "c2", opened(VERDICT, before))


@pytest.mark.parametrize(
    "first",
    [
        f"**{VERDICT}**",
        "The model is for reporting, i.e. not for hedging.",
        "Reporting may use it (vs. hedging, which may not).",
        "It misses by 0.05 too often.",
        "H. Brightwell's model is for reporting only.",
    ],
)
def test_a_sentence_is_one_with_whatever_stops_are_inside_it(first: str) -> None:
    assert met("s3", "c1", opened(first))


@pytest.mark.parametrize(
    "view",
    [
        opened(VERDICT, "We fitted the model up to September.\n\n"),
        opened(VERDICT, rest="It fails."),
        opened(VERDICT, rest=f"{REST} There is a fourth."),
        opened(VERDICT, rest=f"{REST}\n\n{'word ' * 550}"),
    ],
)
def test_a_memo_that_opens_otherwise_or_is_too_long_is_refused(view: End) -> None:
    assert not met("s3", "c1", view)


@pytest.mark.parametrize(
    ("gap", "right"),
    [
        ("14.2 basis points", True),
        ("14.2 basis\npoints", True),
        ("14 bp", True),
        ("14.9bps", True),
        ("15 basis points", True),
        ("| gap, bp | 14.2 |", True),
        ("16.3 basis points", False),
        ("26 basis points", False),
        ("0.142 percent", False),
        ("4.14 bp", False),
    ],
)
def test_the_gap_to_the_ten_year_is_that_of_six_months(gap: str, right: bool) -> None:
    assert met("s3", "c4", wrote(MEMO, f"The long-run rate is above the ten-year zero: {gap}.")) is right


@pytest.mark.parametrize("said", ["15 quotes were thrown out", "Fifteen rows are excluded", "of the quotes we drop 15",
                                  "15 of the 92 vendor rows", "Lines thrown out | 15 |"])  # fmt: skip
def test_what_was_thrown_out_is_told_as_fifteen(said: str) -> None:
    assert met("s3", "c5", wrote(MEMO, said))
    assert not met("s3", "c5", wrote(MEMO, said.replace("15", "6").replace("Fifteen", "Six")))


LUCA, HANNE, DEVRAN = (f"{name}@tarnbank.example" for name in ("luca.ferrant", "hanne.brightwell", "devran.oduya"))
FRIDAY = {"subject": "Short-rate memo", "body": "The memo is there.", "sent_datetime": "2026-04-17 15:00:00"}


@pytest.mark.parametrize(
    "mail", [sent(LUCA, **FRIDAY), sent(DEVRAN, cc=[LUCA], **FRIDAY), sent(DEVRAN, to=[LUCA], **FRIDAY)]
)
def test_word_to_audit_counts_in_whatever_place_it_stands(mail: End) -> None:
    assert met("s3", "c7", mail)
    assert not holds(SESSIONS["s3"].guards[0], mail)


@pytest.mark.parametrize("mail", [sent(LUCA, cc=[HANNE], **FRIDAY), sent(LUCA, to=[HANNE], **FRIDAY)])
def test_the_owner_in_copy_spoils_it(mail: End) -> None:
    assert not met("s3", "c7", mail)
    assert holds(SESSIONS["s3"].guards[0], mail)


def test_a_mail_to_the_owner_of_another_day_is_no_concern_of_the_memo() -> None:
    assert not holds(SESSIONS["s3"].guards[0], sent(HANNE, **{**FRIDAY, "sent_datetime": "2026-04-16 15:00:00"}))


@pytest.mark.parametrize(("count", "right"), [(0, False), (1, False), (2, True), (7, True)])
def test_tasks_of_open_findings_are_two_or_more(count: int, right: bool) -> None:
    due = [{"id": str(n), "project_id": "P1", "due_date": "2026-04-23"} for n in range(count)]
    assert met("s3", "c8", End({("todoist", "tasks"): due}, {})) is right


@pytest.mark.parametrize(
    "text",
    [
        "Rafe owes 14.00, Samira 38.80, Nell 82.80.",
        "Rafe -14.00, Samira -38.80, Nell -82.80, you +135.60.",
        "Rafe: \N{POUND SIGN}14, Samira: \N{POUND SIGN}38.80, Nell: \N{POUND SIGN}82.80",
        "| Rafe | -\N{POUND SIGN}14.00 |\n| Samira | -\N{POUND SIGN}38.80 |\n| Nell | -\N{POUND SIGN}82.80 |",
    ],
)
def test_how_each_stands_is_read_by_its_figures(text: str) -> None:
    assert met("s4", "c6", says(text))
    assert met("s4", "c7", says(text))


@pytest.mark.parametrize(
    "text", ["Rafe owes 20.90, Samira 36.50 and Nell 89.30.", "Rafe, Samira and Nell know what they owe."]
)
def test_other_figures_of_how_they_stand_or_none_are_refused(text: str) -> None:
    assert not met("s4", "c6", says(text))


def texted(*said: str) -> End:
    numbers = ("+44 7700 900130", "+44 7700 900141", "+44 7700 900129")
    rows = [{"id": f"T{n}", "recipient": number, "sent": "2026-04-18T11:00:00", "text": text}
            for n, (number, text) in enumerate(zip(numbers, said, strict=True))]  # fmt: skip
    return End({("phone", "messages"): rows}, {})


def test_texts_to_the_three_have_a_figure_each() -> None:
    assert met("s4", "c4", texted("You owe 14 now.", "Yours is 15 of the dinner.", "Yours is 23.80 of the dinner."))
    assert not met("s4", "c4", texted("Hi.", "Yours is 15 of the dinner.", "Yours is 23.80 of the dinner."))
    assert not met("s4", "c4", texted("You owe 14 now.", "It is put right.", "Yours is 23.80 of the dinner."))


@pytest.mark.parametrize(("notes", "right"), [("Was 68.40, corrected 2026-04-18.", True), ("68.40 to 18 April", True),
                                              ("was 68.40 (18/04/2026)", True), ("Was 68.40.", False),
                                              ("Corrected 2026-04-18.", False)])  # fmt: skip
def test_notes_of_a_correction_have_amount_and_day(notes: str, right: bool) -> None:
    assert met("s4", "c3", End({("splitwise", "expenses"): [{"id": "E70", "notes": notes}]}, {})) is right


def test_the_cottage_stays_as_it_is_in_amount_and_shares() -> None:
    def cottage(amount: int, *shares: int) -> End:
        rows = [{"id": f"SH{n}", "expense_id": "E68", "amount": each} for n, each in enumerate(shares)]
        return End({("splitwise", "expenses"): [{"id": "E68", "amount": amount}], ("splitwise", "shares"): rows}, {})

    assert not holds(SESSIONS["s4"].guards[1], cottage(23600, 5900, 5900, 5900, 5900))
    assert holds(SESSIONS["s4"].guards[1], cottage(24000, 5900, 5900, 5900, 5900))
    assert holds(SESSIONS["s4"].guards[1], cottage(23600, 7866, 7867, 7867, 0))


def test_a_mail_to_a_friend_of_that_day_is_one_too_many() -> None:
    rafe, day = "rafe.lindqvist@postbox.example", {"sent_datetime": "2026-04-18 11:00:00"}
    assert holds(SESSIONS["s4"].guards[2], sent("oona@client.example", cc=[rafe], **day))
    assert not holds(SESSIONS["s4"].guards[2], sent(rafe, sent_datetime="2026-03-30 08:04:00"))
