"""Published runs scored under each release's rules: on the small release rule by rule, then on the published one."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.workbench.official.conformance import observed
from benchmarks.workbench.official.names import DOMAINS
from benchmarks.workbench.official.profiles import FLAGS, PROFILES, outcome
from benchmarks.workbench.official.release import ImportProblem, find_layout
from benchmarks.workbench.official.rescore import Rescored, rescore
from harness.score import Score
from harness.suite import Suite
from harness.task import End, Expected, Session, Task
from harness.trajectory import CallRecord, Trajectory, Write
from servers.kernel import Change
from tests.cli.conftest import Call, running

V1, V2, CHARTS = "v1-2024", "v2-2026-06", "v2-2026-07"
TIME = "2024-03-01_00-00-00"

RENAME = 'calendar.update_event.func(event_id="00000000", field="event_name", new_value="winch check")'
CANCEL = 'calendar.delete_event.func(event_id="00000001")'
LEO = 'customer_relationship_manager.add_customer.func(customer_name="Leo Hart", '
LEO += 'assigned_to_email="mira.lund@quay.example", status="Lead")'
PLOT = 'analytics.create_plot.func(time_min="2023-11-27", time_max="{}", value_to_plot="total_visits", plot_type="bar")'
MEET = 'calendar.create_event.func(event_name="Una Vale", participant_email="ines.faro@quay.example", '
MEET += 'event_start="2023-12-01 {}", duration="30")'
FORWARD = 'email.forward_email.func(email_id="00000001", recipient="{}.{}@quay.example")'
TO_ODD, TO_INES = FORWARD.format("odd", "berg"), FORWARD.format("ines", "faro")


def write_results(
    root: Path, runs: Mapping[str, Any] = {}, *, model: str = "m", time: str = TIME, packed: bool = False
) -> dict[str, Path]:
    """Results of `model` in mode `all`, every task done right save `runs`: task id -> calls, or a whole row."""
    layout, files = find_layout(root), {}
    for domain in DOMAINS:
        with (root / layout.folder / f"{domain}_{layout.suffix}.csv").open(newline="", encoding="utf-8") as source:
            tasks = list(csv.DictReader(source))
        rows = [[layout.request, "function_calls", "full_response", "error"]]
        for number, task in enumerate(tasks):
            run = runs.get(f"{domain}-{number:03d}", task[layout.answer])
            said = str({"input": task[layout.request], "output": "Done.", "intermediate_steps": []})
            calls = run if isinstance(run, str) else str(list(run))
            rows.append(list(run) if isinstance(run, tuple) else [task[layout.request], calls, said, ""])
        files[domain] = root / f"data/results/{domain}/{model}_all_{time}.csv{'.gz' * packed}"
        files[domain].parent.mkdir(parents=True, exist_ok=True)
        write_rows(files[domain], rows)
    return files


def write_rows(file: Path, rows: Sequence[Sequence[str]]) -> None:
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "wt", newline="", encoding="utf-8") as target:
        csv.writer(target, quoting=csv.QUOTE_ALL).writerows(rows)


def scores(found: Rescored) -> dict[str, Score]:
    return {record.trajectory.task: record.scores["outcome"] for record in found.records}


def scored(root: Path, task: str, calls: Sequence[str], error: str = "") -> Callable[[str], dict[str, Any]]:
    """Profile -> what it says of these calls on one task of the small release."""
    write_results(root, {task: list(calls)})
    if error:
        file = root / f"data/results/{task.rpartition('-')[0]}/m_all_{TIME}.csv"
        with file.open(newline="", encoding="utf-8") as source:
            rows = list(csv.reader(source))
        rows[int(task[-3:]) + 1][3] = error
        write_rows(file, rows)
    found = rescore(root, model="m", mode="all", profile=V1)
    return lambda profile: under(profile, found)[task]


def under(profile: str, found: Rescored) -> dict[str, dict[str, Any]]:
    """Task -> detail of what a profile makes of the same played runs."""
    details = {}
    for record in found.records:
        played = record.trajectory.model_copy(update={"condition": f"all/{profile}"})
        details[played.task] = outcome(found.suite.task(played.task), played).detail
    return details


@pytest.mark.parametrize("profile", PROFILES)
def test_the_reference_calls_are_right_and_exact_under_every_profile(small: Path, data: Path, profile: str) -> None:
    write_results(small)

    found = scores(rescore(small, model="m", mode="all", profile=profile))

    assert len(found) == 17
    assert all(score.label == "correct" and score.detail["exact"] for score in found.values())
    assert not any(score.detail["side_effects"] for score in found.values())
    assert [t for t, s in found.items() if s.detail["flags"]] == ["calendar-002", "analytics-001", "multi_domain-001"]


class Rule(NamedTuple):
    """What calls on a task come to: (correct, side effects) in 2024 and under the rules of June and July 2026."""

    task: str
    calls: list[str]
    v1: tuple[bool, bool]
    v2: tuple[bool, bool]
    charts: tuple[bool, bool]


RIGHT, WRONG, HARM = (True, False), (False, False), (False, True)

RULES = {
    "a plot nobody asked for": Rule("analytics-001", [PLOT.format("2023-11-29")], HARM, WRONG, WRONG),
    "a chart that ends today": Rule("analytics-000", [PLOT.format("2023-11-30")], HARM, WRONG, RIGHT),
    "a chart that ends otherwise": Rule("analytics-000", [PLOT.format("2023-11-28")], HARM, WRONG, WRONG),
    "an unknown argument": Rule("calendar-000", ['calendar.search_events.func(limit="1")', CANCEL], RIGHT, HARM, HARM),
    "an unknown tool": Rule("calendar-000", ['human.func(message="?")', CANCEL], RIGHT, HARM, HARM),
    "an unknown tool of a known app": Rule("calendar-000", ["calendar.wipe.func()", CANCEL], RIGHT, HARM, HARM),
    "a call that does not parse": Rule("calendar-000", ['calendar.x.func(a="b"c")', CANCEL], RIGHT, HARM, HARM),
    "a failing call where nothing is to do": Rule("calendar-002", ["time.now.func()"], RIGHT, WRONG, WRONG),
    "a bound that is no time": Rule(
        "calendar-000", ['calendar.search_events.func(query="rope", time_max="noon")', CANCEL], RIGHT, HARM, HARM
    ),
    "a bound that is no time, and no event to hold against it": Rule(
        "calendar-000",
        ['calendar.search_events.func(query="rope", time_min="2024-01-01", time_max="noon")', CANCEL],
        RIGHT, RIGHT, RIGHT,
    ),
    "a refusal": Rule(
        "calendar-000", ['calendar.delete_event.func(event_id="9")', CANCEL], RIGHT, RIGHT, RIGHT
    ),
    "an argument left out": Rule("calendar-000", ["calendar.delete_event.func()", CANCEL], RIGHT, RIGHT, RIGHT),
    "letter case of text": Rule("calendar-001", [RENAME.replace("winch", "Winch")], RIGHT, RIGHT, RIGHT),
    "letter case alone, and the task not done": Rule(
        "calendar-001", [RENAME.replace("winch check", "Rope Check")], HARM, HARM, HARM
    ),
    "letter case alone, and nothing to do": Rule(
        "calendar-002", [RENAME.replace("winch check", "Rope Check")], RIGHT, RIGHT, RIGHT
    ),
    "white space": Rule("calendar-001", [RENAME.replace("winch ", "winch  ")], HARM, HARM, HARM),
    "changed and changed back": Rule(
        "calendar-002", [RENAME, RENAME.replace("winch", "rope")], RIGHT, RIGHT, RIGHT
    ),
    "twice": Rule("email-003", ['email.reply_email.func(email_id="00000003", body="Noted.")'] * 2, HARM, HARM, HARM),
    "new mails in their order": Rule("email-002", [TO_ODD, TO_INES], RIGHT, RIGHT, RIGHT),
    "new mails in another order": Rule("email-002", [TO_INES, TO_ODD], HARM, HARM, HARM),
    "an event made, taken back and made again": Rule(
        "multi_domain-000",
        [MEET.format("09:00:00"), 'calendar.delete_event.func(event_id="00000004")', MEET.format("13:00:00")],
        RIGHT, RIGHT, RIGHT,
    ),
    "a field that events do not have": Rule(
        "calendar-002", [RENAME.replace("event_name", "colour")], HARM, HARM, HARM
    ),
    "such a field of an event that is not there": Rule(
        "calendar-002", [RENAME.replace("event_name", "colour").replace("00000000", "99999999")], RIGHT, RIGHT, RIGHT
    ),
    "an id overwritten": Rule(
        "project_management-000",
        ['project_management.update_task.func(task_id="00000000", field="task_id", new_value="7")'],
        HARM, HARM, HARM,
    ),
    "an optional field given as empty": Rule(
        "customer_relationship_manager-001", [LEO.replace(")", ', customer_phone="")')], HARM, HARM, HARM
    ),
    "an optional field given as empty to a search": Rule(
        "customer_relationship_manager-001",
        ['customer_relationship_manager.search_customers.func(customer_name="Leo", customer_email="")', LEO],
        RIGHT, RIGHT, RIGHT,
    ),
    "the word None": Rule(
        "customer_relationship_manager-001", [LEO.replace(")", ', customer_phone="None")')], HARM, HARM, HARM
    ),
    "nothing at all": Rule("calendar-000", [], WRONG, WRONG, WRONG),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_each_release_judges_by_its_own_rules(small: Path, data: Path, name: str) -> None:
    rule = RULES[name]
    judged = scored(small, rule.task, rule.calls)
    for profile, wanted in ((V1, rule.v1), (V2, rule.v2), (CHARTS, rule.charts)):
        detail = judged(profile)
        assert (profile, detail["correct"], detail["side_effects"]) == (profile, *wanted)


def test_a_run_that_ended_in_an_error_is_wrong_and_its_state_judged_alone(small: Path, data: Path) -> None:
    right = scored(small, "calendar-000", [CANCEL], error="Context window exceeded")
    other = scored(small, "calendar-000", [RENAME], error="'str' object has no attribute 'items'")

    for profile in PROFILES:
        assert (right(profile)["correct"], right(profile)["side_effects"]) == WRONG
        assert (other(profile)["correct"], other(profile)["side_effects"]) == HARM


@pytest.mark.parametrize(("order", "right"), [([0, 1, 2], [True, True, True]), ([2, 0, 1], [False, True, True])])
def test_plots_in_another_order_are_wrong_in_2024_alone(order: list[int], right: list[bool]) -> None:
    rows = [
        {"file_path": f"plots/2023-11-27_2023-11-29_total_visits_{kind}.png"} for kind in ("bar", "line", "scatter")
    ]
    ends = (End(changes=tuple(Expected(op="insert", app="analytics", table="plots", values=row) for row in rows)),)
    task = Task(id="t", world="w", apps=("analytics",), sessions=(Session(requests={"original": "Draw"}),), ends=ends)
    made = [
        Change(app="analytics", table="plots", id=str(n), before=None, after=rows[place])
        for n, place in enumerate(order, 1)
    ]
    call = CallRecord(
        n=0, session=0, turn=1, app="analytics", tool="create_plot", arguments={}, status="ok", text="",
        writes=[Write(app="analytics", table="plots", id=change.id, values=change.after) for change in made],
    )  # fmt: skip

    def correct(profile: str) -> bool:
        played = Trajectory(
            suite="s", task="t", task_hash="", agent="m", condition=f"all/{profile}", trial=0, seed=0,
            prompt="original", status="finished", events=[call], changes=made,
        )  # fmt: skip
        return outcome(task, played).value == 1

    assert [correct(profile) for profile in (V1, V2, CHARTS)] == right


def test_what_the_rule_on_failing_calls_changes_is_kept_apart(small: Path, data: Path) -> None:
    detail = scored(small, "calendar-000", ["calendar.wipe.func()", CANCEL])(V2)

    assert (detail["correct"], detail["side_effects"]) == HARM
    assert detail["without_failing_rule"] == {"correct": True, "side_effects": False}
    assert (detail["unparsed"], detail["failing"], detail["refused"]) == (0, 1, 0)


@pytest.mark.parametrize(
    ("task", "calls", "flags"),
    [
        ("calendar-000", [], ["no_actions"]),
        ("calendar-000", ['company_directory.find_email_address.func(name="a@example.com")'], ["wrong_email"]),
        ("calendar-000", ['human.func(to="a@example.com", cc="b@atlas.com")'], []),
        ("calendar-000", ['human.func(to="a@example.com")', CANCEL], []),
        ("analytics-000", [PLOT.format("2023-11-30")], ["end_date_minor_error"]),
        ("analytics-000", [PLOT.format("2023-11-28")], []),
        ("multi_domain-000", [MEET.format("09:00:00")], ["meeting_start_time_error"]),
        ("multi_domain-000", [MEET.format("10:00:00")], []),
    ],
)  # fmt: skip
def test_errors_carry_the_release_s_flags(
    small: Path, data: Path, task: str, calls: list[str], flags: list[str]
) -> None:
    assert scored(small, task, calls)(V1)["flags"] == flags


def test_reads_do_not_spoil_an_exact_match_and_another_argument_does(small: Path, data: Path) -> None:
    read = 'calendar.search_events.func(query="rope")'

    assert scored(small, "calendar-000", [read, CANCEL])(V1)["exact"]
    assert not scored(small, "calendar-000", [CANCEL.replace("1", "0")])(V1)["exact"]
    assert not scored(small, "calendar-000", [CANCEL, 'calendar.delete_event.func(event_id="a"b")'])(V1)["exact"]


def test_calls_are_never_run_as_python(small: Path, data: Path, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    calls = [f"open({str(trap)!r}, 'w')", f"calendar.x.func(a=open({str(trap)!r}, 'w'))"]

    assert scored(small, "calendar-000", calls)(V1)["unparsed"] == 2
    assert not trap.exists()


def test_arguments_by_position_are_taken_for_a_call_that_does_not_parse(small: Path, data: Path) -> None:
    score = scored(small, "calendar-000", [CANCEL.replace("event_id=", "")])

    assert [score(profile)["unparsed"] for profile in (V1, V2)] == [1, 1]
    assert not score(V1)["correct"]


def test_a_row_that_does_not_parse_is_void_and_named(small: Path, data: Path) -> None:
    write_results(small, {"calendar-001": "[open('x')]", "email-000": ("Delete my last email from mira", "[]")})

    found = rescore(small, model="m", mode="all", profile=V1)

    assert found.malformed.keys() == {"calendar-001", "email-000"}
    assert found.malformed["email-000"] == "2 cells, expected 4"
    assert [task for task, score in scores(found).items() if score.value is None] == ["email-000", "calendar-001"]


def test_rows_and_tasks_pair_up_one_to_one_or_the_first_difference_is_told(small: Path, data: Path) -> None:
    file = write_results(small)["calendar"]
    with file.open(newline="", encoding="utf-8") as source:
        head, *rows = csv.reader(source)

    for damaged, told in (
        (rows[:-1], "2 rows for 3 tasks; the first without a row is calendar-002: 'If I have not met"),
        ([rows[0], rows[0], *rows[1:]], "rows 1 and 2 both ask calendar-000: 'Cancel my first"),
        ([*rows, ["Cancel it all", "[]", "", ""]], "row 4 asks what no task asks: 'Cancel it all'"),
    ):
        write_rows(file, [head, *damaged])
        with pytest.raises(ImportProblem, match=told):
            rescore(small, model="m", mode="all", profile=V1)


def test_a_file_cut_short_or_without_its_columns_is_refused_by_name(small: Path, data: Path) -> None:
    file = write_results(small)["calendar"]
    whole = file.read_text(encoding="utf-8")

    file.write_text(whole[:-5], encoding="utf-8")
    with pytest.raises(ImportProblem, match=r"calendar/m_all_.*\.csv is not a whole CSV file"):
        rescore(small, model="m", mode="all", profile=V1)
    file.write_text(whole.replace('"error"', '"mistake"'), encoding="utf-8")
    with pytest.raises(ImportProblem, match=r"lacks the column\(s\) error; it has query, function_calls"):
        rescore(small, model="m", mode="all", profile=V1)


def test_results_that_are_not_there_are_answered_with_what_is(small: Path, data: Path) -> None:
    file = write_results(small)["email"]

    for model, mode, profile, told in (
        ("n", "all", V1, r"no results of 'n' in mode 'all'; it has m \(all\), tiny \(all\)"),
        ("m", "some", V1, "no mode 'some', only all and domains"),
        ("m", "all", "v3", r"no profile 'v3'. There are v1-2024 \("),
        ("tiny", "all", V1, r"there is no .*/email/tiny_all_\*\.csv, no .*/analytics/tiny_all_\*\.csv"),
    ):
        with pytest.raises(ImportProblem, match=told):
            rescore(small, model=model, mode=mode, profile=profile)
    file.unlink()
    with pytest.raises(ImportProblem, match=r"there is no .*/email/m_all_\*\.csv"):
        rescore(small, model="m", mode="all", profile=V1)


def test_the_newest_results_count_and_older_ones_are_named(small: Path, data: Path) -> None:
    old = write_results(small, {"calendar-000": []})
    new = write_results(small, time="2024-03-02_00-00-00", packed=True)

    found = rescore(small, model="m", mode="all", profile=V1)

    assert (dict(found.chosen.files), set(found.chosen.older)) == (new, set(old.values()))
    assert all(score.value == 1 for score in scores(found).values())


def test_the_layout_of_2026_is_read_with_the_tasks_that_the_results_were_made_with(small_v2: Path, data: Path) -> None:
    """A file without a sidecar is of 2024 and goes with the snapshot `v1`; a sidecar names the version."""
    files = write_results(small_v2, packed=True)
    with pytest.raises(ImportProblem, match=r"lacks 6 file\(s\) of the v2 layout: .*outcomes/v1/email_tasks_and"):
        rescore(small_v2, model="m", mode="all", profile=CHARTS)

    for file in files.values():
        beside = file.with_name(file.name.removesuffix(".csv.gz") + "_meta.json")
        beside.write_text(json.dumps({"ground_truth_version": "v2"}))
    current = rescore(small_v2, model="m", mode="all", profile=CHARTS)
    beside = files["calendar"].with_name(f"m_all_{TIME}_meta.json")
    beside.write_text(json.dumps({"ground_truth_version": "v2026-05-19"}))
    tasks = small_v2 / "data/processed/tasks_and_outcomes"
    (tasks / "v2026-05-19").mkdir()
    name = "calendar_tasks_and_outcomes.csv"
    text = (tasks / name).read_text(encoding="utf-8").replace('event_id=""00000001""', 'event_id=""00000000""')
    (tasks / "v2026-05-19" / name).write_text(text, encoding="utf-8")
    older = rescore(small_v2, model="m", mode="all", profile=CHARTS)

    assert {task for task, score in scores(current).items() if score.value != 1} == set()
    assert {task for task, score in scores(older).items() if score.value != 1} == {"calendar-000"}
    assert current.suite.name == "workbench-official@v2"


# The command.


@pytest.fixture
def harness(data: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    return running(capsys)


def options(profile: str = V1) -> list[str]:
    return ["--model", "m", "--mode", "all", "--profile", profile]


def test_the_command_prints_one_object(small: Path, harness: Call) -> None:
    write_results(small, {"calendar-000": ["x("]})

    done = harness("rescore", "workbench", small, *options(V2), "--json")
    found = json.loads(done.out)

    assert done.status == 0
    assert (found["run"], found["trials"], found["void"], found["correct"]) == (None, 17, 0, 16)
    assert found["side_effects"] == 0
    assert found["accuracy"]["low"] < found["accuracy"]["value"] < found["accuracy"]["high"]
    assert [(cell["agent"], cell["condition"]) for cell in found["conditions"]] == [("m", f"all/{V2}")]
    assert found["unparsed_calls"] == {"calendar-000": 1}
    assert found["tables"]["Re-scored: domains"][-1]["correct"] == 16
    assert [row["rule"] for row in found["tables"]["Re-scored: the rule on failing calls"]] == [
        "comparison alone",
        "a failing call is wrong",
    ]


def test_the_command_writes_a_run_that_can_be_shown_replayed_and_scored_again(
    small: Path, harness: Call, tmp_path: Path
) -> None:
    write_results(small, {"analytics-000": [PLOT.format("2023-11-30"), "oh dear("]})
    folder = tmp_path / "run"

    first = json.loads(harness("rescore", "workbench", small, *options(CHARTS), "--output", folder, "--json").out)
    shown = harness("show", folder, "analytics-000").out
    again = json.loads(harness("score", folder, "--json").out)

    assert (first["run"], first["correct"]) == (str(folder), 16)
    assert (again["correct"], again["digest"]) == (first["correct"], first["digest"])
    assert harness("replay", folder).out.endswith("17 trials replayed, 17 digests equal\n")
    assert "m on analytics-000 of workbench-official@v1, condition all/v2-2026-07" in shown
    assert "insert analytics.plots 0" in shown.replace("plots 1", "plots 0")
    assert "garbled: The call does not parse" in shown
    assert "agent ends with: Done." in shown
    assert "Failing calls make it wrong under v2-2026-07: 1." in shown
    assert "Results: outcomes" in harness("report", folder).out


def test_a_run_of_tasks_that_are_not_the_newest_import_says_so(
    small: Path, harness: Call, tmp_path: Path, data: Path
) -> None:
    write_results(small)
    data.mkdir(parents=True)
    (data / "v1").write_text("another\n")

    done = harness("rescore", "workbench", small, *options(), "--output", tmp_path / "run")

    assert done.status == 0
    assert "`harness report` will not find them until `harness import workbench" in done.err
    assert (data / "v1").read_text() == "another\n"


def test_items_are_written_one_row_per_task(small: Path, harness: Call, tmp_path: Path) -> None:
    write_results(small, {"calendar-000": ["x(", RENAME], "calendar-001": "none"})
    file = tmp_path / "items.csv"

    done = harness("rescore", "workbench", small, *options(), "--items", file)
    with file.open(newline="", encoding="utf-8") as source:
        rows = {row["task"]: row for row in csv.DictReader(source)}

    assert done.status == 1
    assert "1 rows cannot be read; their trials are void:\n  calendar-001: function_calls" in done.err
    assert len(rows) == 17
    wrong, void = rows["calendar-000"], rows["calendar-001"]
    assert (wrong["verdict"], wrong["correct"], wrong["side_effects"], wrong["unparsed"]) == ("failed", "0", "1", "1")
    assert (void["verdict"], void["correct"], void["status"]) == ("void", "", "void")


def test_the_command_asks_for_what_it_was_not_given(small: Path, harness: Call, tmp_path: Path) -> None:
    write_results(small)

    for arguments, told in (
        ([small], "which model and mode? "),
        ([small, "--model", "m", "--mode", "all", "--profile", "v9"], "no profile 'v9'. There are v1-2024"),
        ([tmp_path / "nowhere", *options()], "nowhere is not a folder"),
        ([small, *options(), "--items", tmp_path / "no/items.csv"], "there is no folder"),
        ([small, "--observations", "--profile", V1], "--observations takes no --profile"),
        ([small, "--observations", "--model", "n"], "has no results of n in mode any; it has m (all), tiny (all)"),
    ):
        done = harness("rescore", "workbench", *arguments)
        assert (done.status, told in done.err) == (2, True), done


def test_without_a_profile_the_rules_are_those_of_the_checkout(small: Path, harness: Call) -> None:
    write_results(small)

    done = harness("rescore", "workbench", small, "--model", "m", "--mode", "all", "--json")

    assert json.loads(done.out)["profile"] == V1


def test_the_command_counts_recorded_answers(small: Path, harness: Call) -> None:
    done = harness("rescore", "workbench", small, "--observations")
    found = json.loads(harness("rescore", "workbench", small, "--observations", "--model", "tiny", "--json").out)

    assert done.out.startswith("6 runs (1 without steps), 16 pairs: 16 agree, 0 depart by rule (0.00%), 0 unmatched")
    assert (done.status, found["pairs"], found["agreed"], found["departures"]) == (0, 16, 16, {})


def test_recorded_answers_that_differ_fail_the_command(small: Path, harness: Call) -> None:
    (file,) = (small / "data/results/calendar").iterdir()
    file.write_text(file.read_text(encoding="utf-8").replace("'berth round'", "'lunch'"), encoding="utf-8")

    done = harness("rescore", "workbench", small, "--observations")

    assert done.status == 1
    assert "unmatched: calendar-000 step 1" in done.out


# The published results.


@pytest.fixture(scope="session")
def gpt_4(published: Path, published_suite: Suite) -> Rescored:
    return rescore(published, model="gpt-4", mode="all", profile=V1)


@pytest.fixture(scope="session")
def mixtral(published: Path, published_suite: Suite) -> Rescored:
    return rescore(published, model="mistral-8x7B", mode="domains", profile=V1)


Figures = tuple[int, int]
"""Tasks that are correct, and tasks with side effects."""


def total(cases: Iterable[Mapping[str, Any]]) -> Figures:
    found = list(cases)
    return sum(case["correct"] for case in found), sum(case["side_effects"] for case in found)


def by_domain(details: Mapping[str, Mapping[str, Any]]) -> dict[str, Figures]:
    found = {
        domain: total(detail for task, detail in details.items() if task.startswith(f"{domain}-")) for domain in DOMAINS
    }
    return {**found, "all": total(details.values())}


def test_gpt_4_scores_in_every_domain_what_the_release_of_2024_gives_it(published: Path, gpt_4: Rescored) -> None:
    """294 of 690 correct (the paper's 43%) and 177 with side effects (26%)."""
    assert by_domain({task: score.detail for task, score in scores(gpt_4).items()}) == {
        "email": (43, 19),
        "calendar": (71, 24),
        "analytics": (47, 65),
        "project_management": (31, 3),
        "customer_relationship_manager": (18, 5),
        "multi_domain": (84, 61),
        "all": (294, 177),
    }


def test_mixtral_scores_in_every_domain_what_the_release_of_2024_gives_it(published: Path, mixtral: Rescored) -> None:
    """132 of 690 correct and 237 with side effects, with the tools of each task's domains."""
    assert by_domain({task: score.detail for task, score in scores(mixtral).items()}) == {
        "email": (10, 41),
        "calendar": (22, 37),
        "analytics": (30, 39),
        "project_management": (23, 5),
        "customer_relationship_manager": (8, 39),
        "multi_domain": (39, 76),
        "all": (132, 237),
    }


def test_exact_matches_flags_and_numbers_of_actions_are_those_of_the_release(
    published: Path, gpt_4: Rescored, mixtral: Rescored
) -> None:
    def counted(found: Rescored) -> tuple[int, list[int], list[int]]:
        details = under(V1, found)
        needed = [found.suite.task(task).facts["actions"] for task, detail in details.items() if detail["correct"]]
        return (
            sum(detail["exact"] for detail in details.values()),
            [sum(flag in detail["flags"] for detail in details.values()) for flag in FLAGS],
            [needed.count(0), sum(n > 0 for n in needed), sum(n > 1 for n in needed)],
        )

    assert counted(gpt_4) == (265, [78, 106, 37, 9], [92, 202, 28])
    assert counted(mixtral) == (106, [129, 155, 10, 0], [78, 54, 1])


def test_under_the_rules_of_2026_gpt_4_gains_charts_and_plots_do_no_harm(published: Path, gpt_4: Rescored) -> None:
    june, july = (by_domain(under(profile, gpt_4)) for profile in (V2, CHARTS))

    assert (june["analytics"], june["all"]) == ((47, 0), (294, 112))
    assert (july["analytics"], july["all"]) == ((85, 0), (332, 112))


def test_the_rule_on_failing_calls_costs_mixtral_ten_tasks_and_gpt_4_none(
    published: Path, gpt_4: Rescored, mixtral: Rescored
) -> None:
    for found, alone, ruled in ((gpt_4, (332, 112), (332, 112)), (mixtral, (141, 198), (131, 203))):
        details = under(CHARTS, found).values()
        assert total(detail["without_failing_rule"] for detail in details) == alone
        assert total(details) == ruled


def test_every_recorded_answer_of_every_shipped_file_is_ours_or_departs_by_rule(
    published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, left_out = observed(published)

    with capsys.disabled():
        print(f"\nall shipped files: {found}")  # noqa: T201 (the counts are the result)
    assert (found.runs, found.pairs, found.agreed, found.not_tools) == (1380, 3334, 3317, 91)
    assert (found.holds, found.unmatched, left_out) == (True, [], [])
