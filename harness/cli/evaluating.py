"""`harness eval`: play a config, or go on with it, and show the tables."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.options import Full, Json, Processes, Record, Replay
from harness.cli.problems import CallProblem
from harness.cli.saying import say
from harness.cli.stopping import resumable
from harness.cli.typed import typed
from harness.core.counts import counted

if TYPE_CHECKING:
    from harness.core.config import RunConfig
    from harness.play.run import Plan
    from harness.record.store import TrialRecord

__all__ = ("evaluate", "stop_if_unsound")


def evaluate(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="The experiment, as a YAML file.")],
    agent: Annotated[str | None, typer.Option(help="Play only this agent of the config, or one of this kind.")] = None,
    model: Annotated[str | None, typer.Option(help="Play this model instead, named as LiteLLM does.")] = None,
    api_base: Annotated[str | None, typer.Option(metavar="URL", help="Where that model is served.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first N tasks; these are often alike, so prefer --sample.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Only N tasks: a sample over all templates, drawn by the seed.")
    ] = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Trials per task; raising it extends a run.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the run.")] = None,
    scale: Annotated[
        int | None, typer.Option(min=1, help="Worlds with N times the rows, for suites that scale.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Trials in flight per process.")] = 8,
    workers: Processes = 1,
    max_cost: Annotated[
        float | None, typer.Option(min=0, help="Start no more trials once this many US dollars are spent.")
    ] = None,
    allow_unpriced: Annotated[
        bool, typer.Option("--allow-unpriced", help="With --max-cost: play models without a known price.")
    ] = False,
    rpm: Annotated[int | None, typer.Option(min=1, help="At most this many requests a minute to each model.")] = None,
    tpm: Annotated[int | None, typer.Option(min=1, help="At most this many tokens a minute for each model.")] = None,
    transport: Annotated[str | None, typer.Option(help="memory, http or stdio.")] = None,
    record: Record = None,
    replay: Replay = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be played, and play nothing.")] = False,
    output: Annotated[Path | None, typer.Option(help="Run folder; by default runs/CONFIG-IDENTITY.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Remove what an earlier run left in that folder.")] = False,
    full: Full = False,
    json: Json = False,
) -> None:
    """Play a config's agents on its suite. The same command resumes a run that was stopped."""
    from harness.cli import render
    from harness.cli.progress import Display
    from harness.core.config_file import load
    from harness.core.config_places import placed
    from harness.core.overrides import Overrides
    from harness.core.suite import SuiteError
    from harness.play.run import evaluate as play
    from harness.play.run import plan, there
    from harness.record.files import RunError
    from harness.record.store import OtherRun
    from harness.report import digest
    from harness.report.cut_short import cut_replies
    from harness.report.reading import Read
    from harness.wiring import check, wiring

    if record and replay:
        raise CallProblem("--record and --replay cannot be used together")
    if limit and sample:
        raise CallProblem("--limit takes the first tasks, --sample some of each template: give only one of them")
    changes = Overrides(
        agent=agent, model=model, api_base=api_base, trials=trials, seed=seed, scale=scale, transport=transport
    )
    chosen = load(config, changes)
    rates = {name: _share(name, rate, chosen, workers) for name, rate in (("rpm", rpm), ("tpm", tpm))}
    options: dict[str, Any] = {"record": str(record or ""), "replay": str(replay or ""), **rates}
    wired = wiring(**options)
    with placed(config, changes):
        suite = wired.suite(chosen.suite, chosen.scale)
        check(chosen, suite, replaying=replay is not None)
        planned = plan(chosen, suite, limit=limit, sample=sample)
    folder = output or Path("runs") / f"{chosen.name}-{planned.head.identity}"
    if dry_run:
        untold = suite.untold(chosen) if suite.untold else ()
        _announce(planned, folder, 0 if fresh else there(planned, folder), untold, as_json=json)
        return
    before = 0 if fresh else _trials_on_disk(folder)
    try:
        with resumable(folder), Display(calibrating=chosen.calibrates()) as display:
            run = play(
                chosen, suite, wired, folder,
                limit=limit, sample=sample, concurrency=concurrency, workers=workers,
                max_cost=max_cost, allow_unpriced=allow_unpriced,
                wiring_factory="harness.wiring:wiring", wiring_options=options, listener=display,
                clear=_clear if fresh else None,
            )  # fmt: skip
    except OtherRun as error:
        raise RunError(f"{error}, or --fresh to start over") from None
    read = Read.of(run, suite)
    told = f"{folder}: {_played(len(read.records), before)}; digest of all states {digest(read.trials)[:12]}"
    try:
        render.show(read, told, full=full, in_json=json)
    except SuiteError as error:
        remedy = f"What was played is kept: mend that, and `{typed('report', folder)}` shows it"
        raise SuiteError(f"{error}. {remedy}") from error
    for line in cut_replies(chosen, (record.trajectory for record in read.records)):
        say(line, err=True)
    if display.left:
        remedy = "; the same command goes on" if display.stopped else ", at --max-cost; a higher one goes on"
        say(f"{counted(display.left, 'trial')} not started{remedy}", err=True)
    if display.stopped:
        say(f"stopped after {display.stopped}; fix that, and the same command resumes {folder}", err=True)
        raise typer.Exit(1)
    stop_if_unsound(folder, read.records)


