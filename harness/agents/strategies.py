"""Which agent a model plays as."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.agents import codeact, llm, react, text
from harness.agents.planning import PlanExecuteAgent
from harness.agents.reflexion import ReflexionAgent
from harness.agents.rewoo import RewooAgent
from harness.agents.single_shot import SingleShotAgent
from harness.agents.summary import Summary
from harness.agents.talking import Wire
from harness.core.agent_config import Aspect, LlmConfig, PlanExecute, Reflexion, SingleShot
from harness.core.desk import Agent
from harness.core.suite import Whole
from harness.models.replies import Completes

__all__ = ("playing",)


def playing(config: LlmConfig, model: Completes, *, rubric: Sequence[Aspect], whole: Callable[[], Whole]) -> Agent:
    """A fresh agent of a config's strategy.

    `rubric` is the suite's, for strategies that judge themselves by one; `whole` tells the task in one text.
    """
    match config.strategy:
        case "reflexion":
            settings = config.reflexion or Reflexion()
            worker, wire = _conversing(config, model, settings.by)
            return ReflexionAgent(model, worker, wire, settings, rubric=rubric, prompts=config.prompts)
        case "plan_execute":
            steps = config.plan_execute or PlanExecute()
            worker, wire = _conversing(config, model, steps.by)
            return PlanExecuteAgent(model, worker, wire, steps, patience=config.patience, prompts=config.prompts)
        case "single_shot":
            return SingleShotAgent(model, whole, config.single_shot or SingleShot())
        case "rewoo":
            return RewooAgent(model, config.rewoo, config.prompts)
        case "tools" | "react" | "codeact":
            return _conversing(config, model, config.strategy)[0]


def _conversing(config: LlmConfig, model: Completes, strategy: str) -> tuple[Agent, Wire]:
    """An agent that works call by call, and how its messages are sent."""
    summary = Summary(model, config.summary_above, config.prompts.summary)
    if strategy == "react":
        template = config.prompts.react
        return react.ReactAgent(model, patience=config.patience, template=template, summary=summary), text.sent
    if strategy == "codeact":
        coding = codeact.CodeActAgent(
            model, config.codeact, patience=config.patience, template=config.prompts.codeact, summary=summary
        )
        return coding, text.sent
    template = config.prompts.system
    return llm.LlmAgent(model, patience=config.patience, template=template, summary=summary), llm.sent
