"""The fence of `isolation: container`: podman or docker runs the program in an image that is already here (Linux).

One container per session, named after the session's folder, so that it can be removed whatever became of the runtime's
own process: killing that ends no container.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import anyio

from harness.core.config import CommandConfig, ConfigProblem
from harness.isolation.files import hidden, mounts, shown
from harness.isolation.guardian import NAME, alive

__all__ = ("argv", "check", "hand_over", "removal", "remove")

_NOBODY = 65534
"""Who the program is where root runs the harness; else it is whoever runs the harness."""

_PREFIX = "harness-"
"""Before the name of its session's folder: the name of a container."""

_PROCESSES = 1024
"""Processes and threads that a container may have at a time."""


def check(config: CommandConfig) -> None:
    """Raises `ConfigProblem` where there is no runtime, it has no such image, or it cannot start a container of it."""
    if not sys.platform.startswith("linux"):
        raise ConfigProblem(
            f"agent {config.name}: isolation container needs Linux: elsewhere containers run in a virtual machine, "
            "whose loopback is not the one that the apps are served on"
        )
    runtime = _runtime(config)
    _image(config, runtime)
    # No image has a program of that name: looking for it in vain (another status) is as far as one can go.
    tried = _said([runtime, "run", *_fence(config), "--entrypoint", "/no-such-program", config.image])
    if tried.returncode in (125, 126):
        raise ConfigProblem(f"agent {config.name}: {Path(runtime).name} cannot start a container: {_last(tried)}")
    _sweep(runtime)


def argv(config: CommandConfig, command: Sequence[str], folder: Path, variables: Mapping[str, str]) -> list[str]:
    """What starts the container. Values that are handed on are named only, for command lines can be read by others."""
    seen = mounts(shown(config))
    empty = [(folder / "empty" if os.path.isdir(mount.source) else os.devnull, mount.at) for mount in hidden(seen)]
    return [
        _runtime(config), "run", *_fence(config), "--name", _name(folder), "--interactive",
        "--volume", f"{folder}:{folder}", "--workdir", str(folder / "work"),
        *(part for source, at in [*seen, *empty] for part in ("--volume", f"{source}:{at}:ro")),
        *(part for name, value in variables.items() for part in ("--env", f"{name}={value}")),
        *(part for name in config.pass_environment if name not in variables for part in ("--env", name)),
        "--entrypoint", command[0], config.image, *command[1:],
    ]  # fmt: skip


def hand_over(folder: Path) -> None:
    """Give a session's folder to the user that the program runs as."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, _NOBODY, _NOBODY)


async def remove(config: CommandConfig, folder: Path) -> None:
    """Remove a session's container with all that runs in it; one that ended by itself is gone already."""
    await anyio.run_process(removal(config, folder), check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def removal(config: CommandConfig, folder: Path) -> list[str]:
    """The command that removes a session's container."""
    return [_runtime(config), "rm", "--force", "--volumes", _name(folder)]


def _sweep(runtime: str) -> None:
    """Remove the containers of processes that are not there any more; their guardians do so first, if they could."""
    listed = _said([runtime, "ps", "--all", "--filter", f"name={_PREFIX}agent-", "--format", "{{.Names}}"])
    for name in listed.stdout.split():
        owned = NAME.fullmatch(name.removeprefix(_PREFIX))
        if owned and not alive(owned[1]):
            _said([runtime, "rm", "--force", "--volumes", name])


def _image(config: CommandConfig, runtime: str) -> None:
    found = _said([runtime, "image", "inspect", "--format", "{{.Id}}", config.image])
    if found.returncode:
        raise ConfigProblem(
            f"agent {config.name}: {Path(runtime).name} cannot find the image {config.image}: {_last(found)}. "
            f"Nothing is pulled during a run: `{Path(runtime).name} pull {config.image}` or build it first"
        )


def _fence(config: CommandConfig) -> list[str]:
    """Options of `run` that are the same for each container."""
    user = f"{_NOBODY}:{_NOBODY}" if os.geteuid() == 0 else f"{os.geteuid()}:{os.getegid()}"
    podman = Path(_runtime(config)).name == "podman"
    return [
        "--rm", "--init", "--pull", "never", "--network", "host", "--user", user, "--read-only", "--tmpfs", "/tmp",
        "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--security-opt", "label=disable",
        "--pids-limit", str(_PROCESSES),
        *(["--http-proxy=false"] if podman else []),
        *(["--userns", "keep-id"] if podman and os.geteuid() else []),
    ]  # fmt: skip


def _name(folder: Path) -> str:
    return f"{_PREFIX}{folder.name}"


def _runtime(config: CommandConfig) -> str:
    wanted = [config.runtime] if config.runtime else ["podman", "docker"]
    found = next(filter(None, map(shutil.which, wanted)), None)
    if found is None:
        raise ConfigProblem(
            f"agent {config.name}: isolation container needs {' or '.join(wanted)}, which is not on the PATH: install "
            "it, or write `isolation: none`, which lets the agent read this machine"
        )
    return found


def _said(line: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def _last(found: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in found.stderr.strip().splitlines() if line.strip()]
    said = next((line for line in lines if "rror" in line or "annot" in line), lines[-1] if lines else "")
    return said.strip().rstrip(".?")[:300] or f"status {found.returncode}"
