"""What benchmarks make or read in, one thing after the other, into a folder that can be gone on with.

For verbs that suites bring (`harness build NAME`, `harness import NAME`): the benchmark says what each thing is made of
and how; this says where it goes, and what is left of it when it is made again.

    FOLDER/build.json     what all of it is made from
           NAME...        the files of each thing, renamed into place when they are whole
           index.jsonl    a line for each that is there: its files with their SHA-256, and what its maker says of it
           refused.jsonl  a line for each that was made and did not hold
           suite.json     that it is a suite, and whose (`harness.wiring.suite`); only when all have been tried

A thing whose files and inputs are those of its line is not made again. All files are the same bytes, whatever the
number of processes and however often it was stopped.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from harness.cli.problems import CallProblem, known_problems
from harness.cli.saying import say
from harness.cli.stopping import resumable
from harness.core.locks import hold
from harness.core.writing import beside, made_folder

__all__ = ("INDEX", "REFUSED", "Built", "Made", "Make", "Refused", "build", "digest_of", "whole")

INDEX, REFUSED = "index.jsonl", "refused.jsonl"
_HEAD, _SUITE, _LOCK, _PART = "build.json", "suite.json", ".lock", ".part"
_QUIET_SECONDS = 10.0


class Refused(Exception):
    """A thing that does not hold what it should. The text says why; `about` what else `refused.jsonl` has of it."""

    def __init__(self, why: str, **about: Any) -> None:
        super().__init__(why)
        self.about = about


class Made(NamedTuple):
    """One thing: files by path in the folder, and what its line in the index says of it (JSON values)."""

    files: Mapping[str, str]
    entry: Mapping[str, Any]


Make = Callable[[str], Made]
"""Makes the thing of a name, in whatever process; raises `Refused`, or `CallProblem` where nothing can be made for now.
For several processes it has to be one that can be pickled."""


class Built(NamedTuple):
    """What is in the folder now.

    Entries are lines of the index, with `name`, `inputs` and `files`, in the order in which they were asked for;
    `refused` are those of `refused.jsonl`, with `name` and `why`. `before` of the entries were there already.
    """

    entries: Sequence[Mapping[str, Any]]
    refused: Sequence[Mapping[str, Any]]
    before: int


def build(
    folder: Path,
    inputs: Mapping[str, Any],
    things: Mapping[str, Any],
    make: Make,
    *,
    workers: int = 1,
    suite: Mapping[str, Any] | None = None,
) -> Built:
    """Make things by name, in `workers` processes, or go on with it.

    `inputs` are what all are made from, `things` what each is besides (JSON values); a thing whose own have changed is
    made anew. `suite`, where the folder is to be played, says whose it is. Raises `CallProblem` where the folder holds
    something else, was made from something else, has things that are not asked for, or is being written to.
    """
    _prepare(folder)
    with resumable(folder), _alone(folder):
        _same(folder, inputs)
        wanted = {name: _digest([inputs, name, own]) for name, own in things.items()}
        entries = _there(folder, wanted)
        missing = [name for name in wanted if name not in entries]
        for left in folder.rglob(f"*{_PART}"):
            left.unlink()
        _write_lines(folder / INDEX, entries.values())
        if missing or not suite:
            (folder / _SUITE).unlink(missing_ok=True)
        before, refused = len(entries), _made(folder, wanted, missing, make, entries, workers)
        found = Built([entries[name] for name in wanted if name in entries], refused, before)
        _write_lines(folder / INDEX, found.entries)
        if refused:
            _write_lines(folder / REFUSED, refused)
        else:
            (folder / REFUSED).unlink(missing_ok=True)
        if suite and found.entries:
            _put(folder / _SUITE, json.dumps(suite, indent=2, ensure_ascii=False) + "\n")
        return found


def whole(folder: Path, name: str, digest: str) -> bytes | None:
    """The bytes of a file of the folder, None unless they are those of its line in the index."""
    try:
        content = (folder / name).read_bytes()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == digest else None


def digest_of(*paths: Path) -> str:
    """Twelve hex digits over source files, and those below folders: what made a thing is among its inputs."""
    found = hashlib.sha256()
    for path in paths:
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                name = file.relative_to(path.parent).as_posix()
                found.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()[:12]


# Making.


def _made(
    folder: Path,
    wanted: Mapping[str, str],
    missing: Sequence[str],
    make: Make,
    entries: dict[str, Mapping[str, Any]],
    workers: int,
) -> list[dict[str, Any]]:
    """Make what is missing and add its entries; what was refused, in the order of the wanted."""
    from harness.play.stopping import terminable
    from harness.play.workers import spread

    refused: dict[str, dict[str, Any]] = {}
    progress = _Progress(len(wanted), len(entries))
    with (folder / INDEX).open("a", encoding="utf-8", newline="\n") as journal:

        def heard(report: tuple[str, Mapping[str, Any] | None, dict[str, Any]]) -> bool:
            name, entry, problem = report
            if entry is None:
                refused[name] = problem
            else:
                entries[name] = entry
                journal.write(_line(entry))
                journal.flush()
            progress(len(entries), len(refused))
            return False

        work = partial(_work, folder=folder, make=make, wanted=dict(wanted))
        if workers == 1 or len(missing) < 2:
            with terminable():
                work(heard, lambda: False, missing)
        else:
            spread(work, [(missing[start::workers],) for start in range(min(workers, len(missing)))], heard)
    return [refused[name] for name in wanted if name in refused]


def _work(
    report: Callable[[Any], object],
    stopped: Callable[[], bool],
    share: Sequence[str],
    *,
    folder: Path,
    make: Make,
    wanted: Mapping[str, str],
) -> bool:
    """A share of the things, each reported when its files are there."""
    for name in share:
        if stopped():
            break
        try:
            made = make(name)
        except Refused as problem:
            report((name, None, {"name": name, **problem.about, "why": str(problem)}))
            continue
        except known_problems():
            raise
        except Exception as error:
            raise RuntimeError(f"{name}: {type(error).__name__}: {error}") from error
        files = {}
        for path, text in made.files.items():
            _put(folder / path, text)
            files[path] = hashlib.sha256(text.encode()).hexdigest()
        report((name, {"name": name, "inputs": wanted[name], "files": files, **made.entry}, {}))
    return False


# What is there.


def _prepare(folder: Path) -> None:
    """Make the folder. Raises `CallProblem` where something else is in its place or in it."""
    there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    begun = _HEAD in there or there <= {_LOCK, f"{_HEAD}{_PART}"}
    if not begun or (folder.exists() and not folder.is_dir()):
        raise CallProblem(f"{folder} already exists and was not made by a build: give a new folder")
    made_folder(folder, CallProblem)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which ends with the process. Raises `CallProblem` where another holds it."""
    with (folder / _LOCK).open("a+b") as file:
        try:
            hold(file.fileno())
        except OSError:
            raise CallProblem(f"{folder} is being written to by another process: wait for it to end") from None
        yield


