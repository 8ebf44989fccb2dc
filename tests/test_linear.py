"""Whatever an agent writes is read in time that grows as the text does, and not with its square."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import pytest

from benchmarks.workbench import errors
from benchmarks.workbench.official import calls, predictions, profiles
from harness import capture, live, score
from harness.agents import codeact, llm, parse, react
from harness.cli import render, stories
from harness.core import secrets
from harness.core.visible import visible
from harness.record import canary
from harness.report import page
from harness.scoring import matching
from harness.serving import person
from harness.serving.guard import Guard, Refused
from harness.task import Compare, End, Expected, Session, Task
from harness.trajectory import CallRecord, Message, SessionRecord, Trajectory, Write
from servers import catalog
from servers.filesystem import edits, globs, media, near, paths
from servers.filesystem.shown import excerpt, listing
from servers.kernel import Change, Engine, Failure, Question, World, bounds, canonical, moment
from servers.kernel.dated import moved
from tests.sampling import FULL
from userssim import patience, persona, speech
from userssim.apart import another, lone
from userssim.first import parse as asked
from userssim.first import router, saying
from userssim.first.grounded import GroundedUser
from userssim.hearing.closing import closes
from userssim.hearing.encoder import vocabulary
from userssim.hearing.firmness import firmness
from userssim.hearing.marks import marked
from userssim.hearing.past import asks_for_past
from userssim.hearing.places import elsewhere, misplaced
from userssim.hearing.reach import asks_for_reach
from userssim.intents import asking
from userssim.leave import adds, asks_leave, beyond
from userssim.listening import _bare, masked
from userssim.proposed import proposed
from userssim.values import meant
from userssim.wish import Known, Wish, holds
from userssim.wording import asks_for_fact

NOW = datetime(2025, 3, 13, 9)
MOST = 15
"""How many times as long ten times the text may take."""
PLAIN = 11
"""How many times as long leaves no doubt at a quarter of the usual length.

What takes n + n * n / K, and is found at the usual length, has a K below 16,000 and comes to 12.7 at a quarter.
"""
USUAL = 2_000
"""Characters of the shorter text."""

UNITS = (
    "a",
    " ",
    "@",
    ".",
    "'",
    '"',
    "[",
    "{",
    "(",
    "0",
    "-",
    "_",
    "\n",
    "\t",
    "`",
    "\\",
    "é",
    "a@",
    "a.",
    "a@a.",
    "a ",
    "a\n",
    "\n ",
    "? ",
    ". ",
    "A ",
    "Aa ",
    "'a",
    ' "a',
    "a'",
    "“",
    "«a",
    "1.",
    "0:0",
    "x= ",
    ", ",
)
"""What texts that are hard to read are made of, over and over."""


class Reader(NamedTuple):
    """A function of an agent's text, and what else may be hard for it: near misses of its own patterns."""

    name: str
    read: Callable[[str], Any]
    near: Sequence[str] = ()
    size: int = USUAL
    """Characters of the shorter text: more than the function reads together."""
    units: Sequence[str] = UNITS


