"""The fence of `isolation: bwrap`: bubblewrap, which gives a program name spaces of its own (Linux).

Even where root runs it the program has no capabilities, and cannot get any in a name space that it makes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness.core.config import CommandConfig, ConfigProblem
from harness.isolation.files import SYSTEM, Mount, hidden, mounts, shown

__all__ = ("argv", "check")

_ETC = (
    "alternatives", "ca-certificates", "crypto-policies", "fonts", "gai.conf", "group", "host.conf", "hosts",
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias", "localtime", "mime.types", "nsswitch.conf",
    "os-release", "passwd", "pki/ca-trust", "pki/tls/certs", "protocols", "resolv.conf", "services", "ssl/certs",
    "ssl/openssl.cnf", "timezone",
)  # fmt: skip
"""What of /etc programs need to start and to find hosts: not the keys and passwords that root could read there."""


def check(config: CommandConfig, program: str) -> None:
    """Look through the fence for the program. Raises `ConfigProblem` where fence or program would not start."""
    with tempfile.TemporaryDirectory(prefix="agent-") as folder:
        (Path(folder) / "work").mkdir()
        line = argv(config, ["/bin/sh", "-c", 'test -x "$0"', program], Path(folder))
        tried = subprocess.run(line, env={}, capture_output=True, text=True, check=False)
    if tried.stderr.strip():
        raise ConfigProblem(
            f"agent {config.name}: bwrap does not work here: {tried.stderr.strip().splitlines()[-1]}. It has to be "
            "0.8 or later and allowed to make user namespaces; `isolation: none` lets the agent read this machine"
        )
    if tried.returncode:
        raise ConfigProblem(
            f"agent {config.name}: {program} cannot be seen inside bwrap: name it in `readable`, with the "
            f"folders of its installation{_pointing(program)}"
        )


def argv(config: CommandConfig, command: Sequence[str], folder: Path) -> list[str]:
    """A command behind the fence. The network is that of this machine, loopback included, where the apps are."""
    machine = [path for path in (*SYSTEM, *(f"/etc/{name}" for name in _ETC)) if os.path.exists(path)]
    seen = mounts([*machine, *shown(config)])
    return [
        _bwrap(config), "--die-with-parent", "--new-session", "--unshare-user", "--disable-userns",
        "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL",
        "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev", "--tmpfs", "/tmp",
        *(part for mount in seen for part in ("--ro-bind", *mount)),
        *(part for mount in hidden(seen) for part in _empty(mount)),
        "--bind", str(folder), str(folder), "--remount-ro", "/", "--chdir", str(folder / "work"), "--", *command,
    ]  # fmt: skip


def _empty(mount: Mount) -> Sequence[str]:
    if os.path.isdir(mount.source):
        return "--tmpfs", mount.at, "--remount-ro", mount.at
    return "--ro-bind", os.devnull, mount.at  # as a device it cannot even be opened there


def _bwrap(config: CommandConfig) -> str:
    found = shutil.which("bwrap")
    if found is None:
        raise ConfigProblem(
            f"agent {config.name}: isolation bwrap needs the program bwrap (bubblewrap, on Linux), which is not on "
            "the PATH: install it, or write `isolation: none`, which lets the agent read this machine"
        )
    return found


def _pointing(program: str) -> str:
    real = os.path.realpath(program)
    return "" if real == program else f" (it is a link to {real})"