def _same(folder: Path, inputs: Mapping[str, Any]) -> None:
    """Note what is made from these inputs. Raises `CallProblem` naming what differs from what is noted."""
    path = folder / _HEAD
    if not path.exists():
        _put(path, json.dumps(inputs, indent=2, ensure_ascii=False) + "\n")
        return
    try:
        then = json.loads(path.read_text(encoding="utf-8"))
        names = list(dict.fromkeys((*then, *inputs)))
    except (ValueError, TypeError) as error:
        raise CallProblem(f"{path} cannot be read: {error}; give a new folder") from None
    changed = [
        f"{name}: {_shown(then, name)} then, {_shown(inputs, name)} now"
        for name in names
        if _shown(then, name) != _shown(inputs, name)
    ]
    if changed:
        listed = "".join(f"\n  {each}" for each in changed)
        raise CallProblem(
            f"{folder} was made from something else; give a new folder, or restore what has changed:{listed}"
        )


def _shown(inputs: Mapping[str, Any], name: str) -> str:
    return json.dumps(inputs[name], ensure_ascii=False) if name in inputs else "not there"


def _there(folder: Path, wanted: Mapping[str, str]) -> dict[str, Mapping[str, Any]]:
    """Entries of the index whose files are there, in order. Raises `CallProblem` for such as are not wanted."""
    try:
        lines = (folder / INDEX).read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
    except FileNotFoundError:
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    strange: list[str] = []
    for line in lines:
        try:
            entry = json.loads(line)
            name, inputs, files = entry["name"], entry["inputs"], entry["files"]
        except (ValueError, TypeError, KeyError):
            continue  # cut short when it was written: what it was of is made again
        if name not in wanted:
            strange.append(name)
        elif inputs == wanted[name] and all(whole(folder, *each) is not None for each in files.items()):
            found[name] = entry
    if strange:
        more = f" and {len(strange) - 1} more" if len(strange) > 1 else ""
        remedy = "ask for as many, or give a new folder"
        raise CallProblem(f"{folder} holds {strange[0]}{more}, which this call does not ask for: {remedy}")
    return {name: found[name] for name in wanted if name in found}


# Files.


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with beside(path, f"{path.name}{_PART}") as part:
        part.write_bytes(text.encode())


def _write_lines(path: Path, values: Any) -> None:
    _put(path, "".join(map(_line, values)))


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


class _Progress:
    """How far it is, on standard error, now and then and at the end."""

    def __init__(self, total: int, before: int) -> None:
        self._total, self._before, self._spoke = total, before, time.monotonic()

    def __call__(self, made: int, refused: int) -> None:
        now, last = time.monotonic(), made + refused == self._total
        if last or now - self._spoke >= _QUIET_SECONDS:
            self._spoke = now
            earlier = f", {self._before} of them made earlier" if self._before else ""
            say(f"{made}/{self._total} made{earlier}, {refused} refused", err=True)
