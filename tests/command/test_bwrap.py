"""The bwrap fence, tried from inside: what a program sees, writes and may do, and that nothing outlives its trial."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import harness
from harness import wiring
from harness.core.config import CommandConfig, ConfigProblem
from harness.core.config_file import load
from harness.isolation import argv, bwrap, files
from harness.play.run import evaluate
from harness.record import canary
from harness.wiring import check
from tests.command import hiding
from tests.command.programs import CALL, DAEMON, MOVE, ToyWired, config, played, process, run
from tests.harness import toy

PYTHON = ["{python}", "-c"]
"""The interpreter of the tests, and what shows it behind the fence."""


def _refusal() -> str:
    """Why there is no fence to try here; empty where there is."""
    try:
        bwrap.check(CommandConfig(kind="command", command=("sh", "{mcp_config}")), "/bin/sh")
    except ConfigProblem as problem:
        return str(problem)
    return ""


REFUSAL = _refusal()
fenced = pytest.mark.skipif(bool(REFUSAL), reason=f"bwrap is NOT TRIED HERE: {REFUSAL}")


def inside(program: str, folder: Path, **changes: Any) -> Any:
    """What a program behind the fence prints as JSON."""
    changes = {"isolation": "bwrap", "command": [*PYTHON, program, "{mcp_config}"], **changes}
    trajectory = played("", folder, **changes)
    assert trajectory.status == "finished", trajectory.reason
    assert process(trajectory).isolation == "bwrap"
    return json.loads(trajectory.sessions[0].reply)


@fenced
def test_a_program_behind_it_works_on_its_apps(tmp_path: Path) -> None:
    work = f"{CALL}\ncall('update_task', {MOVE})"
    (record,) = run("", tmp_path, isolation="bwrap", command=[*PYTHON, work, "{mcp_config}"]).records()

    assert record.scores["outcome"].value == 1
    assert process(record.trajectory).isolation == "bwrap"


@fenced
def test_it_sees_no_repository_data_run_home_or_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "data"))
    repository = Path(harness.__file__).parents[1]
    paths = [
        repository, repository / "pyproject.toml", tmp_path / "data", tmp_path / "run" / "run.json", Path.home(),
        tmp_path / "run" / canary.FILE, "/etc/shadow", "/etc/ssh", "/etc/ssl/private", "/etc/sudoers", "/run", "/var",
        "/home", "/sys", "/opt", "/usr/src", "/mnt",
    ]  # fmt: skip
    shown = [sys.prefix, sys.base_prefix]
    kept = [str(path) for path in paths if not any(Path(each).is_relative_to(str(path)) for each in shown)]
    look = f"import json, os; print(json.dumps([path for path in {kept} if os.path.exists(path)]))"

    assert inside(look, tmp_path / "run") == []
    assert len(kept) > 12


@fenced
def test_of_other_processes_and_shared_memory_it_sees_none(tmp_path: Path) -> None:
    look = "import json, os; print(json.dumps([[int(n) for n in os.listdir('/proc') if n.isdigit()], "
    look += "os.listdir('/dev/shm'), os.getpid()]))"
    processes, shared, own = inside(look, tmp_path)

    assert own in processes
    assert len(processes) <= 2, "bwrap's own and the program"
    assert shared == []


@fenced
def test_it_writes_to_its_folder_and_tmp_only(tmp_path: Path) -> None:
    attempt = """
import json, os, sys
from pathlib import Path
written = []
home = Path(os.environ["HOME"])
for folder in ("/", "/usr/lib", "/etc", "/proc/sys/kernel", "/dev/shm", sys.prefix, "/tmp", ".", home, home.parent):
    try:
        (Path(folder) / "left").write_text("x")
        written.append(str(folder))
    except OSError:
        pass
try:
    name = Path("/proc/sys/kernel/core_pattern")
    name.write_text(name.read_text())
    written.append(str(name))
except OSError:
    pass
print(json.dumps([written, str(home), os.getcwd()]))
"""
    written, home, _ = inside(attempt, tmp_path)

    assert written == ["/dev/shm", "/tmp", ".", home, str(Path(home).parent)]
    assert not Path("/tmp/left").exists(), "that was a /tmp of its own"
    assert not Path("/dev/shm/left").exists()


@fenced
def test_it_has_no_capabilities_and_gets_none(tmp_path: Path) -> None:
    attempt = """
