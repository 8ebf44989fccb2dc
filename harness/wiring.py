"""The composition root: the only place that knows benchmarks, users and agents at once.

The folder is the registry: `benchmarks/<name>/__init__.py` exposes `suites`. Installed packages add
theirs through the entry-point group `workplace_harness.suites`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.core.raised import place, raised
from harness.core.suite import Suite, SuiteEntry, SuiteError

if TYPE_CHECKING:
    from harness.agents.function import Function
    from harness.core.config import IntentUserConfig, JudgedIntentUserConfig, LlmConfig, RunConfig, UserSettings
    from harness.core.desk import Agent
    from harness.core.hidden import Hidden
    from harness.core.task import Brief, Segment
    from harness.core.trajectory import ModelCall
    from harness.models.cassette import Cassette
    from harness.models.kept import Kept
    from harness.play.stage import Job, Talk
    from servers.kernel import User, World
    from userssim.heard import Half
    from userssim.voice import Voice
    from userssim.wish import Known, Wish

__all__ = (
    "DEFAULT", "FORMER", "GROUP", "Catalog", "Command", "Wired", "catalog", "check", "slot_kinds", "suite",
    "suite_on_offer", "users", "wiring", "world_named",
)  # fmt: skip

GROUP = "workplace_harness.suites"
"""Entry points of this group name a tuple of `SuiteEntry`."""

DEFAULT = "office"
"""The suite whose world a person is served unless another is named.

With the next the only benchmarks that the harness names: both ship with the package, and what is served first has to
be something.
"""

FORMER = "workbench-synth"
"""What state folders began with before they noted it, and what programs are given unless they name a world: what they
find there must not change with what people are served.
"""


class Command(NamedTuple):
    """What `harness VERB NAME` runs: a benchmark's "module:function", and the folder or plugin that declares it."""

    verb: str
    name: str
    target: str
    where: str

    def __str__(self) -> str:
        return f"{self.where} declares `harness {self.verb} {self.name}` as {self.target!r}"

    def function(self) -> Callable[..., object]:
        """Raises `SuiteError` where it cannot be had."""
        module, _, name = self.target.partition(":")
        if not module:
            raise SuiteError(f'{self}, and a command is written "module:function"')
        try:
            found = getattr(importlib.import_module(module), name, None)
        except Exception as error:
            raise SuiteError(f"{self}, and {module!r} cannot be imported: {raised(error)}") from error
        if not callable(found):
            raise SuiteError(f"{self}, and {module!r} has no function {name!r}")
        given: Callable[..., object] = found
        return given


class Catalog(NamedTuple):
    """Every suite on offer by name, one message for each folder or plugin that could not be read, and their commands.

    `commands[verb][name]` is what `harness VERB NAME` runs, `opens[name]` gives the suite in a folder that was made
    so; the name is the folder's or the plugin's, of a command the one behind its verb if there is one.
    """

    suites: dict[str, SuiteEntry]
    broken: list[str]
    commands: dict[str, dict[str, Command]]
    opens: dict[str, Callable[[Path], Suite]]


def catalog() -> Catalog:
    """Look through benchmark folders and plugins; a broken one is reported and hides no other."""
    found = Catalog({}, [], {}, {})
    origin: dict[str, str] = {}
    for where, read in _sources():
        try:
            entries = tuple(read())
        except Exception as error:  # noqa: BLE001 (whatever a folder raises must not take the others down)
            found.broken.append(f"{where} cannot be imported: {raised(error)}")
            continue
        for entry in entries:
            if entry.name in origin:
                found.broken.append(f"{where} offers suite {entry.name!r}, which {origin[entry.name]} offers too")
            else:
                origin[entry.name] = where
                found.suites[entry.name] = entry
            name = where.rpartition("/")[2]
            if entry.opens is not None:
                found.opens.setdefault(name, entry.opens)
            for words, target in entry.commands.items():
                verb, _, noun = words.partition(" ")
                brought = Command(verb, noun or name, target, where)
                first = found.commands.setdefault(verb, {}).setdefault(noun or name, brought)
                if first.target != target:
                    found.broken.append(f"{brought}, and {first}")
    return found


