"""A checkout with answers in it, ways that lead there, and a program that looks for them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from harness.isolation import files

__all__ = ("LOOK", "WAYS", "checkout", "made")

WAYS = ("checkout", ".", "link", "up", "up/checkout", "folder", "folder/inner", "tree", "up/link/docs")
"""Where one gets to a `checkout` from its home: itself, folders that hold it, links to those, one inside of it."""

LOOK = """
import json, os, sys
seen, been = {"fine": [], "ANSWER": []}, set()
for top in sys.argv[2:]:
    for folder, inner, names in os.walk(top, followlinks=True):
        if os.path.realpath(folder) in been:
            inner.clear()
            continue
        been.add(os.path.realpath(folder))
        for path in (os.path.join(folder, name) for name in names):
            try:
                seen[open(path).read()].append(path)
            except (KeyError, OSError, UnicodeDecodeError):
                pass
print(json.dumps(seen))
"""
"""Reads every file below its arguments, through links too, once, and prints the paths of those that are `made`."""


def checkout(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make `home/checkout` of this project, another working tree of its repository, imported data, and links to all."""
    place = home / "checkout"
    for name in ("harness/isolation", "servers", "benchmarks/one", "userssim", "tests", "runs/one", "build/lib"):
        made(place / name / "key.txt", "ANSWER")
    for name in ("docs/page.md", "pyproject.toml"):
        made(place / name, "fine")
    git(place, "init", "--quiet")
    git(place, "add", ".")
    git(place, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "All of it")
    git(place, "worktree", "add", "--quiet", str(home / "tree"))
    made(place / ".git" / "objects" / "key.txt", "ANSWER")
    made(home / "data" / "official" / "key.txt", "ANSWER")
    (home / "folder").mkdir()
    for link, target in {"link": "checkout", "up": ".", "folder/inner": "../checkout", "folder/up": "../up"}.items():
        (home / link).symlink_to(target)
    monkeypatch.setenv("HARNESS_DATA", str(home / "data"))
    monkeypatch.setattr(files, "__file__", str(place / "harness" / "isolation" / "files.py"))
    return place


def made(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def git(place: Path, *arguments: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "-C", str(place), *arguments], env=environment, check=True)
