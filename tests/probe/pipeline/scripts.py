"""Models for the stub server: one that tells samples anew and reads them back, and one that makes samples whole."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.probe.grammar.proofs import shown_of
from benchmarks.probe.pipeline.grounds import grounds, replaced, silent, told
from benchmarks.probe.pipeline.rewriting import shown
from benchmarks.probe.records import Sample
from harness.stub import Fault, Reply

__all__ = ("DOWN", "PHASES", "Maker", "Teller", "files", "phase_of")

DOWN = Fault(fault=500, times=None)
"""A provider that has gone."""
PHASES = {
    "rewrite": "Write these paragraphs anew",
    "extract": "say which facts of certain kinds it states",
    "persona": "Invent a professional",
    "organisation": "Invent the organisation",
    "context": "Describe how this person works",
    "relationships": "people whom this person works with",
    "bottlenecks": "bottlenecks of their work",
    "actions": "things that somebody in this job might do",
    "checklist": "Write the steps by which",
    "sources": "in which systems of this firm",
    "plan": "Spread what one has to know",
    "evidence": "tells a part of this|tell a part of this",
    "distractors": "It has nothing to do with this case",
    "enhancement": "Make it richer",
    "revision": "A reviewer looked at the text",
    "review": "You review a text",
    "adversary": "You look for flaws",
}
"""How each phase's prompt is known."""

Twist = Callable[[str, int, str], Reply | Fault | None]
"""What is replied instead, if anything: given the phase, how many of it were asked before, and the prompt."""