def suite(name: str, scale: int = 1) -> Suite:
    """Load a suite at a scale: one on offer, or the one in a folder that was built or imported, by its path.

    Raises `SuiteError` with close matches, or with what is broken or missing, and `ConfigProblem` for a scale
    other than 1 where the suite has no other.
    """
    found = catalog()
    if name not in found.suites and _is_suite(name):
        if scale != 1:
            from harness.core.config import ConfigProblem

            raise ConfigProblem(f"scale: suite {name} cannot be scaled: leave out `scale` ({scale}).")
        return _measured(_opened(Path(name), found), name)
    if name not in found.suites:
        raise _unknown(name, found, _no_folder(name))
    entry = found.suites[name]
    if scale != 1 and not entry.scales:
        from harness.core.config import ConfigProblem

        those = ", ".join(sorted(other.name for other in found.suites.values() if other.scales)) or "none"
        raise ConfigProblem(
            f"scale: suite {name} cannot be scaled: leave out `scale` ({scale}). Suites that scale: {those}."
        )
    try:
        return _measured(entry.load(scale=scale) if entry.scales else entry.load(), name, entry.load)
    except SuiteError:
        raise
    except Exception as error:
        raise SuiteError(f"suite {name!r} cannot be loaded: {raised(error, entry.load)}") from error


def suite_on_offer(name: str) -> Suite:
    """Load a suite by its name alone, for whoever is not to open folders here, or learn which there are.

    Raises `SuiteError` as `suite` does.
    """
    found = catalog()
    if name not in found.suites:
        raise _unknown(name, found, " No folder is opened here.")
    return suite(name)


def _unknown(name: str, found: Catalog, besides: str) -> SuiteError:
    from harness.core.config_file import near

    broken = "".join(f"\n{problem}" for problem in found.broken)
    return SuiteError(
        f"no suite is named {name!r}.{besides}{near(name, found.suites)} "
        f"Known: {', '.join(sorted(found.suites)) or 'none'}; see `harness list suites`.{broken}"
    )


_SUITE = "suite.json"


def _is_suite(name: str) -> bool:
    return Path(name, _SUITE).is_file()


def _no_folder(name: str) -> str:
    """What is said besides of a name that can only be a path."""
    if "/" not in name and not Path(name).is_dir():
        return ""
    return f" Nor is there a {Path(name, _SUITE)}, as `harness build` and `harness import` leave when they are done."


def _opened(folder: Path, found: Catalog) -> Suite:
    """The suite in a folder. Raises `SuiteError`."""
    import json

    path = folder / _SUITE
    try:
        whose = json.loads(path.read_text(encoding="utf-8")).get("benchmark")
    except (OSError, ValueError, AttributeError) as error:
        raise SuiteError(f"{path} cannot be read: {error}; build or import it again") from None
    opens = found.opens.get(whose) if isinstance(whose, str) else None
    if opens is None:
        broken = "".join(f"\n{problem}" for problem in found.broken)
        known = ", ".join(sorted(found.opens)) or "nobody"
        raise SuiteError(f"{path}: {whose!r} opens no folders; {known} does.{broken}")
    try:
        return opens(folder)
    except SuiteError:
        raise
    except Exception as error:
        raise SuiteError(f"the suite in {folder} cannot be loaded: {raised(error)}") from error


def _measured(suite: Suite, name: str, load: Callable[..., Suite] | None = None) -> Suite:
    """With what reports say of the users who answer for it. Raises `SuiteError` for what is no suite."""
    from userssim.heard import figures

    if not isinstance(suite, Suite):
        where = place(load) if load else ""
        raise SuiteError(f"suite {name!r} cannot be loaded: `load`{where} gives {suite!r:.80}, not a `Suite`")
    return suite if suite.measured else replace(suite, measured=figures())


def slot_kinds() -> frozenset[str]:
    """Kinds of a slot that the grounded user has rules for."""
    from userssim.values import KINDS

    return KINDS


def world_named(name: str, load: Callable[[str], Suite] | None = None) -> World:
    """The world of a suite, `SUITE` or `SUITE:WORLD`, or of a folder with a `world.json`.

    `load` finds suites, where somebody keeps them. Raises `SuiteError`.
    """
    from servers.kernel import World

    if (Path(name) / "world.json").exists():
        return World.read(Path(name))
    suite_name, _, world = name.partition(":")
    entry = catalog().suites.get(suite_name)
    if entry is None and not _is_suite(suite_name):
        raise SuiteError(f"world {name}: neither a folder with a world.json nor a suite; see `harness list suites`")
    if entry and entry.world and not world:
        return entry.world()
    loaded = (load or suite)(suite_name)
    worlds = list(dict.fromkeys(task.world for task in loaded.tasks))
    if world and worlds and world not in worlds:  # a suite without tasks knows best which worlds it has
        raise SuiteError(f"world {name}: suite {suite_name} has no world {world!r}; it has {', '.join(worlds)}")
    return loaded.load_world(world or worlds[0])


