"""The page as a folder of files: opens from disk, and can be put on any static host."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

from harness.record.files import folder_whole
from harness.view.data import View
from harness.view.encoding import as_script
from harness.view.files import INDEX, page, static
from harness.view.run import Shown
from harness.view.trials import Trial

__all__ = ("MARK", "write_folder")

MARK: Final = "harness-view.txt"
"""Says that a folder is one of these, and may be replaced by another one."""

_MARKED = "Made by `harness report --format html --output FOLDER`, which replaces this folder when asked to again.\n"

_TEXTS = 2_000_000
"""Characters of texts to search in one file, more where a single trial has more."""


def write_folder(view: View, folder: Path) -> int:
    """Write all that the page shows into a folder; the number of its files.

    It is made beside its place and put there when it is whole. Raises `RunError` where something else is there, or
    where it cannot be written.
    """
    with folder_whole(folder, MARK, _MARKED) as scratch:
        return _write(view, scratch) + 1  # and the mark


def _write(view: View, folder: Path) -> int:
    for name in ("data", "raw"):
        (folder / name).mkdir()
    files = 0
    for name, source in static().items():
        if name != INDEX:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / name)
            files += 1
    heads = view.heads()
    for name, value in _values(view, heads):
        (folder / "data" / f"{name}.js").write_bytes(as_script(name, value))
        files += 1
    for run in view.runs:
        for file in run.files():
            shutil.copyfile(run.path(file), folder / "raw" / f"{run.number}-{run.key(file)}.json")
            files += 1
    (folder / INDEX).write_text(page("folder"), encoding="utf-8")
    return files + 1


def _values(view: View, heads: dict[str, Any]) -> Generator[tuple[str, Any], None, None]:
    """Every name with its value; `runs` last, which says what there is."""
    for run, head in zip(view.runs, heads["runs"], strict=True):
        # Where that lies on this machine is nobody else's business.
        head["path"] = head["folder"] = "/".join(run.resolved.parts[-2:])
        yield f"index-{run.number}", view.value(f"index-{run.number}")
        yield f"report-{run.number}", view.value(f"report-{run.number}")
        yield f"questions-{run.number}", view.value(f"questions-{run.number}")
        head["texts"] = yield from _of_trials(view, run)
    if len(view.runs) > 1:
        yield "compare", view.value("compare")
    yield "runs", heads


def _of_trials(view: View, run: Shown) -> Generator[tuple[str, Any], None, int]:
    """Each trial with its pieces behind the first, and texts to search; how many files of those there are."""
    texts: list[list[Any]] = []
    size = number = 0
    for file in run.files():
        name = f"{run.number}-{run.key(file)}"
        yield f"trial-{name}", view.value(f"trial-{name}")
        trial = run.trial(file)
        more = [f"events-{name}-{piece}" for piece in range(1, trial.pieces)]
        for attempt, earlier in enumerate(trial.t.tries, 1):
            pieces = Trial(earlier, {}, None).pieces
            more += [f"try-{name}-{attempt}", *(f"try-{name}-{attempt}-{piece}" for piece in range(1, pieces))]
        for each in more:
            yield each, view.value(each)
        found = run.places(file)
        length = sum(len(place.text) for place in found)
        if texts and size + length > _TEXTS:
            yield f"text-{run.number}-{number}", {"texts": texts}
            texts, size, number = [], 0, number + 1
        texts.append([run.key(file), found])
        size += length
    if texts:
        yield f"text-{run.number}-{number}", {"texts": texts}
        number += 1
    return number
