"""People who do samples themselves: the form that they fill in, its scores, and table 2."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmarks.probe.records import Sample
from benchmarks.probe.scoring.answers import DETAILS, Answer, Grade, Question, Structured
from benchmarks.probe.scoring.scored import questions, score
from benchmarks.probe.scoring.tables import HumanEntry, Row, humans
from harness.judging.forms import CANNOT_TELL, FormError, chosen, read_rows, write_rows
from servers.kernel import canonical

__all__ = (
    "COLUMNS", "OPEN", "HumanRun", "entries", "open_questions", "ordered", "read_runs", "read_verdicts", "shown",
    "table", "write_form", "write_open",
)  # fmt: skip

COLUMNS = (
    "annotator", "order", "sample", "active_seconds", "opened", "evidence", *DETAILS, "action", "parameters",
    "confidence", "documents_realistic", "actions_realistic", "comment",
)  # fmt: skip
"""`opened` and `evidence` are ids of documents, `parameters` a JSON object, `confidence` is 1 (a guess) to 5 (sure)."""
OPEN = ("key", "about", "right", "also_right", "they_wrote", "verdict")
"""A form for whoever says what no program can of people's answers."""
_VERDICTS: tuple[Grade, ...] = ("correct", "incorrect", "missing")
_YES_NO = ("yes", "no")


