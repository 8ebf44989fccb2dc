"""One row per trial, for spreadsheets and data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from harness.core.metering import cost, model_turns, tokens
from harness.core.suite import Scored, Suite
from harness.core.task import Task
from harness.record.store import RunHead, trial_name
from harness.report.sheets import sheet
from harness.report.users import user_of
from harness.report.verdicts import primary, verdict

__all__ = ("COLUMNS", "as_csv", "rows")

COLUMNS: Final = (
    "run", "identity", "suite", "suite_version", "agent", "condition", "task", "task_hash", "template", "domain",
    "actions", "trial", "seed", "prompt", "status", "reason", "verdict", "label", "correct", "side_effects", "matched",
    "expected", "unexpected", "ckpt", "precision", "model_turns", "tool_calls", "failed_calls", "questions",
    "prompt_tokens", "completion_tokens", "cost_usd", "digest", "user", "human",
)  # fmt: skip
"""Names and order are kept; new columns go to the end. Nothing in a row depends on the clock."""


def rows(
    run: str, head: RunHead, suite: Suite, trials: Iterable[Scored], human: Mapping[str, str] = {}
) -> list[dict[str, Any]]:
    """One row per trial, in the order given.

    `domain` and `actions` (reference calls) are there where a suite's tasks have them; flags are 1, 0 or
    empty; what is unknown is empty. `user` is whom the agent could ask, `human` the last verdict of a person on the
    trial, which is given by the file of its record.
    """
    tasks = {task.id: task for task in suite.tasks}
    return [_row(run, head, tasks.get(each.trajectory.task), each, human) for each in trials]


def as_csv(found: Sequence[Mapping[str, Any]]) -> str:
    """Rows under `COLUMNS`, as `harness.report.sheets.sheet` writes them."""
    return sheet(COLUMNS, found)


def _row(run: str, head: RunHead, task: Task | None, scored: Scored, human: Mapping[str, str]) -> dict[str, Any]:
    t, score, what = scored.trajectory, primary(scored.scores), verdict(scored)
    detail = score.detail if score else {}
    facts = task.facts if task else {}
    sound = what in ("correct", "failed")
    prompt_tokens, completion_tokens = tokens(t)
    return {
        "run": run,
        "identity": head.identity,
        "suite": head.suite,
        "suite_version": head.suite_version,
        "agent": t.agent,
        "condition": t.condition,
        "task": t.task,
        "task_hash": t.task_hash,
        "template": task.template if task else "",
        "domain": facts.get("domain", "+".join(facts.get("domains", ()))),
        "actions": facts.get("actions"),
        "trial": t.trial,
        "seed": t.seed,
        "prompt": t.prompt,
        "status": t.status,
        "reason": t.reason,
        "verdict": what,
        "label": score.label if score else "",
        "correct": int(what == "correct") if sound else None,
        "side_effects": int(bool(detail["side_effects"])) if "side_effects" in detail else None,
        **{name: detail.get(name) for name in ("matched", "expected", "unexpected", "ckpt", "precision")},
        "model_turns": model_turns(t),
        "tool_calls": t.tool_calls,
        "failed_calls": sum(call.status != "ok" for call in t.calls),
        "questions": len(t.questions),
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "cost_usd": cost(t),
        "digest": t.digest,
        "user": user_of(head.config.conditions.get(t.condition)),
        "human": human.get(trial_name(t.agent, t.condition, t.task, t.trial), ""),
    }
