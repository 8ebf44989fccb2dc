"""The results files of a checkout: which there are, what each run did, and which task each run is of."""

from __future__ import annotations

import ast
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from benchmarks.workbench.official.calls import CallProblem, literal_strings
from benchmarks.workbench.official.names import DOMAINS
from benchmarks.workbench.official.release import ImportProblem, find_layout

__all__ = (
    "Chosen",
    "Mode",
    "Prediction",
    "available",
    "cells",
    "choose",
    "joined",
    "read_predictions",
    "reply",
    "sidecar",
    "snapshots",
)

Mode = Literal["all", "domains"]
"""Tools on offer: all 27, or those of the domains that a task needs."""

_NAME = re.compile(r"(?P<model>.+?)_(?P<mode>all|domains)_(?P<time>\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d)\.csv(\.gz)?")
_CURRENT = "v2"
"""What a sidecar of 2026 calls the tasks that are not a snapshot."""


class Chosen(NamedTuple):
    """The newest results file of each domain, by domain, and older ones that it stands in for."""

    files: Mapping[str, Path]
    older: Sequence[Path]


class Prediction(NamedTuple):
    """One row of a results file.

    `calls` is None where that cannot be told, and `problem` says why. `error` is how the run broke off, or "".
    `response` is whatever the release kept of the conversation, unread.
    """

    request: str
    calls: tuple[str, ...] | None
    error: str
    response: str
    problem: str = ""


def available(path: Path) -> dict[tuple[str, str], dict[str, list[Path]]]:
    """(model, mode) -> domain -> results files, oldest first.

    Raises `ImportProblem` when there is no release there, or one without results.
    """
    find_layout(path)
    found: dict[tuple[str, str], dict[str, list[tuple[str, Path]]]] = {}
    for domain in DOMAINS:
        for file in sorted((path / "data/results" / domain).glob("*.csv*")):
            if match := _NAME.fullmatch(file.name):
                by_domain = found.setdefault((match["model"], match["mode"]), {})
                by_domain.setdefault(domain, []).append((match["time"], file))
    if not found:
        raise ImportProblem(
            f"{path / 'data/results'} holds no results: looked for <domain>/<model>_<all|domains>_<date>_<time>.csv "
            "or .csv.gz"
        )
    return {
        key: {domain: [file for _, file in sorted(files)] for domain, files in by_domain.items()}
        for key, by_domain in sorted(found.items())
    }


def choose(path: Path, model: str, mode: str) -> Chosen:
    """The newest results of a model and mode in each domain, by the time in their names, as the release chooses.

    Raises `ImportProblem` listing what there is, or naming the files that are missing.
    """
    there = available(path)
    listed = ", ".join(f"{model} ({mode})" for model, mode in there)
    if not model or not mode:
        raise ImportProblem(f"which model and mode? {path / 'data/results'} has {listed}")
    if mode not in get_args(Mode):
        raise ImportProblem(f"there is no mode {mode!r}, only {' and '.join(get_args(Mode))}")
    found = there.get((model, mode))
    if found is None:
        raise ImportProblem(f"{path / 'data/results'} has no results of {model!r} in mode {mode!r}; it has {listed}")
    missing = [str(path / f"data/results/{d}/{model}_{mode}_*.csv") for d in DOMAINS if d not in found]
    if missing:
        raise ImportProblem(
            f"the results of {model!r} in mode {mode!r} are not whole: there is no {', no '.join(missing)}"
        )
    return Chosen(
        {domain: found[domain][-1] for domain in DOMAINS},
        [file for domain in DOMAINS for file in found[domain][:-1]],
    )


def snapshots(path: Path, files: Mapping[str, Path]) -> dict[str, str]:
    """Domain -> the older version of its tasks that the file was made with; {} in the layout of 2024.

    In the layout of 2026 a sidecar `..._meta.json` names the version; a file without one is of 2024, `v1`.
    """
    if find_layout(path).version == "v1":
        return {}
    found = {}
    for domain, file in files.items():
        version, beside = "v1", sidecar(file)
        if beside.is_file():
            try:
                version = json.loads(beside.read_text(encoding="utf-8")).get("ground_truth_version", _CURRENT)
            except (ValueError, AttributeError) as error:
                raise ImportProblem(f"{beside} is not a JSON object: {error}") from None
        if version != _CURRENT:
            found[domain] = version
    return found