def files(folder: Path) -> dict[str, bytes]:
    """What is in a folder, by path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def phase_of(prompt: str) -> str:
    return next(phase for phase, mark in PHASES.items() if re.search(mark, prompt))


class _Model:
    """Replies by phase; `asked` counts, `prompts` has the last of each."""

    def __init__(self, twist: Twist | None = None) -> None:
        self.asked: Counter[str] = Counter()
        self.prompts: dict[str, str] = {}
        self._twist = twist

    def __call__(self, request: dict[str, Any]) -> Reply | Fault:
        prompt = request["messages"][0]["content"]
        phase = phase_of(prompt)
        before = self.asked[phase]
        self.asked[phase] += 1
        self.prompts[phase] = prompt
        twisted = self._twist(phase, before, prompt) if self._twist else None
        return twisted or Reply(text=json.dumps(self.reply(phase, prompt)))

    def reply(self, phase: str, prompt: str) -> Any:
        raise NotImplementedError


class Teller(_Model):
    """Puts a few words before each paragraph and reads the rest by the inverse grammar."""

    def __init__(self, base: Sample, twist: Twist | None = None) -> None:
        super().__init__(twist)
        self._base, self._ground = base, grounds(base)

    def reply(self, phase: str, prompt: str) -> Any:
        return self._retold(prompt) if phase == "rewrite" else self._read(prompt)

    def _retold(self, prompt: str) -> Any:
        head, _, tail = prompt.partition("To be written anew:")
        blocks = dict(re.findall(r"^\[(\d+)\] (.*?)(?=^\[|\Z)", head, re.S | re.M))
        wanted = re.findall(r"^Paragraph (\d+) ", tail, re.M)
        return {"paragraphs": {place: f"Well then.\n{blocks[place].strip()}" for place in wanted}}

    def _read(self, prompt: str) -> Any:
        text = prompt.split("-----\n")[1].removesuffix("\n")
        head, _, body = text.partition("\n\n")
        document = next(each for each in self._base.documents if shown(each).partition("\n\n")[0] == head)
        count = len(shown(document).partition("\n\n")[2].split("\n\n"))
        blocks = body.strip().split("\n\n")
        assert len(blocks) == count, "a paragraph was lost"
        there = replaced(document, dict(enumerate(blocks)))
        facts = shown_of(self._base.model_copy(update={"documents": (there,)}))[document.id]
        same = [pair for passage in self._ground.passages[document.id] for pair in passage.alike]
        return {"facts": [told(each) for each in facts if not silent(each.kind)], "same": same}


_WORDS = [
    "the",
    "round",
    "on",
    "shelves",
    "went",
    "well",
    "and",
    "the",
    "next",
    "one",
    "comes",
    "with",
    "tea",
    "in",
    "a",
    "room",
    "by",
    "the",
    "yard",
]


class Maker(_Model):
    """Makes samples of a plain firm, in which surveys wait for forms."""

    def reply(self, phase: str, prompt: str) -> Any:
        return getattr(self, f"_{phase}")(prompt)

    def _persona(self, prompt: str) -> Any:
        name, town = re.findall(r"Their name is (.+?), they live in (.+?), and", prompt)[0]
        return {"name": name, "occupation": "survey lead", "location": town, "about": "Leads surveys."}

    def _organisation(self, prompt: str) -> Any:
        return {
            "company_name": "Quillmere Surveys", "company_type": "surveyor", "department": "field", "team_size": 6,
            "reporting_to": "Director", "key_processes": ["tidal review", "stock count"], "projects": ["Kestrel"],
            "typical_meetings": ["weekly round"],
        }  # fmt: skip

    def _context(self, prompt: str) -> Any:
        return {
            "work_style": "Calm.", "current_goals": ["fewer trips"], "constraints": ["one van"],
            "communication_preferences": "short mails", "tools_used": ["Fieldbook"],
            "peak_productivity_time": "mornings", "biggest_challenges": ["weather"],
        }  # fmt: skip

    def _relationships(self, prompt: str) -> Any:
        low = int(re.findall(r"Invent (\d+) to", prompt)[0])
        pool = re.findall(r"each once: (.+)\.", prompt)[0].split(", ")
        types = ["manager", "direct report", *["colleague"] * 12]
        return {"relationships": [
            {"name": name, "role": "surveyor", "type": kind, "interaction": "They talk.", "status": "Good.",
             "frequency": "weekly"}
            for name, kind in zip(pool[:low], types, strict=False)
        ]}  # fmt: skip

    def _bottlenecks(self, prompt: str) -> Any:
        count = int(re.findall(r"Invent (\d+) bottlenecks", prompt)[0])
        people = _people(prompt)
        blocked, blocker = people["direct report"][0], people["colleague"][0]

        def one(tree: str) -> Any:
            return {
                "who_blocked": {"value": blocked}, "who_blocker": {"value": blocker},
                "what_task": {"value": f"{tree} survey", "accept": [f"{tree} sheet"]},
                "why_root_cause": {"type": "missing_signature", "object": f"{tree} form"},
                "when_deadline": {"value": "2027-03-02"}, "where_system": {"value": "Fieldbook"},
                "description": f"{blocked} cannot finish the {tree} survey, since {blocker} has no {tree} form.",
                "primary_person": blocker, "urgency": "high", "type": "approval",
            }  # fmt: skip

        return {"bottlenecks": [one(tree) for tree in ("Alder", "Birch", "Cedar", "Damson", "Elm")[:count]]}

    def _actions(self, prompt: str) -> Any:
        count = int(re.findall(r"exactly (\d+) things", prompt)[0])
        params = {
            "recipient": {"kind": "person", "critical": True}, "item": {"kind": "id", "critical": True},
            "note": {"kind": "text"},
        }  # fmt: skip
        acts = [
            {"id": f"act_{place}", "type": "send_email", "description": "Ask for a step.", "params": params,
             "required": ["recipient"]}
            for place in range(count)
        ]  # fmt: skip
        return {"actions": acts, "solves": "act_0"}

    def _checklist(self, prompt: str) -> Any:
        return {
            "search": {"description": "Look.", "queries": ["a", "b", "c"], "sources": ["email"]},
            "identification": {"description": "See.", "findings": ["x", "y"], "root_cause": "No form."},
            "task": {
                "action": "act_0", "description": "Ask.", "mentions": {"note": ["survey"]},
                "parameters": {"recipient": _held(prompt, "who_blocker"), "item": _held(prompt, "why_root_cause")},
            },
        }  # fmt: skip

    def _sources(self, prompt: str) -> Any:
        return {"sources": [{"name": f"Log {n}", "holds": "x", "access": "x", "relevance": "x"} for n in range(3)]}

    def _plan(self, prompt: str) -> Any:
        count = int(re.findall(r"over exactly (\d+) documents", prompt)[0])
        parts = [["who_blocked", "what_task", "when_deadline"], ["who_blocker", "why_root_cause", "where_system"]]
        parts += [["where_system"]] * (count - 2)
        types = ("email", "document", "email", "event", "email", "document")
        return {"documents": [
            {"type": types[place], "source": "Log 1" if types[place] == "document" else None, "role": "a part",
             "key_information": ["x"], "writer": _held(prompt, "who_blocker"), "states": states,
             "parameters": ["recipient", "item"] if place == 1 else []}
            for place, states in enumerate(parts)
        ]}  # fmt: skip

    def _evidence(self, prompt: str) -> Any:
        must = re.findall(r"^- [^\n(]*\(([^)]*)\)$", prompt.partition("in these very words each:")[2], re.M)
        return self._paper(prompt, " and ".join(each.split(" or ")[0] for each in must))

    def _distractors(self, prompt: str) -> Any:
        return self._paper(prompt, "")

    def _paper(self, prompt: str, tell: str) -> Any:
        low, high = map(int, re.findall(r"has (\d+) to (\d+) words", prompt)[0])
        text = " ".join([*tell.split(), *(_WORDS * 99)][: (low + high) // 2])
        names = _people(prompt)
        one, other = names["manager"][0], names["direct report"][0]
        if '"sender"' in prompt:
            return {"sender": one, "to": [other], "subject": "A word", "body": text}
        if '"organizer"' in prompt:
            return {"title": "Round", "organizer": one, "attendees": [other], "location": "Yard", "description": text}
        return {"title": "Notes", "author": one, "content": text}

    def _enhancement(self, prompt: str) -> Any:
        return json.loads(re.findall(r"^\{\n.*?^\}", prompt, re.S | re.M)[0])

    def _revision(self, prompt: str) -> Any:
        return self._enhancement(prompt)

    def _review(self, prompt: str) -> Any:
        return {"score": 8} if '"score"' in prompt else {"states": [], "defeats": [], "another": False}

    def _adversary(self, prompt: str) -> Any:
        if '"likelihood"' in prompt:
            return {"likelihood": 10}
        ids = re.findall(r'^\s+"id": "([^"]+)"', prompt, re.M)
        return {"ranking": ids, "artifacts": []}


def _people(prompt: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, kind in re.findall(r"^- ([^,\n]+), [^(\n]+ \(([a-z ]+)\):", prompt, re.M):
        found.setdefault(kind, []).append(name)
    return found


def _held(prompt: str, detail: str) -> str:
    told: str = re.findall(rf"^- {detail}: (.+)$", prompt, re.M)[0]
    return told.split(" / ")[0]
