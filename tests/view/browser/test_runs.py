"""Several runs side by side, which differ in nothing but their folders, or of which there are many; one that grows."""

from __future__ import annotations

from typing import Any

from tests.view.browser.conftest import Open
from tests.view.browser.made import CONDITIONS, Made, key_of

FIRST, SECOND = key_of(0, 4), key_of(1, 4)


class Twins(Made):
    """Two runs of one configuration: a trial has its twin of the other run beside it."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        row = self.row(1 - run, self.numbers[run][key])
        named = {name: row[name] for name in ("key", "agent", "condition", "trial", "verdict")}
        return {**super().trial(run, key), "siblings": [{"run": 1 - run, **named}]}


TWINS = Twins(count=54, runs=2)


def test_a_trial_to_compare_with_names_its_run(view: Open) -> None:
    page = view(TWINS, f"t=workday-0.{FIRST}")
    option = page.locator("#sibling option")
    assert option.first.inner_text().strip().endswith("trial 0 of workday-1")


def test_trials_of_two_runs_side_by_side_are_named_by_their_runs(view: Open) -> None:
    page = view(TWINS, f"t=workday-0.{FIRST}&u=workday-1.{SECOND}")
    page.locator(".pair-heads").wait_for()
    assert page.locator(".side-heads strong").all_inner_texts() == ["workday-0", "workday-1"]
    assert [text.split(" of ")[1][:9] for text in page.locator(".pair-head .who").all_inner_texts()] == [
        "workday-0",
        "workday-1",
    ]


def test_cards_say_of_which_run_and_which_trial_they_are(view: Open) -> None:
    page = view(TWINS, f"q={FIRST}", width=390)
    assert "workday-0 · trial 0" in page.locator(".card-facts").first.inner_text()
    page = view(Made(count=54), width=390)
    assert "trial 0" in page.locator(".card-facts").first.inner_text()
    assert "workday" not in page.locator(".card-facts").first.inner_text()


class Many(Made):
    """Runs of one agent each, of which each has one task in common with the first, but the last two have six."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        task = f"task-{n}" if run >= self.runs - 2 or n == 0 else f"task-{run}-{n}"
        verdict = "correct" if (run + n) % 2 else "failed"
        told = {"agent": f"agent-{run}", "condition": CONDITIONS[0], "task": task, "verdict": verdict}
        return {**super().row(run, n), **told, "trial": 0}


def folds_of_pairs(page: Any) -> Any:
    """What opens the pairs of agents of each run."""
    folds = page.locator("section:has(#pairs-title) > details > summary", has_text=": ")
    folds.first.wait_for()
    return folds


def all_pairs(page: Any) -> Any:
    """The rows of all pairs of agents, of which many are folded by run."""
    folds = folds_of_pairs(page)
    for fold in folds.all():
        fold.click()
    tables = page.get_by_role("region", name="Agents, two by two")
    tables.nth(folds.count() - 1).wait_for()
    return tables.locator("tbody tr")


def test_of_many_agents_those_that_share_most_tasks_are_paired(view: Open) -> None:
    page = view(Many(count=6, runs=24), "p=compare")
    pairs = all_pairs(page)
    assert pairs.count() == 190
    first = pairs.first.locator("th, td").all_inner_texts()
    assert first[:4] == ["workday-22: agent-22", "workday-23: agent-23", CONDITIONS[0], "6"]
    assert "Of 276 pairs that share tasks, these are 190: " in page.locator("section:has(#pairs-title)").inner_text()

    pairs.first.locator("a").first.click()
    page.locator("tr.row").first.wait_for()
    assert page.locator("tr.row").count() == 6
    assert set(page.locator("tr.row td:nth-child(2)").all_inner_texts()) <= {
        "workday-22",
        "workday-23",
        "agent-22",
        "agent-23",
    }


