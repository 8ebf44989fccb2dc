"""Do our tools answer as the release's did? Its recorded runs, played again and compared in content.

Each run gets a fresh sandbox, and every recorded call of it is made in order through the `workbench`
toolsets. How the release called its tools is emulated here, not in the apps: arguments that a tool
does not know were dropped, a bare string went to the first parameter, nothing was coerced, null meant not
given, and ids came back and could be overwritten (`ids.Ids`). Wording may differ; what it says may not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.workbench.official.calls import CallProblem
from benchmarks.workbench.official.expected import Bench
from benchmarks.workbench.official.ids import Ids
from benchmarks.workbench.official.importer import NOW, WORLD
from benchmarks.workbench.official.names import APPS, TOOLSET
from benchmarks.workbench.official.predictions import available, sidecar
from benchmarks.workbench.official.release import ImportProblem, read_release
from benchmarks.workbench.official.trajectories import Recorded, Step, read_results
from servers.kernel import Failure, InvalidArguments, Layer, NotFound, Rejected, Tool, World

__all__ = ("DEPARTURES", "MOST", "Conformance", "Departure", "Pair", "agrees", "conformance", "observed")


class Pair(NamedTuple):
    """A recorded step beside our answer: `value` when the tool ran, `refusal` when it said no."""

    step: Step
    given: Mapping[str, Any]
    value: Any
    refusal: Failure | None


class Departure(NamedTuple):
    """A way in which we answer differently on purpose: when it applies, and why."""

    name: str
    reason: str
    applies: Callable[[Pair], bool]


def _unread_time(pair: Pair) -> bool:
    """A bound of an event search is no time of day, and the release had no event left to hold it against."""
    return (
        pair.step.tool == "calendar.search_events"
        and pair.step.observation == "No events found."
        and isinstance(pair.refusal, Rejected)
        and any(" 24:" in str(pair.given.get(bound, "")) for bound in ("time_min", "time_max"))
    )


def _other_date(pair: Pair) -> bool:
    """A bound of a search is a date to the release's library, in a form that our tools do not take."""
    return (
        pair.step.tool in ("calendar.search_events", "email.search_emails")
        and isinstance(pair.refusal, Rejected)
        and re.search(r"is not a (date|time); write", str(pair.refusal)) is not None
        and (pair.step.observation in _NOTHING_FOUND or isinstance(pair.step.observation, list))
    )


def _pattern(pair: Pair) -> bool:
    """A search text holds a character that means something in a pattern; a dot does not count, addresses have one."""
    return (
        pair.step.tool in _PATTERN_SEARCHES
        and pair.refusal is None
        and any(isinstance(value, str) and re.search(r"[*+?^$|()\[\]{}\\]", value) for value in pair.given.values())
    )


def _column(pair: Pair) -> bool:
    """The release stored a field that we have not or do not change; or shows one that it had stored before."""
    recorded = pair.step.observation
    if isinstance(pair.refusal, InvalidArguments):
        updated = isinstance(recorded, str) and recorded.endswith(" updated successfully.")
        return updated and pair.step.tool.partition(".")[2] in ("update_event", "update_task", "update_customer")
    if pair.step.tool != "calendar.search_events" or pair.refusal is not None or not isinstance(recorded, list):
        return False
    ours = [{name: row[name] for name in row if name in _EVENT} for row in recorded]
    return ours != recorded and agrees(pair._replace(step=pair.step._replace(observation=ours)))


def _two_faults(pair: Pair) -> bool:
    """The release names the unknown id, we the argument that fits no parameter; neither does anything."""
    recorded = pair.step.observation
    return isinstance(recorded, str) and _no_row(recorded) and isinstance(pair.refusal, InvalidArguments)


_NOTHING_FOUND = ("No events found.", "No emails found.")
_PATTERN_SEARCHES = (
    "calendar.search_events",
    "project_management.search_tasks",
    "customer_relationship_manager.search_customers",
    "company_directory.find_email_address",
)
_EVENT = ("event_id", "event_name", "participant_email", "event_start", "duration")

MOST: Final = 0.02
"""The share of pairs that departures may explain together."""

DEPARTURES: Sequence[Departure] = (
    Departure(
        "time bounds that are no times",
        "the release reads a bound only where events are left to compare, and fails there; we refuse 24:00 outright",
        _unread_time,
    ),
    Departure(
        "which of two faults is named",
        "with an unknown id and an argument that does not fit, the release looks up first, we check arguments first",
        _two_faults,
    ),
    Departure(
        "dates in other forms",
        "the release reads whatever its library takes for a date; we take four forms and refuse others by name",
        _other_date,
    ),
    Departure(
        "search texts as patterns",
        "the release of 2024 reads them as regular expressions; we, as that of 2026, take them literally",
        _pattern,
    ),
    Departure(
        "fields that do not exist",
        "the release stores any field of an event; we refuse those that events do not have",
        _column,
    ),
)


@dataclass
class Conformance:
    """What a replay found: `pairs` = `agreed` + `departures` + `unmatched`.

    Counted apart: calls of tools that the release did not have (`not_tools`), runs without steps (`no_steps`).
    """

    runs: int = 0
    no_steps: int = 0
    pairs: int = 0
    not_tools: int = 0
    agreed: int = 0
    departures: Counter[str] = field(default_factory=Counter)
    unmatched: list[str] = field(default_factory=list)

    @property
    def departed(self) -> float:
        """The share of pairs that a departure explains, 0 to 1."""
        return self.departures.total() / self.pairs if self.pairs else 0.0

    @property
    def holds(self) -> bool:
        """Nothing unmatched, and departures within the limit."""
        return not self.unmatched and self.departed <= MOST

    def __str__(self) -> str:
        lines = [
            f"{self.runs} runs ({self.no_steps} without steps), {self.pairs} pairs: {self.agreed} agree, "
            f"{self.departures.total()} depart by rule ({self.departed:.2%}), {len(self.unmatched)} unmatched; "
            f"{self.not_tools} calls of tools that do not exist",
            *(f"  {count} {name}" for name, count in sorted(self.departures.items())),
            *(f"  unmatched: {line}" for line in self.unmatched),
        ]
        return "\n".join(lines)


