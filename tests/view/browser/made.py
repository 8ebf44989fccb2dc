"""Made-up runs by the shapes that the page asks for: some hundred trials, or ten thousand, without playing any."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.view import search

__all__ = ("PIECE", "Made", "key_of")

PIECE = 200
AGENTS = ("atlas-large", "atlas-small", "reference")
CONDITIONS = ("original", "underspecified", "underspecified+ask")
IDENTITY = "2dd3dba61504"
TEMPLATES = ("reschedule_meeting", "chase_invoice", "file_expense", "answer_customer", "move_deal")
PEOPLE = ("Priya Nair", "Tom Becker", "Lena Fischer", "Omar Haddad", "Grace Lindqvist")
FLAGS = ("asked_twice", "contradiction", "disturbed", "garbled", "limit", "not_understood", "no_call", "tries")


def key_of(run: int, number: int) -> str:
    return hashlib.sha256(f"{run}/{number}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Made:
    """`count` trials in each of `runs` runs; `texts` are put wherever a record has free text or a name."""

    count: int = 540
    runs: int = 1
    texts: Sequence[str] = ()
    long: int = 0
    """Events of trial 0, where not as many as come of its steps."""
    writable: bool = False
    under_way: int = 0
    """Trials of run 0 that are shown at first, if not all."""
    notes: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    grown: list[int] = field(default_factory=list)

    def value(self, name: str) -> Any:
        """The value of a name. Raises `KeyError` where there is none."""
        kind, *rest = name.split("-")
        match kind, rest:
            case "runs", []:
                return self.head
            case "index", [run]:
                return self.index(int(run))
            case "trial", [run, key]:
                return self.trial(int(run), key)
            case "events", [run, key, piece]:
                events = self.events(int(run), self.numbers[int(run)][key])
                return {"piece": int(piece), "events": events[int(piece) * PIECE : (int(piece) + 1) * PIECE]}
            case "questions", [run]:
                return {"questions": list(self.questions(int(run)))}
            case "report", [run]:
                return self.report(int(run))
            case "compare", []:
                return self.report(0)
            case "try", [run, key, "1"]:
                return self.tried(int(run), key)
            case "text", [run, "0"]:
                return {"texts": [[key, self.places(int(run), n)] for key, n in self.numbers[int(run)].items()]}
        raise KeyError(name)

    @cached_property
    def numbers(self) -> list[dict[str, int]]:
        return [{key_of(run, n): n for n in range(self.count)} for run in range(self.runs)]

    @property
    def head(self) -> dict[str, Any]:
        return {
            "package": "0.1.0",
            "writable": self.writable,
            "token": "t" * 8 if self.writable else "",
            "author": "anna" if self.writable else "",
            "runs": [self._run(run) for run in range(self.runs)],
        }

    def _run(self, run: int) -> dict[str, Any]:
        return {
            "run": run,
            "name": f"workday-{run}",
            "label": self._or(f"workday-{run}", 0),
            **dict.fromkeys(("folder", "path"), f"runs/workday-{run}-2dd3dba61504"),
            "heading": self._or(f"workday: office@1, {self.count} trials", 1),
            "suite": "office",
            "suite_version": "1",
            "identity": IDENTITY,
            "package": "0.1.0",
            "seed": 0,
            "calibration": False,
            "agents": [{"name": name, "kind": "llm", "instrument": False, "model": name} for name in AGENTS],
            "conditions": [
                {
                    "name": name,
                    "prompt": name.split("+")[0],
                    "user": "grounded@2" if "+" in name else "",
                    "ask": "ask_user" if "+" in name else "off",
                }
                for name in CONDITIONS
            ],
            "groups": ["dimension"],
            "checks": ["outcome"],
            "planned": self.count,
            "under_way": bool(self.under_way),
            "changed": "",
            "texts": 1,
            "problems": self._problems,
        }

    @property
    def _problems(self) -> list[dict[str, str]]:
        return [{"file": "trials/torn.json", "text": self._or("is cut short", 2)}]

    def row(self, run: int, n: int) -> dict[str, Any]:
        """The index columns of a trial: agents differ, and asking helps where details are missing."""
        chance = random.Random(f"{run}/{n}")
        agent, condition = AGENTS[n % 3], CONDITIONS[n // 3 % 3]
        task, trial = self._task(n), n // 9 // max(1, self.count // 27)
        skill = (0.8, 0.55, 0.97)[n % 3] - (0.3 if condition == "underspecified" else 0)
        void, right = chance.random() < 0.01, chance.random() < skill
        side = 0 if right else int(chance.random() < 0.5)
        flags = [] if right else sorted(chance.sample(FLAGS, chance.randrange(0, 3)))
        parent = run == 0 and n in (9, 18, 27)
        missing = 0 if right else 1 + (n % 2)
        return {
            "key": key_of(run, n),
            "agent": self._or(agent, n % 3),
            "condition": self._or(condition, n % 3 + 3),
            "task": self._or(f"office-{task:04d}-{TEMPLATES[task % 5]}", n),
            "template": self._or(TEMPLATES[task % 5], n),
            "trial": trial,
            "prompt": condition.split("+")[0],
            "status": "void" if void else "finished",
            "verdict": "void" if void else "correct" if right else "failed",
            "score": None if void else float(right),
            "ckpt": 1.0 if right else chance.choice((0.0, 0.5, 0.667)),
            "side_effects": None if void else side,
            "unexpected": None if void else side * (n % 4 > 0) * 2,
            "missing": missing,
            "questions": chance.randrange(1, 4) if condition.endswith("ask") else 0,
            "calls": 3 + n % 9,
            "failed_calls": n % 4 == 1,
            "turns": 4,
            "sessions": 2 if n % 11 == 0 else 1,
            "prompt_tokens": 4000 + n,
            "completion_tokens": 300 + n % 50,
            "cost": round(chance.random() * 0.2, 4) if n % 3 < 2 else 0.0,
            "seconds": round(chance.random() * 40, 2),
            "reason": ""
            if right
            else self._or(
                ("the invitation is at 10:00, not at 11:30", "2 rows changed that the task does not name")[side], n
            ),
            "mistake": "" if right or n % 2 else self._or("status Lost instead of Won", n),
            "label": "",
            "flags": sorted([*flags, *(["fork"] if parent else [])]),
            "tools": ["calendar.search_events", "calendar.update_event", "gmail.send_email"][n % 2 :],
            "tables": ["calendar.events", "gmail.messages"][n % 2 :],
            "notes": len(self.notes.get(key_of(run, n), [])),
            "tags": [],
            "human": "",
            "parent": {"run": 0, "folder": "runs/workday-0", "key": key_of(0, 0), "step": 1} if parent else None,
            "dimension": ("time", "person", "amount")[task % 3],
        }

    def _task(self, n: int) -> int:
        return n // 9 % max(1, self.count // 27)

    def index(self, run: int, after: int = 0) -> dict[str, Any]:
        upto = self.count
        if run == 0 and self.under_way:
            self.grown.append(after)
            upto = min(self.count, max(self.under_way, after) + (3 if after else 0))
        rows = [self.row(run, n) for n in range(after, upto)]
        names = list(self.row(run, 0))
        columns = {name: [row[name] for row in rows] for name in names}
        return {
            "run": run,
            "identity": IDENTITY,
            "from": after,
            "total": upto,
            "trials": upto,
            "planned": self.count,
            "under_way": upto < self.count,
            "problems": self._problems,
            "columns": columns,
        }

    def events(self, run: int, n: int) -> list[dict[str, Any]]:
        """All events of a trial, with their places."""
        return self._many if n == 0 and self.long else _placed(self._events(self.row(run, n), n))

    @cached_property
    def _many(self) -> list[dict[str, Any]]:
        events = list(self._events(self.row(0, 0), 0))
        step = sum(event["kind"] == "call" for event in events)
        while len(events) < self.long:
            arguments = {"path": f"/notes/{step}.md"}
            events += self._call(step, "files", "read_file", arguments, f"Note {step}\n" + "words " * 30)
            step += 1
        return _placed(events)

    def _events(self, row: dict[str, Any], n: int) -> Iterator[dict[str, Any]]:
        person, right = PEOPLE[self._task(n) % 5], row["verdict"] == "correct"
        request = f"Please move my meeting with {person} to Thursday at half past eleven, and tell them by mail."
        yield {"kind": "request", "session": 0, "now": "2026-03-02T09:00:00", "text": self._or(request, n)}
        yield from self._call(
            0,
            "calendar",
            "search_events",
            {"query": person, "from": "2026-03-01"},
            json.dumps([{"id": "e-204", "title": f"Review with {person}", "start": "2026-03-04T10:00:00"}]),
            n=n,
        )
        step = 1
        for asked in range(row["questions"]):
            text = (
                "Which of the two meetings with them do you mean?",
                "How long should it be?",
                "Shall I book a room?",
            )[asked % 3]
            yield {
                "kind": "question",
                "session": 0,
                "step": step,
                "text": self._or(text, n + asked),
                "context": "",
                "strategy": "",
                "candidates": [],
            }
            kind = ("given", "no_preference", "not_understood")[asked % 3]
            yield {
                "kind": "answer",
                "session": 0,
                "step": step,
                "text": self._or("The review, on Wednesday.", n),
                "targets": ["segment-2"],
                "revealed": ["segment-2"] if asked == 0 else [],
                "parts": [{"kind": kind, "target": "segment-2", "text": "The review"}],
                "goes_on": True,
            }
            yield from self._call(
                step, "user", "ask_user", {"question": text}, "The review, on Wednesday.", model=False
            )
            step += 1
        start = "2026-03-05T11:30:00" if right else "2026-03-05T10:00:00"
        changed = {
            "app": "calendar",
            "table": "events",
            "id": "e-204",
            "op": "update",
            "fields": {self._or("start", n): ["2026-03-04T10:00:00", self._or(start, n + 1)]},
        }
        yield from self._call(
            step,
            "calendar",
            "update_event",
            {"event_id": "e-204", "start": start},
            '{"id": "e-204", "ok": true}',
            [changed],
            n=n,
        )
        step += 1
        if row["failed_calls"]:
            yield from self._call(
                step,
                "gmail",
                "send_email",
                {"to": person, "subject": "New time"},
                f"`to` is not an address: {person}",
                status="invalid",
                n=n,
            )
            step += 1
        mail: dict[str, Any] = {
            "app": "gmail",
            "table": "messages",
            "id": "m-900",
            "op": "insert",
            "fields": {"to": [None, "them@acme.example"], "subject": [None, "New time"]},
        }
        yield from self._call(
            step,
            "gmail",
            "send_email",
            {"to": "them@acme.example", "subject": "New time", "body": f"Hello {person},\nwe meet on Thursday.\n"},
            "Sent as m-900.",
            [mail],
            n=n,
        )
        if row["sessions"] > 1:
            yield {
                "kind": "arrival",
                "session": 1,
                "step": step + 1,
                "source": "mail",
                "text": self._or(f"{person} answers", n),
                "changed": [
                    {
                        "app": "gmail",
                        "table": "messages",
                        "id": "m-901",
                        "op": "insert",
                        "fields": {"subject": [None, self._or("Re: New time", n)]},
                    }
                ],
            }
            yield {"kind": "request", "session": 1, "now": "2026-03-03T08:30:00", "text": "Anything new from them?"}
        yield {
            "kind": "message",
            "session": row["sessions"] - 1,
            "role": "assistant",
            "content": self._or("Done: the review is on Thursday, and they know.", n),
            "calls": [],
            "call_id": "",
        }

    def _call(
        self,
        step: int,
        app: str,
        tool: str,
        arguments: dict[str, Any],
        text: str,
        changed: Sequence[dict[str, Any]] = (),
        *,
        status: str = "ok",
        model: bool = True,
        n: int = 0,
    ) -> Iterator[dict[str, Any]]:
        if model:
            yield {
                "kind": "model_call",
                "session": 0,
                "turn": step,
                "purpose": "agent",
                "usage": {"prompt_tokens": 1200 + 300 * step, "completion_tokens": 80, "cost_usd": 0.0031},
                "attempts": 1,
                "model": "atlas-large",
                "request": {"cut": True, "chars": 9000, "start": ""},
                "response": {"cut": True, "chars": 400, "start": ""},
            }
            yield {
                "kind": "message",
                "session": 0,
                "role": "assistant",
                "content": self._or("I look for the meeting first.", n) if step == 0 else "",
                "calls": [{"id": "c", "name": tool, "arguments": arguments}],
                "call_id": "",
            }
        yield {
            "kind": "call",
            "session": 0,
            "n": step,
            "turn": step,
            "app": self._or(app, n),
            "tool": tool,
            "arguments": {**arguments, **({"extra": self._or("", n)} if self.texts else {})},
            "status": status,
            "text": self._or(text, n),
            "data": None,
            "writes": [],
            "changed": list(changed),
        }

    def trial(self, run: int, key: str) -> dict[str, Any]:
        n = self.numbers[run][key]
        row, events = self.row(run, n), self.events(run, n)
        right = row["verdict"] == "correct"
        meeting = {
            "app": "calendar", "table": "events", "id": "e-204", "op": "update", "fields": ["start"],
            "before": {"start": "2026-03-04T10:00:00"},
        }  # fmt: skip
        mail: dict[str, Any] = {
            "app": "gmail",
            "table": "messages",
            "id": "m-900",
            "op": "insert",
            "fields": [],
            "before": None,
            "after": {"to": "them@acme.example", "subject": self._or("New time", n)},
        }
        wanted = [meeting | {"after": {"start": "2026-03-05T11:30:00"}, "met": right}, mail | {"met": True}]
        made = [
            meeting
            | {"after": {"start": "2026-03-05T11:30:00" if right else "2026-03-05T10:00:00"}, "expected": right},
            mail | {"expected": True},
        ]
        siblings = [m for m in range(self.count) if m != n and self._task(m) == self._task(n)]
        turns = [(each["at"], each["turn"]) for each in events if each["kind"] == "model_call"]
        return {
            "run": run,
            "key": key,
            "file": f"{row['agent']}.{row['condition']}.{n}.json",
            "bytes": 40123,
            "row": row,
            "facts": {
                "seed": n,
                "prompt": row["prompt"],
                "package": "0.1.0",
                "transport": "memory",
                "user": "grounded@2",
            },
            "system": self._or("You work for Anna at Acme. Use the tools; ask her where something is unclear.", n),
            "task": {
                "id": row["task"],
                "template": row["template"],
                "prompts": {
                    "original": self._or("Please move my meeting with Priya to Thursday.", n),
                    "underspecified": self._or("Please move my meeting to Thursday.", n),
                },
                "withheld": [] if row["prompt"] == "original" else [{"name": "person", "text": self._or("Priya", n)}],
                "facts": {"dimension": row["dimension"]},
                "sessions": [{"now": "2026-03-02T09:00:00", "text": "Please move my meeting."}],
                "changed": False,
            },
            "scores": [
                {
                    "check": "outcome",
                    "value": row["score"],
                    "correct": right,
                    "reason": row["reason"],
                    "label": "",
                    "detail": {"ckpt": row["ckpt"]},
                    "criteria": [
                        {"name": "moved", "value": float(right), "weight": 1.0, "reason": row["reason"]},
                        {"name": "told", "value": 1.0, "weight": 1.0, "reason": ""},
                    ],
                }
            ],
            "expected": wanted,
            "actual": made,
            "pairs": [[0, 0], [1, 1]] if right else [[1, 1]],
            "near": [] if right else [{"expected": 0, "actual": 0, "fields": ["start"], "told": {}}],
            "paired": True,
            "counts": {"expected": 2, "matched": 2 if right else 1, "unexpected": 0 if right else 1},
            "judgements": [
                {
                    "query": "polite",
                    "text": "Was the mail polite?",
                    "kind": "yes_no",
                    "verdicts": [{"judge": "judge-a", "answer": "yes", "reason": self._or("It greets.", n)}],
                }
            ],
            "annotations": self.notes.get(key, []),
            "parent": row["parent"],
            "forks": [{"run": 0, "key": key_of(0, m), "step": 1, "agent": self.row(0, m)["agent"]} for m in (9, 18, 27)]
            if n == 0
            else [],
            "siblings": [
                {
                    "run": run,
                    "key": key_of(run, m),
                    **{name: self.row(run, m)[name] for name in ("agent", "condition", "trial", "verdict")},
                }
                for m in siblings[:40]
            ],
            "outline": [
                {
                    "at": event["at"],
                    "kind": event["kind"],
                    "session": event["session"],
                    "label": str(event.get("tool") or event.get("text"))[:60],
                }
                for event in events
                if event["kind"] in ("request", "question", "arrival")
                or event.get("changed")
                or event.get("status", "ok") != "ok"
            ][:2000],
            "turns": {
                "at": [at for at, _ in turns],
                "step": [turn for _, turn in turns],
                "tokens_in": [1200 + 300 * turn for _, turn in turns],
                "tokens_out": [80 for _ in turns],
                "seconds": [0.4 for _ in turns],
            },
            "tries": self._tries(n),
            "replies": [self._or("Done: it is on Thursday now.", n)],
            "steps": [event["at"] for event in events if event["kind"] in ("call", "hand_over")],
            "events": len(events),
            "piece": PIECE,
            "first": events[:PIECE],
        }

    def _tries(self, n: int) -> list[dict[str, Any]]:
        """Of each trial that is flagged so, one earlier try."""
        told: dict[str, Any] = {
            "number": 1, "status": "crashed", "reason": self._or("an action could not be read", n), "calls": 1,
            "events": 3, "prompt_tokens": 900, "completion_tokens": 40, "cost": 0.001, "seconds": 2.5, "changes": 0,
        }  # fmt: skip
        return [told] if "tries" in self.row(0, n)["flags"] else []

    def tried(self, run: int, key: str) -> dict[str, Any]:
        """An earlier try: its first call alone, which could not be read."""
        whole = self.trial(run, key)
        if not whole["tries"]:
            raise KeyError(key)
        events = [*whole["first"][:3], whole["first"][3] | {"status": "garbled", "text": "This is no action: turnip"}]
        empty = ("scores", "tries", "forks", "siblings", "judgements", "actual", "pairs", "near")
        none: dict[str, Any] = {name: [] for name in empty}
        none["counts"] = whole["counts"] | {"matched": 0, "unexpected": 0}
        return {
            **whole, **none, "row": whole["row"] | {"verdict": "given up"}, "attempt": {"number": 1, "of": 1},
            "first": events, "events": len(events), "steps": [3], "outline": [], "parent": None,
        }  # fmt: skip

    def questions(self, run: int) -> Iterator[dict[str, Any]]:
        for key, n in self.numbers[run].items():
            asked: dict[str, Any] = {}
            for event in self.events(run, n) if n < 600 else ():
                if event["kind"] == "question":
                    asked = event
                elif event["kind"] == "answer":
                    yield {
                        "key": key, "at": asked["at"], "question": asked["text"], "answer": event["text"],
                        "became": [part["kind"] for part in event["parts"]], "revealed": event["revealed"],
                        "doubts": [
                            {"kind": "not_understood", "about": []}
                            for part in event["parts"] if part["kind"] == "not_understood"
                        ][:1],
                    }  # fmt: skip

    def report(self, run: int) -> dict[str, Any]:
        rows = []
        for agent in AGENTS:
            for condition in CONDITIONS:
                own = [
                    row
                    for n in range(min(self.count, 600))
                    if (row := self.row(run, n))["agent"] == agent and row["condition"] == condition
                ]
                right = sum(row["verdict"] == "correct" for row in own)
                rows.append(
                    {
                        "agent": agent,
                        "condition": condition,
                        "trials": len(own),
                        "accuracy": f"{right / max(1, len(own)):.3f}",
                        "p": 1e-9 if agent == "reference" else 0.25,
                        "side effects": sum(row["side_effects"] or 0 for row in own),
                    }
                )
        bars = '<rect x="20" y="30" width="60" height="80"/><rect x="110" y="60" width="60" height="50"/>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120" fill="#2f6f8f">{bars}</svg>'
        links = [{"agent": row["agent"], "condition": row["condition"]} for row in rows]
        counted = ("correct", "failed")
        cells = [
            {
                "side effects": {**link, "side_effects": "yes", "verdict": counted},
                "accuracy": {**link, "verdict": "correct"},
            }
            for link in links
        ]
        table = {
            "cells": cells,
            "title": self._or("Outcomes", 0),
            "columns": list(rows[0]),
            "rows": rows,
            "numeric": [False, False, True, True, True, True],
            "notes": [self._or("Trials that are void count nowhere.", 1)],
            "folded": False,
            "plots": [{"name": self._or("accuracy", 2), "svg": self._or(svg, 0)}],
            "links": links,
        }
        return {"trials": self.count, "tables": [table, table | {"title": "Effort", "folded": True, "plots": []}]}

    def places(self, run: int, n: int) -> list[search.Place]:
        tries = [{"events": self.tried(run, key_of(run, n))["first"]}] if self._tries(n) else []
        return search.places({"trajectory": {"events": self.events(run, n), "tries": tries}})

    def search(self, run: int, query: str) -> dict[str, Any]:
        """As a server answers it."""
        words, found = search.wanted(query), {}
        for key, n in self.numbers[run].items():
            there = self.places(run, n)
            beside = search.Beside(tuple(there), "\n".join(place.text for place in there).casefold())
            if each := search.found(words, Path("none"), beside):
                found[key] = list(each)
        return {"keys": list(found), "excerpts": list(found.values()), "searched": self.count}

    def hits(self, run: int, key: str, query: str) -> dict[str, Any]:
        return search.hits(search.wanted(query), self.places(run, self.numbers[run][key]))

    def text(self, run: int, n: int) -> str:
        return "\n".join(place.text for place in self.places(run, n)).casefold()

    def _or(self, text: str, n: int) -> str:
        """The text, or with `texts` one of them in its place."""
        return self.texts[n % len(self.texts)] if self.texts else text


def _placed(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"at": at, "start": round(at * 0.8, 2), "duration": 0.4, **event} for at, event in enumerate(events)]
