"""A checkout of the WorkBench release on disk: which layout it has, and what its files say."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from benchmarks.workbench.official.calls import CallProblem, literal_strings, read_call
from benchmarks.workbench.official.names import DOMAINS, LABELS, SOURCES, Source
from harness.suite import SuiteError
from harness.task import Call

__all__ = ("ImportProblem", "Layout", "Published", "Release", "Version", "find_layout", "read_release")

Version = Literal["v1", "v2"]


class ImportProblem(SuiteError):
    """A release that cannot be imported; the text names each file or task and what is wrong with it."""


class Layout(NamedTuple):
    """How a release names its task files and two of their columns."""

    version: Version
    folder: str
    suffix: str
    request: str
    answer: str


_LAYOUTS: Final = (
    Layout("v2", "data/processed/tasks_and_outcomes", "tasks_and_outcomes", "task", "outcome"),
    Layout("v1", "data/processed/queries_and_answers", "queries_and_answers", "query", "answer"),
)


_NONE: Final[Mapping[str, str]] = {}


class Published(NamedTuple):
    """One task as the release gives it. `domains` are full names, `labels` as written there."""

    id: str
    domain: str
    request: str
    calls: tuple[Call, ...]
    template: str
    chosen_template: str
    domains: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Release:
    """Everything a release says: rows by app and table, tasks in order, and where it came from.

    `checksums` maps each file that was read to its SHA-256; `revision` is "" where there is no git.
    """

    layout: Layout
    notice: str
    revision: str
    checksums: Mapping[str, str]
    rows: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]
    tasks: Sequence[Published]


def find_layout(path: Path) -> Layout:
    """Which release `path` holds. Raises `ImportProblem` naming every folder looked for."""
    if not path.is_dir():
        raise ImportProblem(f"{path} is not a folder; give the root of a checkout of the WorkBench release")
    for layout in _LAYOUTS:
        if (path / layout.folder).is_dir():
            return layout
    wanted = " nor ".join(str(path / layout.folder) for layout in _LAYOUTS)
    raise ImportProblem(f"no WorkBench release there: found neither {wanted}")


def read_release(path: Path, snapshots: Mapping[str, str] = _NONE) -> Release:
    """Read a whole release. Raises `ImportProblem` for what is missing, short or does not parse.

    `snapshots` maps a domain to the older version of its tasks to read instead of the current one: a
    folder beside them in the layout of 2026.
    """
    layout = find_layout(path)
    files = _Files(path)
    missing = [str(name) for name in _wanted(layout, snapshots) if not (path / name).is_file()]
    if missing:
        raise ImportProblem(f"{path} lacks {len(missing)} file(s) of the {layout.version} layout: {', '.join(missing)}")
    notice = files.text("LICENSE")
    if not notice.startswith("MIT License"):
        raise ImportProblem(f"{path / 'LICENSE'} does not start with 'MIT License', so the data is not imported")
    rows: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for source in SOURCES:
        rows.setdefault(source.app, {})[source.table] = found = list(_rows(files, source))
        if len({row["id"] for row in found}) != len(found):
            raise ImportProblem(f"{path / source.path} gives the same {source.key} to two rows")
    rows["analytics"]["plots"] = []
    tasks, problems = _tasks(files, layout, snapshots)
    if problems:
        raise ImportProblem(f"{len(problems)} task(s) cannot be read:\n  " + "\n  ".join(problems))
    return Release(layout, notice, _revision(path), files.checksums, rows, tasks)


def _wanted(layout: Layout, snapshots: Mapping[str, str]) -> Iterator[str]:
    yield "LICENSE"
    yield from (source.path for source in SOURCES)
    yield from (_task_file(layout, domain, snapshots) for domain in DOMAINS)


def _task_file(layout: Layout, domain: str, snapshots: Mapping[str, str]) -> str:
    folder = f"{layout.folder}/{snapshots[domain]}" if domain in snapshots else layout.folder
    return f"{folder}/{domain}_{layout.suffix}.csv"


class _Files:
    """Files below a folder, each read once and its checksum kept."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.checksums: dict[str, str] = {}

    def text(self, name: str) -> str:
        content = (self.root / name).read_bytes()
        self.checksums[name] = hashlib.sha256(content).hexdigest()
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ImportProblem(f"{self.root / name} is not UTF-8 text: {error}") from None

    def records(self, name: str) -> list[list[str]]:
        """The rows of a CSV file, all cells text. Raises `ImportProblem` where there are none."""
        try:
            found = [row for row in csv.reader(io.StringIO(self.text(name), newline=""), strict=True) if row]
        except csv.Error as error:
            raise ImportProblem(f"{self.root / name} is not a whole CSV file: {error}") from None
        if not found:
            raise ImportProblem(f"{self.root / name} is empty")
        return found


