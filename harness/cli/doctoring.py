"""`harness doctor`: is this installation sound?"""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ("doctor",)


def doctor(json: Annotated[bool, typer.Option("--json", help="Print a JSON list of findings.")] = False) -> None:
    """Look for what keeps this installation from working, and name the remedy."""
    from harness.cli import render
    from harness.doctor import Finding, examine

    found = examine()
    if all(finding.state != "problem" for finding in found):  # else looking for suites may fail for that reason
        from harness.cli.wiring import catalog

        suites, broken = catalog()
        found.append(Finding("suites", "ok", ", ".join(sorted(suites)) or "none"))
        found += [Finding("suites", "problem", problem, "mend that folder, or remove it") for problem in broken]
    if json:
        render.as_json([finding._asdict() for finding in found])
    else:
        width = max(len(finding.name) for finding in found)
        for finding in found:
            typer.echo(f"{finding.state:<8} {finding.name:<{width}}  {finding.text}")
            if finding.remedy:
                typer.echo(f"{'':<8} {'':<{width}}  -> {finding.remedy}")
    if any(finding.state == "problem" for finding in found):
        raise typer.Exit(1)
