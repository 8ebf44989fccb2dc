"""The shell in the child process: bashkit over files in its memory, told to it by rows and compared with them again.

Nothing of one call is left for the next but the files below `/workspace`, and these can be told again at any moment.
bashkit has its own commands, files and processes: no script reaches this machine's. What differs from run to run is
replaced: the clock and everything drawn (`commands.py`, `functions.py`), `/dev/urandom`, `/proc`, and the times of
files. Known holes, which no setting closes:

- `$SRANDOM`;
- what `functions.py` stands before (`sort -R`, `dd` of `/dev/urandom`, `find` by times, and the clock of awk, jq and
  `printf '%(...)T'`) in other spellings than the usual ones (`sort -k1R`), in `bash -c`, and in programs that bash, awk
  or jq reads from a file or a pipe;
- the machine's time where a script asks it of a file that it wrote itself: compared with others' (`-nt`, `-ot`, sorted
  by `find -printf %T@`), or told in parts (`find -printf %TY`, `find -ls`). Moments to the minute or second are told as
  the sandbox's own;
- `touch -d yesterday`, the times in prompts (`${x@P}`), and those of files outside `/workspace`.
"""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from operator import itemgetter
from typing import Any, Final

from bashkit import Bash, BashError, FileSystem

from servers.kernel.plain import canonical
from servers.kernel.shell.commands import ABSENT, commands
from servers.kernel.shell.functions import FUNCTIONS, PRINTF
from servers.kernel.shell.tree import ROOT, Limits, Nodes, coded, decoded, misfit, usual_mode

__all__ = ("run",)

_COMMANDS, _MEMORY, _SECONDS = 20_000, 16 * 2**20, 5.0
_KEPT: Final = 8
"""States of files that the process keeps."""

_USER, _HOST = "user", "workplace"
_UNLIMITED: Final = Limits(sys.maxsize, sys.maxsize, sys.maxsize)
"""For files that are told: what is too much is refused with what a script leaves."""

_WHERE: Final = re.compile(r"(?m)^(\S+: .*\bnot (?:available|supported|yet implemented)) in (?:the sandbox|bashkit)\b")
"""Where bashkit's errors say that something cannot be done, which is said in our words.

Where it names itself elsewhere is left: `bash --version`, `uname -v`, `help`, `df`, /etc/os-release.
"""

_EPOCH: Final = re.compile(r"(?<![\d.])(\d{10})(\.\d+)?(?![\d.])")

_shelves: OrderedDict[str, _Shelf] = OrderedDict()


@dataclass
class _Shelf:
    """Files of one state, by the path that they have in `/workspace`, and the moment that all of them are from."""

    files: FileSystem
    nodes: Nodes
    now: str
    stale: set[str]
    """Files and directories that are from another moment: this machine wrote them, or a script has chosen it."""
    ready: Bash | None = None
    """A shell over these files that nothing has run in, for a script at that moment."""


