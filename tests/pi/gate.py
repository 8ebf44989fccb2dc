"""`python -m tests.pi.gate FILE...`: does the user hear what it is asked for, and see what was acted on?

    python -m tests.pi.gate                                  # the rule, on the half to tune on
    python -m tests.pi.gate --misses                         # and every question that it got wrong
    python -m tests.pi.gate --model PROVIDER/MODEL FILE...   # a model's verdicts, on questions and on hand-overs

A line of a file is a labelled question, `{"intents": [...], "message": ..., "asked": [ids], "kind": ...}`, or a
labelled hand-over, `{"intents": [...], "message": ..., "calls": [...], "changes": [...], "completed": [ids]}`. Intents
are mappings as `Intent` has them, the name of a YAML file beside that lists them, or `session:ID`, those of a session
of pi-synth. Calls and changes are as in `servers.kernel.Since`; a hand-over of `session:ID` has calls alone, each an
`app`, a `tool` and `arguments`, which are made in a sandbox of that session. `kind` is `generic` for a question that
asks for nothing in particular.

Counted are pairs of a line and an intent. Of a frozen half nothing is to be printed but sums.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import yaml
from scipy.stats import binomtest

from benchmarks.pi import playing
from benchmarks.pi.personas.financier.world import world
from benchmarks.pi.session import Call
from benchmarks.pi.suite import episodes
from harness import ToolError
from harness.live import Workplace
from servers.kernel import Called, Intent, Opening, Question, Since, Turn, Written
from userssim.intents.asking import statements
from userssim.intents.intent import Decider
from userssim.intents.protocol import IntentUser
from userssim.intents.rules import Rules
from userssim.wish import holds

_SESSION = "session:"
DEVELOPMENT = Path(__file__).parent / "gate" / "development.jsonl"


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A question or a hand-over, and the intents that it asks for or acts on.

    A hand-over has either what was done `since` the one before, or a `session` of pi-synth and `calls` to make there.
    """

    intents: tuple[Intent, ...]
    request: str
    message: str
    ids: frozenset[str]
    since: Since | None = None
    session: str = ""
    calls: tuple[Call, ...] = ()
    kind: str = ""


class Verdict(NamedTuple):
    """What a user made of one line; `leaked` are values in its answer of intents that it did not mean to tell."""

    labelled: Labelled
    found: frozenset[str]
    leaked: tuple[str, ...] = ()


class Rate(NamedTuple):
    """A share, with its 95% interval of Wilson and the exact one of Clopper and Pearson."""

    hits: int
    of: int

    def __str__(self) -> str:
        if not self.of:
            return "none to count"
        test = binomtest(self.hits, self.of)
        wilson, exact = (test.proportion_ci(method=method) for method in ("wilson", "exact"))
        return (
            f"{self.hits}/{self.of} = {self.hits / self.of:.3f}"
            f" (Wilson {wilson.low:.3f} to {wilson.high:.3f}, Clopper-Pearson {exact.low:.3f} to {exact.high:.3f})"
        )


class Figures(NamedTuple):
    """What a user makes of many lines: pairs of a line and an intent, and lines of probes."""

    lines: int
    precision: Rate
    recall: Rate
    probes: int
    probes_matched: int
    leaked: int

    def summed(self) -> dict[str, int]:
        """As counts: pairs of a line and an intent that were found rightly, found, and to be found; probes; leaks."""
        return {
            "lines": self.lines,
            "right": self.precision.hits,
            "found": self.precision.of,
            "wanted": self.recall.of,
            "probes_matched": self.probes_matched,
            "leaked": self.leaked,
        }

    def __str__(self) -> str:
        return (
            f"lines           {self.lines}\nprecision       {self.precision}\nrecall          {self.recall}\n"
            f"generic probes  {self.probes_matched} of {self.probes} matched\nvalues leaked   {self.leaked}"
        )


def read(path: Path) -> tuple[Labelled, ...]:
    """The lines of a file. Raises `ValueError` for one that cannot be read, naming file and line."""
    return tuple(
        _labelled(json.loads(line), path, number)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if line.strip()
    )


@cache
def intents(path: Path) -> tuple[Intent, ...]:
    """The intents that a YAML file lists."""
    return tuple(map(_intent, yaml.safe_load(path.read_text(encoding="utf-8"))))


@cache
def of_session(id: str) -> tuple[Intent, ...]:
    """The intents of a session of pi-synth. Raises `KeyError` where there is none of that id."""
    found = {session.id: session for each in episodes() for session in each.sessions}
    return playing.intents(found[id])


async def measured(
    decider: Decider, lines: Iterable[Labelled], user: str | dict[str, Any] = "intents"
) -> list[Verdict]:
    """What a user with this decider makes of each line, all intents being open, and `user` of work in a session.

    Raises `ValueError` for a call that is refused.
    """
    with Workplace() as workplace:
        return [_handed_over(workplace, user, each) if each.session else await _put(decider, each) for each in lines]


def figures(verdicts: Sequence[Verdict]) -> Figures:
    hits = sum(len(each.found & each.labelled.ids) for each in verdicts)
    probes = [each for each in verdicts if each.labelled.kind == "generic"]
    return Figures(
        lines=len(verdicts),
        precision=Rate(hits, sum(len(each.found) for each in verdicts)),
        recall=Rate(hits, sum(len(each.labelled.ids) for each in verdicts)),
        probes=len(probes),
        probes_matched=sum(bool(each.found) for each in probes),
        leaked=sum(len(each.leaked) for each in verdicts),
    )


