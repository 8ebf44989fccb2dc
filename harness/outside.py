"""Trials that no run plays: somebody else's agent worked in a sandbox, and is to be scored as any other."""

from __future__ import annotations

from importlib.metadata import version

from harness.defaults import defaults_of
from harness.sandbox import Sandbox
from harness.stage import trial_seed
from harness.suite import Suite
from harness.task import Task
from harness.trajectory import SessionRecord, Trajectory

__all__ = ("trajectory_of",)


def trajectory_of(sandbox: Sandbox, suite: Suite, task: Task, *, prompt: str, agent: str, condition: str) -> Trajectory:
    """What has happened so far in a sandbox of a task of one session; void once something of ours broke there."""
    layer, calls = sandbox.layer, list(sandbox.calls)
    changes, digest = layer.changes(), layer.digest()
    broken = next((call for call in calls if call.status in ("defect", "fault")), None)
    request = task.sessions[0].requests[prompt]
    return Trajectory(
        suite=suite.name,
        task=task.id,
        task_hash=task.hash,
        agent=agent,
        condition=condition,
        trial=0,
        seed=trial_seed(0, task.id, condition, 0),
        prompt=prompt,
        status="void" if broken else "finished",
        reason=broken.text if broken else "",
        sessions=[SessionRecord(request=request, now=layer.now.isoformat(), changes=changes, digest=digest)],
        calls=calls,
        start=layer.start.changes() if layer.start else [],
        changes=changes,
        defaults=defaults_of(changes, sandbox.toolsets),
        digest=digest,
        world=layer.base.world.digest,
        transport="http",
        package=version("workplace-harness"),
    )
