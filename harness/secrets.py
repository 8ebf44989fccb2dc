"""Nothing that is stored or shown may hold a key."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

__all__ = ("HIDDEN", "looks_secret", "scrub")

HIDDEN = "[hidden]"

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_SHORTEST = 8  # shorter values are flags and words, and would blank out ordinary text
_HEADERS = frozenset(
    {"authorization", "proxyauthorization", "apikey", "xapikey", "xgoogapikey", "cookie", "setcookie"}
)  # as `_plain` spells them
_IN_TEXT = re.compile(
    r"""(?ix) \b ( (?:proxy-)?authorization | (?:x-(?:goog-)?)?api[-_]key ) \b (["'\\]* \s* [:=] \s* ["'\\]*)
        (?: (?:bearer|basic) \s+ )? [^\s"'\\,;}]{4,}""",
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}")


def scrub(value: Any, environ: Mapping[str, str] | None = None) -> Any:
    """The same JSON-able structure without secrets; tuples come back as lists.

    Gone are, wherever they stand in a text: the values of environment variables whose name holds KEY,
    TOKEN, SECRET or PASSWORD, if at least 8 characters long (as they are, JSON-escaped
    once or twice, or percent-encoded), and authorization headers. Fields named like such a header lose their value.
    """
    return _scrub(value, _pattern(tuple(_secrets(os.environ if environ is None else environ))))


def looks_secret(name: str) -> bool:
    """Whether a field of that name carries a credential: `api_key`, `Authorization`, `X-Api-Key`..."""
    plain = _plain(name)
    return plain in _HEADERS or plain.endswith(("apikey", "secret", "password", "accesstoken", "authtoken"))


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def _secrets(environ: Mapping[str, str]) -> Iterator[str]:
    for name, value in environ.items():
        if len(value) >= _SHORTEST and _SECRET_NAME.search(name):
            yield value


@lru_cache(maxsize=8)
def _pattern(secrets: tuple[str, ...]) -> re.Pattern[str] | None:
    forms = {form for s in secrets for form in (s, _escaped(s), _escaped(_escaped(s)), quote(s, safe=""))}
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    return re.compile("|".join(map(re.escape, longest_first))) if forms else None


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]


def _scrub(value: Any, secrets: re.Pattern[str] | None) -> Any:
    if isinstance(value, str):
        return _text(value, secrets)
    if isinstance(value, dict):
        return {
            _text(key, secrets): HIDDEN if isinstance(item, str) and looks_secret(key) else _scrub(item, secrets)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_scrub(item, secrets) for item in value]
    return value


def _text(text: str, secrets: re.Pattern[str] | None) -> str:
    if secrets is not None:
        text = secrets.sub(HIDDEN, text)
    lowered = text.lower()
    if "authorization" in lowered or "api" in lowered:
        text = _IN_TEXT.sub(rf"\1\2{HIDDEN}", text)
    if "bearer" in lowered or "basic" in lowered:
        text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    return text
