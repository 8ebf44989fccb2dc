"""The container fence: for real where podman runs, and with a stand-in runtime for what can go wrong anywhere."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest

import harness
from harness.core.config import CommandConfig, ConfigProblem, RunConfig
from harness.isolation import guardian
from harness.record import canary
from harness.wiring import check
from tests.command import hiding, runtime
from tests.command.programs import CALL, DAEMON, MOVE, alive, config, played, process, run, started
from tests.harness import toy

IMAGE = "localhost/harness-test:empty"
"""Folders and nothing else: the interpreter comes from this machine, as `readable`."""

READABLE = [path for path in dict.fromkeys((sys.prefix, sys.base_prefix, "/lib", "/lib64")) if os.path.isdir(path)]


def _refusal() -> str:
    """Why there is no container to try here; empty where there is."""
    if shutil.which("podman") is None:
        return "podman is not installed"
    if subprocess.run(["podman", "image", "exists", IMAGE], capture_output=True, check=False).returncode:
        made = subprocess.run(["podman", "import", "-", IMAGE], input=_folders(), capture_output=True, check=False)
        if made.returncode:
            return made.stderr.decode().strip()
    try:
        check(contained("pass"), toy.suite())
    except ConfigProblem as problem:
        return str(problem)
    return ""


def _folders() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name in ("dev", "etc", "proc", "run", "sys", "tmp", "usr"):
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
            tar.addfile(folder)
    return packed.getvalue()


def contained(program: str, **changes: Any) -> RunConfig:
    return config("", **settings(program, **changes))


def settings(program: str, *arguments: str, **changes: Any) -> dict[str, Any]:
    command = [sys.executable, "-c", program, "{mcp_config}", *arguments]
    return {"isolation": "container", "image": IMAGE, "command": command, "readable": READABLE, **changes}


@pytest.fixture(scope="module")
def podman() -> None:
    if refusal := _refusal():
        pytest.skip(f"containers are NOT TRIED HERE: {refusal}")


def inside(program: str, folder: Path, **changes: Any) -> Any:
    """What a program in a container prints as JSON."""
    trajectory = played("", folder, **settings(program, **changes))
    assert trajectory.status == "finished", trajectory.reason
    assert process(trajectory).isolation == "container"
    return json.loads(trajectory.sessions[0].reply)


@pytest.mark.usefixtures("podman")
def test_a_program_in_a_container_works_on_its_apps(tmp_path: Path) -> None:
    (record,) = run("", tmp_path, **settings(f"{CALL}\ncall('update_task', {MOVE})")).records()

    assert record.scores["outcome"].value == 1
    assert process(record.trajectory).isolation == "container"


@pytest.mark.usefixtures("podman")
def test_it_sees_its_image_and_what_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDED_ON", "yes")
    repository = Path(harness.__file__).parents[1]
    kept = [repository / "pyproject.toml", tmp_path / "run" / "run.json", tmp_path / "run" / canary.FILE, "/etc/shadow"]
    look = f"""
import json, os, re
def writable(folder):
    try:
        open(os.path.join(folder, "left"), "w").close()
        return True
    except OSError:
        return False