class Wired:
    """What a run needs of the outside, one per process: the `Wiring` that the trial loop asks."""

    def __init__(
        self,
        cassette: Cassette | None = None,
        functions: Mapping[str, Function] | None = None,
        *,
        rpm: int | None = None,
        tpm: int | None = None,
    ) -> None:
        self._cassette, self._functions = cassette, functions or {}
        self._rates = rpm, tpm
        self._lanes: Any = None

    def suite(self, name: str, scale: int = 1) -> Suite:
        return suite(name, scale)

    def user(self, config: UserSettings, brief: Brief, talk: Talk | None = None, hidden: Hidden | None = None) -> User:
        """Whoever answers, made for one session, or for the whole trial where it is a `Partner`."""
        from harness.core.config import (
            IntentUserConfig,
            JudgedIntentUserConfig,
            LlmUserConfig,
            ModelUserSettings,
            PersonaUserConfig,
            PlaceboUserConfig,
            PlayedPersonaConfig,
            UserConfig,
        )
        from harness.core.users import made

        if isinstance(config, LlmUserConfig):
            from userssim import llm

            voice = self._voice(config.model, talk)
            if config.profile == "paper":
                return llm.PaperUser(_wish(brief), voice)
            return llm.LlmUser(_wish(brief), voice, persona=config.persona)
        if isinstance(config, PlayedPersonaConfig):
            from userssim import played

            persona = played.PaperPersona if config.profile == "paper" else played.PlayedPersona
            return persona(_wish(brief), self._voice(config.model, talk), config.persona)
        if isinstance(config, JudgedIntentUserConfig):
            return _intent_user(config, hidden, self._voice(config.model, talk))
        if isinstance(config, IntentUserConfig):
            return _intent_user(config, hidden)
        if isinstance(config, ModelUserSettings):
            return made(config.kind, config, brief, self._voice(config.model, talk))
        if isinstance(config, PersonaUserConfig):
            from userssim.persona import PersonaUser

            return PersonaUser(_wish(brief), config.persona)
        if isinstance(config, PlaceboUserConfig):
            from userssim.persona import PlaceboUser

            return PlaceboUser(_wish(brief))
        if not isinstance(config, UserConfig):
            return made(config.kind, config, brief)
        if config.kind == "scripted":
            from userssim.scripted import ScriptedUser

            return ScriptedUser(config.script)
        wish = _wish(brief)
        settings: dict[str, Any] = config.model_dump(include={"policy", "deferral", "memory", "probe"})
        if config.version == 1:
            from userssim.first.grounded import GroundedUser as First

            return First(wish, consent=config.consent, **settings)
        from userssim.grounded import GroundedUser

        return GroundedUser(wish, manner=config.manner, **settings)

    async def heard(self, config: UserSettings, half: Half, *, at_once: int = 1) -> Mapping[str, Mapping[str, int]]:
        """What a user makes of the questions that players put: sums by template, as `Suite.measured` has them."""
        from userssim import heard

        return heard.sums(await heard.heard(lambda wish: self.user(config, _brief(wish)), half, at_once=at_once))

    def _voice(self, config: LlmConfig, talk: Talk | None) -> Kept:
        """The model that speaks for a user."""
        from harness.agents.llm import Recorded
        from harness.models.kept import Kept
        from harness.models.llm import Lanes, Model

        self._lanes = self._lanes or Lanes(rpm=self._rates[0], tpm=self._rates[1])
        take = self._cassette.take(talk.scope) if self._cassette and talk else None
        live = Model(config, lanes=self._lanes, take=take)
        if talk is None:
            return Kept(live, lambda _: None)
        return Kept(Recorded(talk.recorded, live) if talk.recorded else live, talk.keep)

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        """A fresh agent for one trial, or for a subagent's part of it."""
        from harness.core.config import (
            CommandConfig,
            FunctionConfig,
            IdleConfig,
            LlmConfig,
            OracleConfig,
            ReferenceConfig,
        )

        config, task = job.agent, suite.task(job.task)
        match config:
            case IdleConfig():
                from harness.agents.instruments import IdleAgent

                return IdleAgent()
            case OracleConfig():
                from harness.agents.instruments import IdleAgent, OracleAgent

                return IdleAgent() if job.subagent else OracleAgent(task, suite.solved)  # the solution is one agent's
            case ReferenceConfig():
                from harness.agents.reference import ReferenceAgent, SlotView

                dials = config.model_dump(include={"explore", "ask", "guess"})
                return ReferenceAgent(
                    suite.programs[task.template],
                    SlotView.of(task, job.prompt),
                    settings=suite.set_to(config.settings),
                    whole=partial(suite.whole_of, job.task),
                    **dials,
                )
            case LlmConfig():
                return self._model_agent(config, job, suite, recorded)
            case CommandConfig():
                from harness.agents.command import CommandAgent

                return CommandAgent(config)
            case FunctionConfig():
                from harness.agents.function import FunctionAgent

                return FunctionAgent(self._functions[config.name])

    def _model_agent(self, config: LlmConfig, job: Job, suite: Suite, recorded: Sequence[ModelCall]) -> Agent:
        """An agent that asks a model, for one try of a trial; later tries have a temperature of their own."""
        from harness.agents.llm import Recorded
        from harness.agents.strategies import playing
        from harness.models.llm import Lanes, Model

        scope = f"{config.name}/{job.condition}/{job.task}/{job.trial}"
        if job.attempt:
            config = config.model_copy(update={"temperature": config.resample_temperature})
            scope = f"{scope}/{job.attempt}"
        if job.subagent:
            scope = f"{scope}/subagent-{job.subagent}"
        self._lanes = self._lanes or Lanes(rpm=self._rates[0], tpm=self._rates[1])
        live = Model(config, lanes=self._lanes, take=self._cassette.take(scope) if self._cassette else None)
        model = Recorded(recorded, live) if recorded else live
        return playing(config, model, rubric=suite.rubric, whole=partial(suite.whole_of, job.task))

    async def aclose(self) -> None:
        """Close connections to models, if there were any."""
        if self._lanes:
            from harness.models.llm import aclose

            await aclose()


