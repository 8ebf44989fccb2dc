"""`cp` and `mv` as GNU has them, since bashkit's lose files.

They overwrite what `-n` and `-i` leave, know no `-t`, take a directory that is not there for the name of a file, and
stop at the first that cannot be moved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from servers.kernel.shell.calls import Asked, Done, Wrong, options, resolved, target
from servers.kernel.shell.tree import ROOT

__all__ = ("cp", "mv")

_LONG = {
    "recursive": "r", "archive": "a", "force": "f", "no-clobber": "n", "interactive": "i", "verbose": "v",
    "no-target-directory": "T", "target-directory": "t", "dereference": "L", "no-dereference": "P", "preserve": "p",
    "update": "u", "backup": "b", "suffix": "S", "parents": "parents",
}  # fmt: skip


def cp(asked: Asked) -> Done:
    """Copy files, links and directories."""
    return _Carrier(asked, "cp", "rRafinvTLPdHpub").carried()


def mv(asked: Asked) -> Done:
    """Move files, links and directories."""
    return _Carrier(asked, "mv", "finvTub").carried()


class _Carrier:
    """One call of `cp` or `mv`: what it was told, and what it has said."""

    def __init__(self, asked: Asked, name: str, flags: str) -> None:
        self._asked, self._fs, self._name = asked, asked.fs, name
        self._words: list[str] = []
        self._into: str | None = None
        self._over = "f"  # the last of f, i and n
        given: set[str] = set()
        for option, value in options(asked, flags, "tS"):
            if option == "":
                self._words.append(value)
                continue
            letter = _LONG.get(option, "") if len(option) > 1 else option
            if letter not in {*flags, "t", "S", *(["parents"] if name == "cp" else [])}:
                raise Wrong(f"unrecognized option '--{option}'")
            if letter in ("b", "S"):
                raise Wrong("no backups are made here; copy what is to be kept first, as in cp a a~")
            if letter == "u":
                raise Wrong("files carry no times here, so -u cannot be used; go by names and contents, as with cmp")
            if letter == "t":
                self._into = value
            if letter in "fin":
                self._over = letter
            given.add("r" if letter == "R" else letter)
        self._deep = bool(given & {"r", "a"})
        self._follow = "L" in given or (name == "cp" and not given & {"r", "a", "P", "d"})
        self._keep = bool(given & {"a", "p"})
        self._loud, self._plain, self._parents = "v" in given, "T" in given, "parents" in given
        self._answers = iter((asked.stdin or "").splitlines())
        self._said, self._wrong, self._failed = list[str](), list[str](), False
        self._done: set[str] = set()
        self._ways = {ROOT: ""}
        self._abouts: dict[str, Mapping[str, Any]] = {}

    def carried(self) -> Done:
        """Do as told; what cannot be done is said, and the rest is done."""
        for word, to in self._pairs():
            try:
                self._one(word, to)
            except Wrong as error:
                self._fail(str(error))
            except RuntimeError as error:  # bashkit's, of files
                self._fail(f"cannot {self._verb} '{word}' to '{to}': {str(error).removeprefix('io error: ')}")
        return Done("".join(self._said), "".join(self._wrong), int(self._failed))

    @property
    def _verb(self) -> str:
        return "move" if self._name == "mv" else "copy"

    def _fail(self, why: str) -> None:
        self._wrong.append(f"{self._name}: {why}\n")
        self._failed = True

    def _pairs(self) -> list[tuple[str, str]]:
        """Each source with the path that it is to have."""
        words, into = self._words, self._into
        if not words:
            raise Wrong("missing file operand")
        if into is None:
            if len(words) == 1:
                raise Wrong(f"missing destination file operand after '{words[0]}'")
            *words, into = words
            if self._plain or (len(words) == 1 and not self._parents and self._seen(into) != "directory"):
                if len(words) > 1:
                    raise Wrong(f"extra operand '{words[1]}'")
                return [(words[0], into)]
        if (kind := self._seen(into)) != "directory":
            what = "target directory" if self._into is not None and self._name == "mv" else "target"
            raise Wrong(f"{what} '{into}': {'Not a directory' if kind else 'No such file or directory'}")
        shown = into if into.endswith("/") else f"{into}/"
        return [
            (word, shown + (word.strip("/") if self._parents else word.rstrip("/").rpartition("/")[2]))
            for word in words
        ]

    def _at(self, word: str) -> str:
        """Where that is, by its only path: links on the way are followed, but not one that is named itself."""
        return resolved(self._asked, word, self._way)

    def _way(self, at: str) -> str:
        """As `target`, asked once until links may lead elsewhere: each question to the shell takes time."""
        if at not in self._ways:
            self._ways[at] = target(self._asked, at)
        return self._ways[at]

    def _kind(self, word: str) -> str:
        """What is there itself: file, directory, link or ""."""
        return "link" if target(self._asked, self._at(word)) else self._seen(word)

    def _seen(self, word: str) -> str:
        """What is there, links followed."""
        return str(self._about(self._at(word)).get("file_type", "")) if word else ""

    def _about(self, at: str) -> Mapping[str, Any]:
        """What the shell tells of that, links followed; empty of nothing. Asked once until something changes."""
        if at not in self._abouts:
            try:
                self._abouts[at] = self._fs.stat(at)
            except RuntimeError:
                self._abouts[at] = {}
        return self._abouts[at]

    def _change(self, do: Callable[..., object], *given: object, ways: bool = False) -> None:
        """Change files: the shell is asked of all of them again, and of links too if `ways` may lead elsewhere now."""
        self._abouts.clear()
        if ways:
            self._ways = {ROOT: ""}
        do(*given)

    def _one(self, word: str, to: str) -> None:
        kind = self._seen(word) if self._follow else self._kind(word)
        if not kind or (word.endswith("/") and self._seen(word) != "directory"):
            raise Wrong(f"cannot stat '{word}': {'Not a directory' if kind else 'No such file or directory'}")
        start, end = self._at(f"{word}/" if self._follow else word), self._at(to)
        if kind == "directory" and self._name == "cp" and not self._deep:
            raise Wrong(f"-r not specified; omitting directory '{word}'")
        if self._name == "mv" and start != self._at(word.rstrip("/")):
            raise Wrong(f"cannot move '{word}' to '{to}': Not a directory")  # a link with a slash behind it
        same = start == end or (kind == "link" and self._at(f"{start}/") == end)
        if same or (self._name == "cp" and kind == "file" and self._seen(to) and self._at(f"{to}/") == start):
            raise Wrong(f"'{word}' and '{to}' are the same file")
        if kind == "directory" and f"{end}/".startswith(f"{start.rstrip('/')}/"):
            if self._name == "cp":
                raise Wrong(f"cannot copy a directory, '{word}', into itself, '{to}'")
            raise Wrong(f"cannot move '{word}' to a subdirectory of itself, '{to}'")
        if end in self._done:
            raise Wrong(f"will not overwrite just-created '{to}' with '{word}'")
        self._done.add(end)
        if self._parents:
            self._change(self._fs.mkdir, end.rpartition("/")[0], True)
        there = self._kind(to) if self._name == "mv" or kind != "file" else self._seen(to)
        above = self._seen(end.rpartition("/")[0] or "/") if to else ""
        if above != "directory" or (kind != "directory" and to.endswith("/") and there != "directory"):
            made = f"cannot create {'directory' if kind == 'directory' else 'regular file'} '{to}'"
            how = f"cannot move '{word}' to '{to}'" if self._name == "mv" else made
            raise Wrong(f"{how}: {'Not a directory' if above else 'No such file or directory'}")
        if self._name == "cp":
            self._copy(word, to)
        elif self._free(word, to, kind, there):
            if there == "directory" and self._fs.read_dir(end):
                raise Wrong(f"cannot move '{word}' to '{to}': Directory not empty")
            self._move(start, end, kind, there)
            self._tell(f"renamed '{word}' -> '{to}'")

    def _free(self, word: str, to: str, kind: str, there: str) -> bool:
        """Whether what is there may go. Raises `Wrong` where it cannot."""
        if there == "directory" != kind:
            raise Wrong(f"cannot overwrite directory '{to}' with non-directory")
        if kind == "directory" and there not in ("", "directory"):
            raise Wrong(f"cannot overwrite non-directory '{to}' with directory '{word}'")
        if not there or self._over == "f":
            return True
        if self._over == "i":
            self._wrong.append(f"{self._name}: overwrite '{to}'?\n")
            return next(self._answers, "").strip().lower().startswith("y")
        return False

    def _tell(self, what: str) -> None:
        if self._loud:
            self._said.append(f"{what}\n")

    def _move(self, start: str, end: str, kind: str, there: str) -> None:
        if there:
            self._change(self._fs.remove, end, ways=True)
        try:
            self._change(self._fs.rename, start, end, ways=kind != "file")
        except RuntimeError:  # a directory to another mount, such as /tmp
            loud, self._loud, self._keep = self._loud, False, True
            self._copy(start, end)
            self._loud = loud
            try:
                self._change(self._fs.remove, start, True, ways=True)
            except RuntimeError:
                self._change(self._fs.remove, end, True, ways=True)
                raise

    def _copy(self, word: str, to: str) -> None:
        start, end = self._at(word), self._at(to)
        kind = self._seen(word) if self._follow else self._kind(word)
        if not kind:  # a link below a directory, which leads nowhere
            raise Wrong(f"cannot stat '{word}': No such file or directory")
        there = self._seen(to) if kind == "file" else self._kind(to)
        if kind == "directory":
            if self._follow and start.startswith(f"{self._at(f'{word}/').rstrip('/')}/"):
                raise Wrong(f"cannot copy cyclic symbolic link '{word}'")
            if there != "directory":
                self._free(word, to, kind, there)
                mode = self._mode(start, exact=self._keep)
                self._change(self._fs.mkdir, end)
                self._change(self._fs.chmod, end, mode)
                self._tell(f"'{word}' -> '{to}'")
            for entry in sorted(self._fs.read_dir(start), key=lambda entry: str(entry["name"])):
                try:
                    self._copy(f"{word.rstrip('/')}/{entry['name']}", f"{to.rstrip('/')}/{entry['name']}")
                except Wrong as error:
                    self._fail(str(error))
            return
        if not self._free(word, to, kind, there):
            return
        if kind == "link":
            if there:
                self._change(self._fs.remove, end)
            self._change(self._fs.symlink, self._fs.read_link(start), end, ways=True)
        else:
            mode = self._mode(end, exact=True) if there and not self._keep else self._mode(start, exact=self._keep)
            self._change(self._fs.write_file, end, self._fs.read_file(start))
            self._change(self._fs.chmod, end, mode)
        self._tell(f"'{word}' -> '{to}'")

    def _mode(self, at: str, *, exact: bool) -> int:
        """The mode of what is there, or that of a new file like it, which others cannot write."""
        mode = int(self._about(at)["mode"]) & 0o7777
        return mode if exact else mode & ~0o022
