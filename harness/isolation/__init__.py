"""The fences around an external program: what it is given, what of the machine it sees, and how it is ended.

Without one a program runs as whoever runs the harness and could read every file of theirs; the report says so.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.core.config import CommandConfig, ConfigProblem
from harness.isolation import bwrap, container, files, processes
from harness.isolation.processes import folder_prefix

__all__ = ("argv", "check", "end", "environment", "folder_prefix", "hand_over", "watch")


def check(config: CommandConfig) -> None:
    """Find out before the first trial what would keep the program from starting. Raises `ConfigProblem`."""
    for name in config.pass_environment:
        if name not in os.environ:
            raise ConfigProblem(
                f"agent {config.name}: pass_environment names {name}, which is not set here: set it, or leave it out"
            )
    if config.isolation != "none":
        files.check(config)
    if config.isolation == "container":
        container.check(config)
        return
    program = _program(config)
    if config.isolation == "bwrap":
        bwrap.check(config, program)


def argv(config: CommandConfig, arguments: Sequence[str], folder: Path) -> list[str]:
    """The command line to start: the program, fenced in as the config says.

    `arguments` is the command with its placeholders filled in; `folder` is all it may write to, `folder/work` where
    it starts. Raises `ConfigProblem` where program or fence is not installed.
    """
    match config.isolation:
        case "container":
            return container.argv(config, arguments, folder, _given(config, folder))
        case "bwrap":
            return bwrap.argv(config, [_program(config), *arguments[1:]], folder)
        case "none":
            return [_program(config), *arguments[1:]]


def environment(config: CommandConfig, folder: Path) -> dict[str, str]:
    """The environment of what is started: the program's own, or all of ours for the runtime that starts it.

    The program's holds nothing of ours save the PATH and what the config hands on.
    """
    if config.isolation == "container":
        return dict(os.environ)
    return _variables(config, folder)


def hand_over(config: CommandConfig, folder: Path) -> None:
    """Make a folder that is laid out the program's to write to."""
    if config.isolation == "container":
        container.hand_over(folder)


def watch(config: CommandConfig, folder: Path, pid: int = 0) -> None:
    """Have a program ended even if the harness is killed: told before it starts, and again with its process."""
    processes.watch(folder, pid, container.removal(config, folder) if config.isolation == "container" else ())


async def end(config: CommandConfig, pid: int, folder: Path) -> int:
    """Kill whatever a program has started and is still there; how many processes that were."""
    killed = await processes.end_all(pid, folder / "home")
    if config.isolation == "container":
        await container.remove(config, folder)
    return killed


def _variables(config: CommandConfig, folder: Path) -> dict[str, str]:
    basic = {"PATH": os.environ.get("PATH", os.defpath)}
    if sys.platform == "win32":
        basic |= {name: os.environ[name] for name in ("SYSTEMROOT", "COMSPEC", "PATHEXT") if name in os.environ}
    passed = {name: os.environ[name] for name in config.pass_environment if name in os.environ}
    return {**basic, **passed, **_given(config, folder)}


def _given(config: CommandConfig, folder: Path) -> Mapping[str, str]:
    """What a program is told wherever it runs; what the config sets counts most."""
    home, temporary = str(folder / "home"), str(folder / "tmp")
    return {
        "LANG": "C.UTF-8", "HOME": home, "USERPROFILE": home, "TMPDIR": temporary, "TEMP": temporary,
        **config.environment,
    }  # fmt: skip


def _program(config: CommandConfig) -> str:
    name = config.command[0].replace("{python}", sys.executable)
    found = shutil.which(name)
    if found is None:
        where = " on the PATH" if Path(name).name == name else ""
        raise ConfigProblem(
            f"agent {config.name}: there is no program {name!r}{where}: install it, or give its whole path"
        )
    return found
