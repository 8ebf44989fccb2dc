"""`harness import probe`: samples in the published layout into a folder to be played.

What is served is id, type and payload of documents, under other ids and in another order; nothing marks the answer.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import date
from functools import partial
from json import dumps
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue, ValidationError

from benchmarks.probe import published
from benchmarks.probe.building import show
from benchmarks.probe.grammar.sizes import estimated
from benchmarks.probe.imported import Whose, entry
from benchmarks.probe.records import Sample
from harness.cli.building import Made, Refused, build, digest_of
from harness.cli.problems import CallProblem
from servers.kernel import amiss

__all__ = ("read",)

_HERE = Path(__file__).parent
_SOURCES = ("published.py", "importing.py", "imported.py", "records.py", "naming.py", "pouring.py", "worlds.py")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_WRITTEN = ("date", "timestamp", "created_at", "last_modified")
_HELD = ("start", "start_time")


def read(
    path: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where <id>_input.json and <id>_output.json lie.")],
    out: Annotated[Path | None, typer.Option(help="The folder to write; by default sets/FOLDER.")] = None,
    seed: Annotated[int, typer.Option(help="Decides the order of documents and actions.")] = 0,
    paper: Annotated[
        bool, typer.Option("--paper", help="Score execution also where nobody could have read the parameters.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Read samples in the published layout into a suite."""
    folder = out or Path("sets") / path.resolve().name
    inputs = {
        "seed": seed,
        "paper": paper,
        "tokens": "estimated" if estimated() else "counted",
        "code": digest_of(*(_HERE / each for each in _SOURCES)),
    }
    files = _files(path)
    things = {name: [_digest(there.get(side)) for side in ("input", "output")] for name, there in files.items()}
    whose = Whose(name=f"probe-{folder.name}", paper=paper)
    found = build(folder, inputs, things, partial(_make, files=files, seed=seed), workers=workers,
                  suite=whose.model_dump())  # fmt: skip
    beyond = [each["name"] for each in found.entries if each["ungrounded"]]
    if beyond and not paper:
        typer.echo(
            f"{len(beyond)} of {len(found.entries)} samples ask for parameters that nobody could have read, "
            f"{beyond[0]} the first: their execution is not scored (--paper scores it)",
            err=True,
        )
    show(found, folder, folder, as_json=json)


def _files(path: Path) -> dict[str, dict[published.Side, Path]]:
    if not path.is_dir():
        raise CallProblem(f"{path} is not a folder: give the one where <id>_input.json and <id>_output.json lie")
    try:
        found = published.sides(path)
    except published.PublishedError as error:
        raise CallProblem(str(error)) from None
    if not found:
        raise CallProblem(f"{path}: there is no <id>_input.json and no <id>_output.json in it, nor below")
    return found


def _digest(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise CallProblem(f"{path}: cannot be read: {error.strerror}") from None


def _make(name: str, *, files: Mapping[str, Mapping[published.Side, Path]], seed: int) -> Made:
    """The sample of that name as it is played. Raises `Refused` naming file and field."""
    try:
        source = published.imported(published.read(*published.pair(name, files[name])), seed)
        made = entry(_dated(source.sample, files[name]["input"]))
        made = Made(made.files, {**made.entry, "source": source.ids})
        for text in (*made.files.values(), dumps(made.entry, ensure_ascii=False)):
            text.encode()
    except published.PublishedError as error:
        raise Refused(str(error)) from None
    except ValidationError as error:
        raise Refused(f"{files[name]['output']}: {amiss(error)}") from None
    except UnicodeEncodeError as error:
        found = ascii(error.object[error.start])
        raise Refused(f"{files[name]['input']}: it contains an unpaired surrogate: {found}") from None
    return made


def _dated(sample: Sample, file: Path) -> Sample:
    """A sample that says what day it is: the last on which something was written, where its files do not tell."""
    if sample.now:
        if _day(sample.now) != sample.now:
            raise published.PublishedError(f"{file}: workplace.now: {sample.now!r} is not a day as YYYY-MM-DD")
        return sample
    for names in (_WRITTEN, _HELD):
        days = [_day(each.payload.get(name)) for each in sample.documents for name in names]
        if last := max(filter(None, days), default=""):
            return sample.model_copy(update={"now": last})
    raise published.PublishedError(f"{file}: data_points: no payload has a date, so that nobody knows what day it is")


def _day(value: JsonValue) -> str:
    """The day that a text begins with, as YYYY-MM-DD; "" where it does not."""
    found = _DAY.match(value) if isinstance(value, str) else None
    try:
        return date.fromisoformat(found[0]).isoformat() if found else ""
    except ValueError:
        return ""