async def _put(decider: Decider, each: Labelled) -> Verdict:
    if each.since:
        turn = Turn(
            session=0, request=each.request, message=each.message, stated=statements(each.message), since=each.since
        )
        done = [intent.id for intent in each.intents if await decider.completed(intent, turn)]
        return Verdict(each, frozenset(done))
    user = IntentUser([each.intents], _Asked(decider))
    await user.opens(Opening(number=0, now="2026-04-14T09:00:00", request=each.request))
    answer = await user.answer(Question(text=each.message, end_of_turn=True))
    meant = {part.target for part in answer.parts}
    leaked = [
        value
        for intent in each.intents
        if intent.id not in meant
        for value in intent.values
        if holds(answer.text, value) and not holds(each.message, value)
    ]
    return Verdict(each, frozenset(answer.targets), tuple(leaked))


def _handed_over(workplace: Workplace, user: str | dict[str, Any], each: Labelled) -> Verdict:
    """As in a trial: the calls are made, then the message is put to the user, who says what it has seen done."""
    with workplace.task("pi-units", f"financier-{each.session}", ask="ask_user", user=user) as task:
        for call in playing.at_desk(each.calls, world()):
            try:
                task.call(call.app, call.tool, call.arguments)
            except ToolError as refusal:
                raise ValueError(f"{call.app}.{call.tool} of {each.message!r}: {refusal}") from refusal
        task.ask(each.message)
        (answer,) = task.calls[-1].asked
    return Verdict(each, frozenset(part.target for part in answer.parts if part.kind == "confirmed"))


class _Asked:
    """A decider of which only the second stage counts."""

    def __init__(self, decider: Decider) -> None:
        self._decider = decider

    async def completed(self, intent: Intent, turn: Turn) -> bool:
        return False

    async def asked(self, intent: Intent, turn: Turn) -> bool:
        return await self._decider.asked(intent, turn)


def _labelled(line: dict[str, Any], path: Path, number: int) -> Labelled:
    named = line["intents"]
    if isinstance(named, str) and named.startswith(_SESSION):
        known = of_session(named.removeprefix(_SESSION))
    else:
        known = intents(path.parent / f"{named}.yaml") if isinstance(named, str) else tuple(map(_intent, named))
    over = "completed" in line
    session = named.removeprefix(_SESSION) if over and isinstance(named, str) and named.startswith(_SESSION) else ""
    ids = frozenset(line["completed" if over else "asked"])
    if unknown := sorted(ids - {intent.id for intent in known}):
        raise ValueError(f"{path}:{number}: no intent {unknown[0]!r}; they are {', '.join(each.id for each in known)}")
    labelled = Labelled(
        intents=known,
        request=line.get("request", "Please go on with it."),
        message=line["message"],
        ids=ids,
        kind=line.get("kind", ""),
    )
    if session:
        return replace(labelled, session=session, calls=tuple(map(Call.model_validate, line["calls"])))
    if not over:
        return labelled
    calls, changes = line.get("calls", ()), line.get("changes", ())
    return replace(
        labelled,
        since=Since(
            calls=tuple(map(Called.model_validate, calls)), changed=tuple(map(Written.model_validate, changes))
        ),
    )


def _intent(item: dict[str, Any]) -> Intent:
    groups = {name: tuple(map(tuple, item.get(name, ()))) for name in ("cues", "not_cues")}
    return Intent(**{**item, **groups, "values": tuple(item.get("values", ()))})


def _misses(verdicts: Iterable[Verdict]) -> Iterator[str]:
    for labelled, found, leaked in verdicts:
        if wrong := sorted(found - labelled.ids):
            yield f"heard {', '.join(wrong)}: {labelled.message!r}"
        if missed := sorted(labelled.ids - found):
            yield f"missed {', '.join(missed)}: {labelled.message!r}"
        if leaked:
            yield f"leaked {', '.join(leaked)}: {labelled.message!r}"


def _decider(model: str) -> Decider:
    if not model:
        return Rules(lambda intent, turn: False)
    from harness.core.agent_config import LlmConfig
    from harness.models.llm import Model
    from harness.models.user_model import UserModel
    from userssim.intents.model import Judge

    settings = LlmConfig.model_validate({"kind": "llm", "model": model, "temperature": 0})
    return Judge(UserModel(Model(settings), lambda call: None))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.pi.gate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, default=[DEVELOPMENT])
    parser.add_argument("--model", default="", help="have this model decide, in place of the rule")
    parser.add_argument("--misses", action="store_true", help="print each line that was got wrong")
    options = parser.parse_args()
    decider = _decider(options.model)
    user = {"kind": "intents", "model": options.model} if options.model else "intents"
    for path in options.files:
        lines = read(path)
        if not options.model and any(each.since and not each.session for each in lines):
            parser.error(f"{path} has hand-overs: what counts as done is a suite's to say; give --model")
        verdicts = anyio.run(measured, decider, lines, user)
        said = [f"{path.name}\n{figures(verdicts)}", *(_misses(verdicts) if options.misses else ())]
        sys.stdout.write("\n".join(said) + "\n")


if __name__ == "__main__":
    main()