import ctypes, json, re
libc = ctypes.CDLL(None, use_errno=True)
status = open("/proc/self/status").read()
held = [int(re.search(rf"^{name}:\\s*(\\w+)", status, re.M)[1], 16) for name in ("CapPrm", "CapEff", "CapBnd")]
mounted = libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0
print(json.dumps([held, "NoNewPrivs:\\t1" in status, mounted, libc.unshare(0x10000000) == 0]))
"""
    assert inside(attempt, tmp_path) == [[0, 0, 0], True, False, False]


@fenced
def test_its_environment_is_what_is_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("HANDED_ON", "yes")
    look = "import json, os; print(json.dumps(dict(os.environ)))"
    found = inside(look, tmp_path, pass_environment=["HANDED_ON"], environment={"MODE": "test"})

    assert set(found) - {"LC_CTYPE", "PWD"} == {
        "PATH", "LANG", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "HANDED_ON", "MODE",
    }  # fmt: skip
    assert (found["HANDED_ON"], found["MODE"]) == ("yes", "test")


@fenced
def test_a_grandchild_that_becomes_a_daemon_is_killed_at_the_time_limit(tmp_path: Path) -> None:
    marker = f"{os.getpid()}-{tmp_path.name}"
    command = [*PYTHON, DAEMON, "{mcp_config}", marker]
    trajectory = played("", tmp_path, isolation="bwrap", command=command, limits={"seconds": 3})

    assert (trajectory.status, trajectory.reason) == ("limit", "limit reached: seconds")
    assert "daemon" in trajectory.messages[-1].content
    # What is behind a fence dies with its first process, often before it could be counted.
    assert (process(trajectory).exit, process(trajectory).killed >= 1) == (None, True)
    assert marker not in subprocess.run(["ps", "ax", "-o", "args"], capture_output=True, text=True).stdout


@fenced
def test_the_interpreter_of_a_virtual_environment_needs_its_folders_in_readable(tmp_path: Path) -> None:
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    command = [str(place / "bin" / "python"), "-c", "import json, sys; print(json.dumps(sys.prefix))", "{mcp_config}"]
    with pytest.raises(ConfigProblem, match=r"venv/bin/python cannot be seen inside bwrap: name it in `readable`"):
        check(config("", isolation="bwrap", command=command), toy.suite())

    assert inside("", tmp_path / "run", command=command, readable=[str(place), sys.base_prefix]) == str(place)


@fenced
def test_a_readable_folder_shows_no_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "official").mkdir(parents=True)
    (tmp_path / "tool.txt").write_text("x")
    repository = Path(harness.__file__).parents[1]
    folders = [str(tmp_path), *(str(repository / name) for name in ("harness", "benchmarks"))]
    look = f"import json, os; print(json.dumps([os.listdir(path) for path in {folders}]))"
    seen = inside(look, tmp_path / "run", readable=[str(tmp_path), str(repository)])

    assert {"tool.txt", "data"} <= set(seen[0])
    assert seen[1:] == [[], []]
    look = f"import json, os; print(json.dumps(os.listdir({str(tmp_path / 'data')!r})))"
    assert inside(look, tmp_path / "again", readable=[str(tmp_path)]) == []


@fenced
@pytest.mark.parametrize("way", hiding.WAYS)
def test_no_way_that_leads_to_a_checkout_shows_answers(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = hiding.checkout(tmp_path / "home", monkeypatch)
    named = str(tmp_path / "home" / way)
    command = [*PYTHON, hiding.LOOK, "{mcp_config}", named]
    seen = inside("", tmp_path / "run", command=command, readable=[named, str(place)])

    assert seen["ANSWER"] == []
    assert seen["fine"] != []


@fenced
def test_a_suite_that_is_one_file_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = tmp_path / "home" / "suite.py"
    hiding.made(suite, "ANSWER")
    hiding.made(suite.with_name("agent.py"), "fine")
    monkeypatch.setattr(files, "_suites", lambda: (suite,))
    command = [*PYTHON, hiding.LOOK, "{mcp_config}", str(suite.parent)]
    seen = inside("", tmp_path / "run", command=command, readable=[str(suite.parent)])

    assert (seen["ANSWER"], len(seen["fine"])) == ([], 1)


@fenced
def test_a_script_beside_the_config_is_seen_and_its_neighbours_are_not(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("import json, os, sys; print(json.dumps(os.listdir(os.path.dirname(__file__))))")
    (tmp_path / "one.yaml").write_text(
        'suite: toy\nagents:\n- {kind: command, isolation: bwrap, command: ["{python}", agent.py, "{mcp_config}"]}\n'
    )
    (record,) = evaluate(load(tmp_path / "one.yaml"), toy.suite([toy.task(0)]), ToyWired(), tmp_path / "run").records()

    assert json.loads(record.trajectory.sessions[0].reply) == ["agent.py"]


@fenced
def test_a_program_behind_it_cannot_print_the_canary(tmp_path: Path) -> None:
    peek = f"print(open({str(tmp_path / canary.FILE)!r}).read())"
    (record,) = run("", tmp_path, isolation="bwrap", command=[*PYTHON, peek, "{mcp_config}"]).records()

    assert (record.trajectory.status, record.trajectory.canary) == ("crashed", False)
    assert "FileNotFoundError" in record.trajectory.reason


@pytest.mark.parametrize(
    ("way", "problem"),
    [
        ("checkout/benchmarks", "is .*checkout/benchmarks"),
        ("checkout/tests/key.txt", "lies in .*checkout/tests"),
        ("checkout/.git/objects", "lies in .*checkout/.git"),
        ("link/benchmarks/one", "leads to .*checkout/benchmarks/one and lies in .*checkout/benchmarks"),
        ("folder/git", "leads to .*checkout/.git and is .*checkout/.git"),
        ("tree/harness", "is .*tree/harness"),
        ("up/data/official", "leads to .*data/official and lies in .*data"),
    ],
)
@pytest.mark.parametrize("isolation", ["bwrap", "container"])
def test_a_readable_path_to_answers_is_refused(
    way: str, problem: str, isolation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hiding.checkout(tmp_path, monkeypatch)
    (tmp_path / "folder" / "git").symlink_to("../checkout/.git")
    agent = config("", isolation=isolation, image="any", readable=[str(tmp_path / way)])

    with pytest.raises(ConfigProblem, match=rf"readable names {tmp_path / way}, which {problem}\. That holds answers"):
        check(agent, toy.suite())


@pytest.mark.parametrize("path", ["/", "/proc", "/proc/self"])
def test_the_whole_machine_and_its_processes_cannot_be_readable(path: str) -> None:
    with pytest.raises(ConfigProblem, match=f"readable names {path}, which .*shows all processes of this machine"):
        check(config("", isolation="bwrap", readable=[path]), toy.suite())


@fenced
@pytest.mark.slow
def test_the_example_script_plays_behind_it(tmp_path: Path) -> None:
    chosen = load(Path(__file__).parents[2] / "examples" / "plain_agent.yaml")
    agent = chosen.agents[0].model_copy(update={"isolation": "bwrap"})
    chosen = chosen.model_copy(update={"agents": (agent,), "tasks": chosen.tasks[8:12]})
    records = list(evaluate(chosen, wiring.suite(chosen.suite), wiring.wiring(), tmp_path, concurrency=2).records())

    assert [record.scores["outcome"].value for record in records] == [1] * 4
    assert {process(record.trajectory).isolation for record in records} == {"bwrap"}


def test_bwrap_that_is_not_installed_is_refused_before_the_first_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "bwrap" else name)

    with pytest.raises(ConfigProblem, match=r"needs the program bwrap .*isolation: none"):
        check(config("", isolation="bwrap"), toy.suite())


def test_bwrap_that_does_not_work_is_refused_with_its_own_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: Creating new namespace failed' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    with pytest.raises(ConfigProblem, match=r"bwrap does not work here: bwrap: Creating new namespace failed\. It has"):
        check(config("", isolation="bwrap"), toy.suite())


def test_a_readable_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigProblem, match=r"readable names .*/missing, which is not there"):
        check(config("", isolation="bwrap", readable=[str(tmp_path / "missing")]), toy.suite())


def test_bwrap_shows_the_system_the_programs_own_folder_and_what_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    agent = config("", isolation="bwrap", readable=[str(tmp_path / "shown")]).agents[0]
    assert isinstance(agent, CommandConfig)
    line = argv(agent, ["python", "-c", "pass"], tmp_path / "own")
    shown = {line[n + 1] for n, part in enumerate(line) if part in ("--ro-bind", "--bind")}

    assert str(tmp_path / "own") in shown
    assert str(tmp_path / "shown") in shown
    assert not {"/", "/etc", "/usr", str(Path.home()), str(tmp_path)} & shown
    assert {"--unshare-pid", "--die-with-parent", "--new-session", "--disable-userns"} <= set(line)
    assert line[-2:] == ["-c", "pass"]
