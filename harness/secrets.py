"""Nothing that is stored or shown may hold a key."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote

__all__ = ("HIDDEN", "hide", "looks_secret", "scrub")

HIDDEN = "[hidden]"

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_SHORTEST = 8  # shorter values are flags and words, and would blank out ordinary text
_HEADERS = frozenset(
    {"authorization", "proxyauthorization", "apikey", "xapikey", "xgoogapikey", "cookie", "setcookie"}
)  # as `_plain` spells them
_VALUE = r"""(?: (?=[^\s"'\\,;}]*\d) [^\s"'\\,;}]{8,} | [^\s"'\\,;}]{20,} )"""  # a token, not a word of prose
_HEADER = re.compile(
    rf"""(?ix) \b ( (?:proxy-)?authorization | (?:x-(?:goog-)?)?api[-_]key ) \b (["'\\]* \s* [:=] \s* ["'\\]*)
         (?: (?:bearer|basic) \s+ [^\s"'\\,;}}]+ | {_VALUE} )""",
)
_BEARER = re.compile(rf"(?ix) \b (bearer) \s+ {_VALUE}")
_HINTS = ("authorization", "apikey", "bearer", "cookie", "secret", "password", "accesstoken", "authtoken")


def scrub(value: Any, environ: Mapping[str, str] | None = None) -> Any:
    """The same JSON-able structure without secrets.

    Gone are, wherever they stand in a text: the values of environment variables whose name holds KEY,
    TOKEN, SECRET or PASSWORD, if at least 8 characters long (as they are, JSON-escaped
    once or twice, or percent-encoded), and authorization headers. Fields named like such a header lose their value.
    """
    secrets = _patterns(tuple(_secrets(os.environ if environ is None else environ)))
    text = json.dumps(value, ensure_ascii=False)
    plain = _plain(text)
    if any(hint in plain for hint in _HINTS) or (secrets and any(form in text for form in secrets.in_json)):
        return _scrub(value, secrets and secrets.in_text)
    return value  # nearly always, and much faster than to visit every text


def hide(text: str, environ: Mapping[str, str] | None = None) -> str:
    """The text, plain or JSON, without the values of environment variables that look like secrets.

    Unlike `scrub` it touches nothing else, so that what an agent did can be played again from the record.
    """
    secrets = _patterns(tuple(_secrets(os.environ if environ is None else environ)))
    return secrets.in_text.sub(HIDDEN, text) if secrets else text


def looks_secret(name: str) -> bool:
    """Whether a field of that name carries a credential: `api_key`, `Authorization`, `X-Api-Key`..."""
    plain = _plain(name)
    return plain in _HEADERS or plain.endswith(("apikey", "secret", "password", "accesstoken", "authtoken"))


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def _secrets(environ: Mapping[str, str]) -> Iterator[str]:
    for name in environ:
        if _SECRET_NAME.search(name) and len(environ[name]) >= _SHORTEST:
            yield environ[name]


class _Patterns(NamedTuple):
    """All secrets, to be found in a text, or in the JSON of whatever holds such a text."""

    in_text: re.Pattern[str]
    in_json: tuple[str, ...]


@lru_cache(maxsize=8)
def _patterns(secrets: tuple[str, ...]) -> _Patterns | None:
    if not secrets:
        return None
    forms = {form for s in secrets for form in (s, _escaped(s), _escaped(_escaped(s)), quote(s, safe=""))}
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    return _Patterns(re.compile("|".join(map(re.escape, longest_first))), tuple({_escaped(form) for form in forms}))


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _scrub(value: Any, secrets: re.Pattern[str] | None) -> Any:
    if isinstance(value, str):
        return _text(value, secrets)
    if isinstance(value, dict):
        return {
            _text(key, secrets): HIDDEN
            if isinstance(item, str) and item and looks_secret(key)
            else _scrub(item, secrets)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_scrub(item, secrets) for item in value]
    return value


def _text(text: str, secrets: re.Pattern[str] | None) -> str:
    if secrets is not None:
        text = secrets.sub(HIDDEN, text)
    plain = _plain(text)
    if "authorization" in plain or "apikey" in plain:
        text = _HEADER.sub(rf"\1\2{HIDDEN}", text)
    if "bearer" in plain:
        text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    return text