class _Unkept(Exception):
    """What a script left cannot be a row; the text says what and why."""


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Run a script at the time `now`; `key` names the state of files, and `nodes` has them or is None.

    `limits` are `Limits`, which what a script leaves has to keep.

    The reply is `unknown` where the state is not known and was not told; `refused`, why nothing is to be changed; or
    `printed`, `status`, `elsewhere` (paths that are not kept), `changed` (path -> node, None where it is gone) and
    `key`, which names the state that there is now.
    """
    shelf = _shelves.pop(request["key"], None)
    if shelf is None and request["nodes"] is None:
        return {"unknown": True}
    shelf = shelf or _filled(request["nodes"])
    reply, now = _played(shelf, request)
    if "refused" in reply:
        return reply
    try:
        changed = _changes(shelf, now, Limits(*request["limits"]))
    except _Unkept as error:
        return {"refused": f"{error}. Nothing was changed."}
    except RuntimeError as error:  # bashkit's, of files
        return {"refused": f"The script leaves {ROOT} as nothing that can be kept ({error}). Nothing was changed."}
    after = sha256(canonical([request["key"], changed])).hexdigest() if changed else request["key"]
    _shelves[after] = shelf
    while len(_shelves) > _KEPT:
        _shelves.popitem(last=False)
    return {**reply, "changed": changed, "key": after}


def settle() -> None:
    """Open the shell that the next script probably needs, which it would otherwise wait for."""
    if _shelves:
        _readied(next(reversed(_shelves.values())))


def _readied(shelf: _Shelf) -> Bash:
    if shelf.ready is None:
        moment = datetime.fromisoformat(shelf.now)
        shelf.ready = _opened(shelf.files, moment)
        _age(shelf.ready, [ROOT, *sorted(shelf.stale)], moment)
        shelf.stale = set()
    return shelf.ready


def _played(shelf: _Shelf, request: dict[str, Any]) -> tuple[dict[str, Any], _Now]:
    script, moment = request["script"], datetime.fromisoformat(request["now"])
    if shelf.now != request["now"]:
        shelf.now, shelf.stale, shelf.ready = request["now"], _unlinked(shelf.nodes), None
    bash, shelf.ready = _readied(shelf), None
    chosen = int(sha256(script.encode()).hexdigest(), 16) % 32768
    bash.execute_sync(f"{PRINTF if ')T' in script else ''}\nSECONDS=0; RANDOM={chosen}")
    pieces: list[tuple[str, str]] = []
    began = time.time()
    _relink(shelf)
    try:
        result = bash.execute_sync(script, lambda out, err: pieces.append((out, err)))
    except BashError as error:
        return {"refused": f"The script was stopped: {error}. Nothing was changed."}, _Now(moment, began, began)
    now = _Now(moment, began, time.time())
    if result.error and "parse error" in result.error:
        return {"printed": f"bash: {result.error}\n", "status": 2, "elsewhere": []}, now
    if result.error:
        why = result.error.removeprefix("resource limit exceeded: ").removeprefix("execution error: ")
        return {"refused": f"The script was stopped: {why}. Nothing was changed."}, now
    printed = "".join(out + err for out, err in pieces)
    if sorted(printed) != sorted(result.stdout + result.stderr):  # a piece that was held back
        printed = result.stdout + result.stderr
    usual = _pristine()
    elsewhere = sorted(path for path, what in _beyond(bash.fs()).items() if usual.get(path) != what)
    printed = now.told(_WHERE.sub(r"\1 here", printed))
    return {"printed": printed, "status": result.exit_code, "elsewhere": elsewhere}, now


def _opened(files: FileSystem, moment: datetime) -> Bash:
    """A new shell over those files."""
    bash = Bash(
        username=_USER,
        hostname=_HOST,
        cwd=ROOT,
        env={"HOME": ROOT, "TZ": "UTC", "LANG": "C.UTF-8", "EPOCHSECONDS": str(_epoch(moment))},
        max_commands=_COMMANDS,
        max_loop_iterations=_COMMANDS,
        max_memory=_MEMORY,
        timeout_seconds=_SECONDS,
        custom_builtins=commands(moment),
    )
    bash.mount(ROOT, files)
    for place in ("/bin", "/usr/bin"):
        bash.mount(place, _programs(), read_only=True)
    bash.mount("/proc", _nothing(), read_only=True)
    bash.mount("/dev", _devices())
    bash.execute_sync("\n".join(FUNCTIONS.values()))
    return bash


@cache
def _pristine() -> dict[str, Any]:
    """What a shell that nothing has run in has beyond `/workspace`."""
    return _beyond(_opened(_empty(), datetime(2000, 1, 1)).fs())


def _empty() -> FileSystem:
    files = FileSystem()
    for entry in files.read_dir("/"):
        files.remove(f"/{entry['name']}", recursive=True)
    return files


@cache
def _nothing() -> FileSystem:
    """What `/proc` holds, which else tells of time and draws."""
    return _empty()


def _devices() -> FileSystem:
    """What `/dev` holds, as much of each as bashkit gives, but what is drawn is the same at each time."""
    files = _empty()
    drawn = b"".join(sha256(f"{number}".encode()).digest() for number in range(256))
    for path, content in {"/null": b"", "/zero": bytes(2**20), "/random": drawn, "/urandom": drawn}.items():
        files.write_file(path, content)
        files.chmod(path, 0o666)
    files.mkdir("/fd")
    return files


@cache
def _programs() -> FileSystem:
    """What `/bin` holds: scripts that run the command of their name, so that a path leads to our own commands too.

    Functions do not reach into scripts, and so are in these.
    """
    files = _empty()
    for entry in Bash().fs().read_dir("/bin"):
        if (name := entry["name"]) not in ABSENT:
            ours = {**FUNCTIONS, "printf": PRINTF}.get(name, "")
            files.write_file(f"/{name}", f'#!/bin/sh\n{ours}\n{name} "$@"\n'.encode())
            files.chmod(f"/{name}", 0o755)
    return files


def _filled(nodes: Nodes) -> _Shelf:
    files = _empty()
    for path, node in sorted(nodes.items()):
        place = path.removeprefix(ROOT)
        if node["kind"] == "directory":
            files.mkdir(place, recursive=True)
            continue
        files.mkdir(place.rpartition("/")[0] or "/", recursive=True)
        if node["kind"] == "link":
            files.symlink(node["content"], place)
        else:
            files.write_file(place, _bytes(node))
    for path, node in nodes.items():
        if node["kind"] != "link":  # chmod follows links
            files.chmod(path.removeprefix(ROOT), int(node["mode"], 8))
    return _Shelf(files, {path: node for path, node, _ in _walked(files, _UNLIMITED)}, "", set())


def _bytes(node: dict[str, Any]) -> bytes:
    return decoded(node["data"]) if node["data"] is not None else node["content"].encode()


def _age(bash: Bash, paths: Iterable[str], moment: datetime) -> None:
    """Have these files be from the sandbox's moment, whenever this machine wrote them."""
    bash.execute_sync(f"touch -d @{_epoch(moment)} -- {shlex.join(paths)}")


