"""`rm` as GNU has it, since bashkit's asks nobody and tells nothing: it takes `-i` and `-v` and does without them."""

from __future__ import annotations

import posixpath

from servers.kernel.shell.calls import Asked, Done, Wrong, options, place
from servers.kernel.shell.listing import Entry, called, entry

__all__ = ("rm",)

_LONG = {
    "recursive": "r", "force": "f", "verbose": "v", "dir": "d", "interactive=always": "i", "interactive": "i",
    "interactive=once": "I", "interactive=never": "f", "one-file-system": "", "preserve-root": "",
}  # fmt: skip


def rm(asked: Asked) -> Done:
    """Remove files, links and, with `-r`, directories."""
    return _Removal(asked).done()


class _Removal:
    """One call of `rm`: what it was told, and what it has said."""

    def __init__(self, asked: Asked) -> None:
        self._asked, self._fs = asked, asked.fs
        self._words: list[str] = []
        self._given: set[str] = set()
        self._ask = ""  # the last of f, i and I
        for option, value in options(asked, "rRfivdI", ""):
            if option == "":
                self._words.append(value)
                continue
            name = f"{option}={value}" if value else option
            letter = option if len(option) == 1 else _LONG.get(name)
            if letter is None:
                raise Wrong(f"unrecognized option '--{name}'")
            self._ask = letter if letter in ("f", "i", "I") else self._ask
            self._given.add("r" if letter == "R" else letter)
        self._answers = iter((asked.stdin or "").splitlines())
        self._said, self._wrong, self._failed = list[str](), list[str](), False

    def done(self) -> Done:
        """Do as told; what cannot be removed is said, and the rest is removed."""
        if not self._words and self._ask != "f":
            raise Wrong("missing operand")
        many = len(self._words) > 3 or "r" in self._given
        if self._words and self._ask == "I" and many and not self._agreed(self._counted()):
            self._words = []
        for word in self._words:
            try:
                self._one(word)
            except Wrong as error:
                self._wrong.append(f"rm: {error}\n")
                self._failed = True
        return Done("".join(self._said), "".join(self._wrong), int(self._failed))

    def _counted(self) -> str:
        count = len(self._words)
        return f"remove {count} argument{'s' * (count != 1)}{' recursively' * ('r' in self._given)}?"

    def _agreed(self, question: str) -> bool:
        self._wrong.append(f"rm: {question} ")
        return next(self._answers, "").strip().lower().startswith("y")

    def _found(self, at: str) -> Entry | None:
        """What is there itself, under its whole path."""
        return entry(self._asked, at, at, follow=False)

    def _one(self, word: str) -> None:
        found = self._found(place(self._asked, word)) if word else None
        kind = found.kind if found else ""
        if word.endswith("/") and kind == "link":
            raise Wrong(f"cannot remove '{word}': {'Not' if 'r' in self._given else 'Is'} a directory")
        if not found or (word.endswith("/") and kind != "directory"):
            if self._ask == "f":
                return
            raise Wrong(f"cannot remove '{word}': {'Not a directory' if kind else 'No such file or directory'}")
        if kind == "directory" and not self._given & {"r", "d"}:
            raise Wrong(f"cannot remove '{word}': Is a directory")
        if word.rstrip("/").rpartition("/")[2] in (".", ".."):
            raise Wrong(f"refusing to remove '.' or '..' directory: skipping '{word}'")
        if found.name == "/":
            raise Wrong("it is dangerous to operate recursively on '/'")
        self._removed(word, found)

    def _removed(self, word: str, found: Entry) -> bool:
        """Whether it is gone: nothing may be in a directory that somebody has said no to."""
        at, is_folder = found.name, found.kind == "directory"
        try:
            within = sorted(entry["name"] for entry in self._fs.read_dir(at)) if is_folder else []
            if within and "r" not in self._given:
                raise Wrong(f"cannot remove '{word}': Directory not empty")
            if within and "v" not in self._given and self._ask != "i":
                self._fs.remove(at, True)
                return True
            if within and self._ask == "i" and not self._agreed(f"descend into directory '{word}'?"):
                return False
            inside = filter(None, (self._found(f"{at}/{name}") for name in within))
            gone = [self._removed(f"{word.rstrip('/')}/{posixpath.basename(each.name)}", each) for each in inside]
            if not all(gone):
                return False
            if self._ask == "i" and not self._agreed(f"remove {called(found)} '{word}'?"):
                return False
            self._fs.remove(at, is_folder)
        except RuntimeError as error:  # bashkit's, of files
            raise Wrong(f"cannot remove '{word}': {str(error).removeprefix('io error: ')}") from None
        if "v" in self._given:
            self._said.append(f"removed {'directory ' * is_folder}'{word}'\n")
        return True
