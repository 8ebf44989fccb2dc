"""`python -m tests.hostile --calls 10000`: hostile calls through whole evaluations, of each kind of agent."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.hostile.runs import AGENTS, Outcome, played


def main() -> int:
    """Print a line for each kind of agent; status 1 where a trial is void, or a record cannot be read or replayed."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000, help="for each kind of agent")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--agent", choices=AGENTS, action="append", help="by default all, one after the other")
    options = parser.parse_args()
    well = True
    for agent in options.agent or AGENTS:
        with tempfile.TemporaryDirectory() as folder:
            outcome = played(agent, options.calls, Path(folder) / "run", options.seed)
        sys.stdout.write(f"{agent:<8} {_line(outcome)}\n")
        for problem in (*outcome.void, *outcome.unreadable, *outcome.different):
            sys.stdout.write(f"    {problem[:300]}\n")
        sys.stdout.flush()
        well = well and not (outcome.void or outcome.unreadable or outcome.different)
    return 0 if well else 1


def _line(outcome: Outcome) -> str:
    statuses = ", ".join(f"{count} {status}" for status, count in sorted(outcome.calls.items()))
    return (
        f"{outcome.made} calls ({statuses}), {outcome.made / outcome.seconds:.0f} a second; {len(outcome.void)} void, "
        f"{len(outcome.unreadable)} unreadable, {len(outcome.different)} replayed otherwise"
    )


if __name__ == "__main__":
    raise SystemExit(main())
