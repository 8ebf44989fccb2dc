"""What an audit found, as tables for people and one JSON object to publish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from harness.audit.asking import Understood, findings
from harness.audit.mutants import MUTATIONS
from harness.audit.trying import Finding, Outcome, Result, TaskAudit
from harness.audit.unchecked import Unchecked, unchecked
from harness.core.distribution import package_version
from harness.core.suite import Suite, Table
from harness.core.texts import cut

__all__ = ("FORMAT", "Certificate")

FORMAT = 1
"""Of the JSON object. Raise it when a field changes its meaning."""

EXCEPTIONS = "audit"
"""`Task.facts[EXCEPTIONS]` maps the name of a mutation or check to why its verdict on that task stands, or that of a
field or table to why the task leaves it unchecked."""

_BAD: frozenset[Outcome] = frozenset({"survived", "rejected", "void"})
_APART: Sequence[Outcome] = ("equivalent", "open", "unplayed")


@dataclass(frozen=True)
class Certificate:
    """The audit of the tasks of a suite that `audits` are of; no clock and no machine enters it."""

    suite: Suite
    seed: int
    audits: Sequence[TaskAudit]
    findings: Sequence[Finding]
    """On tasks that were not played; those of plays are with their task."""
    understood: Sequence[Understood] = ()
    """What the user hears of each withheld slot; empty where nothing is withheld or nobody was asked."""

    @cached_property
    def results(self) -> list[Result]:
        """Every mutant, by task."""
        return [result for audit in self.audits for result in audit.results]

    @cached_property
    def found(self) -> list[Finding]:
        """Every finding, in the suite's order of tasks."""
        place = {audit.task: n for n, audit in enumerate(self.audits)}
        played = (finding for audit in self.audits for finding in audit.findings)
        every = [*self.findings, *played, *findings(self.understood)]
        return sorted(every, key=lambda finding: place[finding.task])

    @cached_property
    def faults(self) -> list[Result | Finding | Unchecked]:
        """What fails the audit and is not declared.

        Wrong work accepted, right work refused, mutants void, problems, fields and rows that nothing checks.
        """
        bad = [each for each in self._bad() if not self._declared(each)]
        return [*bad, *(each for each in self.unchecked if each.fails)]

    @cached_property
    def unchecked(self) -> list[Unchecked]:
        """Fields and rows that the checks let be anything, by name, with the reasons declared."""
        return unchecked(self.suite, [(audit.task, audit.probes) for audit in self.audits], self._exceptions)

    @property
    def sound(self) -> bool:
        """Every wrong work was caught, every right work passed and every field is checked, save what is declared."""
        return not self.faults

    def tables(self, most: int = 40) -> list[Table]:
        """By mutation, by template, by task where there is something to say, and the findings."""
        templates = self._by_template()
        shown = [{**row, "template": cut(row["template"], 60)} for row in templates.rows]
        found = [self._by_mutation(), templates._replace(rows=shown)]
        rows = [_row(audit.results, {"task": audit.task}) for audit in self.audits]
        named = {each.task for each in [*self._bad(), *self.found]}
        shown = rows if len(rows) <= most else [row for row in rows if row["task"] in named]
        notes = [f"{len(rows) - len(shown)} tasks without a finding are in the JSON alone"] * (len(shown) < len(rows))
        if shown:
            found.append(Table("Audit: by task", list(shown[0]), shown, notes))
        told = [_told(each, declared=self._declared(each)) for each in self._bad()]
        told += [
            {"task": note.task, "what": note.check, "state": "note", "text": note.text}
            for note in self.found
            if note.level == "note"
        ]
        if told:
            found.append(Table("Audit: findings", list(told[0]), told))
        if len(self.suite.checks) > 1:
            found.append(self._by_check())
        if self.understood:
            found.append(self._by_slot())
        if self.unchecked:
            found.append(self._by_field())
        return found

    def as_json(self) -> dict[str, Any]:
        """The certificate: same bytes for the same suite and seed, whatever the machine and its workers."""
        hashes = {task.id: task.hash for task in self.suite.tasks}
        declared = [
            {**_told(each, declared=why), "reason": why} for each in self._bad() if (why := self._declared(each))
        ]
        return {
            "format": FORMAT,
            "suite": self.suite.name,
            "version": self.suite.version,
            "digest": self.suite.digest,
            "package": package_version(),
            "seed": self.seed,
            "sound": self.sound,
            "tasks": len(self.audits),
            "of": len(self.suite.tasks),
            "oracle": sum(audit.oracle for audit in self.audits),
            "idle": sum(audit.idle for audit in self.audits),
            **_counts(self.results),
            "mutations": self._by_mutation().rows,
            "checks": self._by_check().rows,
            "templates": self._by_template().rows,
            "by_task": [
                _row(a.results, {"task": a.task, "hash": hashes[a.task], "oracle": a.oracle, "idle": a.idle})
                for a in self.audits
            ],
            **{f"{outcome}_mutants": self._listed(outcome) for outcome in ("survived", "rejected", "void", *_APART)},
            "findings": [finding._asdict() for finding in self.found],
            "slots": [
                {**each._asdict(), "missed": list(each.missed), "everyday_missed": list(each.everyday_missed)}
                for each in self.understood
            ],
            "declared": declared,
            "unchecked": [
                {**each._asdict(), "where": list(each.where), "tasks": list(each.tasks)} for each in self.unchecked
            ],
        }

    def _bad(self) -> list[Result | Finding]:
        return [
            *(result for result in self.results if result.outcome in _BAD),
            *(finding for finding in self.found if finding.level == "problem"),
        ]

    def _declared(self, each: Result | Finding) -> str:
        reasons = self._exceptions.get(each.task, {})
        return str(reasons.get(each.mutation if isinstance(each, Result) else each.check, ""))

    @cached_property
    def _exceptions(self) -> dict[str, Mapping[str, str]]:
        return {task.id: task.facts[EXCEPTIONS] for task in self.suite.tasks if EXCEPTIONS in task.facts}

    def _listed(self, outcome: str) -> list[dict[str, str]]:
        return [
            {"task": r.task, "mutation": r.mutation, "what": r.what, "reason": r.reason}
            for r in self.results
            if r.outcome == outcome
        ]

    def _by_mutation(self) -> Table:
        rows = [
            _row(
                [r for r in self.results if r.mutation == mutation.name],
                {"mutation": mutation.name, "must": mutation.must},
            )
            for mutation in MUTATIONS
        ]
        rows.append(_row(self.results, {"mutation": "all", "must": ""}))
        notes = [
            "kill rate = caught / (caught + survived); false rejections = rejected / (passed + rejected)",
            "equivalent: leaves the reference's end; open: differs only where the task leaves it open; "
            "unplayed: refused by the app, or not what the mutation is about. None of them enters a rate.",
        ]
        return Table("Audit: by mutation", list(rows[0]), rows, notes)

    def _by_check(self) -> Table:
        """What each check of the suite makes of wrong work."""
        decides = "outcome" if "outcome" in self.suite.checks else next(iter(self.suite.checks), "")
        wrong = [result.told_apart for result in self.results if result.told_apart]
        rows: list[dict[str, Any]] = []
        for check in self.suite.checks:
            said = [apart[check] for apart in wrong]
            rows.append(
                {
                    "check": check,
                    "decides": "yes" if check == decides else "",
                    "wrong works": len(said),
                    "told apart": said.count(True),
                    "not told apart": said.count(False),
                    "no value": said.count(None),
                }
            )
        notes = [
            "told apart: it has another value than for the reference. Only the check that decides can fail the audit",
            *(
                f"no wrong work was told apart by {row['check']}: whether it tells any is not shown"
                for row in rows
                if row["wrong works"] and not row["told apart"]
            ),
        ]
        return Table("Audit: by check", list(rows[0]) if rows else [], rows, notes)

    def _by_slot(self) -> Table:
        """By kind and role."""
        groups: dict[tuple[str, str], list[Understood]] = {}
        for each in self.understood:
            groups.setdefault((each.kind, each.role), []).append(each)
        rows = [
            {
                "kind": kind,
                "role": role,
                "slots": len(slots),
                "not heard": sum(each.fails for each in slots),
                "questions": sum(each.questions for each in slots),
                "missed": sum(len(each.missed) for each in slots),
                "first missed": next((text for each in slots for text in (*each.everyday_missed, *each.missed)), ""),
            }
            for (kind, role), slots in sorted(groups.items())
        ]
        notes = [
            "a dozen questions about each withheld slot of a template, to the user as conditions have it by default"
        ]
        return Table("Audit: what can be asked for", list(rows[0]), rows, notes)

    def _by_field(self) -> Table:
        rows = [
            {
                "what": each.what,
                "state": each.state,
                "where": ", ".join(each.where),
                "tasks": len(each.tasks),
                "first": each.named,
                "reason": each.reason,
            }
            for each in self.unchecked
        ]
        notes = ["an end with any other value there, or with another row, is accepted as the reference's is"]
        return Table("Audit: what nothing checks", list(rows[0]), rows, notes)

    def _by_template(self) -> Table:
        templates = {task.id: task.template or task.id for task in self.suite.tasks}
        groups: dict[str, list[TaskAudit]] = {}
        for audit in self.audits:
            groups.setdefault(templates[audit.task], []).append(audit)
        rows = [
            _row(
                [result for audit in audits for result in audit.results],
                {
                    "template": template,
                    "tasks": len(audits),
                    "oracle": sum(audit.oracle for audit in audits),
                    "idle": sum(audit.idle for audit in audits),
                },
            )
            for template, audits in groups.items()
        ]
        return Table("Audit: by template", list(rows[0]) if rows else [], rows, ["oracle, idle: tasks they get right"])


def _told(each: Result | Finding, *, declared: str) -> dict[str, str]:
    if isinstance(each, Finding):
        return {
            "task": each.task,
            "what": each.check,
            "state": "declared" if declared else each.level,
            "text": each.text,
        }
    text = f"{each.what}. {each.reason}" if each.reason else each.what
    return {
        "task": each.task,
        "what": each.mutation,
        "state": f"{each.outcome}, declared" if declared else each.outcome,
        "text": text,
    }


def _counts(results: Iterable[Result]) -> dict[str, Any]:
    """Numbers of mutants by outcome, and the two rates; a rate of nothing is None."""
    n = Counter(result.outcome for result in results)
    wrong, right = n["caught"] + n["survived"], n["passed"] + n["rejected"]
    return {
        "caught": n["caught"],
        "survived": n["survived"],
        "kill rate": n["caught"] / wrong if wrong else None,
        "passed": n["passed"],
        "rejected": n["rejected"],
        "false rejections": n["rejected"] / right if right else None,
        **{outcome: n[outcome] for outcome in (*_APART, "void")},
    }


def _row(results: Iterable[Result], head: Mapping[str, Any]) -> dict[str, Any]:
    return {**head, **_counts(results)}