def sidecar(file: Path) -> Path:
    """Where the release of 2026 says how a results file was made; one of 2024 has none."""
    return file.with_name(file.name.removesuffix(".gz").removesuffix(".csv") + "_meta.json")


def read_predictions(file: Path) -> list[Prediction]:
    """The rows of one results file, those that do not parse included. Raises what `cells` does."""
    head, rows = cells(file)
    return [_prediction(dict(zip(head, row, strict=False)), len(row), len(head)) for row in rows]


def cells(file: Path) -> tuple[list[str], list[list[str]]]:
    """The columns of one results file, plain or compressed, and the cells of each row, of which there may be fewer.

    What was asked stands in column `query`, or `task` as of 2026. Raises `ImportProblem` where not even rows can be
    told apart, or a column is missing.
    """
    try:
        raw = file.read_bytes()
        text = (gzip.decompress(raw) if file.suffix == ".gz" else raw).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise ImportProblem(f"{file} cannot be read: {error}") from None
    limit = csv.field_size_limit(len(text) + 1)  # one run may be longer than the default field
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
    except csv.Error as error:
        raise ImportProblem(f"{file} is not a whole CSV file: {error}") from None
    finally:
        csv.field_size_limit(limit)
    head = rows[0] if rows else []
    asked = "query" if "query" in head else "task"
    if lacking := [name for name in (asked, "function_calls", "error") if name not in head]:
        raise ImportProblem(f"{file} lacks the column(s) {', '.join(lacking)}; it has {', '.join(head) or 'nothing'}")
    return head, rows[1:]


def _prediction(cells: Mapping[str, str], given: int, wanted: int) -> Prediction:
    request, response = cells.get("query", cells.get("task", "")), cells.get("full_response", "")
    if given != wanted:
        return Prediction(request, None, cells.get("error", ""), response, f"{given} cells, expected {wanted}")
    try:
        calls = tuple(literal_strings(cells["function_calls"] or "[]"))
    except CallProblem as problem:
        return Prediction(request, None, cells["error"], response, f"function_calls {problem}")
    return Prediction(request, calls, cells["error"], response)


def joined(file: Path, requests: Mapping[str, str], rows: Sequence[Prediction]) -> dict[str, Prediction]:
    """Task id -> its row, in task order; `requests` maps task id to the exact text it asks.

    Raises `ImportProblem` with the first difference unless rows and tasks pair up one to one.
    """
    ids: dict[str, str] = {}
    for id, request in requests.items():
        if request in ids:
            raise ImportProblem(
                f"tasks {ids[request]} and {id} ask the same, so {file} cannot be told apart: {request!r}"
            )
        ids[request] = id
    taken: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        id = ids.get(row.request, "")
        if not id:
            raise ImportProblem(f"{file}, row {number} asks what no task asks: {row.request!r:.300}")
        if id in taken:
            raise ImportProblem(f"{file}, rows {taken[id]} and {number} both ask {id}: {row.request!r:.300}")
        taken[id] = number
    if lacking := [id for id in requests if id not in taken]:
        first = lacking[0]
        raise ImportProblem(
            f"{file} has {len(rows)} rows for {len(requests)} tasks; the first without a row is {first}: "
            f"{requests[first]!r:.300}"
        )
    return {id: rows[taken[id] - 1] for id in requests}


def reply(response: str) -> str:
    """What the model said last, where the release kept it in a form that can be read; else ""."""
    try:
        kept = json.loads(response)
    except (ValueError, RecursionError):
        kept = _printed(response)
    said = kept.get("output") if isinstance(kept, dict) else None
    return said if isinstance(said, str) else ""


def _printed(response: str) -> dict[str, str]:
    """The texts of a printed dictionary. Its other values may be objects, which are left out."""
    try:
        node = ast.parse(response, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    if not isinstance(node, ast.Dict):
        return {}
    found: dict[str, str] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        match key, value:
            case ast.Constant(value=str(name)), ast.Constant(value=str(text)):
                found[name] = text
    return found
