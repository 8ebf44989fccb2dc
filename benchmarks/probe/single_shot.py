"""A sample in one text, as the paper's models are shown it: all documents and all actions, to be answered at once."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.probe import naming, worlds
from benchmarks.probe.pouring import choices
from benchmarks.probe.records import Sample
from harness.core.agent_config import AgentConfig, LlmConfig, ReferenceConfig
from harness.core.config import RunConfig
from harness.suite import SuiteError, Whole
from harness.task import Task

__all__ = ("Shown", "refused", "shown", "told", "whole")

_INTRO = "Here are all mails, events and documents that there are, in no order, and all actions that can be taken:"


class Shown(NamedTuple):
    """What stands in the text: documents (id, type, payload) in its order, and actions with their parameters."""

    documents: Sequence[Mapping[str, Any]]
    actions: Sequence[Mapping[str, Any]]


def whole(task: Task) -> Whole:
    """The task's sample as one text; the answer goes to `choose_action`. Raises `SuiteError`."""
    if "arrives" in task.facts:
        raise SuiteError(f"{task.id} has several days, and one text would show what is still to arrive")
    return Whole(told(worlds.sample(task.world)), "actions", "choose_action")


def refused(config: RunConfig, tasks: Sequence[Task]) -> str:
    """That agents which are shown everything at once cannot play tasks over days, if a config has both; else ""."""
    timed = [task.id for task in tasks if "arrives" in task.facts]
    at_once = [agent.name for agent in config.agents if _is_at_once(agent)]
    if not timed or not at_once:
        return ""
    return (
        f"agents: {', '.join(at_once)} (single_shot): {len(timed)} of {len(tasks)} tasks have several days "
        f"({timed[0]}), and one text would show what is still to arrive: leave these tasks out, or play others on them"
    )


def _is_at_once(agent: AgentConfig) -> bool:
    if isinstance(agent, ReferenceConfig):
        return agent.settings.get("mode") == "single_shot"
    return isinstance(agent, LlmConfig) and agent.strategy == "single_shot"


def told(sample: Sample) -> str:
    """All of a sample but its world model, which stands in the request, and its answer key.

    Documents stand in an order of their own, drawn from the sample's number: by it nothing can be told of them.
    """
    documents = [each.model_dump(mode="json") for each in sample.documents]
    random.Random(f"probe shown {naming.base_of(sample.id)}").shuffle(documents)
    body = {"documents": documents, "actions": choices(sample)}
    return f"{_INTRO}\n\n{json.dumps(body, indent=2, ensure_ascii=False)}\n"


def shown(text: str) -> Shown:
    """What a text of `told` holds."""
    body = json.loads(text[text.index("{") :])
    return Shown(body["documents"], body["actions"])