WISH = Wish(
    full='Send Mei the report by Friday at 10:00 with the subject "Plan".',
    withheld=(
        Known(id="who", kind="person", value="Mei", role="recipient"),
        Known(id="day", kind="date", value="Friday"),
        Known(id="subject", kind="subject", value="Plan"),
    ),
)
MANY = Wish(
    full='Send Mei Aa the 30-minute bar plot of "A a" by 13 March at 10:00, in review, as item 11.',
    withheld=(
        Known(id="who", kind="person", value="Mei Aa", role="recipient", others=("Mei Bb (a1)", "Al Cc (a2)")),
        Known(id="day", kind="date", value="13 March", day="2025-03-13"),
        Known(id="subject", kind="subject", value="A a"),
        Known(id="long", kind="duration", value="30-minute"),
        Known(id="time", kind="time", value="10:00"),
    ),
    stated=(
        Known(id="drawn", kind="plot_type", value="bar plot"),
        Known(id="list", kind="list", value="in review", others=("in a", "a-a (k-1)")),
        Known(id="item", kind="count", value="11"),
    ),
)
"""With an item of each kind that is said in ways of its own."""
PARTED = (
    Known(id="span", kind="time", value="from 2 to 4"),
    Known(id="often", kind="frequency", value="every two weeks"),
    Known(id="much", kind="amount", value="500 ml"),
    Known(id="size", kind="size", value="XL"),
    Known(id="where", kind="place", value="Saint Aa's 3"),
)
PARTS = ("from 2 to ", "2-", "2 to ", "every ", "twice a ", "half a ", "a litre and ", "0.5 ", "extra ", "the 3")
SWAPPED = Wish(
    full="Move it from Tuesday to Thursday.",
    sent="Move it.",
    withheld=(
        Known(id="old", kind="day", value="Tuesday", role="old day"),
        Known(id="new", kind="day", value="Thursday", role="new day"),
    ),
)
ASKED = (
    "not the a ",
    "when ",
    "what is the ",
    "who is ",
    "the person who ",
    "how long ",
    "before or ",
    "is it ",
    "could you tell me ",
    "between ",
    "@name ",
    "since ",
    "and ",
    "should i use ",
    "every ",
    "full a",
    "need to ",
    "! ",
    "Aa Bb ",
)
VALUES = (
    "...",
    "…",
    "mei ",
    "Mei Bb ",
    "Aa Mei ",
    "a a ",
    '"A a',
    '"A a" ',
    "10 to ",
    "10-",
    "11 ",
    "13 march",
    "half an ",
    "in a",
    "a, a or ",
    "which of them ",
    "one of the a, ",
    "or ",
)
"""What is near to one of these, or says it."""
PROPOSED = ("if not ", "otherwise ", "or is ", "or which ", "; which ", ": ", " - ", "what ", "how do I ", "delete ")
COUNTED = ("1,", "48k ", "minus ", "twenty ", "hundred and ", "half a", "an hour and ", "€", "5.", "one ", "at ten ")
DONE = ("get rid of ", "be a ", "close a ", "clear a ", "drop the ", "empty the ", "delete a ")
SAID = ("e.g. ", "e.g..", "Mr. ", "...", "?!", "!'", "please ", "shall I ", "about a ", "1. a\n", "```\n", "> ", "; ")
ENDS = (
    "I made it and ", "I sent ", "has been ", "is now ", "and sent ", "thanks for ", "ok ", "let me know if ",
    "if you ", "anything else ", "can I help ", " or ", " - ", "  ", "\n ", "all done ", "except for ",
)  # fmt: skip
ANSWERED = ("an hour and ", "in 1 ", "day after ", "12 ", "1:1", "jan 1", "first. ", "'a' b", "don't ")
KEYS = {"MY_KEY": "aaaaaaaab", "MY_TOKEN": "a@a@a@a@b"}
HELD = secrets.Secrets(tuple(KEYS.values()))
HEADERS = ("authorization: ", "api-key", "api-key: ", 'api-key"', "bearer ", "x-api-key:a", "proxy-", "Bearer a")


def trial(text: str) -> Trajectory:
    """A trial in which an agent said and sent it, and a tool repeated it."""
    call = CallRecord(
        n=0,
        session=0,
        turn=0,
        app="gmail",
        tool="send_email",
        arguments={"body": text, text: "x"},
        status="ok",
        text=text,
        data={"result": [{"email_id": text, "body": text}]},
    )
    made = Change(app="gmail", table="emails", id="1", before=None, after={"body": text})
    plot = Change(app="analytics", table="plots", id="1", before=None, after={"file_path": text})
    return Trajectory(
        suite="s",
        task="t",
        task_hash="",
        agent="a",
        condition="c",
        trial=0,
        seed=0,
        prompt="original",
        status="finished",
        sessions=[SessionRecord(request="Do it.", now="", reply=text)],
        changes=[plot, made],
        events=[
            call,
            call,
            Message(session=0, role="user", content="Do it."),
            Message(session=0, role="assistant", content=text),
        ],
    )


