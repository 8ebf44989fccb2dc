"""A suite played by Inspect: its model loop in our sandbox, our user, our checks.

The solver plays a whole trial as `harness eval` does, with an agent whose replies come from Inspect's model and whose
tools are called by Inspect. What happened is a trial record (docs/records.md), kept in the sample's store.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import anyio
from inspect_ai import Task as InspectTask
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    execute_tools,
    get_model,
)
from inspect_ai.scorer import Score, Target, accuracy, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolError
from inspect_ai.util import LimitExceededError, sample_limits

from harness.agents.talking import system_message
from harness.core.config import Condition, ConfigProblem, IdleConfig, Limits, RunConfig
from harness.core.desk import Agent, Desk, LimitReached, ToolSpec
from harness.core.suite import Scored, Suite
from harness.core.trajectory import CutShort, Message, ModelCall, Trajectory, Usage
from harness.interop.inspect_options import GIVEN, Options, chosen
from harness.interop.inspect_scores import as_inspect, target
from harness.interop.inspect_tools import parameters
from harness.play.run import plan
from harness.play.stage import Job, Stage
from harness.play.trial import play
from harness.record.said import hidden
from harness.record.scores import scores
from harness.record.verdicts import deciding
from harness.report.users import user_of
from harness.serving.links import MemoryLinks
from harness.wiring import Wired, check
from harness.wiring import suite as load
from servers.kernel import Fault

__all__ = ("KEPT", "suite_task")

KEPT = "workplace"
"""Where a sample's store has the trajectory."""

_BUDGETS = Limits()

_CUT_SHORT: Mapping[str, CutShort] = {"max_tokens": "length", "content_filter": "content_filter"}


def suite_task(name: str, **given: Any) -> InspectTask:
    """A suite, by its name or the folder of one, as a task of Inspect; `given` is what `-T` sets (`Options`).

    Turns and seconds are Inspect's to limit, by default as `harness eval` does. Raises `SuiteError`, `ConfigProblem`
    for options that do not fit or a prompt that the suite does not have, and `ModelError` for a user's model.
    """
    options = chosen(Options, given)
    suite = load(name)
    prompt, ask = options.prompt, options.ask
    title = f"{prompt}+ask" if ask == "ask_user" else f"{prompt}+{ask}" if ask != "off" else prompt
    condition = Condition(prompt=prompt, ask=ask)
    if options.user is not None:
        condition = condition.model_copy(update={"user": options.user})
    config = RunConfig(
        suite=name,
        agents=(IdleConfig(kind="idle", name="inspect"),),
        conditions={title: condition},
        limits=_BUDGETS.model_copy(update={"turns": None, "seconds": None}),
        seed=options.seed,
    )
    check(config, suite)
    try:
        jobs = plan(config, suite, limit=options.limit, sample=options.sample).jobs
    except ConfigProblem as problem:
        raise ConfigProblem(f"{GIVEN}: {str(problem).removeprefix(f'conditions.{title}.')}") from None
    return InspectTask(
        dataset=MemoryDataset([_sample(suite, job) for job in jobs], name=suite.name),
        solver=_made_solver(suite, config, {job.task: job for job in jobs}),
        scorer=[_made_scorer(suite, check, check == deciding(suite.checks)) for check in suite.checks],
        turn_limit=_BUDGETS.turns,
        time_limit=int(_BUDGETS.seconds) if _BUDGETS.seconds else None,
        name=suite.name,
        version=suite.version,
        metadata={"condition": title, "user": user_of(condition), "suite_digest": suite.digest},
    )


def _sample(suite: Suite, job: Job) -> Sample:
    task = suite.task(job.task)
    asked = [session.requests.get(job.prompt, "") for session in task.sessions]
    said: list[ChatMessage] = [ChatMessageUser(content=each) for each in asked]
    return Sample(
        id=task.id,
        input=said if len(said) > 1 else asked[0] or "(what the task begins with is not in a person's words)",
        target=target(task),
        metadata={"template": task.template, "facts": dict(task.facts), "task_hash": task.hash},
    )


class _Player:
    """The agent of one trial: Inspect's model, and its way to call tools, at our desk."""

    def __init__(self, state: TaskState) -> None:
        self.state = state
        self._past: list[ChatMessage] = []
        self._said: list[ChatMessage] = []
        self._tools: list[ToolDef] = []
        self._stop: Exception | None = None
        self._cut, self._scope = "", anyio.CancelScope()
        self.error: Exception | None = None

    def cut(self, limit: str) -> None:
        """End the trial at a limit of Inspect's, wherever it is; the sandbox and what is on record stay as they are."""
        self._cut = limit
        self._scope.cancel()

    async def turn(self, desk: Desk, message: str) -> str:
        try:
            with anyio.CancelScope() as self._scope:
                if not self._cut:
                    return await self._turn(desk, message)
            raise LimitReached(self._cut)
        except LimitExceededError as error:
            self.error = error
            raise LimitReached(error.type) from None
        except (LimitReached, Fault):
            raise
        except Exception as error:
            self.error = error
            raise

    async def _turn(self, desk: Desk, message: str) -> str:
        if not desk.messages:
            system = system_message(desk, "system.j2")
            desk.say(system)
            self._past, self._said = [*self._past, *self._said], []
            self._tools = [self._offer(desk, tool) for tool in desk.tools]
            self._add(ChatMessageSystem(content=system.content))
        desk.say(Message(session=desk.session, role="user", content=message))
        self._add(ChatMessageUser(content=message, source="input"))
        model = get_model()
        while True:
            output = await model.generate(self._said, self._tools)
            self.state.output = output
            self._add(output.message)
            _keep(desk, output)
            if not output.message.tool_calls:
                return str(output.message.text)
            done = await execute_tools(self._said, self._tools)
            if self._stop:
                raise self._stop
            for each in done.messages:
                self._add(each)
                if isinstance(each, ChatMessageTool):
                    await self._answered(desk, each)

    def _add(self, message: ChatMessage) -> None:
        self._said.append(message)
        self.state.messages = [*self._past, *self._said]

    def _offer(self, desk: Desk, tool: ToolSpec) -> ToolDef:
        async def execute(**kwargs: Any) -> str:
            try:
                reply = await desk.call(tool.name, kwargs)
            except (LimitReached, Fault) as error:
                self._stop = error
                raise ToolError(str(error)) from None
            if reply.is_error:
                raise ToolError(reply.text)
            return reply.text

        # Our apps bound what they answer; cut, one of their lists would not be what our own agents read.
        return ToolDef(execute, tool.name, tool.description, parameters(tool.input_schema), max_output=0)

    async def _answered(self, desk: Desk, told: ChatMessageTool) -> None:
        """Put on record what the model was told; and a call that Inspect did not pass on, for it could not be made."""
        text = told.error.message if told.error else told.text
        if told.error and told.error.type == "parsing":
            call = next(each for each in self._calls() if each.id == told.tool_call_id)
            if call.function in {tool.name for tool in desk.tools}:
                desk.garbled(call.function, json.dumps(call.arguments, ensure_ascii=False, default=str), text)
            else:
                await desk.call(call.function, call.arguments)
        desk.say(Message(session=desk.session, role="tool", content=text, call_id=told.tool_call_id or ""))

    def _calls(self) -> Sequence[Any]:
        replies = (message for message in reversed(self._said) if message.role == "assistant")
        return next(replies).tool_calls or ()


