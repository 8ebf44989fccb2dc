"""Small builds over `tests.drift.place`, and models for the stub server: one that writes and one that reads."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from anyio.from_thread import start_blocking_portal

from benchmarks.drift.build.building import build
from benchmarks.drift.build.reading import offered
from benchmarks.drift.drawn import Drawn, pool
from benchmarks.drift.faults.making import Way, phrased, sample, ways
from benchmarks.drift.template import CATEGORIES
from harness.stub import Fault, Reply, StubServer
from tests.drift.place import PLACE

__all__ = ("GREETING", "Model", "built", "left_in", "lines", "serving", "tasks")

COUNTS = {"sql": 4}
GREETING = "Good morning, "
"""How the writer's texts begin, so that they are not those from slots; a name for each task follows."""

_NAMES = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fay")


def built(folder: Path, fields: Mapping[str, Any] | None = None, llm: Mapping[str, Any] | None = None) -> Path:
    """A set of these settings, built beside its config; `llm` is where both models are served."""
    folder.mkdir(parents=True, exist_ok=True)
    models = {name: {**llm, "model": f"openai/{name}"} for name in ("llm", "reader")} if llm else {}
    told = {"counts": COUNTS, "hand": False, **({"route": "model"} if llm else {}), **models, **(fields or {})}
    (folder / "set.yaml").write_text(json.dumps(told), encoding="utf-8")
    build(folder / "set.yaml", out=folder / "set", json=False)
    return folder / "set"


def left_in(folder: Path) -> dict[str, bytes]:
    """The reviewable files of a build."""
    paths = [path for path in sorted(folder.rglob("*.json*")) if "work" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def tasks() -> Sequence[Drawn]:
    """The tasks of the small builds: four released ones, and two more."""
    found = pool(PLACE, COUNTS["sql"], 1.5)
    return (*found.released, *found.rest)


@contextmanager
def serving(script: Callable[[dict[str, Any]], Reply | Fault]) -> Iterator[dict[str, Any]]:
    """Where models that answer by a script are served."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(script)) as stub:
        yield {"api_base": stub.base_url, "retries": 0}


def _greeting(task: Drawn) -> str:
    return f"{GREETING}{_NAMES[tasks().index(task)]} here."


def _ways(task: Drawn) -> Sequence[Way]:
    return [way for kind in CATEGORIES for way in ways(task, kind)]


class Model:
    """Takes requests apart, chooses the first strategy of each kind, words it with a greeting, and reads it rightly.

    `asked` counts by phase, `by` the models by phase; `spoils` are replies of a phase in place of the first so many
    good ones, `bends` changes what it would reply, and from phase `fails` on it does not answer.
    """

    def __init__(
        self,
        *,
        spoils: Mapping[str, list[str]] | None = None,
        bends: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] | None = None,
        fails: str = "",
    ) -> None:
        self.asked: Counter[str] = Counter()
        self.by: Counter[tuple[str, str]] = Counter()
        self._spoils, self._bends, self.fails = spoils or {}, bends or {}, fails

    def __call__(self, request: dict[str, Any]) -> Reply | Fault:
        text = str(request["messages"][0]["content"])
        phase = self._phase(text)
        self.asked[phase] += 1
        self.by[phase, request["model"]] += 1
        if phase == self.fails:
            return Fault(fault=500, times=None)
        if self._spoils.get(phase):
            return Reply(text=self._spoils[phase].pop(0))
        reply = getattr(self, f"_{phase}")(text, text.split("-----")[1].strip())
        return Reply(text=json.dumps(self._bends.get(phase, dict)(reply)))

    def _phase(self, text: str) -> str:
        marks = {
            "frames": "You take a request apart",
            "strategies": "You choose how",
            "texts": "You write a request",
            "readings": "You read a request closely",
        }
        return next(phase for phase, mark in marks.items() if mark in text)

    def _frames(self, text: str, request: str) -> dict[str, Any]:
        task = next(each for each in tasks() if each.text == request)
        return {
            "action": "what is asked",
            "slots": [
                {"id": slot.id, "value": task.values[slot.id].text,
                 "span": slot.span.replace("{value}", task.values[slot.id].text).strip(),
                 "domain_query": f"Look up every {slot.role}."}
                for slot in task.template.slots
            ],
            "prerequisites": [
                {"slot": "list", "claim": "There is such a list.", "query": "Look at the board."}
            ],
            "expected_output": "It is done.",
        }  # fmt: skip

    def _strategies(self, text: str, request: str) -> dict[str, Any]:
        first: dict[str, int] = {}
        for number, kind in re.findall(r"^(\d+)\. [\w-]+ \((\w+)\)", text, re.MULTILINE):
            first.setdefault(kind, int(number))
        return {"chosen": [{"number": number, "reason": "It happens."} for number in first.values()]}

    def _texts(self, text: str, request: str) -> dict[str, Any]:
        such = re.search(r'of that sort: "(.*)"\. (?:Yours|Keep)', text)
        assert such is not None
        task = next(each for each in tasks() if each.text == request)
        way = next(
            each for each in _ways(task) if sample(task, *each) == such[1]
        )  # fmt: skip
        return {"text": f"{_greeting(task)} {phrased(task, *way)}", "words": way.mention.text.strip()}

    def _readings(self, text: str, request: str) -> dict[str, Any]:
        task = next(each for each in tasks() if request.startswith(_greeting(each)))
        said = request.removeprefix(_greeting(task)).strip()
        slot, mention = next(way for way in _ways(task) if phrased(task, *way) == said)
        found = []
        for each in task.template.slots:
            values = offered(task, each, mention if each is slot else None)
            fits = mention.fits if each is slot else (task.values[each.id],)
            found.append({"slot": each.id, "values": [n for n, value in enumerate(values, 1) if value in fits]})
        return {"readings": found}