LACKED = Expected(op="update", app="gmail", table="emails", id="9", values={"subject": "s"})
TASK = Task(
    id="t",
    world="w",
    apps=("gmail",),
    sessions=(Session(requests={"original": "Do it."}),),
    ends=(End(),),
    compare=Compare(text=frozenset({"gmail.emails.body"})),
    facts={"domains": ["email"]},
)
LACKING = TASK.model_copy(update={"ends": (End(changes=(LACKED,)),)})


def calls_of(text: str) -> Trajectory:
    """A trial of many calls, one for each ten characters: searches that find five, and writes of something else."""
    found = {"result": [{"email_id": f"{number}"} for number in range(5)]}
    write = Write(app="gmail", table="emails", id="1", values={})
    made = [
        CallRecord.model_construct(
            n=n, session=0, turn=0, app="gmail", tool="x", arguments={"to": f"a{n}"}, status="ok", text="", asked=[],
            data=None if n % 2 else found, writes=[write] if n % 2 else [],
        )
        for n in range(len(text) // 10)
    ]  # fmt: skip
    return trial("").model_copy(update={"calls": made})


def ignoring(read: Callable[[str], Any], *problems: type[Exception]) -> Callable[[str], None]:
    """The same, where some texts are refused."""

    def tried(text: str) -> None:
        with suppress(*problems):
            read(text)

    return tried


def found_by(app: str, tool: str, **more: str) -> Callable[[str], Any]:
    """A tool that is given the text under the name that stands for it, over a row that holds it too."""
    engine = Engine()
    place = catalog.app(app)
    named = next(name for name, value in more.items() if value == "TEXT")
    world = World("w", NOW, {"gmail": {"emails": [MAIL]}})
    state = engine.layer(engine.load(world)).state(place)

    def call(text: str) -> None:
        with suppress(Failure):
            place.default.tool(tool).call(state, {**more, named: text})

    return call


def _ruled(rule: Callable[[Task, Trajectory], bool]) -> Callable[[str], Any]:
    return lambda text: rule(TASK, trial(text))


def _answered(kind: str) -> Callable[[str], Any]:
    return lambda text: parse.parse(kind, text, now=NOW)


MAIL = {
    "id": "1",
    "folder": "inbox",
    "address": "a@b.c",
    "subject": "s",
    "sent_datetime": "2025-03-13 09:00:00",
    "body": "a",
}

SPOKEN = (
    "<think ",
    "<|a",
    "> *",
    "the question ",
    "I should ",
    "I have just ",
    "I just ",
    "please decide a ",
    "Pla",
    "no ",
)


def _proposed(item: Known, text: str) -> object:
    return proposed(f"Which of them? {text}", (), item, MANY.full, MANY.stated)


READERS = (
    Reader("userssim.first.parse.normalise", asked.normalise, ASKED),
    Reader("userssim.first.parse.clauses", asked.clauses, ASKED),
    Reader("userssim.first.router.route", lambda text: router.route(text, WISH.withheld, WISH.full), units=ASKED),
    Reader("userssim.first.grounded.GroundedUser.reply", GroundedUser(WISH).reply, units=ASKED[:4]),
    Reader(
        "userssim.first.saying.said_of", lambda text: saying.said_of(_clause(text), WISH.withheld[0], WISH.full), ASKED
    ),
    Reader("userssim.hearing.marks.marked", lambda text: marked(MANY, text, vocabulary()), (*ASKED, *VALUES)),
    *(
        Reader(
            f"userssim.proposed.proposed {item.id}",
            partial(_proposed, item),
            VALUES,
            500,
        )
        for item in MANY.withheld[:2]
    ),
    Reader("userssim.patience.opens", lambda text: patience.opens(Question(text=f"Is it a? {text}")), PROPOSED),
    Reader("userssim.persona.asks_what_is_meant", persona.asks_what_is_meant, PROPOSED),
    *(
        Reader(f"userssim.apart.another {item.id}", partial(another, item=item, wish=MANY), (*VALUES, *COUNTED))
        for item in (*MANY.withheld, *PARTED)
    ),
    *(
        Reader(f"userssim.values.meant {item.id}", partial(meant, item=item), (*VALUES, *COUNTED, *PARTS))
        for item in PARTED
    ),
    Reader("userssim.apart.lone", lambda text: lone(f"{text}?", MANY), (*VALUES, *COUNTED)),
    Reader(
        "userssim.hearing.places.misplaced",
        lambda text: misplaced(SWAPPED, text, frozenset({"old"})),
        ("tuesday ", "to tuesday ", "send a to ", "new day ", "is "),
    ),
    Reader(
        "userssim.hearing.places.elsewhere", lambda text: elsewhere(SWAPPED, text, SWAPPED.withheld[1]), ("to A", "to ")
    ),
    *(
        Reader(
            f"userssim.hearing.reach.asks_for_reach {item.id}",
            partial(asks_for_reach, item=item, wish=MANY, told=True),
            (*VALUES, *COUNTED, "or "),
        )
        for item in MANY.withheld
    ),
    Reader("userssim.leave.asks_leave", asks_leave, ("shall I ", "which ", "; ", ", and ")),
    Reader(
        "userssim.leave.adds",
        lambda text: adds(text, MANY, leave=True),
        ("shall I ", "shall I so ", "want me to mail ", "I would ", "also ", "too  "),
    ),
    Reader("userssim.wording.asks_for_fact", asks_for_fact, ("who ", "who was", "what a ", "and in ", "? ", "?")),
    Reader("userssim.leave.beyond", lambda text: beyond(f"delete {text}", MANY), (*PROPOSED, *DONE)),
    Reader("userssim.hearing.closing.closes", closes, ENDS),
    Reader(
        "userssim.hearing.past.asks_for_past",
        lambda text: asks_for_past(f"What was {text}", WISH),
        ("A-", "the last ", "was a ", "last time "),
    ),
    Reader(
        "userssim.hearing.firmness.firmness",
        lambda text: firmness(f"{text}{MANY.withheld[0].value}?", MANY.withheld[0], MANY),
        ("is the ", "is | ", "leeway on ", "could it be "),
    ),
    Reader("userssim.intents.asking._units", asking._units.__wrapped__, (*ASKED, *SAID)),
    Reader("userssim.intents.asking.statements", asking.statements, (*ASKED, *SAID)),
    Reader("userssim.wish.holds", lambda text: holds(text, "aaaa")),
    Reader("userssim.listening.masked", lambda text: masked(replace(WISH, full=text)), ASKED),
    Reader("userssim.listening._bare", _bare, ("```", "```json")),
    Reader("userssim.speech.check_bearing", ignoring(speech.check_bearing, ValueError), SPOKEN),
    Reader(
        "userssim.speech.check_secrets",
        ignoring(lambda text: speech.check_secrets(text, ["Plan"], WISH.withheld), ValueError),
        SPOKEN,
    ),
    Reader(
        "userssim.speech.check_refusal",
        ignoring(lambda text: speech.check_refusal(text, ["Plan"], told=True), ValueError),
        SPOKEN,
    ),
    Reader(
        "userssim.speech.check_within",
        ignoring(lambda text: speech.check_within(text, f"{text} Plan"), ValueError),
        (*SPOKEN, "a B", "1st ", "1,"),
    ),
    Reader(
        "userssim.speech.check_verdict",
        ignoring(lambda text: speech.check_verdict(text, wrong=False), ValueError),
        SPOKEN,
    ),
    Reader("workbench.errors.source", lambda text: errors.source(TASK, trial(text)), ("2025-", "date_min")),
    *(Reader(f"workbench.errors.{name}", _ruled(rule)) for name, rule in errors.RULES.items()),
    Reader(
        "workbench.errors.result_limit of many calls",
        lambda text: errors.result_limit(LACKING, calls_of(text)),
        units=("a",),
    ),
    Reader(
        "official.profiles.outcome",
        lambda text: profiles._scored(profiles.PROFILES["v1-2024"], TASK, trial(text)),
        ("plots/",),
    ),
    Reader("official.calls.read_prediction", ignoring(calls.read_prediction, calls.CallProblem), ("a.func(",)),
    Reader("official.calls.literal_strings", ignoring(calls.literal_strings, calls.CallProblem), ('"a",',)),
    Reader("official.predictions.reply", predictions.reply, ('{"a":',)),
    Reader("harness.agents.parse.defers", parse.defers, ANSWERED),
    *(
        Reader(f"harness.agents.parse.parse {kind}", _answered(kind), ANSWERED)
        for kind in ("person", "customer", "date", "time", "duration", "period", "count", "subject")
    ),
    Reader(
        "harness.agents.parse.parse choice",
        lambda text: parse.parse("board", text, now=NOW, role="first", words={"a a": 1}),
    ),
    Reader(
        "harness.agents.react.read",
        react.read,
        ('{"', '{"a":', '{"a":[', "action", "Action:\n", "> ", "```", "final answer"),
        20_000,
    ),
    Reader("harness.agents.codeact.read", codeact.read, ("```", "```python\n", "``` ", "```py\n "), 20_000),
    Reader("harness.agents.llm.parsed", llm.parsed, ('{"', "[", '{"a":')),
    Reader("harness.agents.llm._sendable", llm._sendable, ('{"',)),
    Reader("harness.agents.llm._sendable_name", llm._sendable_name),
    Reader("harness.core.secrets.Secrets.hidden", lambda text: HELD.hidden([text, {text: text}])),
    Reader("kernel.bounds.refused", lambda text: bounds.refused({"a": text, "b": [text]})),
    Reader("kernel.bounds.excerpt", lambda text: bounds.excerpt([text])),
    Reader("kernel.bounds.tidied", lambda text: bounds.tidied({text: [text]})),
    Reader("harness.core.secrets.scrub", lambda text: secrets.scrub([text, {"cookie": text}], KEYS), HEADERS),
    Reader(
        "harness.record.canary.seen",
        lambda text: canary.seen(trial(text)),
        ("canary-", "canary-0", "canary-" + "0" * 31),
    ),
    Reader("harness.scoring.matching._key", lambda text: matching._key(text, True)),
    Reader("harness.score.outcome", lambda text: score.outcome(TASK, trial(text))),
    Reader("harness.capture._says", lambda text: capture._says(text, "aaaa")),
    Reader("harness.capture._wordy", capture._wordy),
    Reader("harness.serving.person._spoken", lambda text: person._spoken(Question(text=text, context=text))),
    Reader("harness.live.as_text", lambda text: live.as_text(trial(text).changes)),
    Reader("harness.cli.stories._short", stories._short),
    Reader("harness.cli.stories.of_changes", lambda text: stories.of_changes(trial(text).changes)),
    Reader("harness.cli.render._row", lambda text: render._row([text]), ("|", "`a", "a``b`", "](", "&a")),
    Reader("harness.core.visible.visible", visible, ("\x1b[", "\r\n", "\u202e")),
    Reader("harness.report.page._code", lambda text: str(page._code(text)), ("&", "<")),
    Reader(
        "harness.serving.guard.check", ignoring(lambda text: Guard().check("/", {"host": text}), Refused), (":", "0:")
    ),
    Reader("kernel.dated.moved", lambda text: moved(text, 7), ("2025-", "2025-03-13", "2025-03-1")),
    Reader("kernel.texts.moment", moment, ("2025-03-13 ",)),
    Reader("kernel.world.canonical", canonical),
    Reader("filesystem.paths.resolve", ignoring(paths.resolve, Failure), ("a/", "./", "a\u0301\u0316", "con.")),
    Reader("filesystem.globs.Glob", ignoring(globs.Glob, Failure), ("{a,b}", "*a", "**/", "[a")),
    Reader(
        "filesystem.near.nearest",
        lambda text: near.nearest("a" * 200, [text[at : at + 200] for at in range(0, len(text), 200)]),
        size=20_000,
    ),
    Reader(
        "filesystem.edits.edited",
        ignoring(lambda text: edits.edited(text, [edits.Edit(oldText=f"{text[:50]}#\n.", newText="b")]), Failure),
        ("\r\n",),
        200_000,
    ),
    Reader("filesystem.edits.unified", lambda text: edits.unified(text, f"b{text}b", "/x"), ("\r\n",)),
    Reader("filesystem.media.media_type", lambda text: media.media_type(text, is_text=True)),
    Reader("filesystem.shown.excerpt", lambda text: excerpt(text, None, 10)),
    Reader("filesystem.shown.listing", lambda text: listing(text.split("\n"), "Narrow it.")),
    Reader("gmail.search_emails", found_by("gmail", "search_emails", query="TEXT")),
    Reader("gmail.send_email", found_by("gmail", "send_email", recipient="a@b.c", subject="s", body="TEXT")),
    Reader("calendar.search_events", found_by("calendar", "search_events", time_min="TEXT")),
    Reader("crm.search_customers", found_by("crm", "search_customers", customer_name="TEXT")),
    Reader("projects.update_task", found_by("projects", "update_task", task_id="TEXT", field="board", new_value="x")),
    Reader("directory.find_email_address", found_by("directory", "find_email_address", name="TEXT")),
    Reader(
        "analytics.create_plot",
        found_by(
            "analytics", "create_plot", time_min="TEXT", time_max="x", value_to_plot="total_visits", plot_type="bar"
        ),
    ),
)
"""Each function that reads what an agent wrote, once."""


def _clause(text: str) -> asked.Clause:
    return asked.Clause(f"who {text}", "", False)


def test_no_function_is_listed_twice() -> None:
    assert len({reader.name for reader in READERS}) == len(READERS)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_ten_times_the_text_takes_at_most_fifteen_times_as_long(reader: Reader) -> None:
    slow = {unit: ratio for unit in (*reader.units, *reader.near) if (ratio := growth(reader, unit)) > MOST}

    assert slow == {}


def growth(reader: Reader, unit: str) -> float:
    """How many times as long ten times a text of that unit takes.

    The quickest of several readings counts. What looks slow is read again, and then at four times the length: what
    grows with the square comes close to a hundred there, and what has only outgrown the processor's caches does not.
    Where a quarter of the usual length leaves no doubt, that is not read, unless FULL is set.
    """
    if reader.size == USUAL and not FULL:
        quarter = [(unit * length)[:length] + "#" for length in (USUAL // 4, 10 * USUAL // 4)]
        small, large = (cost(reader.read, text) for text in quarter)
        if large / small <= PLAIN:
            return large / small
    ratio = 0.0
    for size, most in ((reader.size, MOST), (4 * reader.size, 40)):
        texts = [(unit * length)[:length] + "#" for length in (size, 10 * size)]
        small = large = float("inf")
        for _ in range(6):
            small, large = min(small, cost(reader.read, texts[0])), min(large, cost(reader.read, texts[1]))
            ratio = large / small
            if ratio <= most:
                return min(ratio, MOST)
    return ratio


def cost(read: Callable[[str], Any], text: str) -> float:
    """Processor time of one reading, in seconds; short ones are repeated."""
    router._hits.cache_clear()
    saying._neighbours.cache_clear()
    gc.disable()
    try:
        times = 1
        while True:
            began = time.thread_time()
            for _ in range(times):
                read(text)
            taken = time.thread_time() - began
            if taken > 0.0003:
                return taken / times
            times *= 4
    finally:
        gc.enable()


def test_the_measure_finds_what_grows_with_the_square() -> None:
    def square(text: str) -> int:
        return sum(len(text[at:]) for at in range(len(text)) for _ in range(len(text) // 100))

    assert growth(Reader("square", square, size=100), "a") > MOST


def test_a_square_that_begins_to_show_at_the_usual_length_is_found() -> None:
    def square(text: str) -> int:
        return sum(range(len(text) + len(text) ** 2 // 10_000))

    assert growth(Reader("square", square), "a") > MOST
