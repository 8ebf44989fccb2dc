"""The imported suite: where imports are kept, and how one is loaded."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Final

import platformdirs

from benchmarks.workbench.headline import headline
from benchmarks.workbench.official.importer import FORMAT, WORLD
from benchmarks.workbench.official.names import APPS, COMPARE, TOOLSET, required
from benchmarks.workbench.official.profiles import outcome, settled
from benchmarks.workbench.tables import report
from harness.suite import Suite, SuiteError
from harness.task import Task
from servers.kernel import World

__all__ = ("SYSTEM", "home", "load", "read_suite")

SYSTEM: Final = (
    "You look after the user's mail, calendar, customer records, project boards and website statistics with the "
    "tools you are given. It is Thursday, 30 November 2023 (2023-11-30), 00:00:00; every date you work out counts from "
    "there. Meetings may only be held between 9:00 and 18:00."
)
"""What the paper's agents are told (appendix A.5): date, time and working hours, in words of our own."""


def home() -> Path:
    """Where imports live: `HARNESS_DATA` if set, else the platform's folder for user data."""
    given = os.environ.get("HARNESS_DATA")
    return (Path(given) if given else platformdirs.user_data_path("workplace-harness")) / "workbench-official"


def load(version: str = "v1") -> Suite:
    """The newest import of that version of the release.

    Raises `SuiteError` when there is none, with the command that makes one.
    """
    pointer = home() / version
    again = "run `harness import workbench PATH`, PATH being a checkout of the WorkBench release"
    try:
        key = pointer.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise SuiteError(
            f"workbench-official@{version} is not imported (looked in {pointer.parent}); {again}"
        ) from None
    try:
        return read_suite(pointer.parent / key, version)
    except SuiteError as error:
        raise SuiteError(f"{error}; {again}") from None


def read_suite(folder: Path, version: str) -> Suite:
    """The suite that an import left in `folder`. Raises `SuiteError` when it cannot be read."""
    try:
        record = json.loads((folder / "import.json").read_text(encoding="utf-8"))
        with (folder / "tasks.jsonl").open(encoding="utf-8") as lines:
            tasks = [_task(line) for line in lines]
        if record["format"] != FORMAT:
            raise ValueError(f"it has format {record['format']}, not {FORMAT}")
        source = record["known"] or record["revision"] or "not a release known by checksum"
    except (OSError, ValueError, KeyError) as error:
        raise SuiteError(f"the import in {folder} cannot be read ({error})") from None

    @cache
    def world(name: str) -> World:
        if name != WORLD:
            raise SuiteError(f"workbench-official@{version} has no world {name!r}, only {WORLD!r}")
        return World.read(folder / "world")

    return Suite(
        name=f"workbench-official@{version}",
        version=folder.name,
        description=f"The published WorkBench tasks, {version} ({source}), {len(tasks)} tasks",
        tasks=tasks,
        world=world,
        checks={"outcome": outcome},
        settled=settled,
        report=report,
        headline=headline,
        system=SYSTEM,
        toolsets=dict.fromkeys(APPS.values(), TOOLSET),
        required=required,
        unchecked={"gmail.emails.sent_datetime": "the release compares it as a missing value on both sides"},
    )


def _task(line: str) -> Task:
    return Task.model_validate({**json.loads(line), "apps": tuple(APPS.values()), "compare": COMPARE})