def _share(option: str, rate: int | None, config: RunConfig, workers: int) -> int | None:
    """What each process may have of a rate. Raises `CallProblem` where it is none or no model plays."""
    from harness.core.config import LlmConfig
    from harness.core.credentials import played_by

    if rate is None:
        return None
    if rate < workers:
        raise CallProblem(f"--{option} {rate} is divided among {workers} workers: lower --workers to at most {rate}")
    if not any(isinstance(each, LlmConfig) for each in played_by(config)):
        raise CallProblem(f"--{option}: says how fast a model is asked, but no model plays; name one with --model")
    return rate // workers


def stop_if_unsound(folder: Path, records: Sequence[TrialRecord]) -> None:
    """End with status 1 when checks broke or trials are void, naming the most frequent reason."""
    from harness.record.scores import breaks

    if broken := breaks(records):
        say("\n".join(broken), err=True)
        say(f"They are played and kept: mend the check, and `{typed('score', folder)}` scores them.", err=True)
    reasons = Counter(record.trajectory.reason for record in records if record.trajectory.status == "void")
    if reasons:
        reason, times = reasons.most_common(1)[0]
        total = reasons.total()
        void = "1 trial is void" if total == 1 else f"{total:,} trials are void, {times:,} of them"
        say(f"{void} because: {reason:.300}", err=True)
        say("Void trials are played again by the same command.", err=True)
    if broken or reasons:
        raise typer.Exit(1)


def _announce(planned: Plan, folder: Path, there: int, untold: Sequence[str], *, as_json: bool) -> None:
    from harness.cli import render

    cells = Counter((job.agent.name, job.condition) for job in planned.jobs)
    rows = [{"agent": agent, "condition": condition, "trials": n} for (agent, condition), n in cells.items()]
    if as_json:
        head = planned.head
        found = {"run": str(folder), "identity": head.identity, "suite": head.suite, "there": there}
        render.as_json({**found, "conditions": rows, "untold": list(untold)})
        return
    for (agent, condition), n in cells.items():
        say(f"{agent}, {condition}: {counted(n, 'trial')}")
    for line in untold:
        say(line)
    more = f"; {there:,} more {'is' if there == 1 else 'are'} there already" if there else ""
    say(f"{counted(len(planned.jobs) - there, 'trial')} of {planned.head.suite} would be played into {folder}{more}")


def _trials_on_disk(folder: Path) -> int:
    return sum(1 for _ in (folder / "trials").glob("*.json"))


def _played(now: int, before: int) -> str:
    trials = counted(now, "trial")
    if now == before:
        return f"{trials}, played earlier and shown again (--fresh starts over)"
    return f"{trials}, {before:,} of them played earlier" if before else trials


def _clear(folder: Path) -> None:
    """Remove a run that this process holds. Raises `RunError`, and removes nothing, where somebody judges it."""
    from harness.record.canary import FILE
    from harness.record.files import folder_for
    from harness.record.holding import alone
    from harness.record.judgements import FOLDER as JUDGEMENTS
    from harness.record.rows import NAME as INDEX
    from harness.report import page as pages
    from harness.view.annotations import FOLDER as ANNOTATIONS

    folder_for(folder / "trials")  # where there can be none, the next run would be refused
    judgements = folder / JUDGEMENTS
    with alone(judgements) if judgements.exists() else nullcontext():
        shutil.rmtree(folder / "trials", ignore_errors=True)
        shutil.rmtree(judgements, ignore_errors=True)
        shutil.rmtree(folder / ANNOTATIONS, ignore_errors=True)
        for made in (pages.NAME, INDEX):
            (folder / made).unlink(missing_ok=True)
        (folder / "run.json").unlink()
        (folder / FILE).unlink(missing_ok=True)