def observed(path: Path, model: str = "", mode: str = "") -> tuple[Conformance, list[Path]]:
    """Compare the recorded answers in the checkout at `path`, of one model and mode or of all.

    Gives what was found and the files left out: those of 2026, whose tools answer otherwise (JSON text,
    literal searches). Raises `ImportProblem` where there are none, or they do not parse.
    """
    found = available(path)
    chosen = {key: files for key, files in found.items() if model in ("", key[0]) and mode in ("", key[1])}
    if not chosen:
        listed = ", ".join(f"{model} ({mode})" for model, mode in found)
        raise ImportProblem(f"{path} has no results of {model or 'any model'} in mode {mode or 'any'}; it has {listed}")
    files = [file for by_domain in chosen.values() for each in by_domain.values() for file in each]
    late = [file for file in files if sidecar(file).is_file() or file.suffix == ".gz"]
    world = World(WORLD, NOW, read_release(path).rows)
    try:
        return conformance((file for file in files if file not in late), world), late
    except CallProblem as problem:
        raise ImportProblem(str(problem)) from None


def conformance(files: Iterable[Path], world: World) -> Conformance:
    """Replay every run in the results files over `world` and compare each answer."""
    found = Conformance()
    with closing(Bench(world)) as bench:
        for file in files:
            for run in read_results(file):
                _replay(run, bench, Ids(bench.ids, zero_filled=False), found)
    return found


def agrees(pair: Pair) -> bool:
    """Whether our answer says what the recorded one says.

    A refusal agrees with a message that refuses: that no row has the id, or anything else.
    """
    recorded = pair.step.observation
    if isinstance(recorded, str) and not re.fullmatch(r"\d+|plots/.*", recorded):
        if recorded.endswith(" successfully."):
            return pair.refusal is None
        if re.fullmatch(r"No \w+ found\.", recorded):
            return pair.refusal is None and pair.value == []
        return pair.refusal is not None and isinstance(pair.refusal, NotFound) == _no_row(recorded)
    return pair.refusal is None and _plain(recorded) == _plain(pair.value)


def _no_row(message: str) -> bool:
    return message.endswith(" not found.") and message != "Field not found."


def _replay(run: Recorded, bench: Bench, ids: Ids, found: Conformance) -> None:
    found.runs += 1
    if run.steps is None:
        found.no_steps += 1
        return
    layer = bench.engine.layer(bench.base)
    try:
        for number, step in enumerate(run.steps, 1):
            if isinstance(step.observation, str) and " is not a valid tool, try one of [" in step.observation:
                found.not_tools += 1
                continue
            found.pairs += 1
            pair = _pair(step, bench, layer, ids)
            if agrees(pair):
                found.agreed += 1
            elif name := next((rule.name for rule in DEPARTURES if rule.applies(pair)), None):
                found.departures[name] += 1
            else:
                found.unmatched.append(_described(run, number, pair))
    finally:
        layer.close()


def _pair(step: Step, bench: Bench, layer: Layer, ids: Ids) -> Pair:
    domain, _, name = step.tool.partition(".")
    app = bench.apps[APPS[domain]]
    tool = app.toolset(TOOLSET).tool(name)
    given = _bound(tool, step.input)
    if ids.overwritten(tool, given) == "id":
        ids.overwrite(tool, given)
        return Pair(step, given, "The row has the new id.", None)
    calls, mark = ids.translated(tool, given), len(layer.written)
    try:
        if ids.unnumbered(layer, tool, calls[0]):
            raise Rejected("The largest id is not a number, so there is none for a new row.")
        answers = [tool.call(layer.state(app), arguments).data for arguments in calls]
    except Failure as failure:
        return Pair(step, given, None, failure)
    ids.follow((app, id, values) for app, _, id, values in layer.written[mark:])
    wrapped = tool.output_schema.get("properties", {}).keys() == {"result"}
    return Pair(step, given, ids.shown(tool, answers[0]["result"] if wrapped else answers[0]), None)


def _bound(tool: Tool, given: Any) -> dict[str, Any]:
    """Arguments as the release's wrapper would have passed them, numbers as text."""
    known = tool.input_schema["properties"]
    if not isinstance(given, dict):
        given = {next(iter(known)): given}
    return {
        name: str(value) if isinstance(value, int | float) else value
        for name, value in given.items()
        if name in known and value is not None
    }


def _plain(value: Any) -> Any:
    """Content without its type: 30, 30.0 and "30" are the same, a missing number is None."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return f"{value:.9g}"
    return str(value) if isinstance(value, int) else value


def _described(run: Recorded, number: int, pair: Pair) -> str:
    ours = f"refused: {pair.refusal}" if pair.refusal is not None else repr(pair.value)
    return (
        f"{run.domain}-{run.number:03d} step {number}, {pair.step.tool}({pair.step.input!r})\n"
        f"    recorded {pair.step.observation!r:.400}\n    ours     {ours:.400}"
    )
