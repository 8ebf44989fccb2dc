"""Samples of level `rewrite` that come with the package: `stored/NAME.jsonl`.

The first line of a file has what a task says of the sample, so that a suite is at hand without reading samples, and who
wrote it; the second the sample itself, whole. It does not follow its base where grammar or filler change: what was read
in its texts was proved when it was stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.probe.pipeline.grounds import retold
from benchmarks.probe.pouring import Pin, pin_of
from benchmarks.probe.records import Sample
from harness.record.files import write_whole
from harness.suite import SuiteError
from servers.kernel import first_amiss

if TYPE_CHECKING:
    from benchmarks.probe.pipeline.rewriting import Told

__all__ = ("FOLDER", "load", "names", "pins", "store")

FOLDER = Path(__file__).with_name("stored")


class _Head(BaseModel):
    """The first line of a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: str = ""
    pin: Pin


def names(folder: Path | None = None) -> list[str]:
    """The samples that a folder holds."""
    return sorted(path.stem for path in (folder or FOLDER).glob("*.jsonl"))


def pins(folder: Path | None = None) -> list[Pin]:
    """What tasks say of the samples that a folder holds. Raises `SuiteError` for a file that is not one."""
    return [_head(name, folder or FOLDER).pin for name in names(folder)]


def load(name: str, folder: Path | None = None) -> Sample:
    """The sample of that name.

    Raises:
        SuiteError: there is none, its file cannot be read, or it is not the one of which its first line tells.
    """
    path = _path(name, folder or FOLDER)
    pin = _head(name, folder or FOLDER).pin
    try:
        found = Sample.model_validate_json(_line(path, 2))
    except ValidationError as error:
        raise SuiteError(f"{path}:2: {first_amiss(error, 'the line')}") from None
    if pin_of(found) != pin:
        raise SuiteError(f"{path}:2: it is not the sample of which the first line tells; take the file as it was")
    return found


def store(base: Sample, told: Mapping[str, Told], folder: Path | None = None, *, by: str = "") -> Path:
    """Keep what was told anew of a sample, and say where; `by` says who wrote it. It has to be `assembled` before."""
    found = retold(base, {id: each.paragraphs for id, each in told.items()})
    path = _path(found.id, folder or FOLDER)
    path.parent.mkdir(parents=True, exist_ok=True)
    head = _Head(by=by, pin=pin_of(found))
    write_whole(path, f"{head.model_dump_json()}\n{found.model_dump_json()}\n")
    return path


def _head(name: str, folder: Path) -> _Head:
    path = _path(name, folder)
    try:
        head = _Head.model_validate_json(_line(path, 1))
    except FileNotFoundError:
        there = ", ".join(names(folder)) or "none"
        raise SuiteError(f"{folder} holds no sample {name!r}; there are: {there}") from None
    except ValidationError as error:
        raise SuiteError(f"{path}:1: {first_amiss(error, 'the line')}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from None
    if name != head.pin.name:
        raise SuiteError(f"{path}: it holds {head.pin.name}: name it so")
    return head


def _line(path: Path, number: int) -> str:
    """One line of a file; empty where it has fewer."""
    with path.open(encoding="utf-8") as file:
        return next((line for at, line in enumerate(file, 1) if at == number), "")


def _path(name: str, folder: Path) -> Path:
    return folder / f"{name}.jsonl"
