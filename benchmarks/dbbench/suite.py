"""The suite `dbbench`: what was imported, over the apps `sql` and `answer`.

Played by itself is what is verified: changes that leave the published hash, and questions whose published answer a
statement of ours gives. What has a label and no more than that is set aside, and played where a config names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks.dbbench.profile import same
from benchmarks.dbbench.report import headline, report
from benchmarks.dbbench.store import Known, read
from benchmarks.dbbench.tables import world
from benchmarks.drift.answers import given, settled
from harness.score import NO_VERDICTS, Score, Verdicts, outcome
from harness.suite import Suite, SuiteError
from harness.task import Call, End, Session, Task
from harness.trajectory import Trajectory
from servers.kernel import World

__all__ = ("load", "named", "right")

APPS: Final = ("sql", "answer")

_SYSTEM: Final = """\
You answer questions about a table in a database, or change it, with the tools you have. All columns are text.
When you are asked a question, hand in the answer with `submit_answer`: the first answer counts, and it has to be
exactly what the table says. When something is to be changed, change it; there is nothing to hand in then.
"""


def named(number: int) -> str:
    """The id of a row's task, and of its world."""
    return f"dbbench-{number:03d}"


def load() -> Suite:
    """The suite of the rows that were imported. Raises `SuiteError` where there are none."""
    head, rows = read()
    by_name = {named(number): each for number, each in rows.items()}
    tasks = [task for each in rows.values() for task in _task(each)]
    unverified = frozenset(task.id for task in tasks if not task.facts["verified"])

    def made(name: str) -> World:
        if name not in by_name:
            raise SuiteError(f"suite dbbench has no world {name!r}; the first is {next(iter(by_name))}")
        return world(name, by_name[name].row)

    return Suite(
        name="dbbench",
        version="1" if head.official else f"1-{head.sha256[:12]}",
        description=f"AgentBench's DBBench, {'as published' if head.official else 'another file than published'}",
        tasks=tasks,
        aside=unverified,
        world=made,
        worlds={name: each.world for name, each in by_name.items()},
        checks={"outcome": right},
        settled=settled,
        report=report,
        headline=headline,
        system=_SYSTEM,
        unchecked={"answer.submissions": "of a question its first answer counts, and a change is judged by its rows"},
    )


def _task(known: Known) -> Iterator[Task]:
    """The row's task; none of a change that no statement brings about, since nobody could say when it is done."""
    row, truth = known.row, known.truth
    asks = row.kind == "read"
    if not asks and not truth.changes:
        return
    calls = [Call(app="sql", tool="run_sql", arguments={"statement": truth.statement})] if truth.statement else []
    if asks:
        calls.append(Call(app="answer", tool="submit_answer", arguments={"answers": list(row.label)}))
    yield Task(
        id=named(known.number),
        world=named(known.number),
        apps=APPS,
        sessions=(Session(requests={"original": f"{row.description}\n\n{row.add_description}".strip()}),),
        ends=(End(changes=truth.changes),),
        solution=tuple(calls),
        facts={
            "kind": row.kind,
            "type": row.type[0],
            "verified": truth.verified,
            "source": truth.source,
            "lacks": list(truth.lacks),
            **({"answers": list(row.label)} if asks else {}),
        },
    )


def right(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS) -> Score:
    """The outcome check: the rows that are left and, of a question, the first answer, by profile `agentbench`.

    `detail` is that of `outcome`, with `answered` and `answer` (None where none is due). `label` is `wrong` where the
    rows are right and the answer is not, `nothing_done` where there is none.
    """
    found = outcome(*settled(task, trajectory), verdicts)
    gold = task.facts.get("answers")
    if gold is None or found.value is None:
        return found
    answers = given(trajectory)
    fits = answers is not None and same(answers, gold)
    detail = {**found.detail, "answer": fits, "answered": answers is not None}
    if not found.right or fits:
        return found.model_copy(update={"detail": detail})
    label = "wrong" if answers is not None else "nothing_done"
    reason = "The answer is not the published one" if answers is not None else "No answer was given"
    return Score(value=0.0, label=label, reason=reason, detail={**detail, "correct": False}, correct=False)