def _unlinked(nodes: Nodes) -> set[str]:
    """All but links, which bashkit's `touch` follows, and makes a file where they lead nowhere."""
    return {path for path, node in nodes.items() if node["kind"] != "link"}


def _relink(shelf: _Shelf) -> None:
    """Make links anew. They are of this machine's time, which is told as the sandbox's only while it is the same."""
    for path in shelf.nodes.keys() - _unlinked(shelf.nodes):
        place = path.removeprefix(ROOT)
        shelf.files.remove(place)
        shelf.files.symlink(shelf.nodes[path]["content"], place)


def _changes(shelf: _Shelf, now: _Now, limits: Limits) -> dict[str, Any]:
    """Path -> node for what differs from before, None where it is gone. The shelf has the new state afterwards."""
    found, before = list(_walked(shelf.files, limits)), shelf.nodes
    after = {path: node for path, node, _ in found}
    if limits.plain:
        _level(shelf.files, after)
    changed = {path: node for path, node in after.items() if before.get(path) != node}
    for path, node in changed.items():
        if problem := misfit(path):
            raise _Unkept(f"The script leaves what cannot be kept: {problem}")
        if node["kind"] not in ("file", "directory", *([] if limits.plain else ["link"])):
            kinds = "files and directories" if limits.plain else "files, directories and links"
            raise _Unkept(f"The script leaves {path}, a {node['kind']}; only {kinds} can be kept")
        if (told := now.told(node["content"])) != node["content"] and node["kind"] == "file":
            node["content"] = told
            shelf.files.write_file(path.removeprefix(ROOT), told.encode())
    if len(after) > limits.nodes:
        raise _Unkept(f"The script leaves {len(after):,} files and directories; there may be {limits.nodes:,}")
    at = _epoch(now.moment)
    stale = changed.keys() | {path for path, _, written in found if written != at}
    shelf.nodes, shelf.stale = after, stale & _unlinked(after)
    return {**dict.fromkeys(sorted(before.keys() - after.keys())), **changed}


