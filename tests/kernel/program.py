"""What children run in the tests of the kernel: a function that does as it is told."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

__all__ = ("answer", "settle")

_ASKED: Counter[str] = Counter()


def answer(request: Any) -> Any:
    """Answer a request: its name, or what that says."""
    match request:
        case "count":
            _ASKED["count"] += 1
            return _ASKED["count"]
        case "pid":
            return os.getpid()
        case "settled":
            _ASKED["settling"] = 1
            return _ASKED["settled"]
        case "settle no more":
            _ASKED["failing"] = 1
            return "answered all the same"
        case "zone":
            return os.environ["TZ"]
        case "crash":
            os._exit(3)
        case "need more memory":
            raise MemoryError
        case "raise":
            raise LookupError("no such thing")
        case "set":
            return {1}
        case "print":
            sys.stdout.write("not an answer\n")
            sys.stdout.flush()
            return "an answer"
        case "environment":
            return sorted(os.environ)
        case {"busy": seconds, "then": text}:
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                pass
            return text
        case {"write": path}:
            try:
                Path(path).write_text("something")
            except OSError as error:
                return type(error).__name__
            return "written"
        case {"bytes": size}:
            try:
                return len(bytearray(size))
            except MemoryError:
                return "MemoryError"
        case _:
            return request
    return None


def settle() -> None:
    """Count the requests that were to be settled, or fail once told so."""
    if _ASKED["failing"]:
        raise LookupError("nothing is settled")
    _ASKED["settled"] += _ASKED["settling"]