def check(config: RunConfig, suite: Suite, *, replaying: bool = False, functions: Container[str] = ()) -> None:
    """Find out before the first trial what would void them all.

    Raises `ConfigProblem`, `ModelError`, `UnknownApp`, and `SuiteError` for a suite without tasks or checks and for
    rows of a world that do not fit.

    When `replaying` a cassette no model is asked, so none is checked. `functions` are the agents whose function is
    at hand.
    """
    from harness.core.config import (
        CommandConfig,
        ConfigProblem,
        FunctionConfig,
        LlmConfig,
        ModelUserSettings,
        ReferenceConfig,
    )

    if not suite.tasks:
        raise SuiteError(f"suite {suite.name} has no tasks: nothing would be played")
    if not suite.checks:
        raise SuiteError(f'suite {suite.name} has no checks: nothing would be scored; give it `{{"outcome": outcome}}`')
    if not suite.worlds:  # all are made before the first trial anyway, for the suite's digest
        suite.check_worlds(config.tasks)
    for condition in config.conditions.values():
        if isinstance(condition.user, ModelUserSettings) and condition.asks and not replaying:
            from harness.models.llm import check as check_model

            for model in condition.user.models:
                check_model(model)
    for agent in config.agents:
        if isinstance(agent, ReferenceConfig) and not suite.programs:
            raise ConfigProblem(
                f"agent {agent.name}: suite {suite.name} has no programs for the reference agent: play oracle or a "
                "model"
            )
        if isinstance(agent, LlmConfig) and agent.strategy == "single_shot" and suite.whole is None:
            raise ConfigProblem(
                f"agent {agent.name}: suite {suite.name} cannot show a task as one text: use a strategy other than "
                "single_shot"
            )
        if isinstance(agent, LlmConfig) and agent.strategy == "codeact":
            from harness.agents.codeact import check as check_interpreter

            check_interpreter(agent.name)
        if isinstance(agent, LlmConfig) and not replaying:
            from harness.models.llm import check as check_model

            check_model(agent)
        if isinstance(agent, FunctionConfig) and agent.name not in functions:
            raise ConfigProblem(
                f"agent {agent.name}: it is a Python function, which only Python can give: play it with "
                f"`harness.evaluate(config, agent=..., name={agent.name!r}, version={agent.version!r})`"
            )
        if isinstance(agent, CommandConfig):
            from harness.isolation import check as check_program

            check_program(agent)


def wiring(record: str = "", replay: str = "", rpm: int | None = None, tpm: int | None = None) -> Wired:
    """What `harness.play.run.evaluate` takes; worker processes call it by name to make their own.

    `record` and `replay` are cassettes: files that model replies go to or come from. `rpm` and `tpm` are requests and
    tokens a minute for each model, at most, in this process.
    """
    if not record and not replay:
        return Wired(rpm=rpm, tpm=tpm)
    from harness.models.cassette import Cassette

    return Wired(Cassette(Path(record or replay), "record" if record else "replay"), rpm=rpm, tpm=tpm)


