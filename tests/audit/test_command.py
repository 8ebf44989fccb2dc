from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from harness import audit
from harness.cli import auditing
from harness.core.config import Condition, UserConfig
from harness.play.stopping import Terminated
from harness.suite import SuiteEntry
from servers.kernel import Question
from tests.audit.test_asking import DUE, everything, hears, withholding
from tests.audit.toys import accepts_everything, suite
from tests.cli.conftest import offer, running

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`run("toy", ...)` audits a suite of that name.

    `weak` accepts everything, `open` withholds a due date, `empty` has no tasks.
    """
    entries = (
        SuiteEntry("toy", "Sound.", suite),
        SuiteEntry("weak", "Not so.", lambda: suite(check=accepts_everything)),
        SuiteEntry("open", "To be asked about.", lambda: suite(withholding(DUE))),
        SuiteEntry("empty", "Apps and a world.", lambda: replace(suite(), tasks=())),
    )
    offer(monkeypatch, *entries)
    return running(capsys, "audit")


def test_a_sound_suite_ends_with_status_0_and_tables(run: Run) -> None:
    status, out, err = run("toy")

    assert (status, err) == (0, "")
    assert "Audit: by mutation" in out
    assert "2 tasks, digest" in out


def test_a_weak_suite_ends_with_status_1_and_names_the_tasks(run: Run) -> None:
    status, out, err = run("weak")

    first, *others = err.splitlines()
    assert (status, first) == (1, "2 tasks have faults: toy-0, toy-1")
    assert len(others) == 6
    assert others[0] == (
        "nothing checks projects.tasks (a row removed, a row added) in 2 tasks: toy-0, toy-1; "
        "check it, or say in Suite.unchecked why not"
    )
    assert "survived" in out


def test_the_certificate_goes_to_standard_output_and_to_a_file(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("toy", "--json", "--seed", 5, "--limit", 1, "--output", tmp_path / "new" / "toy.json")

    printed = json.loads(out)
    assert (status, printed["sound"], printed["seed"], printed["tasks"], printed["of"]) == (0, True, 5, 1, 2)
    assert json.loads((tmp_path / "new" / "toy.json").read_text(encoding="utf-8")) == printed


def test_a_suite_without_tasks_has_nothing_to_audit(run: Run) -> None:
    assert run("empty") == (2, "", "harness: suite toy has no tasks: nothing would be audited\n")


def test_an_unknown_suite_is_a_wrong_call(run: Run) -> None:
    status, _, err = run("tpy")

    assert status == 2
    assert "toy" in err


def test_a_slot_that_the_user_does_not_hear_ends_with_status_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "asked", hears("due date"))
    status, out, err = run("open")

    assert (status, err) == (1, "1 task has faults: toy-0\n")
    assert "due (due_date): the user hears 8 of 11 questions" in out
    assert out.endswith(", 8 of 11 questions heard\n")


def test_a_slot_that_the_user_hears_is_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "asked", everything)

    assert run("open")[0] == 0


def test_the_user_who_is_asked_is_the_one_of_a_condition_that_names_none() -> None:
    (brief,) = withholding(DUE).sessions[0].briefs.values()
    answer = anyio.run(auditing.asked(brief).answer, Question(text="What is the due date?"))

    assert Condition().user == UserConfig()
    assert [(part.kind, part.target) for part in answer.parts] == [("given", "due")]


def test_an_audit_that_is_terminated_ends_with_status_143(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def terminated(*_: object, **__: object) -> None:
        raise Terminated

    monkeypatch.setattr(audit, "audit", terminated)

    assert run("toy") == (143, "", "")
