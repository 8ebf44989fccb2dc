"""Commands of ours in place of bashkit's: those that tell the machine's time, draw, or list in an order of chance.

And `mkdir`, since bashkit's takes the mode behind `-m` for one more directory to make.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import count

from bashkit import BuiltinContext, BuiltinResult

from servers.kernel.shell.clock import Unread, formatted, understood

__all__ = ("ABSENT", "commands")

ABSENT = ("zip", "unzip", "tar")
"""Their archives hold times of this machine, and files in an order of chance."""

_NETWORK = ("curl", "http", "scp", "sftp", "ssh", "wget")

Command = Callable[[BuiltinContext], BuiltinResult]
_DRAWN = 100_000


class _Wrong(Exception):
    """What a command says to arguments that it does not take."""


def commands(moment: datetime) -> Mapping[str, Command]:
    """The commands of one call, by name. Their draws are keyed by what is drawn from, and how many came before."""
    number = count(1)
    ours: dict[str, Callable[[BuiltinContext], str]] = {
        "date": lambda asked: _date(asked, moment),
        "sleep": _sleep,
        "shuf": _shuf,
        "mktemp": lambda asked: _mktemp(asked, next(number)),
        "uuidgen": lambda asked: _uuid(moment, next(number)),
        "openssl": lambda asked: _openssl(asked, moment, next(number)),
        "uptime": lambda asked: f" {moment:%H:%M:%S} up 0 min,  1 user,  load average: 0.00, 0.00, 0.00\n",
        "du": _du,
        "mkdir": _mkdir,
        **dict.fromkeys(ABSENT, _absent),
        **dict.fromkeys(_NETWORK, _unconnected),
    }
    return {name: _guarded(name, command) for name, command in ours.items()}


def _guarded(name: str, command: Callable[[BuiltinContext], str]) -> Command:
    def run(asked: BuiltinContext) -> BuiltinResult:
        try:
            return BuiltinResult(command(asked))
        except (_Wrong, Unread) as error:
            return BuiltinResult("", f"{name}: {error}\n", 1)

    return run


def _absent(asked: BuiltinContext) -> str:
    raise _Wrong("not available here; copy directories with cp -r, compress single files with gzip")


def _unconnected(asked: BuiltinContext) -> str:
    raise _Wrong("there is no network here")


def _options(asked: BuiltinContext, flags: str, valued: str) -> Iterator[tuple[str, str]]:
    """Options as getopt reads them: (letter or long name, value); ("", argument) for an argument. Raises `_Wrong`."""
    given = list(asked.argv)
    plain = False
    while given:
        word = given.pop(0)
        if plain or word == "-" or not word.startswith("-"):
            yield "", word
        elif word == "--":
            plain = True
        elif word.startswith("--"):
            name, _, value = word[2:].partition("=")
            yield name, value
        else:
            rest = word[1:]
            while rest:
                letter, rest = rest[0], rest[1:]
                if letter in valued:
                    if not rest and not given:
                        raise _Wrong(f"option requires an argument -- '{letter}'")
                    yield letter, rest or given.pop(0)
                    rest = ""
                elif letter in flags:
                    yield letter, ""
                else:
                    raise _Wrong(f"invalid option -- '{letter}'")


def _date(asked: BuiltinContext, moment: datetime) -> str:
    shape, told = "%a %b %e %H:%M:%S UTC %Y", ""
    for option, value in _options(asked, "uR", "drI"):
        if option == "":
            if not value.startswith("+"):
                raise _Wrong("the clock cannot be set here")
            shape = value[1:]
        elif option in ("d", "date"):
            told = value
        elif option == "R" or option.startswith("rfc"):
            shape = "%a, %d %b %Y %H:%M:%S +0000"
        elif option in ("I", "iso-8601"):
            shape = {"seconds": "%Y-%m-%dT%H:%M:%S+00:00", "s": "%Y-%m-%dT%H:%M:%S+00:00"}.get(value, "%Y-%m-%d")
        elif option not in ("u", "utc", "r", "reference"):
            raise _Wrong(f"unrecognized option '--{option}'")
    return formatted(understood(told, moment), shape) + "\n"


def _sleep(asked: BuiltinContext) -> str:
    for word in asked.argv:
        if not re.fullmatch(r"\d+(\.\d*)?[smhd]?", word):
            raise _Wrong(f"invalid time interval '{word}'")
    if not asked.argv:
        raise _Wrong("missing operand")
    return ""  # no time passes inside a call


def _shuf(asked: BuiltinContext) -> str:
    most, lines, words, echoed = _DRAWN, None, list[str](), False
    for option, value in _options(asked, "e", "in"):
        if option in ("n", "head-count"):
            if not value.isdigit():
                raise _Wrong(f"invalid line count: '{value}'")
            most = int(value)
        elif option in ("i", "input-range"):
            low, _, high = value.partition("-")
            if (
                not (low.isdigit() and high.isdigit())
                or not int(low) <= int(high) + 1
                or int(high) - int(low) >= _DRAWN
            ):
                raise _Wrong(f"invalid input range: '{value}'")
            lines = [str(each) for each in range(int(low), int(high) + 1)]
        elif option in ("e", "echo"):
            echoed = True
        elif option == "":
            words.append(value)
        else:
            raise _Wrong(f"unrecognized option '--{option}'")
    if lines is None:
        lines = words if echoed else _read(asked, words).splitlines()
    drawn = sorted(enumerate(lines), key=lambda each: hashlib.sha256(f"{each[0]}\0{each[1]}".encode()).digest())
    return "".join(f"{line}\n" for _, line in drawn[:most])


def _read(asked: BuiltinContext, words: list[str]) -> str:
    if words in ([], ["-"]):
        return asked.stdin or ""
    if len(words) > 1:
        raise _Wrong(f"extra operand '{words[1]}'")
    try:
        return asked.fs.read_file(_place(asked, words[0])).decode("utf-8", "replace")
    except RuntimeError:
        raise _Wrong(f"{words[0]}: No such file or directory") from None


def _place(asked: BuiltinContext, path: str) -> str:
    """An absolute path without its '.' and '..'."""
    parts: list[str] = []
    for part in (path if path.startswith("/") else f"{asked.cwd}/{path}").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def _mktemp(asked: BuiltinContext, number: int) -> str:
    folder, template, directory, dry = "/tmp", "tmp.XXXXXXXXXX", False, False
    for option, value in _options(asked, "dqtu", "p"):
        directory |= option in ("d", "directory")
        dry |= option in ("u", "dry-run")
        if option in ("p", "tmpdir"):
            folder = value or folder
        elif option == "":
            template = value
            folder = "" if folder == "/tmp" else folder
    marks = re.search(r"X{3,}(?!.*X{3})", template)
    if marks is None:
        raise _Wrong(f"too few X's in template '{template}'")
    shown = template[: marks.start()] + str(number).zfill(len(marks[0])) + template[marks.end() :]
    path = f"{folder}/{shown}" if folder else shown
    place = _place(asked, path)
    if asked.fs.exists(place):
        raise _Wrong(f"cannot create '{path}': File exists")
    if not dry:
        try:
            if directory:
                asked.fs.mkdir(place)
            else:
                asked.fs.write_file(place, b"")
            asked.fs.chmod(place, 0o700 if directory else 0o600)
        except RuntimeError:
            raise _Wrong(f"failed to create '{path}': No such file or directory") from None
    return f"{path}\n"


def _uuid(moment: datetime, number: int) -> str:
    told = hashlib.sha256(f"{moment.isoformat()}\0{number}".encode()).hexdigest()
    return f"{told[:8]}-{told[8:12]}-4{told[13:16]}-a{told[17:20]}-{told[20:32]}\n"


def _openssl(asked: BuiltinContext, moment: datetime, number: int) -> str:
    """`openssl rand`, all of openssl that bashkit has."""
    if asked.argv[:1] != ["rand"]:
        raise _Wrong("only rand is available here; sha256sum and md5sum make digests, base64 encodes")
    shape, size = "", ""
    for word in asked.argv[1:]:
        if word in ("-hex", "-base64"):
            shape = word
        elif word.isdigit() and not size and int(word) <= _DRAWN:
            size = word
        else:
            raise _Wrong(f"rand: '{word}' is not understood; write rand -hex 16 or rand -base64 16")
    if not shape or not size:
        raise _Wrong("rand: bytes are printed as text alone; write rand -hex 16 or rand -base64 16")
    drawn = hashlib.shake_256(f"{moment.isoformat()}\0{number}".encode()).digest(int(size))
    if shape == "-hex":
        return f"{drawn.hex()}\n"
    text = base64.b64encode(drawn).decode()
    return "".join(f"{text[at : at + 64]}\n" for at in range(0, len(text), 64))


def _mkdir(asked: BuiltinContext) -> str:
    mode, parents, words, wrong = 0o755, False, list[str](), list[str]()
    for option, value in _options(asked, "pv", "m"):
        parents |= option in ("p", "parents")
        if option in ("m", "mode"):
            if not re.fullmatch(r"[0-7]{3,4}", value):
                raise _Wrong(f"invalid mode '{value}'; give it in octal, such as 750")
            mode = int(value, 8)
        elif option == "":
            words.append(value)
        elif option not in ("p", "parents", "v", "verbose"):
            raise _Wrong(f"unrecognized option '--{option}'")
    if not words:
        raise _Wrong("missing operand")
    for word in words:
        place = _place(asked, word)
        if asked.fs.exists(place):
            if not (parents and asked.fs.stat(place)["file_type"] == "directory"):
                wrong.append(f"cannot create directory '{word}': File exists")
            continue
        try:
            asked.fs.mkdir(place, parents)
            asked.fs.chmod(place, mode)
        except RuntimeError as error:
            why = str(error).removeprefix("io error: ")
            missing = not asked.fs.exists(place.rpartition("/")[0] or "/")
            wrong.append(f"cannot create directory '{word}': {'No such file or directory' if missing else why}")
    if wrong:
        raise _Wrong("\nmkdir: ".join(wrong))
    return ""


def _du(asked: BuiltinContext) -> str:
    """Sizes in blocks of 1,024 bytes, of files alone, in the order of their names."""
    seen: set[str] = set()
    deepest, words = 10_000, list[str]()
    for option, value in _options(asked, "sahbckm", "d"):
        seen.add(option)
        if option in ("d", "max-depth"):
            if not value.isdigit():
                raise _Wrong(f"invalid maximum depth '{value}'")
            deepest = int(value)
        elif option == "":
            words.append(value)
        elif len(option) > 1 and option not in ("summarize", "all", "human-readable", "bytes", "total"):
            raise _Wrong(f"unrecognized option '--{option}'")
    if seen & {"s", "summarize"}:
        deepest = 0
    lines: list[tuple[int, str]] = []
    total = 0

    def measured(path: str, depth: int) -> int:
        about = asked.fs.stat(_place(asked, path))
        size = int(about["size"])
        if about["file_type"] == "directory":
            entries = sorted(asked.fs.read_dir(_place(asked, path)), key=lambda entry: str(entry["name"]))
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
            raise _Wrong(f"cannot access '{word}': No such file or directory") from None
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