def _keep(desk: Desk, output: ModelOutput) -> None:
    """A reply on record; the log has the request."""
    message, usage = output.message, output.usage
    calls = [
        {"id": call.id, "name": call.function, "arguments": json.dumps(call.arguments, ensure_ascii=False)}
        for call in message.tool_calls or ()
    ]
    ended: Literal["", CutShort] = "" if message.text.strip() or calls else "empty"
    ended = _CUT_SHORT.get(output.stop_reason, ended)
    desk.say(Message(session=desk.session, role="assistant", content=message.text, calls=calls, ended=ended))
    turn = sum(each.role == "assistant" for each in desk.messages)
    tokens = {"prompt_tokens": usage.input_tokens, "completion_tokens": usage.output_tokens} if usage else {}
    cost = usage.total_cost if usage else None
    desk.spend(
        ModelCall(
            session=desk.session, turn=turn, purpose="agent", request={"model": output.model}, response={},
            usage=Usage(**tokens, cost_usd=cost), duration=output.time or 0.0,
        )
    )  # fmt: skip


class _Wiring(Wired):
    """That of the command line, with the agents of the samples under way."""

    def __init__(self) -> None:
        super().__init__()
        self.players: dict[tuple[str, int], _Player] = {}

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        return self.players[job.task, job.trial]


def _made_solver(suite: Suite, config: RunConfig, jobs: Mapping[str, Job]) -> Solver:
    stages: list[Stage] = []

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if not stages:  # on the loop that the samples run on, since the engine is used from one thread
            stages.append(Stage(config, suite, _Wiring()))
        stage, first = stages[0], jobs[str(state.sample_id)]
        job = Job(
            agent=first.agent, condition=first.condition, prompt=first.prompt, task=first.task, trial=state.epoch - 1
        )
        wiring: Any = stage.wiring
        player = wiring.players[job.task, job.trial] = _Player(state)
        try:
            record = await _played(stage, job, player)
        finally:
            del wiring.players[job.task, job.trial]
        if player.error:
            raise player.error
        if record.status == "void":
            raise RuntimeError(record.reason)
        return state

    def workplace() -> Solver:
        return solve

    made: Solver = solver(name="workplace")(workplace)()
    return made


async def _played(stage: Stage, job: Job, player: _Player) -> Trajectory:
    """Play a trial and keep its record in the sample's store, also where Inspect cancels the sample meanwhile.

    It does so where a limit of time is reached, and scores what is there then. The trial therefore ends behind a
    shield, at its agent's turn, as at any other limit.
    """
    records: list[Trajectory] = []
    over = anyio.Event()

    async def shielded() -> None:
        with anyio.CancelScope(shield=True):
            record = (await play(stage, job, MemoryLinks())).trajectory
        shown = hidden(record, stage.secrets) if stage.secrets else record
        player.state.store.set(KEPT, shown.model_dump(mode="json"))
        records.append(record)
        over.set()

    async with anyio.create_task_group() as group:
        group.start_soon(shielded)
        try:
            await over.wait()
        except anyio.get_cancelled_exc_class():
            player.cut(_reached())
            raise
    return records[0]


def _reached() -> str:
    """Which limit a sample is cancelled at, in Inspect's word; `operator` where it is at none."""
    limits = sample_limits()
    known = {"time": limits.time, "working": limits.working}
    return next(
        (name for name, each in known.items() if each.limit is not None and each.usage >= each.limit), "operator"
    )


def _made_scorer(suite: Suite, check: str, decides: bool) -> Any:
    async def score(state: TaskState, target: Target) -> Score:
        kept = state.store.get(KEPT)
        if kept is None:
            raise RuntimeError(
                f"{suite.name} is scored by what its own solver has put on record: play it without --solver"
            )
        trajectory = Trajectory.model_validate(kept)
        said = scores(suite.checks, suite.task(trajectory.task), trajectory)
        return as_inspect(check, Scored(trajectory, said))

    metric = accuracy if decides else mean
    return scorer(metrics=[metric(), stderr()], name=check)(partial(_given, score))()


def _given(found: Any) -> Any:
    return found
