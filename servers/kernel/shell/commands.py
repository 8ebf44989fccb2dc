"""Commands of ours in place of bashkit's: those that tell the machine's time, draw, or list in an order of chance.

And those that it does wrong: its `mkdir` takes the mode behind `-m` for one more directory; for those that are imported
here see their files.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from itertools import count

from servers.kernel.shell.calls import Asked, Done, Wrong, options, place
from servers.kernel.shell.clock import Unread, formatted, understood
from servers.kernel.shell.comparing import diff
from servers.kernel.shell.listing import ls, written_at
from servers.kernel.shell.moving import cp, mv
from servers.kernel.shell.removing import rm
from servers.kernel.shell.telling import realpath, stat

__all__ = ("ABSENT", "commands")

_FOR_ARCHIVES = "copy directories with cp -r, compress single files with gzip"
ABSENT = {
    **dict.fromkeys(("zip", "unzip", "tar"), _FOR_ARCHIVES),
    "rsync": "there is no network; copy directories with cp -r",
    "bc": "count with awk, as in awk 'BEGIN { print 1.10 + 2.20 }'",
}
"""What is not there -> what to use. Archives hold times of this machine, and files in an order of chance; bashkit's
`bc` counts without digits behind the point (1.10 + 2.20 is 3)."""

_NETWORK = ("curl", "http", "scp", "sftp", "ssh", "wget")

Command = Callable[[Asked], Done]
_DRAWN = 100_000
_ZONES = ("", "UTC", "UTC0", "ETC/UTC", "GMT", "Z")


def commands(moment: datetime) -> Mapping[str, Command]:
    """The commands of one call, by name. Their draws are keyed by what is drawn from, and how many came before."""
    number = count(1)
    ours: dict[str, Callable[[Asked], str | Done]] = {
        "date": lambda asked: _date(asked, moment),
        "sleep": _sleep,
        "shuf": _shuf,
        "mktemp": lambda asked: _mktemp(asked, next(number)),
        "uuidgen": lambda asked: _uuid(moment, next(number)),
        "openssl": lambda asked: _openssl(asked, moment, next(number)),
        "uptime": lambda asked: f" {moment:%H:%M:%S} up 0 min,  1 user,  load average: 0.00, 0.00, 0.00\n",
        "diff": lambda asked: diff(asked, moment),
        "du": _du,
        "mkdir": _mkdir,
        "cp": cp,
        "ls": lambda asked: ls(asked, moment),
        "mv": mv,
        "realpath": realpath,
        "rm": rm,
        "stat": lambda asked: stat(asked, moment),
        **{name: partial(_absent, instead) for name, instead in ABSENT.items()},
        **dict.fromkeys(_NETWORK, _unconnected),
    }
    return {name: _guarded(name, command) for name, command in ours.items()}


def _guarded(name: str, command: Callable[[Asked], str | Done]) -> Command:
    def run(asked: Asked) -> Done:
        try:
            done = command(asked)
            return Done(done) if isinstance(done, str) else done
        except (Wrong, Unread) as error:
            return Done("", f"{name}: {error}\n", 1)

    return run


def _absent(instead: str, asked: Asked) -> str:
    raise Wrong(f"not available here; {instead}")


def _unconnected(asked: Asked) -> str:
    raise Wrong("there is no network here")


_ISO = {
    "date": "%Y-%m-%d", "hours": "%Y-%m-%dT%H+00:00", "minutes": "%Y-%m-%dT%H:%M+00:00",
    "seconds": "%Y-%m-%dT%H:%M:%S+00:00", "ns": "%Y-%m-%dT%H:%M:%S,%N+00:00",
}  # fmt: skip
_RFC_3339 = {"date": "%Y-%m-%d", "seconds": "%Y-%m-%d %H:%M:%S+00:00", "ns": "%Y-%m-%d %H:%M:%S.%N+00:00"}


def _date(asked: Asked, moment: datetime) -> str:
    shape, told, at = "%a %b %e %H:%M:%S UTC %Y", "", moment
    if (zone := asked.env.get("TZ", "UTC")).upper() not in _ZONES:
        raise Wrong(f"TZ={zone} is not followed here: there is one clock, which is called UTC; add hours with date -d")
    for option, value in options(asked, "uR", "dr", "I"):
        if option == "":
            if not value.startswith("+"):
                raise Wrong("the clock cannot be set here")
            shape = value[1:]
        elif option in ("d", "date"):
            told = value
        elif option in ("r", "reference"):
            try:
                at = written_at(float(asked.fs.stat(place(asked, value))["modified"]), moment)
            except RuntimeError:
                raise Wrong(f"{value}: No such file or directory") from None
        elif option in ("R", "rfc-email", "rfc-822", "rfc-2822"):
            shape = "%a, %d %b %Y %H:%M:%S +0000"
        elif option == "rfc-3339":
            shape = _shape(_RFC_3339, value, option)
        elif option in ("I", "iso-8601"):
            shape = _shape(_ISO, value or "date", "iso-8601")
        elif option not in ("u", "utc", "universal"):
            raise Wrong(f"unrecognized option '--{option}'")
    return formatted(understood(told, at), shape) + "\n"


def _shape(shapes: Mapping[str, str], asked: str, option: str) -> str:
    """The one whose name begins like that, as in -Is."""
    found = [shape for name, shape in shapes.items() if name.startswith(asked)]
    if len(found) != 1:
        raise Wrong(f"invalid argument '{asked}' for '--{option}'; give {', '.join(shapes)}")
    return found[0]


def _sleep(asked: Asked) -> str:
    for word in asked.argv:
        if not re.fullmatch(r"\d+(\.\d*)?[smhd]?", word):
            raise Wrong(f"invalid time interval '{word}'")
    if not asked.argv:
        raise Wrong("missing operand")
    return ""  # no time passes inside a call


def _shuf(asked: Asked) -> str:
    most, lines, words, echoed = _DRAWN, None, list[str](), False
    for option, value in options(asked, "e", "in"):
        if option in ("n", "head-count"):
            if not value.isdigit():
                raise Wrong(f"invalid line count: '{value}'")
            most = int(value)
        elif option in ("i", "input-range"):
            low, _, high = value.partition("-")
            if (
                not (low.isdigit() and high.isdigit())
                or not int(low) <= int(high) + 1
                or int(high) - int(low) >= _DRAWN
            ):
                raise Wrong(f"invalid input range: '{value}'")
            lines = [str(each) for each in range(int(low), int(high) + 1)]
        elif option in ("e", "echo"):
            echoed = True
        elif option == "":
            words.append(value)
        else:
            raise Wrong(f"unrecognized option '--{option}'")
    if lines is None:
        lines = words if echoed else _read(asked, words).splitlines()
    drawn = sorted(enumerate(lines), key=lambda each: hashlib.sha256(f"{each[0]}\0{each[1]}".encode()).digest())
    return "".join(f"{line}\n" for _, line in drawn[:most])


def _read(asked: Asked, words: list[str]) -> str:
    if words in ([], ["-"]):
        return asked.stdin or ""
    if len(words) > 1:
        raise Wrong(f"extra operand '{words[1]}'")
    try:
        return asked.fs.read_file(place(asked, words[0])).decode("utf-8", "replace")
    except RuntimeError:
        raise Wrong(f"{words[0]}: No such file or directory") from None


def _mktemp(asked: Asked, number: int) -> str:
    folder, template, directory, dry = "/tmp", "tmp.XXXXXXXXXX", False, False
    for option, value in options(asked, "dqtu", "p"):
        directory |= option in ("d", "directory")
        dry |= option in ("u", "dry-run")
        if option in ("p", "tmpdir"):
            folder = value or folder
        elif option == "":
            template = value
            folder = "" if folder == "/tmp" else folder
    marks = re.search(r"X{3,}(?!.*X{3})", template)
    if marks is None:
        raise Wrong(f"too few X's in template '{template}'")
    shown = template[: marks.start()] + str(number).zfill(len(marks[0])) + template[marks.end() :]
    path = f"{folder}/{shown}" if folder else shown
    at = place(asked, path)
    if asked.fs.exists(at):
        raise Wrong(f"cannot create '{path}': File exists")
    if not dry:
        try:
            if directory:
                asked.fs.mkdir(at)
            else:
                asked.fs.write_file(at, b"")
            asked.fs.chmod(at, 0o700 if directory else 0o600)
        except RuntimeError:
            raise Wrong(f"failed to create '{path}': No such file or directory") from None
    return f"{path}\n"


def _uuid(moment: datetime, number: int) -> str:
    told = hashlib.sha256(f"{moment.isoformat()}\0{number}".encode()).hexdigest()
    return f"{told[:8]}-{told[8:12]}-4{told[13:16]}-a{told[17:20]}-{told[20:32]}\n"


def _openssl(asked: Asked, moment: datetime, number: int) -> str:
    """`openssl rand`, all of openssl that bashkit has."""
    if asked.argv[:1] != ["rand"]:
        raise Wrong("only rand is available here; sha256sum and md5sum make digests, base64 encodes")
    shape, size = "", ""
    for word in asked.argv[1:]:
        if word in ("-hex", "-base64"):
            shape = word
        elif word.isdigit() and not size and int(word) <= _DRAWN:
            size = word
        else:
            raise Wrong(f"rand: '{word}' is not understood; write rand -hex 16 or rand -base64 16")
    if not shape or not size:
        raise Wrong("rand: bytes are printed as text alone; write rand -hex 16 or rand -base64 16")
    drawn = hashlib.shake_256(f"{moment.isoformat()}\0{number}".encode()).digest(int(size))
    if shape == "-hex":
        return f"{drawn.hex()}\n"
    text = base64.b64encode(drawn).decode()
    return "".join(f"{text[at : at + 64]}\n" for at in range(0, len(text), 64))


def _mkdir(asked: Asked) -> Done:
    mode, parents, loud, words, made, wrong = 0o755, False, False, list[str](), list[str](), list[str]()
    for option, value in options(asked, "pv", "m"):
        parents |= option in ("p", "parents")
        loud |= option in ("v", "verbose")
        if option in ("m", "mode"):
            if not re.fullmatch(r"[0-7]{3,4}", value):
                raise Wrong(f"invalid mode '{value}'; give it in octal, such as 750")
            mode = int(value, 8)
        elif option == "":
            words.append(value)
        elif option not in ("p", "parents", "v", "verbose"):
            raise Wrong(f"unrecognized option '--{option}'")
    if not words:
        raise Wrong("missing operand")
    for word in words:
        at = place(asked, word)
        if asked.fs.exists(at):
            if not (parents and asked.fs.stat(at)["file_type"] == "directory"):
                wrong.append(f"mkdir: cannot create directory '{word}': File exists\n")
            continue
        names = word.rstrip("/").split("/")
        ways = ["/".join(names[: n + 1]) for n in range(len(names))] if parents else [word]
        new = [way for way in ways if not asked.fs.exists(place(asked, way))]
        try:
            asked.fs.mkdir(at, parents)
            asked.fs.chmod(at, mode)
            made += [f"mkdir: created directory '{way}'\n" for way in new]
        except RuntimeError as error:
            why = str(error).removeprefix("io error: ")
            missing = not asked.fs.exists(at.rpartition("/")[0] or "/")
            why = "No such file or directory" if missing else why
            wrong.append(f"mkdir: cannot create directory '{word}': {why}\n")
    return Done("".join(made) if loud else "", "".join(wrong), int(bool(wrong)))


def _du(asked: Asked) -> str:
    """Sizes in blocks of 1,024 bytes, of files alone, in the order of their names."""
    seen: set[str] = set()
    deepest, words = 10_000, list[str]()
    for option, value in options(asked, "sahbckm", "d"):
        seen.add(option)
        if option in ("d", "max-depth"):
            if not value.isdigit():
                raise Wrong(f"invalid maximum depth '{value}'")
            deepest = int(value)
        elif option == "":
            words.append(value)
        elif len(option) > 1 and option not in ("summarize", "all", "human-readable", "bytes", "total"):
            raise Wrong(f"unrecognized option '--{option}'")
    if seen & {"s", "summarize"}:
        deepest = 0
    lines: list[tuple[int, str]] = []
    total = 0

    def measured(path: str, depth: int) -> int:
        about = asked.fs.stat(place(asked, path))
        size = int(about["size"])
        if about["file_type"] == "directory":
            entries = sorted(asked.fs.read_dir(place(asked, path)), key=lambda entry: str(entry["name"]))
            size = sum(
                measured(f"{path.rstrip('/')}/{entry['name']}", depth + 1)
                if entry["metadata"]["file_type"] in ("file", "directory")
                else 0
                for entry in entries
            )
            if depth <= deepest:
                lines.append((size, path))
        elif depth == 0 or (seen & {"a", "all"} and depth <= deepest):
            lines.append((size, path))
        return size

    for word in words or ["."]:
        try:
            total += measured(word, 0)
        except RuntimeError:
            raise Wrong(f"cannot access '{word}': No such file or directory") from None
    if seen & {"c", "total"}:
        lines.append((total, "total"))
    return "".join(f"{_sized(size, seen)}\t{path}\n" for size, path in lines)


def _sized(size: int, seen: set[str]) -> str:
    if seen & {"b", "bytes"}:
        return str(size)
    blocks = -(-size // 1024)
    if "m" in seen:
        return str(-(-size // 1024**2))
    if not seen & {"h", "human-readable"}:
        return str(blocks)
    return f"{blocks}K" if blocks < 1024 else f"{size / 1024**2:.1f}M"