seen = [path for path in {list(map(str, kept))} if os.path.exists(path)]
home = os.environ["HOME"]
wrote = [folder for folder in ("/", "/usr", "/etc", "/proc/sys/kernel", "/tmp", ".", home) if writable(folder)]
status = open("/proc/self/status").read()
held = [int(re.search(name + r":\\s*(\\w+)", status)[1], 16) for name in ("CapPrm", "CapEff", "CapBnd", "NoNewPrivs")]
others = [int(n) for n in os.listdir("/proc") if n.isdigit()]
print(json.dumps([seen, wrote, home, held, os.getuid(), len(others), dict(os.environ)]))
"""
    seen, wrote, home, held, user, processes, environment = inside(
        look, tmp_path / "run", pass_environment=["HANDED_ON"], environment={"MODE": "test"}
    )

    assert seen == []
    assert wrote == ["/tmp", ".", home]
    assert held == [0, 0, 0, 1]
    assert user == (os.getuid() or 65534)
    assert processes <= 2, "the init and the program"
    assert (environment["HANDED_ON"], environment["MODE"], environment["LANG"]) == ("yes", "test", "C.UTF-8")
    assert set(environment) <= {
        "PATH", "LANG", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "HANDED_ON", "MODE",
        "container", "HOSTNAME", "TERM", "LC_CTYPE",
    }  # fmt: skip


@pytest.mark.usefixtures("podman")
def test_a_readable_folder_shows_no_answers_in_a_container(tmp_path: Path) -> None:
    repository = Path(harness.__file__).parents[1]
    folders = [str(repository / name) for name in ("harness", "benchmarks")]
    look = f"import json, os; print(json.dumps([os.listdir(path) for path in {folders}]))"

    assert inside(look, tmp_path, readable=[*READABLE, str(repository)]) == [[], []]


@pytest.mark.usefixtures("podman")
@pytest.mark.parametrize("way", hiding.WAYS)
def test_no_way_that_leads_to_a_checkout_shows_answers_in_a_container(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = hiding.checkout(tmp_path / "home", monkeypatch)
    named = str(tmp_path / "home" / way)
    command = [sys.executable, "-c", hiding.LOOK, "{mcp_config}", named]
    seen = inside("", tmp_path / "run", command=command, readable=[*READABLE, named, str(place)])

    assert seen["ANSWER"] == []
    assert seen["fine"] != []


@pytest.mark.usefixtures("podman")
def test_its_container_is_gone_after_the_time_limit_with_a_daemon_in_it(tmp_path: Path) -> None:
    marker = f"{os.getpid()}-{tmp_path.name}"
    trajectory = played("", tmp_path, limits={"seconds": 5}, **settings(DAEMON, marker))
    left = subprocess.run(["podman", "ps", "--all", "--format", "{{.Command}}"], capture_output=True, text=True)
    running = subprocess.run(["ps", "ax", "-o", "args"], capture_output=True, text=True)

    assert (trajectory.status, trajectory.reason) == ("limit", "limit reached: seconds")
    assert "daemon" in trajectory.messages[-1].content
    assert (process(trajectory).exit, process(trajectory).killed > 0) == (None, True)
    assert left.returncode == 0
    assert marker not in left.stdout + running.stdout


@pytest.mark.usefixtures("podman")
def test_an_image_that_is_not_here_is_not_pulled() -> None:
    with pytest.raises(ConfigProblem, match=r"cannot find the image localhost/none:1: .*`podman pull localhost/none"):
        check(contained("pass", image="localhost/none:1", runtime="podman"), toy.suite())


@pytest.fixture
def told(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in on the PATH under the name docker; its folder."""
    place = tmp_path_factory.mktemp("runtime")
    program = Path(runtime.__file__).read_text(encoding="utf-8")
    (place / "docker").write_text(f"#!{sys.executable}\n{program}", encoding="utf-8")
    (place / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    return place


def lines(place: Path) -> list[list[str]]:
    return [json.loads(line) for line in (place / "told.jsonl").read_text().splitlines()]


def test_a_runtime_is_told_to_take_everything_away_and_to_remove_the_container(
    told: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "secret-value")
    (tmp_path / "agent.py").write_text("import os; print(os.environ['MY_KEY'][::-1])")
    trajectory = played(
        "", tmp_path / "run", isolation="container", runtime="docker", image="an-image", pass_environment=["MY_KEY"],
        command=["python3", str(tmp_path / "agent.py"), "{mcp_config}"],
    )  # fmt: skip
    ran, removed = lines(told)
    name = ran[ran.index("--name") + 1]
    pairs = set(pairwise(ran))

    assert trajectory.sessions[0].reply == "eulav-terces"
    assert name.startswith("harness-agent-")
    assert removed == ["rm", "--force", "--volumes", name]
    assert {"--rm", "--init", "--read-only", "--interactive"} <= set(ran)
    assert {
        ("--pull", "never"), ("--network", "host"), ("--cap-drop", "ALL"), ("--security-opt", "no-new-privileges"),
        ("--pids-limit", "1024"), ("--tmpfs", "/tmp"), ("--env", "MY_KEY"), ("--entrypoint", "python3"),
        ("--volume", f"{tmp_path}/agent.py:{tmp_path}/agent.py:ro"),
    } <= pairs  # fmt: skip
    assert "secret-value" not in " ".join(ran)
    assert not {"--privileged", "0:0", "0"} & set(ran)


def test_a_container_is_removed_when_its_trial_reaches_a_limit(told: Path, tmp_path: Path) -> None:
    hang = "import os, signal; print(os.getpid(), flush=True); signal.pause()"
    trajectory = played(
        "", tmp_path, isolation="container", runtime="docker", image="an-image", limits={"seconds": 2},
        command=[sys.executable, "-c", hang, "{mcp_config}"],
    )  # fmt: skip
    ran, removed = lines(told)

    assert (trajectory.status, trajectory.reason) == ("limit", "limit reached: seconds")
    assert removed[-1] == ran[ran.index("--name") + 1]
    assert process(trajectory).killed == 1, "the runtime's own process; killing that would not have ended the program"
    assert not alive(int(trajectory.messages[-1].content))


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.command.programs import played
hang = "import os, signal, sys; open(sys.argv[2], 'w').write(str(os.getpid())); signal.pause()"
played("", Path(sys.argv[1]) / "run", isolation="container", runtime="docker", image="an-image",
       command=[sys.executable, "-c", hang, "{mcp_config}", sys.argv[2]])
"""


def test_a_container_of_a_killed_harness_is_removed_with_its_folder(told: Path, tmp_path: Path) -> None:
    fifo, temporary = tmp_path / "fifo", tmp_path / "tmp"
    os.mkfifo(fifo)
    temporary.mkdir()
    with started(KILLED, tmp_path, fifo, folder=tmp_path, TMPDIR=str(temporary)) as harness_:
        program = psutil.Process(int(fifo.read_text()))
        watching = guardians(temporary)
        harness_.kill()
        gone, _ = psutil.wait_procs([program], timeout=60)
    psutil.wait_procs(watching, timeout=60)  # it calls the runtime after it has ended the processes
    empty = emptied(temporary)
    assert watching
    ran, removed = lines(told)

    assert gone
    assert removed == ["rm", "--force", "--volumes", ran[ran.index("--name") + 1]]
    assert empty


def test_a_guardian_that_begins_after_its_harness_was_killed_removes_what_it_then_hears_of(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    owner = f"{ended.pid}-1-{guardian.mark().rpartition('-')[2]}"
    folder, removed = tmp_path / f"agent-{owner}-one", tmp_path / "removed"
    folder.mkdir()
    removal = [sys.executable, "-c", "import sys; open(sys.argv[1], 'w').close()", str(removed)]
    heard = "".join(json.dumps([str(folder), pid, removal]) + "\n" for pid in (0, ended.pid))

    subprocess.run([sys.executable, guardian.__file__, tmp_path, owner], input=heard.encode(), check=True, timeout=60)

    assert removed.exists()
    assert not folder.exists()


def emptied(folder: Path) -> bool:
    """Whether a folder is empty before long: its guardian ends once it is."""
    psutil.wait_procs(guardians(folder), timeout=60)
    return not list(folder.iterdir())


def guardians(folder: Path) -> list[psutil.Process]:
    """The processes that watch over the programs in a folder."""
    return [each for each in psutil.process_iter() if str(folder) in _arguments(each)]


def _arguments(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def test_containers_of_the_dead_are_removed_at_the_next_start_and_no_others(told: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    rest = guardian.mark().partition("-")[2]
    dead, living = f"harness-agent-{ended.pid}-{rest}-a", f"harness-agent-{os.getpid()}-{rest}-b"
    with subprocess.Popen(["sleep", "300"], start_new_session=True) as left:
        (told / dead).write_text(str(left.pid))
        (told / living).write_text("0")
        check(contained("pass", image="an-image", runtime="docker"), toy.suite())
        assert left.wait(10) == -signal.SIGKILL

    assert [line[1:] for line in lines(told) if line[0] == "rm"] == [["--force", "--volumes", dead]]


def test_what_keeps_containers_from_starting_is_found_before_the_first_trial(
    told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(contained("pass", image="an-image", runtime="docker"), toy.suite())
    with pytest.raises(ConfigProblem, match=r"docker cannot find the image missing: .*`docker pull missing` or build"):
        check(contained("pass", image="missing", runtime="docker"), toy.suite())
    (told / "broken").touch()
    with pytest.raises(ConfigProblem, match="docker cannot start a container: Error: no daemon is running"):
        check(contained("pass", image="an-image", runtime="docker"), toy.suite())
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ConfigProblem, match="needs podman or docker, which is not on the PATH"):
        check(contained("pass"), toy.suite())


def test_containers_are_refused_where_loopback_is_not_this_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")

    with pytest.raises(ConfigProblem, match="isolation container needs Linux"):
        check(contained("pass"), toy.suite())


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"image": ""}, "needs an `image`"),
        ({"command": ["{python}", "{mcp_config}"]}, "in a container write the image's"),
    ],
)
def test_a_container_without_an_image_or_with_our_interpreter_is_refused(changed: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        CommandConfig.model_validate({"kind": "command", **settings("pass"), **changed})


@pytest.mark.skipif(shutil.which("docker") is None, reason="docker is NOT INSTALLED: its options are not tried here")
def test_dockers_own_command_line_takes_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a daemon it can go no further than to say so; an option that it does not know it names first."""
    monkeypatch.setenv("DOCKER_HOST", "unix:///no-such-socket")
    monkeypatch.setattr("harness.isolation.container._image", lambda *_: None)
    with pytest.raises(ConfigProblem, match=r"docker cannot start a container: .*annot connect to the Docker daemon"):
        check(contained("pass", runtime="docker"), toy.suite())
