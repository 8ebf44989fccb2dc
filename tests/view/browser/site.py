"""Made-up runs as a page asks for them: over HTTP on loopback, with the server's policy, or as a folder."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.view.browser.made import PIECE, Made

__all__ = ("STATIC", "Site", "folder", "served", "serving")

STATIC = Path(__file__).parents[3] / "harness" / "view" / "static"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def folder(made: Made, target: Path, trials: int, *, pieces: bool = False) -> Path:
    """The page as a folder, with the first trials, and all pieces of them if asked for; its index.html."""
    shutil.copytree(STATIC, target)
    index = target / "index.html"
    text = index.read_text(encoding="utf-8")
    index.write_text(text.replace('name="harness-source" content="server"', 'name="harness-source" content="folder"'))
    (target / "data").mkdir()
    names = ["runs"]
    for run, keys in enumerate(made.numbers):
        names += [f"index-{run}", f"report-{run}", f"questions-{run}", f"text-{run}-0"]
        for key in list(keys)[:trials]:
            names.append(f"trial-{run}-{key}")
            more = range(1, -(-made.trial(run, key)["events"] // PIECE)) if pieces else ()
            names += [f"events-{run}-{key}-{piece}" for piece in more]
    for name in names:
        value = json.dumps(made.value(name)).replace("<", "\\u003c")
        (target / "data" / f"{name}.js").write_text(f'harnessData("{name}", {value})')
    return index


class Site(ThreadingHTTPServer):
    """A server of made-up runs, of others at each `show`."""

    def __init__(self, *, kept: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}/"
        self.made = Made()
        self.answers: dict[str, tuple[str, bytes]] = {}
        self.kept = kept

    def show(self, made: Made) -> str:
        """Serve these runs, and say where."""
        self.made, self.answers = made, {}
        return self.address


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Site

    def do_GET(self) -> None:
        made, answers = self.server.made, self.server.answers
        path = urlsplit(self.path)
        try:
            still = path.path.startswith("/data/") and not (made.under_way or made.writable)
            kind, body = answers.get(self.path) or _answer(made, path.path, path.query)
            if still:
                answers[self.path] = kind, body
        except (KeyError, ValueError, FileNotFoundError):
            self._send(404, "application/json", b'{"error": "There is nothing of that name."}')
        else:
            self._send(200, kind, body)

    def do_POST(self) -> None:
        made = self.server.made
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["X-Harness-Token"] != made.head["token"]:
            self._send(403, "application/json", b'{"error": "The token is wrong."}')
            return
        kept = made.notes.setdefault(said["key"], [])
        note = {name: said[name] for name in ("step", "kind", "value", "text", "author")}
        kept.append(note | {"id": f"a{len(kept)}", "at": "2026-11-22T10:00:00+00:00"})
        self._send(201, "application/json", json.dumps(kept[-1]).encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        if self.server.kept and kind in _TYPES.values():
            self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(*, kept: bool = False) -> Iterator[Site]:
    """A server, which is gone afterwards; `kept` has the browser keep the page's own files from one visit to the next.

    That saves a quarter of what a test costs: a page is some thirty files.
    """
    site = Site(kept=kept)
    thread = threading.Thread(target=site.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.shutdown()
        site.server_close()
        thread.join()


@contextmanager
def served(made: Made) -> Iterator[str]:
    """The address of a server of these runs alone."""
    with serving() as site:
        yield site.show(made)


def _answer(made: Made, path: str, query: str) -> tuple[str, bytes]:
    asked = parse_qs(query)
    if path.startswith("/data/index-"):
        run = int(path.removeprefix("/data/index-").removesuffix(".json"))
        return "application/json", json.dumps(made.index(run, int(asked.get("after", ["0"])[0]))).encode()
    if path.startswith("/data/"):
        return "application/json", json.dumps(made.value(path.removeprefix("/data/").removesuffix(".json"))).encode()
    if path.startswith("/search/"):
        run = int(path.removeprefix("/search/").removesuffix(".json"))
        words = unquote(asked["q"][0])
        return "application/json", json.dumps(made.search(run, words)).encode()
    if path.startswith("/hits/"):
        within, key = path.removeprefix("/hits/").removesuffix(".json").split("/")
        return "application/json", json.dumps(made.hits(int(within), key, unquote(asked["q"][0]))).encode()
    file = STATIC / ("index.html" if path == "/" else path.lstrip("/"))
    if not file.resolve().is_relative_to(STATIC):
        raise KeyError(path)
    return _TYPES.get(file.suffix, "text/plain"), file.read_bytes()
