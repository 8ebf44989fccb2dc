"""`python -m tests.mutants`: make small mistakes in the harness, one at a time, and see which no test notices.

    python -m tests.mutants --learn              # once: which tests run which lines; takes as long as two runs of all
    python -m tests.mutants --number 60 --seed 8 # then: each mistake against the tests that run its lines
    python -m tests.mutants --again LIST         # the mistakes of a list that was written by --output
    python -m tests.mutants --again LIST --only tests/quick.txt --most 15  # what `make quick` notices of them

Works in a copy of the checkout and changes nothing in it. Ends with status 1 where more survive than `--most`.
`tests/mutants/list.json` is the list of the numbers above, with a reason for each that survives.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.covering import Covering, learn
from tests.mutants.sites import Mutant, again, applied, chosen

ROOT = Path(__file__).parents[2]
FIRST = 40.0
"""Seconds of tests to try before all that run the line are."""
LONGER = 5
"""How many times as long as they did the tests of one mistake may take; one that makes them hang is noticed by that."""


def main() -> None:
    options = _options()
    if options.learn:
        learn(ROOT, options.kept, options.folder)
        return
    covering = Covering(options.kept, options.only.read_text(encoding="utf-8").split() if options.only else ())
    reasons: dict[Mutant, str] = {}
    if options.again:
        listed = json.loads(options.again.read_text(encoding="utf-8"))
        wanted = again(ROOT, options.folder, list(map(Mutant.of, listed)))
        reasons = {mutant: each["reason"] for mutant, each in zip(wanted, listed, strict=True) if "reason" in each}
    else:
        wanted = chosen(ROOT, options.folder, options.number, options.seed)
    results = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as name, ThreadPoolExecutor(options.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(options.jobs):
            copies.put(_copied(Path(name) / str(job)))

        def tried(mutant: Mutant) -> tuple[str, str]:
            copy = copies.get()
            try:
                return _tried(copy, mutant, covering)
            finally:
                copies.put(copy)

        for number, (mutant, (verdict, by)) in enumerate(zip(wanted, pool.map(tried, wanted), strict=True), start=1):
            why = {"reason": reasons[mutant]} if verdict == "survived" and mutant in reasons else {}
            results.append({**mutant._asdict(), "verdict": verdict, **({"by": by} if by else {}), **why})
            place = f"{mutant.path}:{mutant.line} {mutant.where}"
            sys.stdout.write(f"{number:3d} {verdict:<9} {place}: {_change(mutant)}{f'  [{by}]' if by else ''}\n")
            sys.stdout.flush()
            if options.output:
                options.output.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    survived = sum(each["verdict"] == "survived" for each in results)
    print(f"{len(results)} mistakes, {len(results) - survived} noticed, {survived} survived")  # noqa: T201 - the same
    sys.exit(survived > options.most)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--learn", action="store_true", help="find out which tests run which lines")
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mistakes tried at a time")
    parser.add_argument("--most", type=int, default=6, help="how many may survive")
    parser.add_argument("--folder", default="harness")
    parser.add_argument("--again", type=Path, help="a list to go through again")
    parser.add_argument("--only", type=Path, help="a file that names test files, one a line: only they are to notice")
    parser.add_argument("--output", type=Path, help="write the list here")
    parser.add_argument("--kept", type=Path, default=ROOT / ".mutants", help="where --learn keeps what it found")
    return parser.parse_args()


def _copied(folder: Path) -> Path:
    """The checkout's files, as they are now."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)  # as some tests ask what is tracked
    return folder


def _tried(copy: Path, mutant: Mutant, covering: Covering) -> tuple[str, str]:
    """`killed` and the test that failed, `hung`, or `survived`."""
    path = copy / mutant.path
    text = path.read_text(encoding="utf-8")
    mistaken = applied(text, mutant)
    running = covering.of(mutant)
    others = [test for test in covering.naming(copy, mutant) if test not in set(running)]
    for tests in (*covering.split(running, FIRST), others):
        seconds = LONGER * covering.seconds(tests) + 60
        while tests:
            path.write_text(mistaken, encoding="utf-8")
            failed = _run(copy, tests, seconds)
            path.write_text(text, encoding="utf-8")
            if failed is None:
                return "hung", ""
            if not failed:
                break
            # One that fails without the mistake too, as on a busy machine, has not noticed it.
            if _run(copy, failed, seconds) == []:
                return "killed", failed[0]
            tests = [test for test in tests if test not in failed]
    return "survived", ""


def _run(copy: Path, tests: Sequence[str], seconds: float) -> list[str] | None:
    """The first test that fails, or the first of them where none could be run; None when time is up."""
    chosen_tests = copy / "chosen-tests.txt"
    chosen_tests.write_text("\n".join(tests), encoding="utf-8")
    arguments = ["-q", "-x", "-rfE", "--no-header", "--tb=no", "-p", "no:cacheprovider", f"@{chosen_tests}"]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            cwd=copy, env=environment, capture_output=True, text=True, errors="replace", check=False, timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    if ended.returncode == 0:
        return []
    named = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", ended.stdout, re.MULTILINE)
    return [test for test in tests if test in named] or list(tests[:1])


def _change(mutant: Mutant) -> str:
    return " -> ".join(" ".join(text.split())[:60] for text in (mutant.old, mutant.new))


if __name__ == "__main__":
    main()
