"""Values in free texts belong to their names: however they are laid out, and not exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from benchmarks.workflows.plan import Said, amount, day, facts, pairs, says
from benchmarks.workflows.suite import load
from benchmarks.workflows.telling import tells
from harness import open_task
from harness.task import Task

ANN_AND_BEN = pairs(("Ann Lee", amount(7)), ("Ben", amount(12)))
THREE = (*pairs(("Ann Lee", amount(7)), ("Ben", amount(12)), ("Cid", amount(5))), Said(amount(24)))
SITES = pairs(
    ("Elm Court", day("2026-03-25")), ("Hop Yard", day("2026-03-25")), ("Gallow Green", day("2026-04-01")),
    ("Lark Rise", day("2026-04-08")),
)  # fmt: skip
CLAIMS = pairs(("CL-404", amount("389.88")), ("CL-404", "2"), ("CL-406", amount("257.28")), ("CL-416", "3"))
FIGURES = pairs(
    (("pieces sent", "sent pieces"), amount(7609)), (("on-time share", "on time"), amount("84.1")),
    ("orders won", amount(76006)), named=False,
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee 7, Ben 12",
        "Ann Lee: 7.00\nBen: 12.00\n",
        "7 for Ann Lee and 12 for Ben",
        "Ann Lee has 7, and 12 go to Ben",
        "Ann Lee and Ben: 7 and 12",
        "Ben and Ann Lee have 12 and 7 hours respectively",
        "7 hours and 12 hours, for Ann Lee and Ben",
        "1. Ben: 12\n2. Ann Lee: 7",
        "| who | hours |\n|---|---|\n| Ann Lee | 7 |\n| Ben | 12 |",
        "| hours | who |\n|---|---|\n| 12 | Ben |\n| 7 | Ann Lee |",
        "| | Ann Lee | Ben |\n|---|---|---|\n| hours | 7 | 12 |",
        "Ann Lee\nBen\n\n7\n12",
        "Hours of Ann Lee and Ben\n\nAnn Lee\n7\n\nBen\n12",
        "Hours of Ben and Ann Lee: Ann Lee 7, Ben 12. 19 in all.",
        "Dear Ben, you have 12 hours, Ann Lee 7 (12 less 5).",
        "Ann Lee, like Ben (12), is back and has 7.",
        "For Ann Lee and Ben: Ben's are 12, and 7 those of Ann.",
        "There are 12 of you. Ann Lee has 7. Ben has 12.",
        "Ben is away. Ann Lee has 7, he 12.",
        "In February we had 7 hours for\nAnn Lee, and 12 for\nBen, who was ill.",
    ],
)
def test_right_pairs_pass_however_they_are_laid_out(text: str) -> None:
    assert tells(text, ANN_AND_BEN)


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee 12, Ben 7",
        "Ann Lee: 12.00\nBen: 7.00\n",
        "12 for Ann Lee and 7 for Ben",
        "Ann Lee and Ben: 12 and 7",
        "12 and 7 hours for Ann Lee and Ben",
        "1. Ben: 7\n2. Ann Lee: 12",
        "| who | hours |\n|---|---|\n| Ann Lee | 12 |\n| Ben | 7 |",
        "| hours | who |\n|---|---|\n| 7 | Ben |\n| 12 | Ann Lee |",
        "| | Ann Lee | Ben |\n|---|---|---|\n| hours | 12 | 7 |",
        "Hours of Ann Lee and Ben\n\nAnn Lee\n12\n\nBen\n7",
        "Ann Lee has 12. Ben has 7. 19 in all.",
    ],
)
def test_exchanged_values_fail_in_every_layout(text: str) -> None:
    assert not tells(text, ANN_AND_BEN)


@pytest.mark.parametrize("text", ["Ann Lee 7", "Ann Lee 7, Ben 11", "7 and 12", "", "  "])
def test_a_text_has_to_say_all_keys_and_all_values(text: str) -> None:
    assert not tells(text, ANN_AND_BEN)


@pytest.mark.parametrize("lines", list(combinations(("Ann Lee", "Ben", "Cid"), 2)))
def test_of_three_any_two_that_are_exchanged_fail(lines: tuple[str, str]) -> None:
    hours = {"Ann Lee": 7, "Ben": 12, "Cid": 5}
    assert tells("\n".join(f"{name}: {count}" for name, count in hours.items()) + "\nTotal: 24", THREE)

    hours[lines[0]], hours[lines[1]] = hours[lines[1]], hours[lines[0]]
    assert not tells("\n".join(f"{name}: {count}" for name, count in hours.items()) + "\nTotal: 24", THREE)
    assert not tells(", ".join(f"{count} for {name}" for name, count in hours.items()) + ", 24 in all", THREE)


def test_a_total_may_stand_before_the_pairs_or_behind() -> None:
    assert tells("24 in all: Ann Lee 7, Ben 12, Cid 5", THREE)
    assert tells("Ann Lee 7, Ben 12 and Cid 5 make 24", THREE)


@pytest.mark.parametrize(
    "text",
    [
        "25 March: Elm Court, Hop Yard\n1 April: Gallow Green\n8 April: Lark Rise",
        "Elm Court and Hop Yard (25 March), Gallow Green (1 April), Lark Rise (8 April)",
        "Elm Court: 25 March\nHop Yard: 25 March\nGallow Green: 1 April\nLark Rise: 8 April",
        "| 25 March | 1 April | 8 April |\n|---|---|---|\n| Elm Court, Hop Yard | Gallow Green | Lark Rise |",
        "Elm Court, Hop Yard, Gallow Green and Lark Rise: 25 March, 25 March, 1 April and 8 April",
        "We begin on 25 March with Elm Court and Hop Yard. Gallow Green follows on 1 April, Lark Rise on 8 April.",
        "Wave 1 is on 25 March, wave 2 on 1 April, wave 3 on 8 April. Lark Rise: wave 3. Gallow Green: wave 2. "
        "Elm Court, Hop Yard: wave 1.",
    ],
)
def test_a_value_of_several_keys_may_be_said_once(text: str) -> None:
    assert tells(text, SITES)


@pytest.mark.parametrize(
    "text",
    [
        "25 March: Elm Court, Gallow Green\n1 April: Hop Yard\n8 April: Lark Rise",
        "Elm Court and Hop Yard (25 March), Lark Rise (1 April), Gallow Green (8 April)",
        "Elm Court: 25 March\nHop Yard: 1 April\nGallow Green: 25 March\nLark Rise: 8 April",
    ],
)
def test_keys_under_the_heading_of_another_fail(text: str) -> None:
    assert not tells(text, SITES)


@pytest.mark.parametrize(
    "text",
    [
        "CL-404: credit 389.88 EUR, 2 pieces\nCL-406: credit 257.28 EUR\nCL-416: 3 pieces",
        "Credits: CL-404 389.88, CL-406 257.28. Pieces: CL-404 2, CL-416 3.",
        "| claim | credit | pieces |\n|---|---|---|\n| CL-404 | 389.88 | 2 |\n| CL-406 | 257.28 | |\n| CL-416 | | 3 |",
        "3 pieces for CL-416; 2 pieces and 389.88 EUR for CL-404; 257.28 EUR for CL-406",
    ],
)
def test_a_key_may_have_two_values(text: str) -> None:
    assert tells(text, CLAIMS)


def test_two_values_of_keys_with_several_fail_where_they_are_exchanged() -> None:
    assert not tells("CL-404: credit 389.88 EUR, 3 pieces\nCL-406: credit 257.28 EUR\nCL-416: 2 pieces", CLAIMS)


def test_equal_values_stand_for_each_other() -> None:
    equal = pairs(("Rosa", amount("82.4")), ("Bettina", amount("82.4")), ("Colm", amount("85.1")))

    assert tells("Rosa and Bettina 82.40 each, Colm 85.10", equal)
    assert tells("Rosa 82.40, Colm 85.10, Bettina 82.40", equal)
    assert not tells("Rosa 82.40, Colm 82.40, Bettina 85.10", equal)


@pytest.mark.parametrize(
    "text",
    [
        "pieces sent: 7609\non-time share: 84.1\norders won EUR: 76006.00",
        "Of 7,609 sent pieces 84.1 % were on time, and we won EUR 76,006.",
        "7,609 pieces went out, 84.1 % when promised; 76,006 EUR of orders.",
        "The on-time share of the pieces sent (7,609) was 84.1; orders of EUR 76,006.",
        "Pieces sent, on-time share and orders won: 7,609 sent pieces, 84.1 % on time, 76,006 EUR.",
        "Pieces sent went up. On-time share 84.1, pieces 7,609, orders won 76,006.",
    ],
)
def test_keys_that_people_call_as_they_like_need_not_be_said(text: str) -> None:
    assert tells(text, FIGURES)


def test_where_they_are_said_their_values_may_not_be_exchanged() -> None:
    assert not tells("pieces sent: 84.1\non-time share: 7609\norders won EUR: 76006.00", FIGURES)


def test_a_key_within_a_longer_one_is_not_that_key() -> None:
    seals = pairs(("seal", amount(3)), ("lid seal", amount(9)))

    assert tells("lid seal: 9\nseal: 3", seals)
    assert not tells("lid seal: 3\nseal: 9", seals)


def test_a_name_said_twice_passes_if_it_is_right_once() -> None:
    """Known limit: a second value may be of something else, a day of leaving after that of coming."""
    come = pairs(("Enid", day("2026-04-13")), ("Gwen", day("2026-04-14")))

    assert tells("Come: Enid 13 April, Gwen 14 April\nLeave: Enid 14 April, Gwen 15 April", come)


def test_long_texts_are_read_in_good_time() -> None:
    assert tells("Ann Lee 7, Ben 12, " * 20_000, ANN_AND_BEN)


def test_pairs_are_written_down_in_the_expected_row_and_read_back() -> None:
    named, free = pairs(("Ann Lee", ("7", "7.0"))), pairs((("on time", "on-time"), "84.1"), named=False)
    marker = says(*named, "Joan", *free)

    assert marker == "says: Ann Lee = 7 / 7.0; Joan; on time / on-time ~ 84.1"
    assert facts(marker) == [*named, Said(("Joan",)), *free]


@pytest.mark.parametrize("odd", ["a = b", "a ~ b"])
def test_a_fact_that_could_not_be_told_from_a_pair_is_refused(odd: str) -> None:
    with pytest.raises(ValueError, match="a fact may have none of"):
        says(odd)


# -- in the tasks

TASKS = {task.id: task for task in load().tasks}


def _asked(task: Task) -> Iterator[tuple[list[Said], str]]:
    """What texts of the task have to say in pairs, and the text of the reference that says it."""
    texts = [str(call.arguments["text"]) for call in task.solution if "text" in call.arguments]
    for change in task.ends[0].changes:
        for said in filter(None, map(facts, change.values.values())):
            if any(fact.key for fact in said):
                yield said, next(text for text in texts if tells(text, said))


def _first(text: str, forms: tuple[str, ...], key: tuple[str, ...]) -> re.Match[str]:
    """The value as the reference writes it: the one nearest to its key."""
    at = text.index(next(form for form in key if form in text))
    hits = [hit for form in forms for hit in re.finditer(rf"(?<![\w.,-]){re.escape(form)}(?![\w]|[.,]\d)", text)]
    return min(hits, key=lambda hit: (abs(hit.start() - at), -len(hit[0])))


def _exchanged(text: str, said: list[Said]) -> Iterator[str]:
    """The text with two values exchanged, for any two that differ."""
    for pair in combinations([fact for fact in said if fact.key], 2):
        if pair[0].key == pair[1].key or set(pair[0].forms) & set(pair[1].forms):
            continue
        one, two = sorted((_first(text, fact.forms, fact.key) for fact in pair), key=re.Match.start)
        yield text[: one.start()] + two[0] + text[one.end() : two.start()] + one[0] + text[two.end() :]


PAIRED = (
    "budget", "claims", "incident", "payroll", "quarterly-report", "reorganisation", "rollout", "stock-count",
    "travel-and-rooms",
)  # fmt: skip


@pytest.mark.parametrize("flow", PAIRED)
def test_exchanged_values_fail_in_every_text_of_the_flow(flow: str) -> None:
    tried = [
        (text, wrong, said)
        for task in TASKS.values()
        if task.template == flow
        for said, text in _asked(task)
        for wrong in _exchanged(text, said)
    ]

    assert tried
    assert [wrong for _, wrong, said in tried if tells(wrong, said)] == []


def test_no_other_flow_has_pairs() -> None:
    assert {task.template for task in TASKS.values() if any(_asked(task))} == set(PAIRED)


def test_two_hours_exchanged_in_a_mail_cost_its_checkpoint() -> None:
    task = next(task for task in TASKS.values() if task.template == "payroll")
    with open_task("workflows", task.id) as opened:
        for call in task.solution:
            arguments = dict(call.arguments)
            if "Marek Dole" in str(arguments.get("text")):
                lines = arguments["text"].replace("163.05", "x").replace("159.00", "163.05").replace("x", "159.00")
                arguments["text"] = lines
            opened.call(call.app, call.tool, arguments)

        assert opened.score().value == 0
        assert len(opened.score().detail["missing"]) == 1


@pytest.mark.parametrize("text", [
    "The sheet lists 17 items; the deals in it are worth EUR 30,010.04 in total.",
    "Items: 17\nDeals: EUR 30,010.04",
    "There are 17 items (9 tasks, 4 deals, 4 files). The 4 deals add up to 30,010.04 EUR.",
    "| items | deals in EUR |\n| 17 | 30010.04 |",
    "30,010.04 is what the deals come to, and seventeen things (17) changed hands.",
])  # fmt: skip
def test_a_total_may_stand_beside_a_count_in_any_layout(text: str) -> None:
    assert tells(text, _asked_of("flow-09-1"))


@pytest.mark.parametrize("text", [
    "The sheet lists 30,010.04 items; the deals in it are worth EUR 17.",
    "Items: 30010.04\nDeals: EUR 17",
    "17 EUR and 30,010.04 items",
])  # fmt: skip
def test_a_total_told_as_a_count_fails(text: str) -> None:
    assert not tells(text, _asked_of("flow-09-1"))


def _asked_of(task: str) -> list[Said]:
    """What the one text with pairs of a task has to say."""
    ((said, _),) = _asked(TASKS[task])
    return said


@pytest.mark.parametrize(
    ("task", "last"), [("flow-07-1", "5 February"), ("flow-07-2", "30 January"), ("flow-07-3", "29 January")]
)
def test_the_mail_about_a_stale_source_says_its_last_day(task: str, last: str) -> None:
    (mail,) = (
        change for end in TASKS[task].ends for change in end.changes
        if str(change.values.get("subject", "")).startswith("Stale source")
    )  # fmt: skip
    asked = facts(mail.values["body"])

    assert asked
    assert tells(f"Its last line is of {last}, please bring it up to date.", asked)
    assert not tells("It is behind, please bring it up to date.", asked)
