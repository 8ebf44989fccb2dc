"""Runs the official conformance suite against a URL, and reads what it found."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio
import yaml

from tests.conformance.node import node

__all__ = ("FIXTURE_FREE", "INAPPLICABLE", "REVISIONS", "Outcome", "baseline", "run")

HERE = Path(__file__).parent

REVISIONS = ("2025-11-25", "2026-07-28")

FIXTURE_FREE = {
    "2025-11-25": (
        "server-initialize",
        "server-session-lifecycle",
        "ping",
        "tools-list",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
    ),
    "2026-07-28": (
        "server-stateless",
        "tools-list",
        "server-sse-multiple-streams",
        "sep-2164-resource-not-found",
        "dns-rebinding-protection",
        "caching",
        "http-header-validation",
        "input-required-result-unsupported-methods",
    ),
}
"""Scenarios that say something of any server, by revision. All others call tools, resources or prompts by name."""

INAPPLICABLE = frozenset(
    (
        # They call a tool of the suite's, `test_missing_capability`.
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        # Apps have tools, one of them resources too, and say so; these ask for prompts and resources all the same.
        "sep-2549-prompts-list-caching-hints",
        "sep-2549-resources-list-caching-hints",
        "sep-2549-resources-templates-list-caching-hints",
        # Warnings about resources of servers that have none, and about sessions, as in the baseline.
        "sep-2164-error-code",
        "sep-2164-data-uri",
        "server-sse-multiple-streams-session",
    )
)
"""Checks of those scenarios that do not apply all the same."""


@dataclass(frozen=True)
class Outcome:
    """What a run of the suite said: its exit code and text, and per scenario the checks that failed or warned."""

    code: int
    text: str
    failed: Mapping[str, frozenset[str]]


async def run(url: str, revision: str, results: Path, expected: Path | None = None) -> Outcome:
    """Run every scenario of a revision; `expected` is a baseline, and `results` gets a folder each."""
    command = [*node().program("conformance"), "server", "--url", url, "--suite", "all", "--spec-version", revision]
    command += ["--output-dir", str(results)]
    command += ["--expected-failures", str(expected)] if expected else []
    with anyio.fail_after(120):
        done = await anyio.run_process(command, env=node().environment, check=False)
    return Outcome(done.returncode, (done.stdout + done.stderr).decode(), _failed(results))


def _failed(results: Path) -> dict[str, frozenset[str]]:
    failed = {}
    for folder in results.iterdir():
        scenario = re.sub(r"^server-(.*)-\d{4}-\d\d-\d\dT.*$", r"\1", folder.name)
        checks = json.loads((folder / "checks.json").read_bytes())
        failed[scenario] = frozenset(check["id"] for check in checks if check["status"] in ("FAILURE", "WARNING"))
    return failed


def baseline(revision: str, folder: Path) -> tuple[Path, dict[str, str]]:
    """What may fail at a revision: a file as the suite wants it, and the reason of each entry."""
    reasons: dict[str, str] = yaml.safe_load((HERE / "baseline.yaml").read_bytes())[revision]
    path = folder / "expected.yaml"
    path.write_text(yaml.safe_dump({"server": list(reasons)}), encoding="utf-8")
    return path, reasons