def _level(files: FileSystem, nodes: Nodes) -> None:
    """Give everything its usual permissions again."""
    for path, node in nodes.items():
        if node["kind"] != "link" and node["mode"] != (usual := usual_mode(node["kind"], node["content"])):
            node["mode"] = usual
            files.chmod(path.removeprefix(ROOT), int(usual, 8))


def _walked(files: FileSystem, limits: Limits) -> Iterator[tuple[str, dict[str, Any], float]]:
    """Everything in `/workspace`: path, node, and when it was written. Raises `_Unkept` for more than it may hold."""
    total = 0
    places = [""]
    while places:
        folder = places.pop()
        for entry in sorted(files.read_dir(folder or "/"), key=itemgetter("name")):
            path, about = f"{folder}/{entry['name']}", entry["metadata"]
            kind, mode, content, data = about["file_type"], _octal(about["mode"]), "", None
            if kind == "directory":
                places.append(path)
            elif kind == "symlink":
                kind, mode, content = "link", "777", files.read_link(path)
            elif kind == "file":
                total += about["size"]
                if about["size"] > limits.file_bytes:
                    has = f"would have {about['size']:,} bytes; a file may have {limits.file_bytes:,}"
                    raise _Unkept(f"{ROOT}{path} {has}")
                if total > limits.tree_bytes:
                    raise _Unkept(f"The files would have more than {limits.tree_bytes:,} bytes together")
                raw = files.read_file(path)
                try:
                    content = raw.decode()
                except UnicodeDecodeError:
                    data = coded(raw)
            path = ROOT + path
            node = {"path": path, "kind": kind, "mode": mode, "content": content, "data": data}
            yield path, node, about["modified"]


@cache
def _octal(mode: int) -> str:
    return f"{mode & 0o7777:03o}"


def _beyond(files: FileSystem) -> dict[str, Any]:
    """What is neither in `/workspace` nor in `/tmp` nor beyond reach: path -> what tells whether it is as it was."""
    found: dict[str, Any] = {}
    places = [""]
    while places:
        folder = places.pop()
        for entry in files.read_dir(folder or "/"):
            path = f"{folder}/{entry['name']}"
            if path in (ROOT, "/tmp", "/bin", "/usr/bin", "/proc", "/dev"):
                continue
            kind = found[path] = entry["metadata"]["file_type"]
            if kind == "directory":
                places.append(path)
            elif kind == "file":
                found[path] = sha256(files.read_file(path)).hexdigest()
    return found


def _epoch(moment: datetime) -> int:
    return int(moment.replace(tzinfo=UTC).timestamp())


class _Now:
    """The sandbox's moment, and that of this machine while a script ran: bashkit gives files the latter."""

    def __init__(self, moment: datetime, began: float, ended: float) -> None:
        self.moment, self._span = moment, (int(began) - 1, int(ended) + 1)
        minutes = {time.strftime("%Y-%m-%d[ T+]%H:%M", time.gmtime(at)) for at in self._span}
        self._written = re.compile(rf"({'|'.join(sorted(minutes))})(:\d\d(\.\d+)?)?")

    def told(self, text: str) -> str:
        """The text with this machine's moment, where it has it, as the sandbox's."""
        return _EPOCH.sub(self._since, self._written.sub(self._minute, text))

    def _minute(self, found: re.Match[str]) -> str:
        return self.moment.strftime(f"%Y-%m-%d{found[0][10]}%H:%M{':%S' if found[2] else ''}")

    def _since(self, found: re.Match[str]) -> str:
        first, last = self._span
        return str(_epoch(self.moment)) if first <= int(found[1]) <= last else found[0]
