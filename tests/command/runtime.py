"""A container runtime that fences nothing: what tests put on the PATH as `docker` to see what it is told.

It notes each command line in `told.jsonl` beside itself, starts the program of `run` as no child of its own, as a
daemon would, and knows its containers by a file each. A file `broken` beside it makes it a runtime without its daemon.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(sys.argv[0]).parent

# Leaves the id of its session, runs the program in it, and tells the status to whoever waits.
ORPHAN = """setsid sh -c 'echo $$ > "$0"; "$@"; echo $? > "$0".status' "$@" &"""


def main(verb: str, told: list[str]) -> int | str:
    with (HERE / "told.jsonl").open("a") as file:
        file.write(json.dumps([verb, *told]) + "\n")
    if verb == "image":
        return "Error: no such image" if told[-1] == "missing" else 0
    if verb == "ps":
        sys.stdout.write("".join(f"{path.name}\n" for path in HERE.glob("harness-agent-*") if not path.suffix))
        return 0
    if verb == "rm":
        if (HERE / told[-1]).exists():
            os.killpg(int((HERE / told[-1]).read_text()), signal.SIGKILL)
        return 0
    if (HERE / "broken").exists():
        sys.stderr.write("Error: no daemon is running\n")
        return 125
    at = told.index("--entrypoint")
    program, _image, *arguments = told[at + 1 :]
    return 127 if program == "/no-such-program" else run(told, [program, *arguments])


def run(told: list[str], command: list[str]) -> int:
    variables = dict(told[n + 1].partition("=")[::2] for n, part in enumerate(told) if part == "--env")
    variables = {name: value or os.environ[name] for name, value in variables.items()}
    container = HERE / told[told.index("--name") + 1]
    status = Path(f"{container}.status")
    os.mkfifo(status)
    subprocess.run(
        ["sh", "-c", ORPHAN, "sh", str(container), *command],
        cwd=told[told.index("--workdir") + 1],
        env={**variables, "PATH": os.environ["PATH"], "HOME": "/"},
        check=True,
    )
    ended = int(status.read_text())
    container.unlink()
    return ended


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