_USERS = {
    "grounded": "Knows the whole request and reveals exactly what is asked for; needs no model.",
    "scripted": "Reads out the answers of its script, in order.",
    "persona": "Knows the whole request and tells it with the patience of a persona; a model may play it.",
    "placebo": "Answers every question and adds nothing; needs no model.",
    "intents": "Wants what a session's request leaves out, and tells it as it is asked for; a model may judge.",
    "llm": "A model tells what is asked for without knowing the values, then says them; needs a model.",
}


def users() -> tuple[dict[str, str], list[str]]:
    """Who can answer questions, by kind and what it is, plugins included; and a message for each that is broken."""
    from harness.core.users import BrokenUser, brought, plugins

    found, broken = dict(_USERS), []
    for kind in plugins():
        try:
            words = (brought(kind).config.__doc__ or "").strip()
            found.setdefault(kind, words.partition("\n")[0])
        except BrokenUser as error:
            broken.append(str(error))
    return found, broken


def _intent_user(
    config: IntentUserConfig | JudgedIntentUserConfig, hidden: Hidden | None, voice: Voice | None = None
) -> User:
    """Who wants what a suite says, by its own rules or judged by a model. Raises `UserFault` without any of it."""
    from harness.core.config import JudgedIntentUserConfig
    from servers.kernel import UserFault
    from userssim.intents import model, protocol, rules

    if hidden is None:
        raise UserFault("a user of kind intents is for suites whose sessions have intents, and this one has none")
    reword = None
    if voice and isinstance(config, JudgedIntentUserConfig) and config.voice == "llm":
        reword = model.reworder(voice, config.persona)
    return protocol.IntentUser(
        hidden.sessions,
        model.Judge(voice) if voice else rules.Rules(hidden.completed),
        facts=hidden.facts,
        fallback=config.fallback,
        most=config.most,
        seed=config.seed,
        reword=reword,
    )


def _wish(brief: Brief) -> Wish:
    from userssim.wish import Wish

    withheld, stated = tuple(map(_known, brief.withheld)), tuple(map(_known, brief.stated))
    return Wish(full=brief.intent, sent=brief.sent, withheld=withheld, stated=stated)


def _brief(wish: Wish) -> Brief:
    from harness.core.task import Brief, Segment, Slot

    withheld, stated = (
        tuple(
            Segment(
                id=item.id,
                slot=Slot(
                    name=item.id, kind=item.kind, text=item.value, value=item.day or item.key or None, role=item.role,
                    dimension=item.dimension, subdimension=item.subdimension, asks=item.asks, says=item.says,
                    others=item.others,
                ),
            )
            for item in items
        )
        for items in (wish.withheld, wish.stated)
    )  # fmt: skip
    return Brief(intent=wish.full, sent=wish.sent, withheld=withheld, stated=stated)


def _known(segment: Segment) -> Known:
    from userssim.wish import Known

    slot = segment.slot
    return Known(
        id=segment.id, kind=slot.kind, value=segment.value, role=slot.role,
        dimension=slot.dimension, subdimension=slot.subdimension, asks=slot.asks, says=slot.says, day=_date(slot.value),
        key=_key(slot.value, segment.value), others=slot.others,
    )  # fmt: skip


def _date(value: Any) -> str:
    """The date that a slot's value is or begins with, "" where it is none."""
    found = re.match(r"\d{4}-\d\d-\d\d(?!\d)", value) if isinstance(value, str) else None
    return found[0] if found else ""


def _key(value: Any, text: str) -> str:
    """What tools call a value: an id, or a word of theirs; "" where the request calls it the same, or it is a date."""
    key = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return "" if _date(key) or key.casefold() == text.strip().casefold() else key


def _sources() -> Iterator[tuple[str, Callable[[], Any]]]:
    found = find_spec("benchmarks")
    folders = found.submodule_search_locations if found else None
    for module in sorted(pkgutil.iter_modules(folders or [])):
        if module.ispkg:
            yield f"benchmarks/{module.name}", partial(_folder, f"benchmarks.{module.name}")
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield f"plugins/{point.name}", point.load


def _folder(module: str) -> tuple[SuiteEntry, ...]:
    """A folder's suites; a folder without `suites` (shared code) offers none."""
    suites: tuple[SuiteEntry, ...] = getattr(importlib.import_module(module), "suites", ())
    return suites
