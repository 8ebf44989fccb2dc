"""Samples of level `rewrite` that come with the package: what was written, by paragraph, over a sample of the grammar.

A file holds the base's name and digest and the new paragraphs, `{"d07": {"3": "..."}}`; all else is made again. A base
that has become another since, or that cannot be made here as it was, is refused. What was read in the texts is not
kept: only what states exactly the base's facts is stored, and the base is proved whenever it is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.probe import worlds
from benchmarks.probe.grammar.sizes import estimated
from benchmarks.probe.pipeline.grounds import digest, replaced
from benchmarks.probe.pipeline.rewriting import Told, named
from benchmarks.probe.pipeline.work import PipelineError
from benchmarks.probe.records import Sample
from harness.record.store import write_whole

__all__ = ("FOLDER", "load", "names", "store")

FOLDER = Path(__file__).with_name("stored")


class _Stored(BaseModel):
    """One file. `estimated`: tokens of the base were estimated, which gives it other filler."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base: str
    digest: str
    estimated: bool
    by: str = ""
    paragraphs: dict[str, dict[int, str]]


def names(folder: Path = FOLDER) -> list[str]:
    """The samples that a folder holds."""
    return sorted(path.stem for path in folder.glob("*.json"))


def load(name: str, folder: Path = FOLDER) -> Sample:
    """The sample of that name.

    Raises:
        PipelineError: there is none, its file cannot be read, or its base is not what it was.
    """
    path = folder / f"{name}.json"
    try:
        kept = _Stored.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        there = ", ".join(names(folder)) or "none"
        raise PipelineError(f"{folder} holds no sample {name!r}; there are: {there}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise PipelineError(f"{path}: {'.'.join(map(str, first['loc'])) or 'file'}: {first['msg']}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PipelineError(f"{path} cannot be read: {error}") from None
    if kept.estimated != estimated():
        raise PipelineError(
            f"{path}: its base was made where tokens are {'estimated' if kept.estimated else 'counted'}, and here they "
            f"are {'estimated' if estimated() else 'counted'}: the extra `models` brings the vocabulary"
        )
    base = worlds.sample(kept.base)
    if (now := digest(base)) != kept.digest:
        raise PipelineError(f"{path}: {kept.base} is {now} now, not {kept.digest}: it has to be rewritten")
    strange = [id for id in kept.paragraphs if id not in {each.id for each in base.documents}]
    if strange:
        raise PipelineError(f"{path}: paragraphs.{strange[0]}: {kept.base} has no such document")
    documents = tuple(replaced(each, kept.paragraphs.get(each.id, {})) for each in base.documents)
    return base.model_copy(update={"id": named(base.id), "level": "rewrite", "documents": documents})


def store(base: Sample, told: Mapping[str, Told], folder: Path = FOLDER, *, by: str = "") -> Path:
    """Keep what was told anew of a sample, and say where; `by` says who wrote it. It has to be `assembled` before."""
    paragraphs = {id: dict(each.paragraphs) for id, each in sorted(told.items())}
    kept = _Stored(base=base.id, digest=digest(base), estimated=estimated(), by=by, paragraphs=paragraphs)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{named(base.id)}.json"
    write_whole(path, kept.model_dump_json(indent=0) + "\n")
    return path