class HumanRun(BaseModel):
    """One sample that a person did, as they put it down. `order` counts from 1, `seconds` are those spent actively."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    annotator: str
    order: int
    sample: str
    seconds: float
    opened: tuple[str, ...]
    answer: Answer
    confidence: int
    documents_realistic: bool
    actions_realistic: bool
    comment: str = ""


def ordered(samples: Sequence[str], annotator: str, seed: int) -> list[str]:
    """Samples in the order in which a person does them, another for each, so that practice favours none."""
    return sorted(samples, key=lambda name: hashlib.sha256(canonical([seed, annotator, name])).hexdigest())


def write_form(path: Path, annotator: str, samples: Sequence[str]) -> None:
    """A form with a row for each sample, in this order. Raises `FormError`."""
    rows = [
        {**dict.fromkeys(COLUMNS, ""), "annotator": annotator, "order": str(number), "sample": name}
        for number, name in enumerate(samples, 1)
    ]
    write_rows(path, COLUMNS, rows)


def shown(sample: Sample) -> str:
    """What a person is given of a sample: nothing of the key, not even which parameters are critical."""
    parts = ["WHO YOU WORK FOR\n", json.dumps(sample.world_model, indent=2, ensure_ascii=False), "\n\nACTIONS\n"]
    for action in sample.actions:
        parts.append(f"\n{action.id}: {action.description}\n")
        parts += [f"  condition: {each}\n" for each in action.constraints]
        for name, each in action.params_schema.properties.items():
            parts.append(f"  {name} ({each.kind}{', or '.join(['', *each.choices])}): {each.description}\n")
    parts.append("\nDOCUMENTS\n")
    for document in sample.documents:
        parts.append(f"\n--- {document.id} ({document.type})\n")
        for name, value in document.payload.items():
            said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            parts.append(f"{name}: {said}\n")
    return "".join(parts)


def read_runs(path: Path, samples: Mapping[str, Sample]) -> list[HumanRun]:
    """The samples that were done; rows without `active_seconds` are left for later. Raises `FormError`."""
    found: list[HumanRun] = []
    seen: dict[tuple[str, str], str] = {}
    for where, row in read_rows(path, COLUMNS):
        if not row["active_seconds"]:
            continue
        if row["sample"] not in samples:
            raise FormError(f"{where}: there is no sample {row['sample']!r:.60}; keep those of the form")
        if not row["annotator"]:
            raise FormError(f"{where}: annotator is empty: say who did this")
        if before := seen.get(key := (row["annotator"], row["sample"])):
            raise FormError(f"{where}: {row['annotator']} did {row['sample']} at {before} already")
        seen[key] = where
        found.append(_run(where, row, samples[row["sample"]]))
    return found


def _run(where: str, row: Mapping[str, str], sample: Sample) -> HumanRun:
    actions = [each.id for each in sample.actions]
    if row["action"] and row["action"] not in actions:
        raise FormError(f"{where}: action takes an id of one of its actions, or nothing, not {row['action']!r:.60}")
    return HumanRun(
        annotator=row["annotator"],
        order=int(_number(where, "order", row["order"], r"[1-9]\d*", "a whole number from 1")),
        sample=sample.id,
        seconds=_number(where, "active_seconds", row["active_seconds"], r"\d+(?:\.\d+)?", "a number of seconds"),
        opened=_ids(where, "opened", row["opened"], sample),
        answer=Answer(
            retrieved=_ids(where, "evidence", row["evidence"], sample),
            bottleneck=Structured(**{name: row[name] for name in DETAILS}),
            action=row["action"] or None,
            parameters=_parameters(where, row["parameters"]),
        ),
        confidence=int(_number(where, "confidence", row["confidence"], "[1-5]", "1 (a guess) to 5 (sure)")),
        documents_realistic=chosen(where, "documents_realistic", row["documents_realistic"], _YES_NO) == "yes",
        actions_realistic=chosen(where, "actions_realistic", row["actions_realistic"], _YES_NO) == "yes",
        comment=row["comment"],
    )


def _number(where: str, column: str, said: str, pattern: str, right: str) -> float:
    if not re.fullmatch(pattern, said) or not float(said):
        raise FormError(f"{where}: {column} takes {right}, not {said!r:.60}")
    return float(said)


def _ids(where: str, column: str, said: str, sample: Sample) -> tuple[str, ...]:
    there = {each.id for each in sample.documents}
    found = tuple(dict.fromkeys(re.split(r"[\s,;]+", said))) if said else ()
    if strange := [id for id in found if id not in there]:
        raise FormError(f"{where}: {column} takes ids of its documents; {strange[0]!r:.60} is none")
    return found


def _parameters(where: str, said: str) -> dict[str, Any]:
    try:
        found = json.loads(said) if said else {}
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise FormError(f'{where}: parameters takes a JSON object, {{"decider": "..."}}, not {said!r:.60}')
    return found


def open_questions(runs: Sequence[HumanRun], samples: Mapping[str, Sample]) -> dict[str, Question]:
    """What no program can tell of these answers, by a key for `read_verdicts`."""
    return {
        f"{run.annotator}.{run.sample}.{each.about}": each
        for run in runs
        for each in questions(samples[run.sample], run.answer)
    }


def write_open(path: Path, asked: Mapping[str, Question]) -> None:
    """A form with what is open. Raises `FormError`."""
    rows = []
    for key, each in asked.items():
        right = each.gold if isinstance(each.gold, str) else json.dumps(each.gold, ensure_ascii=False)
        cells = (key, each.about, right, "; ".join(each.accept), each.said, "")
        rows.append(dict(zip(OPEN, cells, strict=True)))
    write_rows(path, OPEN, rows)


def read_verdicts(path: Path, asked: Mapping[str, Question]) -> dict[str, Grade]:
    """What was said of open questions, by key; rows left open, or that they cannot tell, not. Raises `FormError`."""
    found: dict[str, Grade] = {}
    for where, row in read_rows(path, OPEN):
        if row["key"] not in asked:
            raise FormError(f"{where}: nobody asks {row['key']!r:.60}: keep the keys of the form, or write it anew")
        answers: tuple[Grade, ...] = _VERDICTS if asked[row["key"]].gold is not None else (*_VERDICTS, "n/a")
        if row["verdict"]:
            said = chosen(where, "verdict", row["verdict"], [*answers, CANNOT_TELL])
            if said != CANNOT_TELL:
                found[row["key"]] = next(each for each in answers if each == said)
    return found


def entries(runs: Sequence[HumanRun], samples: Mapping[str, Sample], verdicts: Mapping[str, Grade]) -> list[HumanEntry]:
    """What was done, scored as an agent's answers are; what is still open is unscored."""
    found = []
    for run in runs:
        begins = f"{run.annotator}.{run.sample}."
        said = {key.removeprefix(begins): verdict for key, verdict in verdicts.items() if key.startswith(begins)}
        scored = score(samples[run.sample], run.answer, said, agent=run.annotator, touched=run.opened)
        found.append(
            HumanEntry(
                annotator=run.annotator,
                scored=scored,
                seconds=run.seconds,
                documents_realistic=run.documents_realistic,
                actions_realistic=run.actions_realistic,
            )
        )
    return found


def table(runs: Sequence[HumanRun], samples: Mapping[str, Sample], verdicts: Mapping[str, Grade]) -> list[Row]:
    """Table 2, averages over entries, with the mean confidence of each row beside, and chance (one action of many)."""
    chance = fmean(1 / len(samples[run.sample].actions) for run in runs) if runs else None
    rows = humans(entries(runs, samples, verdicts), chance)
    for row in rows:
        mine = [run.confidence for run in runs if row["Annotator"] in (run.annotator, "Avg")]
        row["Confidence"] = fmean(mine) if mine else None
    return rows
