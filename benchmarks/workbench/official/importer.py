"""From a checkout of the release to a suite on disk: world, tasks and a record of what was read."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.workbench.official.expected import Bench, Refused, expected
from benchmarks.workbench.official.names import APPS, DOMAINS
from benchmarks.workbench.official.release import ImportProblem, Published, Release, Version, read_release
from harness.task import End, Session, Task
from servers.kernel import World

__all__ = ("FORMAT", "NOW", "WORLD", "ImportProblem", "Imported", "folder_name", "import_release")

WORLD: Final = "workbench-official"

NOW: Final = datetime(2023, 11, 30)
"""The time in every task of the release (paper appendix A.5, prompt)."""

_NONE: Final[Mapping[str, str]] = {}

FORMAT: Final = 1
"""Raise it when a folder written by an earlier importer can no longer be read."""

_KNOWN: Final = {
    "7444e1de21077cd256f61c72f7d3fa4e55dd4f1c2c65fd2858e64ef0a900d6bc": "release of 2024-07-23, revision 42f1b6d"
}
"""Checksum over all files -> the release that has exactly these."""


class Imported(NamedTuple):
    """What an import left behind: `folder` holds the suite, `counts` what is in it.

    `known` names the published release whose files these are, to the byte; "" for any other.
    """

    version: Version
    checksum: str
    known: str
    revision: str
    folder: Path
    counts: dict[str, int]


def folder_name(release: Release) -> str:
    """What an import of the release is called: the start of the checksum over all its files."""
    return _checksum(release)[:12]


def import_release(path: Path, destination: Path, snapshots: Mapping[str, str] = _NONE) -> Imported:
    """Import the release at `path` below `destination`, in a folder named by checksum.

    The folder appears whole or not at all; `destination/v1` or `v2` then names it as the newest of
    its version. Importing the same files again gives the same folder. `snapshots` are older tasks to
    take (`read_release`). Raises `ImportProblem`.
    """
    release = read_release(path, snapshots)
    world = World(WORLD, NOW, release.rows)
    tasks = _tasks(release, world)
    checksum = _checksum(release)
    known = _KNOWN.get(checksum, "")
    counts = {
        "tasks": len(tasks),
        "calls": sum(len(task.solution) for task in tasks),
        "empty": sum(not task.solution for task in tasks),
        "unchanged": sum(not end.changes for task in tasks for end in task.ends),
        "changes": sum(len(end.changes) for task in tasks for end in task.ends),
        **{f"tasks.{domain}": sum(task.facts["domain"] == domain for task in tasks) for domain in DOMAINS},
        **{f"rows.{app}.{table}": len(rows) for app, tables in world.rows.items() for table, rows in tables.items()},
    }
    record = {
        "format": FORMAT,
        "version": release.layout.version,
        "layout": release.layout.folder,
        "checksum": checksum,
        "known": known,
        "revision": release.revision,
        "counts": counts,
        "checksums": dict(release.checksums),
        "notice": release.notice,
    }
    key = checksum[:12]
    folder = destination / key
    scratch = destination / f".{key}.{os.getpid()}"
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        world.write(scratch / "world")
        # How fields compare and which apps are open is the same for every task: `load` adds it.
        lines = "".join(task.model_dump_json(exclude={"compare", "apps"}) + "\n" for task in tasks)
        (scratch / "tasks.jsonl").write_text(lines, encoding="utf-8")
        (scratch / "import.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        _replace(scratch, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    pointer = destination / f".{release.layout.version}.{os.getpid()}"
    pointer.write_text(key + "\n", encoding="utf-8")
    pointer.replace(destination / release.layout.version)
    return Imported(release.layout.version, checksum, known, release.revision, folder, counts)


def _checksum(release: Release) -> str:
    """One checksum over every file that was read: SHA-256 of `sha256  name` lines, by name."""
    lines = [f"{digest}  {name}\n" for name, digest in sorted(release.checksums.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _tasks(release: Release, world: World) -> list[Task]:
    problems: list[str] = []
    with closing(Bench(world)) as bench:
        tasks = list(_played(release.tasks, bench, problems))
    if problems:
        raise ImportProblem(
            f"{len(problems)} task(s) have a solution that cannot be played:\n  " + "\n  ".join(problems)
        )
    return tasks


def _played(tasks: Sequence[Published], bench: Bench, problems: list[str]) -> Iterator[Task]:
    for task in tasks:
        try:
            end = End(changes=expected(bench.play(task.calls)))
        except Refused as refused:
            problems.append(f"{task.id}: {refused}")
            continue
        facts: dict[str, Any] = {
            "domain": task.domain,
            "domains": list(task.domains),
            "labels": list(task.labels),
            "actions": len(task.calls),
            "chosen_template": task.chosen_template,
        }
        yield Task(
            id=task.id,
            world=WORLD,
            apps=tuple(APPS.values()),
            sessions=(Session(requests={"original": task.request}),),
            ends=(end,),
            solution=task.calls,
            template=task.template,
            facts=facts,
        )


def _replace(scratch: Path, folder: Path) -> None:
    """Put `scratch` in the place of `folder`, unless that is there and the same."""
    if folder.is_dir() and _files(folder) == _files(scratch):
        return
    aside = folder.with_name(f".{folder.name}.old.{os.getpid()}")
    if folder.exists():
        folder.rename(aside)
    scratch.rename(folder)
    shutil.rmtree(aside, ignore_errors=True)


def _files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
