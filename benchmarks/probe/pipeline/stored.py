"""Samples of level `rewrite` that come with the package: what was written, by paragraph, over a sample of the grammar.

A file holds the base's name and digest and the new paragraphs, `{"d07": {"3": "..."}}`; all else is made again. A base
that has become another since, or that cannot be made here as it was, is refused. What was read in the texts is not
kept: only what states exactly the base's facts is stored, and the base is proved whenever it is made. The pin has what
a task says of the sample, so that a suite is at hand without making it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.probe import worlds
from benchmarks.probe.grammar.sizes import estimated
from benchmarks.probe.pins import Pin, pin_of
from benchmarks.probe.pipeline.grounds import digest, replaced
from benchmarks.probe.records import Sample
from harness.record.store import write_whole
from harness.suite import SuiteError

if TYPE_CHECKING:
    from benchmarks.probe.pipeline.rewriting import Told

__all__ = ("FOLDER", "load", "names", "pins", "store")

FOLDER = Path(__file__).with_name("stored")


class _Stored(BaseModel):
    """One file. `estimated`: tokens of the base were estimated, which gives it other filler."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base: str
    digest: str
    estimated: bool
    by: str = ""
    pin: Pin
    paragraphs: dict[str, dict[int, str]]


def names(folder: Path | None = None) -> list[str]:
    """The samples that a folder holds."""
    return sorted(path.stem for path in (folder or FOLDER).glob("*.json"))


def pins(folder: Path | None = None) -> list[Pin]:
    """What tasks say of the samples that a folder holds, of those whose base can be made here. Raises `SuiteError`."""
    kept = [_kept(name, folder or FOLDER) for name in names(folder)]
    return [each.pin for each in kept if each.estimated == estimated()]


def load(name: str, folder: Path | None = None) -> Sample:
    """The sample of that name.

    Raises:
        SuiteError: there is none, its file cannot be read, or its base is not what it was.
    """
    path = (folder or FOLDER) / f"{name}.json"
    kept = _kept(name, folder or FOLDER)
    if kept.estimated != estimated():
        raise SuiteError(
            f"{path}: its base was made where tokens are {'estimated' if kept.estimated else 'counted'}, and here they "
            f"are {'estimated' if estimated() else 'counted'}: the extra `models` brings the vocabulary"
        )
    base = worlds.sample(kept.base)
    if (now := digest(base)) != kept.digest:
        raise SuiteError(f"{path}: {kept.base} is {now} now, not {kept.digest}: it has to be rewritten")
    strange = [id for id in kept.paragraphs if id not in {each.id for each in base.documents}]
    if strange:
        raise SuiteError(f"{path}: paragraphs.{strange[0]}: {kept.base} has no such document")
    return _over(base, kept.paragraphs)


def store(base: Sample, told: Mapping[str, Told], folder: Path | None = None, *, by: str = "") -> Path:
    """Keep what was told anew of a sample, and say where; `by` says who wrote it. It has to be `assembled` before."""
    paragraphs = {id: dict(each.paragraphs) for id, each in sorted(told.items())}
    pin = pin_of(_over(base, paragraphs))
    kept = _Stored(base=base.id, digest=digest(base), estimated=estimated(), by=by, pin=pin, paragraphs=paragraphs)
    path = (folder or FOLDER) / f"{pin.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, kept.model_dump_json(indent=0) + "\n")
    return path


def _over(base: Sample, paragraphs: Mapping[str, Mapping[int, str]]) -> Sample:
    documents = tuple(replaced(each, paragraphs.get(each.id, {})) for each in base.documents)
    return base.model_copy(update={"id": worlds.rewrite_of(base.id), "level": "rewrite", "documents": documents})


def _kept(name: str, folder: Path) -> _Stored:
    path = folder / f"{name}.json"
    try:
        kept = _Stored.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        there = ", ".join(names(folder)) or "none"
        raise SuiteError(f"{folder} holds no sample {name!r}; there are: {there}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise SuiteError(f"{path}: {'.'.join(map(str, first['loc'])) or 'file'}: {first['msg']}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from None
    if name != kept.pin.name or name != worlds.rewrite_of(kept.base):
        raise SuiteError(f"{path}: it holds {kept.pin.name}, told anew from {kept.base}: name it so")
    return kept
