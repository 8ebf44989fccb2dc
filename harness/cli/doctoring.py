"""`harness doctor`: is this installation sound? And `harness doctor APP`: does an app keep its promises?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.saying import say
from harness.cli.typed import typed

if TYPE_CHECKING:
    from harness.contracts import Contract
    from harness.core.suite import SuiteEntry
    from harness.doctor import Finding
    from servers.kernel import App, World

__all__ = ("doctor",)

_ROWS = 5
"""Rows per table that an app is tried on: a few of each, since calls are many."""

_SHOWN = 400
"""Characters of the calls that broke a promise."""


def doctor(
    app: Annotated[
        str | None, typer.Argument(metavar="[APP]", help="Run the contract tests over this app instead.")
    ] = None,
    world: Annotated[
        str | None, typer.Option(metavar="W", help="With APP: the world to try it on, a suite's or a folder.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of findings.")] = False,
) -> None:
    """Find what keeps this installation, or one app, from working. Says how to fix it."""
    if app is None and world is not None:
        raise typer.BadParameter("--world goes with an app: harness doctor APP --world W")
    _show(_installation() if app is None else _contracts(app, world), json)


def _installation() -> list[Finding]:
    from harness.doctor import Finding, examine

    found = examine()
    if all(finding.state != "problem" for finding in found):  # else looking for suites may fail for that reason
        from harness.wiring import catalog

        found += _apps()
        on_offer = catalog()
        sound, amiss = _suites(on_offer.suites)
        found.append(Finding("suites", "ok", ", ".join(sound) or "none"))
        remedy = "mend that folder, or remove it"
        found += [Finding("suites", "problem", problem, remedy) for problem in on_offer.broken]
        found += amiss
    return found


def _apps() -> list[Finding]:
    """Every app imported."""
    from harness.doctor import Finding
    from servers import catalog

    sound: list[str] = []
    broken = [Finding("apps", "problem", clash, "rename one of them") for clash in catalog.clashes()]
    for name in catalog.names():
        try:
            sound.append(catalog.app(name).name)
        except catalog.BrokenApp as error:
            if str(error) not in catalog.clashes():
                broken.append(Finding("apps", "problem", str(error), "mend that app, or uninstall it"))
    return [Finding("apps", "ok", ", ".join(sound) or "none"), *broken]


def _suites(on_offer: Mapping[str, SuiteEntry]) -> tuple[list[str], list[Finding]]:
    """Every suite loaded: names of those that are sound, and what is wrong with others.

    What a suite brings a command to import or build is missing until that was done.
    """
    from harness.core.suite import SuiteError
    from harness.doctor import Finding
    from harness.wiring import suite

    sound: list[str] = []
    amiss: list[Finding] = []
    for name, entry in sorted(on_offer.items()):
        try:
            suite(name)
            sound.append(name)
        except SuiteError as error:
            made = error.__cause__ is None and not {"import", "build"}.isdisjoint(entry.commands)
            remedy = "only that suite needs it" if made else "mend that suite, or uninstall it"
            amiss.append(Finding("suites", "missing" if made else "problem", str(error), remedy))
    return sound, amiss


def _contracts(name: str, world: str | None) -> list[Finding]:
    """One finding per promise that all apps make and this one keeps, and per cause for which others are broken."""
    from importlib.util import find_spec
    from tempfile import gettempdir

    from harness.cli.problems import CallProblem
    from harness.core.distribution import DISTRIBUTION
    from harness.doctor import Finding
    from harness.wiring import catalog as on_offer
    from servers import catalog

    try:
        app = catalog.app(name)
    except catalog.UnknownApp:
        if name in on_offer().suites or Path(name, "suite.json").is_file():
            raise CallProblem(
                f"{name} is a suite, and doctor tests an app: `{typed('audit', name)}` tests it"
            ) from None
        raise
    if find_spec("hypothesis") is None:
        raise CallProblem(f"the contract tests draw their calls with hypothesis: pip install '{DISTRIBUTION}[testing]'")
    from hypothesis.configuration import set_hypothesis_home_dir

    from harness.contracts import contracts, idle

    try:
        rows = _world(app, world)
    except TypeError as error:
        raise CallProblem(f"{error}, and name a world that has them: --world W") from None
    for table in app.tables:
        try:
            for row in rows.rows[name][table.table_name]:
                table.from_json(row)
        except ValueError as error:
            raise CallProblem(
                f"the rows of {name}.{table.table_name} to try it on do not fit: {error}\n"
                "Name a world whose rows do: --world W"
            ) from None
    set_hypothesis_home_dir(Path(gettempdir()) / "hypothesis")  # else it leaves a folder where the command was called
    kept: dict[str, int] = {}
    broken: dict[Hashable, list[tuple[Contract, Exception]]] = {}
    for contract in contracts(app, rows):
        try:
            contract.check()
        except Exception as error:  # noqa: BLE001 (whatever escapes a tool breaks its contract)
            for each in error.exceptions if isinstance(error, ExceptionGroup) else (error,):
                broken.setdefault(_cause(contract.subject, each), []).append((contract, each))
        else:
            kept[contract.promise] = kept.get(contract.promise, 0) + 1
    return [
        *(Finding(promise, "ok", f"checked {number}x") for promise, number in kept.items()),
        *map(_finding, broken.values()),
        *(_idle(f"{name}.{tool}") for tool in idle(app, rows)),
    ]


def _idle(tool: str) -> Finding:
    from harness.doctor import Finding

    return Finding(
        "a tool that writes changes rows",
        "note",
        f"{tool} is declared with `writes`, and none of the calls generated for it writes a row",
        "call `state.add`, `save` or `delete`, or declare it with `reads`; leave it if it rightly changes nothing here",
    )


def _cause(subject: str, error: Exception) -> Hashable:
    """What promises have in common that are broken for one cause: where a tool raised, else what is said of whom."""
    from servers.kernel import Defect

    if isinstance(error, Defect) and error.__cause__:
        *_, (frame, line) = walk_tb(error.__cause__.__traceback__)
        return error.app, error.tool, type(error.__cause__), frame.f_code, line
    return subject, type(error), str(error)


def _finding(broken: list[tuple[Contract, Exception]]) -> Finding:
    from harness.contracts.ground import ContractBroken
    from harness.doctor import Finding
    from servers.kernel import Defect

    contract, error = broken[0]
    if isinstance(error, Defect):
        text = str(error)  # names the tool
    else:
        named = "" if isinstance(error, ContractBroken) else f"{type(error).__name__}: "
        text = f"{contract.subject}: {named}{error}"
    others = len({other.promise for other, _ in broken} - {contract.promise})
    if others:
        text += f" (breaks {others} other promise{'s' if others > 1 else ''} too)"
    calls = " ".join(" ".join(getattr(error, "__notes__", ())).split())
    return Finding(contract.promise, "problem", text, calls[:_SHOWN])


def _world(app: App, name: str | None) -> World:
    """Some rows for every table of the app: from a world where that has any, else made from types."""
    from harness.contracts.world import world_of
    from harness.wiring import FORMER, world_named
    from servers import catalog
    from servers.kernel import World

    if name is None and app.name not in catalog.folders():
        return world_of([app])
    there = world_named(name or FORMER)
    few = {table: list(rows[:_ROWS]) for table, rows in there.rows.get(app.name, {}).items()}
    return World(there.name, there.now, world_of([app], {app.name: few}).rows)


def _show(found: list[Finding], json: bool) -> None:
    from harness.cli import render

    if json:
        render.as_json([finding._asdict() for finding in found])
    else:
        width = max(len(finding.name) for finding in found)
        for finding in found:
            say(f"{finding.state:<8} {finding.name:<{width}}  {finding.text}")
            if finding.remedy:
                say(f"{'':<8} {'':<{width}}  -> {finding.remedy}")
    if any(finding.state == "problem" for finding in found):
        raise typer.Exit(1)
