"""The office in three sizes, and the work scripts that fill it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import anyio
import pytest

from benchmarks.office import filling
from benchmarks.office.check import check
from benchmarks.office.filling import fill
from benchmarks.office.ledger import Chat, FileVersion, Ledger, Mail, Meeting, Note, ToDo, day_of
from benchmarks.office.lint import fixed_runs, problems, tellable
from benchmarks.office.measure import measures, shared_runs
from benchmarks.office.people import OWNER, founded
from benchmarks.office.runs import Said, runs
from benchmarks.office.stage import keyed
from benchmarks.office.work import FOLDER, Script, read
from benchmarks.office.world import NOW, SEED, SIZES, ledger, make_world, world
from harness.service import ServiceError
from harness.suite import SuiteError
from harness.wiring import suite, world_named
from tests.sampling import FULL
from tests.service.scenes import service

pytestmark = pytest.mark.slow

# The large one takes most of a minute to make, and differs from the medium one in numbers alone.
OFFICES = [("medium", SEED), ("medium", 1), ("medium", 2), *([("large", SEED)] if FULL else [])]

SAMPLE = """\
% item: enclosures; sensor heads; label rolls

# count | [Short|Missing] {item} | other=planner,logistics label=Stock_room
== d0 other > owner
We counted {n140} {item}, the list says {n180}. {m240} [lost|gone], I [need|want] it settled by {d3:wd} {d3}.
== ~ owner > other / junior
{@other}, ask {@junior}.
||
Ask {@junior}, {@other}.
== chat ~ other operations
Still {n140}.
== task +0 owner Operations due=+4
Count the {item} again
== meeting +2@14:00 owner other, junior 45
{item}, from the beginning
== note +0 owner tags=stock,hall
What we learned
- count twice
== file +0 owner /workspace/operations/count_{d0:file}.csv
item,pieces
{item},{n140}
"""


def script(tmp_path: Path, text: str) -> tuple[Script, ...]:
    path = tmp_path / "sample.txt"
    path.write_text(text, encoding="utf-8")
    return read(path)


def mended(text: str, old: str, new: str) -> str:
    assert old in text, f"{old!r} is not in it: nothing is planted"
    return text.replace(old, new, 1)


def filled(scripts: tuple[Script, ...], wanted: int, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """A ledger in which nothing happens but what these scripts tell."""
    monkeypatch.setattr(filling, "conversations", lambda: scripts)
    told = Ledger(seed=3, company=founded(3, keyed(3, "company")))
    fill(told, wanted)
    return told


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_every_work_script_can_be_told(path: Path) -> None:
    scripts = read(path)

    assert scripts
    assert [f"{each.key}: {problem}" for each in scripts for problem in problems(each)] == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("{@junior}", "{@stranger}", "is nobody of the cast"),
        ("{n180}", "{n18O}", "is not a list of this file"),
        ("other=planner,logistics", "other=planner,plumber", "other=plumber is no post"),
        ("other=planner", "other=support2", "has left the company"),
        ("== ~ owner > other / junior", "== ~ junior > other", "neither by the owner nor to them"),
        ("chat ~ other operations", "chat ~ other cellar", "no channel 'cellar'"),
        ("other=planner,logistics", "other=freight", "nobody who may be `other` is in the channel"),
        ("{d3:wd} {d3}", "Friday", "a weekday is written out"),
        ("{d3:wd} {d3}", "12 March", "a date is written out"),
        ("{m240}", "€240", "a sum is written out (240)"),
        ("{@other}, ask", "Ravi, ask", "a name of a person is written out"),
        ("{m240} [lost|gone]", "[May|Can] {n20} go", "reads like a date"),
        ("[lost|gone]", "[lost|gone", "brackets do not close"),
        ("Ask {@junior}", "The list is attached. Ask {@junior}", "speaks of an attachment"),
        ("We counted {n140} {item}", "An {item}", "the other article"),
        ("{item}, the list", "{item}, {item2}, {item3}, {item4}, the list", "ask for 4 unlike each other"),
    ],
)
def test_the_lint_says_what_has_to_be_mended(tmp_path: Path, old: str, new: str, says: str) -> None:
    (good,) = script(tmp_path, SAMPLE)
    (bad,) = script(tmp_path, mended(SAMPLE, old, new))

    assert list(problems(good)) == []
    assert [each for each in problems(bad) if says in each]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("== d0 other > owner", "== ~ other > owner", "begins with a line on a day"),
        ("== d0 other > owner", "== someday other > owner", "not '== someday other > owner'"),
        ("task +0 owner Operations", "task +0 owner", "a task begins as in"),
        ("label=Stock_room", "lable=Stock", "no option lable="),
        ("# count |", "# Count |", "a conversation begins as in"),
        ("% item:", "% item: a; b\n% item:", "two lists 'item'"),
    ],
)
def test_a_script_that_cannot_be_read_says_where_and_how_it_should_be(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    with pytest.raises(ValueError, match=r"^sample") as found:
        script(tmp_path, mended(SAMPLE, old, new))

    assert says in str(found.value)


def test_eight_words_without_a_choice_are_listed(tmp_path: Path) -> None:
    text = mended(SAMPLE, "[need|want] it settled by", "want it settled at last and without more talk by")

    assert list(fixed_runs(*script(tmp_path, SAMPLE))) == []
    assert list(fixed_runs(*script(tmp_path, text))) == [", I want it settled at last and without more talk by"]


def test_a_conversation_of_fixed_words_is_tellable_once(tmp_path: Path) -> None:
    text = "# one | One | other=planner\n== d0 other > owner\nThe same eight words and then some more of them.\n"

    assert tellable(*script(tmp_path, text)).times == 1


def test_words_are_drawn_again_until_none_of_their_runs_is_used() -> None:
    said = Said()
    texts = [
        "one two three four five six seven eight",
        "a b c d e f g h",
        "nine words that nobody has said so far here",
    ]
    for text in texts[:2]:
        said.add(text)

    again, left = said.fresh(lambda numbers: texts[numbers[0] % 3], 1, keyed(1))

    assert (texts[again[0] % 3], left) == (texts[2], [])
    assert said.fresh(lambda _: texts[0], 1, keyed(1))[1] == runs(texts[0])


def test_a_conversation_brings_what_its_lines_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = filled(script(tmp_path, SAMPLE), 2, monkeypatch)

    first, second = told.of(Mail)
    (chat,), (task,), (meeting,) = ([*told.of(kind)] for kind in (Chat, ToDo, Meeting))
    (note,), (file,) = ([*told.of(kind)] for kind in (Note, FileVersion))
    other = first.sender
    assert other in ("planner", "logistics")
    assert (first.to, second.sender, second.to, second.cc) == ((OWNER,), OWNER, (other,), ("junior",))
    assert second.answers == first.id
    assert (chat.sender, chat.channel) == (other, "operations")
    assert (task.sender, task.project, task.due is not None) == (OWNER, "Operations", True)
    assert [person for person, _ in meeting.people] == [other, "junior"]
    assert (meeting.starts % 1440, meeting.minutes, meeting.starts > meeting.at) == (14 * 60, 45, True)
    assert day_of(meeting.starts) - day_of(task.at) >= 2
    assert (note.title, note.text, note.tags) == ("What we learned", "- count twice", ("stock", "hall"))
    assert file.path.startswith("/workspace/operations/count_{")
    kinds = {fact.id.rpartition(".")[2]: fact.kind for fact in told.facts.values()}
    assert kinds == {"n140": "count", "n180": "count", "m240": "money", "d3": "date", "d0": "date"}


def test_what_is_more_stays_more_in_every_telling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = filled(script(tmp_path, SAMPLE), 4, monkeypatch)

    counts = {fact.id: int(fact.at(0)) for fact in told.facts.values() if fact.kind == "count"}
    fewer = [(value, counts[id.replace("n140", "n180")]) for id, value in counts.items() if id.endswith("n140")]
    assert len(fewer) > 1
    assert all(less < more for less, more in fewer)


def test_too_little_text_is_an_error_that_says_how_many_mails_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "# one | One | other=planner\n== d0 other > owner\nThe same eight words and then some more of them.\n"

    with pytest.raises(ValueError, match=r"an office of 90 mails wants 8[0-9] more than its stories"):
        filled(script(tmp_path, text), 90, monkeypatch)


def test_another_seed_tells_other_work() -> None:
    here, there = (
        {each.id.rpartition("-")[0] for each in ledger(seed).stories if each.kind == "work"} for seed in (1, 2)
    )

    assert min(len(here), len(there)) > 20
    assert len(here & there) < 0.6 * min(len(here), len(there))


@pytest.mark.parametrize(("size", "seed"), OFFICES)
def test_an_office_of_every_size_agrees_with_its_ledger(size: str, seed: int) -> None:
    assert check(world(seed, size), ledger(seed, size)) == []


@pytest.mark.parametrize(("size", "seed"), OFFICES)
def test_an_office_of_every_size_is_as_lifelike_as_it_is_meant_to_be(size: str, seed: int) -> None:
    found = measures(world(seed, size), ledger(seed, size), size)

    assert [f"{each.name}: {each.value:.1f}" for each in found if not each.fits] == []


@pytest.mark.parametrize("weeks", [13, -20])
def test_unrelated_mails_share_no_run_of_words_on_other_days_either(weeks: int) -> None:
    told = ledger(1, "medium")

    assert shared_runs(make_world(told, (NOW + timedelta(weeks=weeks)).date()), told) == {}


@pytest.mark.parametrize(
    ("app", "table"),
    [
        ("chat", "messages"),
        ("todoist", "tasks"),
        ("calendar", "events"),
        ("simple_note", "notes"),
        ("filesystem", "entries"),
        ("crm", "deals"),
    ],
)
def test_other_apps_grow_with_the_mailbox_but_more_slowly(app: str, table: str) -> None:
    sizes = ["small", "medium", *(["large"] if FULL else [])]
    rows = [len(world(SEED, size).rows[app][table]) for size in sizes]
    mails = [SIZES[size].mails for size in sizes]

    assert rows[0] <= rows[1]
    assert not FULL or rows[1] < rows[2]
    assert rows[-1] / rows[0] < mails[-1] / mails[0] / 2


def test_a_larger_office_is_the_same_in_another_process() -> None:
    code = "from benchmarks.office.world import world; print(world(1, 'medium').digest)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "11", "PYTHONPATH": str(Path(__file__).parents[2])},
    )

    assert run.stdout.strip() == world(1, "medium").digest


@pytest.mark.parametrize(
    ("name", "is_called"),
    [
        ("office", f"office-{SEED}"),
        ("office:small", f"office-{SEED}"),
        ("office:7", "office-7"),
        ("office:small-7", "office-7"),
        ("office:medium-1", "office-medium-1"),
        ("office:office-medium-1", "office-medium-1"),
    ],
)
def test_a_size_and_a_seed_are_asked_for_by_name(name: str, is_called: str) -> None:
    assert world_named(name).name == is_called


@pytest.mark.parametrize("name", ["huge", "medium-", "medium-x", "large-1-2"])
def test_an_unknown_size_is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(SuiteError, match=r"small \(390 mails\), medium \(2,000 mails\), large \(10,000 mails\)"):
        world_named(f"office:{name}")


def test_a_service_serves_a_size_by_its_name_too() -> None:
    async def played() -> list[str]:
        async with service() as scene:
            scene.sandboxes.sources = replace(scene.sandboxes.sources, suite=suite)
            boxes = [
                await scene.client.create(world=name, apps=("directory",)) for name in ("office", "office:medium-1")
            ]
            with pytest.raises(ServiceError, match="no world 'huge'"):
                await scene.client.create(world="office:huge")
            return [str(box.info.now) for box in boxes]

    assert anyio.run(played) == [str(NOW)] * 2
