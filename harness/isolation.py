"""The fences around an external program: what it is given, what of the machine it sees, and how it is ended.

Without `bwrap` a program runs as whoever runs the harness and could read every file of theirs; the report says so.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import anyio
import psutil

from harness.config import CommandConfig, ConfigProblem

__all__ = ("argv", "check", "end_all", "environment")

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/run/systemd/resolve")
"""What bwrap shows of the machine, read-only: programs, libraries, certificates, name servers. No homes, no /opt."""

_ROUNDS = 200
"""Times to look for processes of a trial that are still there; ending one takes a round or two."""


def check(config: CommandConfig) -> None:
    """Find out before the first trial what would keep the program from starting. Raises `ConfigProblem`."""
    _program(config)
    for name in config.pass_environment:
        if name not in os.environ:
            raise ConfigProblem(
                f"agent {config.name}: pass_environment names {name}, which is not set here: set it, or leave it out"
            )
    if config.isolation == "bwrap":
        _bwrap(config)


def argv(config: CommandConfig, arguments: Sequence[str], folder: Path) -> list[str]:
    """The command line to start: the program found on the PATH, fenced in as the config says.

    `arguments` is the command with its placeholders filled in; `folder` is all it may write to, `folder/work` where
    it starts. Raises `ConfigProblem` where program or fence is not installed.
    """
    plain = [_program(config), *arguments[1:]]
    if config.isolation == "none":
        return plain
    seen = [path for path in (*_SYSTEM, *config.readable) if Path(path).exists()]
    return [
        _bwrap(config), "--die-with-parent", "--new-session", "--unshare-pid", "--unshare-ipc",
        "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
        *(part for path in seen for part in ("--ro-bind", path, path)),
        "--bind", str(folder), str(folder), "--chdir", str(folder / "work"), "--", *plain,
    ]  # fmt: skip


def environment(config: CommandConfig, folder: Path) -> dict[str, str]:
    """All that the program's environment holds: nothing of ours save the PATH and what the config hands on."""
    basic = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
    if sys.platform == "win32":
        basic |= {name: os.environ[name] for name in ("SYSTEMROOT", "COMSPEC", "PATHEXT") if name in os.environ}
    home = {"HOME": folder / "home", "USERPROFILE": folder / "home", "TMPDIR": folder / "tmp", "TEMP": folder / "tmp"}
    passed = {name: os.environ[name] for name in config.pass_environment if name in os.environ}
    return {**basic, **{name: str(path) for name, path in home.items()}, **passed, **config.environment}


async def end_all(pid: int, folder: Path) -> int:
    """Kill whatever a program has started and is still there; how many that were.

    Told apart by the session that it leads, by descent, and, for those that left both, by the HOME that it was given.
    """
    killed: set[int] = set()
    for _ in range(_ROUNDS):
        found = _belonging(pid, str(folder / "home"))
        if not found:
            break
        for process in found:
            try:
                process.kill()
                killed.add(process.pid)
            except psutil.NoSuchProcess:
                continue  # ended by itself meanwhile
        await anyio.sleep(0.01)
    return len(killed)


def _belonging(pid: int, home: str) -> list[psutil.Process]:
    """Live processes of the program of that id; zombies are somebody else's to bury."""
    try:
        descendants = {child.pid for child in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        descendants = set()
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and (
                process.pid in descendants or _leader(process.pid) == pid or process.environ().get("HOME") == home
            ):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied, ProcessLookupError, PermissionError):
            continue  # gone, or of another user and therefore not ours
    return found


def _leader(pid: int) -> int:
    """The leader of a process's session; where there are no sessions, itself."""
    return os.getsid(pid) if hasattr(os, "getsid") else pid


def _program(config: CommandConfig) -> str:
    name = config.command[0].replace("{python}", sys.executable)
    found = shutil.which(name)
    if found is None:
        where = " on the PATH" if Path(name).name == name else ""
        raise ConfigProblem(
            f"agent {config.name}: there is no program {name!r}{where}: install it, or give its whole path"
        )
    return found


def _bwrap(config: CommandConfig) -> str:
    found = shutil.which("bwrap")
    if found is None:
        raise ConfigProblem(
            f"agent {config.name}: isolation bwrap needs the program bwrap (bubblewrap, on Linux), which is not on "
            "the PATH: install it, or write `isolation: none`, which lets the agent read this machine"
        )
    return found