class Beside(Many):
    """The first run has one task in common with each of the others, which have six among them."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        return {**super().row(run, n), "task": f"first-{n}" if run == 0 and n else f"task-{n}"}


def test_of_many_agents_those_that_tables_lead_to_are_paired_however_few_tasks_they_share(view: Open) -> None:
    page = view(Beside(count=6, runs=24), "f.decided=workday-23: agent-23 rather than workday-0: agent-0")
    page.locator("tr.row").first.wait_for()
    assert page.locator("tr.row").count() == 2
    page = view(Beside(count=6, runs=24), "p=compare")
    pairs = all_pairs(page)
    assert pairs.filter(has_text="workday-0: ").count() == 23
    assert pairs.count() == 190


class Conditioned(Made):
    """So many agents under each of four conditions, or agents under so many, that were all right at one task but the
    first of them."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        agent, condition = f"agent-{n % 21:02}", f"condition-{n // 21:02}"
        verdict = "correct" if n % 21 else "failed"
        told = {"agent": agent, "condition": condition, "task": "task", "verdict": verdict}
        return {**super().row(run, n), **told, "trial": 0}


class Turned(Conditioned):
    """Conditions in place of agents."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        row = super().row(run, n)
        return {**row, "agent": row["condition"], "condition": row["agent"]}


def test_many_agents_are_paired_under_each_condition(view: Open) -> None:
    page = view(Conditioned(count=84), "p=compare")
    pairs = page.get_by_role("region", name="Agents, two by two").locator("tbody tr")
    pairs.first.wait_for()
    assert [pairs.filter(has_text=f"condition-{n:02}").count() for n in range(4)] == [190] * 4
    page = view(Conditioned(count=84), "f.decided=agent-01 rather than agent-00&f.condition=condition-03")
    page.locator("tr.row").first.wait_for()
    assert page.locator("tr.row").count() == 2


def test_all_conditions_of_an_agent_are_held_against_each_other_however_many_they_are(view: Open) -> None:
    page = view(Turned(count=84), "f.kept=agent-19 and agent-20: both right")
    page.locator("tr.row").first.wait_for()
    assert page.locator("tr.row").count() == 8


def test_agents_that_share_no_task_are_no_pair(view: Open) -> None:
    class Apart(Many):
        def row(self, run: int, n: int) -> dict[str, Any]:
            return {**super().row(run, n), "task": f"task-{run // 2}-{n}"}

    page = view(Apart(count=3, runs=22), "p=compare")
    pairs = page.get_by_role("region", name="Agents, two by two").locator("tbody tr")
    pairs.first.wait_for()
    assert pairs.count() == 11
    assert "pairs that share tasks" not in page.locator("main").inner_text()


class Growing(Made):
    """A run under way, whose tables are of one more trial each time that its list was asked for."""

    def report(self, run: int) -> dict[str, Any]:
        return {**super().report(run), "trials": len(self.grown)}


def test_a_report_of_a_run_under_way_says_at_how_many_trials_it_was_made_and_is_made_again(view: Open) -> None:
    page = view(Growing(count=54, under_way=1), "p=report&run=workday-0")
    page.get_by_text("tables were made at").wait_for()
    again = page.get_by_role("button", name="Make them again")
    again.wait_for()
    before = page.get_by_text("tables were made at").inner_text()
    assert before.startswith("workday-0 is under way: these tables were made at ")
    assert " of 54 trials." in before
    again.click()
    page.get_by_text("Making the tables").wait_for(state="detached")
    page.get_by_text("tables were made at").wait_for()
    assert page.get_by_text("tables were made at").inner_text() != before


class Ahead(Growing):
    """A run of which nobody knows how many trials it will have, and whose tables have more of them than the list."""

    @property
    def head(self) -> dict[str, Any]:
        told = super().head
        return {**told, "runs": [{**run, "planned": None} for run in told["runs"]]}

    def index(self, run: int, after: int = 0) -> dict[str, Any]:
        return {**super().index(run, 0), "planned": None, "under_way": True, "total": 1, "trials": 1}

    def report(self, run: int) -> dict[str, Any]:
        return {**super().report(run), "trials": 7, "read": 7}


def test_tables_are_never_made_at_more_trials_than_there_are(view: Open) -> None:
    page = view(Ahead(count=54, under_way=1), "p=report&run=workday-0")
    assert "were made at 7 of 7 trials." in page.get_by_text("tables were made at").inner_text()


def test_questions_of_several_runs_say_which_run_they_are_of_and_are_filtered_by_it(view: Open) -> None:
    page = view(Made(count=54, runs=2), "p=questions")
    rows = page.locator(".questions tbody tr")
    rows.first.wait_for()
    all_rows = rows.count()
    page.get_by_label("workday-1").check()
    page.locator(".questions tbody tr", has_text="workday-0").first.wait_for(state="detached")
    assert 0 < rows.count() < all_rows
    assert rows.count() == page.locator(".questions tbody tr", has_text="workday-1").count()
    assert "f.run=workday-1" in page.url


def test_questions_of_a_single_run_have_no_filter_by_run(view: Open) -> None:
    page = view(Made(count=54), "p=questions")
    page.locator(".questions tbody tr").first.wait_for()
    assert "Run" not in page.locator(".choices legend").all_inner_texts()
    assert page.get_by_text("workday-0").count() <= 1  # in the head of the page


def test_many_pairs_of_several_runs_are_folded_by_run(view: Open) -> None:
    page = view(Many(count=6, runs=24), "p=compare")
    folds = folds_of_pairs(page)
    pairs = page.get_by_role("region", name="Agents, two by two").locator("tbody tr")
    assert (folds.count(), pairs.count()) == (12, 0)
    folds.filter(has_text="workday-0: ").click()
    pairs.first.wait_for()
    assert set(pairs.locator("th").all_inner_texts()) == {"workday-0: agent-0"}


def test_pairs_of_conditions_are_folded_by_run_where_they_are_many(view: Open) -> None:
    page = view(Made(count=270, runs=12), "p=compare")
    section = page.get_by_role("region", name="Who gains by asking", exact=True)
    folds = section.locator("summary", has_text="pair")
    folds.first.wait_for()
    assert [text.split(":")[0] for text in folds.all_inner_texts()[:12]] == [f"workday-{n}" for n in range(12)]
    folds.nth(3).click()
    rows = section.locator("tbody tr th")
    rows.first.wait_for()
    assert {text.split(":")[0] for text in rows.all_inner_texts()} == {"workday-3"}


def test_tasks_of_many_pairs_are_folded_into_one_line(view: Open) -> None:
    page = view(Many(count=6, runs=24), "p=compare")
    line = page.locator("summary", has_text="Tasks by name, of")
    line.wait_for()
    assert page.locator("summary", has_text="by name").count() == 1
    line.click()
    page.locator("summary", has_text="task by name").first.wait_for()