def _rows(files: _Files, source: Source) -> Iterator[dict[str, Any]]:
    where = files.root / source.path
    records = files.records(source.path)
    columns = list(source.columns)
    if source.header and (head := records.pop(0)) != columns:
        raise ImportProblem(f"{where} has the columns {', '.join(head)}; expected {', '.join(columns)}")
    if not records:
        raise ImportProblem(f"{where} has a header and no rows")
    for number, record in enumerate(records):
        if len(record) != len(columns):
            raise ImportProblem(f"{where}, row {number + 1}: {len(record)} cells, expected {len(columns)}; cut short?")
        row: dict[str, Any] = {} if source.key else {"id": str(number)}
        for column, cell in zip(columns, record, strict=True):
            try:
                row[source.columns[column]] = _value(source, column, cell)
            except ValueError:
                raise ImportProblem(f"{where}, row {number + 1}: {column} is {cell!r}, not a whole number") from None
        yield row


def _value(source: Source, column: str, cell: str) -> Any:
    if column in source.counts:
        return int(cell)
    if column in source.flags:
        return cell == "True"
    return None if cell == "" and column in source.nullable else cell


def _tasks(files: _Files, layout: Layout, snapshots: Mapping[str, str]) -> tuple[list[Published], list[str]]:
    """The tasks in order, and one line for each that cannot be read."""
    columns = (layout.request, layout.answer, "base_template", "chosen_template", "domains")
    tasks: list[Published] = []
    problems: list[str] = []
    for domain in DOMAINS:
        name = _task_file(layout, domain, snapshots)
        head, *records = files.records(name)
        lacking = [column for column in columns if column not in head]
        if lacking or not records:
            what = f"lacks the column(s) {', '.join(lacking)}" if lacking else "has a header and no tasks"
            raise ImportProblem(f"{files.root / name} {what}")
        for number, record in enumerate(records):
            id = f"{domain}-{number:03d}"
            if len(record) != len(head):
                problems.append(f"{id}: {len(record)} cells, expected {len(head)}")
                continue
            cells = dict(zip(head, record, strict=True))
            try:
                tasks.append(_published(id, domain, *(cells[column] for column in columns)))
            except CallProblem as problem:
                problems.append(f"{id}: {problem}")
    return tasks, problems


def _published(id: str, domain: str, request: str, answer: str, template: str, chosen: str, domains: str) -> Published:
    labels = tuple(literal_strings(domains))
    full = tuple(LABELS.get(label, label) for label in labels)
    calls = tuple(map(read_call, literal_strings(answer)))
    return Published(id, domain, request, calls, template, chosen, full, labels)


def _revision(path: Path) -> str:
    """The commit that is checked out, read from git's own files; "" where that cannot be told."""
    git = path / ".git"
    try:
        if git.is_file():  # a linked worktree: `gitdir: <folder>`
            git = path / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref:"):
            return head
        ref = head.removeprefix("ref:").strip()
        shared = git / "commondir"
        common = git / shared.read_text(encoding="utf-8").strip() if shared.is_file() else git
        if (common / ref).is_file():
            return (common / ref).read_text(encoding="utf-8").strip()
        packed = (common / "packed-refs").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return next((line.split()[0] for line in packed.splitlines() if line.endswith(f" {ref}")), "")
