"""The composition root: the only place that knows benchmarks, users and agents at once."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from harness.core.suite import Suite, SuiteError
from harness.wiring import answering
from harness.wiring.answering import slot_kinds, users
from harness.wiring.suites import DEFAULT, FORMER, GROUP, Catalog, Command, catalog, suite, suite_on_offer, world_named

if TYPE_CHECKING:
    from harness.agents.function import Function
    from harness.core.config import LlmConfig, RunConfig, UserSettings
    from harness.core.desk import Agent
    from harness.core.hidden import Hidden
    from harness.core.task import Brief
    from harness.core.trajectory import ModelCall
    from harness.models.cassette import Cassette
    from harness.models.llm import RequestLimiter
    from harness.models.user_model import UserModel
    from harness.play.stage import Job, Talk
    from servers.kernel import User
    from userssim.heard import Half

__all__ = (
    "DEFAULT", "FORMER", "GROUP", "Catalog", "Command", "Wired", "catalog", "check", "slot_kinds", "suite",
    "suite_on_offer", "users", "wiring", "world_named",
)  # fmt: skip


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

    @cached_property
    def _limiter(self) -> RequestLimiter:
        from harness.models.llm import RequestLimiter

        return RequestLimiter(rpm=self._rates[0], tpm=self._rates[1])

    def suite(self, name: str, scale: int = 1) -> Suite:
        return suite(name, scale)

    def user(self, config: UserSettings, brief: Brief, talk: Talk | None = None, hidden: Hidden | None = None) -> User:
        """Whoever answers, made for one session, or for the whole trial where it is a `Partner`."""
        return answering.user(config, brief, hidden, partial(self._voice, talk=talk))

    async def heard(self, config: UserSettings, half: Half, *, at_once: int = 1) -> Mapping[str, Mapping[str, int]]:
        """What a user makes of the questions that players put: sums by template, as `Suite.measured` has them."""
        from userssim import heard

        return heard.sums(
            await heard.heard(lambda wish: self.user(config, answering.brief_of(wish)), half, at_once=at_once)
        )

    def _voice(self, config: LlmConfig, talk: Talk | None) -> UserModel:
        """The model that speaks for a user."""
        from harness.models.llm import Model
        from harness.models.recorded import Recorded
        from harness.models.user_model import UserModel

        take = self._cassette.take(talk.scope) if self._cassette and talk else None
        live = Model(config, limiter=self._limiter, take=take)
        if talk is None:
            return UserModel(live, lambda _: None)
        return UserModel(Recorded(talk.recorded, live) if talk.recorded else live, talk.keep)

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
        from harness.agents.strategies import playing
        from harness.models.llm import Model
        from harness.models.recorded import Recorded

        scope = f"{config.name}/{job.condition}/{job.task}/{job.trial}"
        if job.attempt:
            config = config.model_copy(update={"temperature": config.resample_temperature})
            scope = f"{scope}/{job.attempt}"
        if job.subagent:
            scope = f"{scope}/subagent-{job.subagent}"
        live = Model(config, limiter=self._limiter, take=self._cassette.take(scope) if self._cassette else None)
        model = Recorded(recorded, live) if recorded else live
        return playing(config, model, rubric=suite.rubric, whole=partial(suite.whole_of, job.task))

    async def aclose(self) -> None:
        """Close connections to models, if there were any."""
        if "_limiter" in vars(self):
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
