"""What lies there for a case, told in a text file: papers, mails, messages, deals and tasks, in blocks under headings.

A block begins with a line `--- KIND NAME | ...`; lines below it, to the next one, are its text or its table.

    --- file rules | /workspace/reports/what_counts.md | 2025-12-04 09:50
    --- mail grace | coo | 2026-03-03 11:25 | One day's grace | wet      (the last: the name of a mail it answers)
    --- chat talk | operations                                            lines `post YYYY-MM-DD HH:MM: text`
                                                                           `> ` before an answer to the one above it
    --- deals won                                                         lines `title | owner | amount | currency |
                                                                           stage | closed | company`
    --- tasks safety | Safety actions | logistics, planner                lines `title | due | done | assignee`
                                                                           `> ` before a subtask of the one above it
"""

from __future__ import annotations

from collections.abc import Sequence
from csv import DictReader
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks.workflows.layout import Layout, address

__all__ = ("Deal", "Job", "Told", "told")


class Deal(NamedTuple):
    """A deal as it was laid out; `closed` is "" for an open one."""

    id: str
    title: str
    owner: str
    amount: str
    currency: str
    stage: str
    closed: str


class Job(NamedTuple):
    """A task as it was laid out; `done` is the day it was ticked off or ""."""

    id: str
    title: str
    due: str
    done: str
    sub: bool


@dataclass(frozen=True, kw_only=True)
class Told:
    """What was laid out, by the names of the blocks."""

    texts: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    mails: dict[str, str] = field(default_factory=dict)
    chats: dict[str, list[str]] = field(default_factory=dict)
    deals: dict[str, list[Deal]] = field(default_factory=dict)
    projects: dict[str, str] = field(default_factory=dict)
    jobs: dict[str, list[Job]] = field(default_factory=dict)

    def rows(self, name: str) -> list[dict[str, str]]:
        """A CSV file's lines, by its heads."""
        return list(DictReader(self.texts[name].splitlines()))

    def paths(self, *names: str) -> list[str]:
        """Where files are."""
        return [self.files[name] for name in names]


def told(layout: Layout, path: Path, *, companies: dict[str, str] | None = None) -> Told:
    """Lay out what a script tells. `companies` are ids in the CRM by the names that the script has for them."""
    found = Told()
    for block in path.read_text(encoding="utf-8").split("\n--- ")[1:]:
        heading, _, text = block.partition("\n")
        kind, _, rest = heading.partition(" ")
        name, *given = (each.strip() for each in rest.split("|"))
        lines = [line for line in text.splitlines() if line.strip()]
        if kind == "file":
            found.texts[name] = text.strip() + "\n"
            found.files[name] = layout.file(given[0], found.texts[name], at=given[1])
        elif kind == "mail":
            sender, at, subject, *answers = given
            found.mails[name] = layout.mail(
                sender, subject, _flowing(text), at=at, answers=found.mails[answers[0]] if answers else ""
            )
        elif kind == "chat":
            found.chats[name] = _chat(layout, given[0], lines)
        elif kind == "deals":
            found.deals[name] = [_deal(layout, line, companies or {}) for line in lines]
        elif kind == "tasks":
            members = [each.strip() for each in given[1].split(",")]
            found.projects[name] = layout.project(given[0], members=members)
            found.jobs[name] = _jobs(layout, found.projects[name], lines)
        else:
            raise ValueError(f"{path.name}: there is no kind of block {kind!r}")
    return found


def _flowing(text: str) -> str:
    """Lines of a paragraph in one, paragraphs apart; a short last line is a name."""
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


def _chat(layout: Layout, channel: str, lines: Sequence[str]) -> list[str]:
    ids: list[str] = []
    above = ""
    for line in lines:
        who, day, rest = line.removeprefix("> ").split(" ", 2)
        clock, text = rest[:5], rest[6:].strip()
        ids.append(
            layout.message(channel, who, text, at=f"{day} {clock}", thread=above if line.startswith("> ") else "")
        )
        above = above if line.startswith("> ") else ids[-1]
    return ids


def _deal(layout: Layout, line: str, companies: dict[str, str]) -> Deal:
    title, owner, amount, currency, stage, closed, company = (each.strip() for each in line.split("|"))
    id = layout.add(
        "crm", "deals", "D", title=title, owner=address(owner), amount=float(amount), currency=currency,
        stage=stage, close_date=closed or "2026-04-30", company_id=companies.get(company, company) or None,
        **({"closed": closed} if stage in ("Won", "Lost") else {}),
        **({"reason": "Went to somebody else"} if stage == "Lost" else {}),
    )  # fmt: skip
    return Deal(id, title, owner, amount, currency, stage, closed if stage in ("Won", "Lost") else "")


def _jobs(layout: Layout, project: str, lines: Sequence[str]) -> list[Job]:
    jobs: list[Job] = []
    above = ""
    for line in lines:
        sub = line.startswith("> ")
        title, due, done, *assignee = (each.strip() for each in line.removeprefix("> ").split("|"))
        id = layout.task(
            title, project=project, due=due, assignee=assignee[0] if assignee else "",
            **({"completed": f"{done}T15:40:00"} if done else {}), **({"parent_id": above} if sub else {}),
        )  # fmt: skip
        above = above if sub else id
        jobs.append(Job(id, title, due, done, sub))
    return jobs
